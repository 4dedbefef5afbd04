/** The library: embeds a mirror of a world that another program provides. */
import { processClock as clock } from './process/clock.ts'
import type { Clock } from './contract/clock.ts'
import { defaultCadenceMs, defaultIdleMs } from './contract/thresholds.ts'
import { LocalFrameSupply } from './library/local-frame-supply.ts'
import { WorldSource } from './library/world-source.ts'
import type { World } from './library/world-source.ts'
import { chooseCollectors } from './metrics/declaration/collectors.ts'
import { createExposition } from './metrics/exposition/exposition.ts'
import type { Exposition } from './metrics/exposition/exposition.ts'
import type { MirrorStatus } from './mirror/mirror.ts'
import { ownThread } from './process/thread.ts'
import { ownVersion } from './process/version.ts'
import { createService } from './service.ts'
import { AttachedSource } from './sources/attached/source.ts'
import type { Source } from './sources/source.ts'
import { TablesClient } from './tables/thread/tables-client.ts'

export { eventOf, recordOf } from './library/make-records.ts'
export type { World, WorldState } from './library/world-source.ts'
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
  /** A world, or the origin of an upstream that speaks the API, such as http://127.0.0.1:9741. */
  readonly source: World | string
  /** Wall time between publishes while clients read; the default is that of --cadence-ms. */
  readonly cadenceMs?: number
  /** Wall time without a request after which publishing pauses; the default is that of --idle-ms. */
  readonly idleMs?: number
  /** Groups of metrics, as in --collectors. */
  readonly collectors?: string
  /** Allowed host names besides those of the loopback. */
  readonly allowedHosts?: readonly string[]
  /** Receives errors, one line each. By default they are dropped. */
  readonly log?: (line: string) => void
}

export interface EmbeddedMirror {
  /** Starts to publish and to listen, by default on a free port of the loopback. Returns the address. */
  listen(port?: number, host?: string): Promise<{ readonly host: string; readonly port: number }>
  /** The content of /health. */
  readonly status: MirrorStatus
  /** Stops the server and closes the source. */
  close(): Promise<void>
}

function openSource(
  worldOrOrigin: MirrorSettings['source'],
  exposition: Exposition,
  clock: Clock,
  cadenceMs: number,
): Source {
  if (typeof worldOrOrigin !== 'string') return new WorldSource(worldOrOrigin, exposition, clock)
  const origin = new URL(worldOrOrigin)
  return new AttachedSource({ origin, exposition, clock, cadenceMs })
}

/** A mirror of a world, served over HTTP in this thread. */
export function createMirror(settings: MirrorSettings): EmbeddedMirror {
  const { cadenceMs = defaultCadenceMs, idleMs = defaultIdleMs, allowedHosts = [], log = () => {} } = settings
  const collectors = chooseCollectors(settings.collectors ?? '')
  if (typeof collectors === 'string') throw new RangeError(`collectors: ${collectors}`)
  const exposition = createExposition({
    collectors,
    clock: clock.nowMs,
    onFailure: (collector, error) => log(`The collector ${collector} failed: ${String(error)}`),
  })
  const source = openSource(settings.source, exposition, clock, cadenceMs)
  const tables = new TablesClient({
    spawn: () => ownThread('tables-thread', { workerData: { archive: null } }),
    clock,
    archive: null,
    note: (_isProblem, message) => log(message),
  })
  const service = createService({
    supply: new LocalFrameSupply(source, clock),
    clock,
    version: ownVersion(),
    cadenceMs,
    idleAfterMs: idleMs,
    collectors,
    allowedHosts,
    history: () => source.history,
    tables,
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
      await tables.close()
    },
  }
}
