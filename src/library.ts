/** The library: a mirror inside a program of your own, on a world of its own. */
import { clockOf } from './contract/clock.ts'
import type { Clock } from './contract/clock.ts'
import { BufferPool } from './encoding/buffer-pool.ts'
import { NearSupply } from './library/near-supply.ts'
import { WorldSource } from './library/world.ts'
import type { World } from './library/world.ts'
import { chooseCollectors } from './metrics/collectors.ts'
import { createExposition } from './metrics/exposition.ts'
import type { Exposition } from './metrics/exposition.ts'
import { createSeriesReader } from './metrics/series-reader.ts'
import type { HistoryReader } from './metrics/series-reader.ts'
import type { Mirror, MirrorStatus } from './mirror/mirror.ts'
import { ownVersion } from './own-version.ts'
import { createService } from './service.ts'
import { Exchange } from './sources/attached/exchange.ts'
import { ServerHistory } from './sources/attached/server-history.ts'
import { AttachedSource } from './sources/attached/source.ts'
import type { Source } from './sources/source.ts'

export { eventOf, recordOf } from './library/records.ts'
export type { World, WorldState } from './library/world.ts'
export type { MirrorStatus } from './mirror/mirror.ts'
export type { WorldTotals } from './contract/totals.ts'
export type {
  ApplianceRecord,
  CableRecord,
  Collections,
  CustomerRecord,
  DiagnosticsRecord,
  EventRecord,
  GatewayRecord,
  HostPoolRecord,
  HostRecord,
  IncidentRecord,
  PatchPanelRecord,
  ProspectRecord,
  QuestRecord,
  SegmentRecord,
  SubnetRecord,
  SwitchRecord,
  WorkOrderRecord,
  ZoneRecord,
} from './contract/collections.ts'

export interface MirrorSettings {
  /** A world of your own, or the origin of a server that speaks the specification, such as http://127.0.0.1:9741. */
  readonly source: World | string
  /** Wall time between publishes while somebody reads; 1000 by default. */
  readonly cadenceMs?: number
  /** Publishing pauses after this long without a read; 60000 by default. */
  readonly idleMs?: number
  /** Groups of metrics, as `--collectors` takes them. */
  readonly collectors?: string
  /** Names that readers may call this machine by, besides those of the loopback. */
  readonly allowedHosts?: readonly string[]
  /** Told of what goes wrong, a line each. Nobody is by default. */
  readonly log?: (line: string) => void
}

export interface EmbeddedMirror {
  /** Starts to mirror and to listen, and says where: on any free port of this machine alone by default. */
  listen(port?: number, host?: string): Promise<{ readonly host: string; readonly port: number }>
  /** Whether there is a world and, if it is not well, why. */
  readonly status: MirrorStatus
  /** Ends the server and lets go of the source. */
  close(): Promise<void>
}

/** The source, and where its history is read. */
function sourceOf(
  source: MirrorSettings['source'],
  exposition: Exposition,
  clock: Clock,
  cadenceMs: number,
  mirror: () => Mirror,
): { readonly own: Source; readonly history: HistoryReader } {
  if (typeof source !== 'string') {
    const own = new WorldSource(source, exposition, clock)
    return { own, history: createSeriesReader(own.history) }
  }
  const origin = new URL(source)
  const own = new AttachedSource({ origin, exposition, clock, cadenceMs, chance: Math.random })
  const exchange = new Exchange({ origin, clock, pool: new BufferPool() })
  const publishSeq = (): number => mirror().frame?.publishSeq ?? 0
  return { own, history: new ServerHistory({ exchange, clock, publishSeq }) }
}

/** A mirror of a world, served over HTTP in this thread. */
export function createMirror(settings: MirrorSettings): EmbeddedMirror {
  const { cadenceMs = 1_000, idleMs = 60_000, allowedHosts = [], log = () => {} } = settings
  const clock = clockOf(() => process.hrtime.bigint(), setTimeout, clearTimeout)
  const collectors = chooseCollectors(settings.collectors ?? '')
  if (typeof collectors === 'string') throw new RangeError(`collectors: ${collectors}`)
  const exposition = createExposition({
    collectors,
    clock: clock.nowMs,
    onFailure: (collector, error) => log(`The collector ${collector} failed: ${String(error)}`),
  })
  const { own, history } = sourceOf(settings.source, exposition, clock, cadenceMs, () => service.mirror)
  const service = createService({
    supply: new NearSupply(own, clock),
    clock,
    version: ownVersion(),
    cadenceMs,
    idleAfterMs: idleMs,
    collectors,
    allowedHosts,
    history: () => history,
    log,
  })
  return {
    async listen(port = 0, host = '127.0.0.1') {
      const address = await service.server.listen(host, port)
      service.mirror.start()
      return { host: address.address, port: address.port }
    },
    get status() {
      return service.mirror.status()
    },
    async close() {
      await Promise.all([service.server.close(), service.mirror.close()])
    },
  }
}
