import { request } from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { processClock as realClock } from '../../src/process/clock.ts'
import type { Clock } from '../../src/contract/clock.ts'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { Collections, EventRecord, Snapshot } from '../../src/contract/collections.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import type { ExpositionChunk } from '../../src/contract/exposition-chunk.ts'
import { encodeFamilies } from '../../src/http/resources/declared-metrics.ts'
import { landingRepresentation } from '../../src/http/landing/landing-representation.ts'
import { llmsRepresentation } from '../../src/http/llms-representation.ts'
import { createRunbookPages } from '../../src/http/runbooks/runbook-pages.ts'
import { ownRunbooks } from '../../src/process/package-files.ts'
import { openApiRepresentation } from '../../src/http/openapi/document.ts'
import type { ResourceContext } from '../../src/http/resources/resources.ts'
import type { ResponseObserver } from '../../src/http/responses/responder.ts'
import { HttpServer } from '../../src/http/server.ts'
import type { HistoryReader } from '../../src/metrics/history/history-reader.ts'
import { Mirror } from '../../src/mirror/mirror.ts'
import { busyHost } from '../fixtures/busy-hosts.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { FakeSupply } from '../mirror/fake-supply.ts'
import { tablesHere } from '../tables/tables-here.ts'

export const beyondDoubles = 9007199254740993n
export const largestId = 9223372036854775807n

const eventAt = (atNs: number | bigint): EventRecord =>
  emptyRecord(EngineEventSchema, {
    at_ns: atNs,
    kind: 'WorldStarted',
    msg_key: 'event.world-started',
    severity: 'Info',
  })

/** Three records of every collection, two of them with ids beyond the exact integers of a double; 150 hosts. */
function smallWorld(): Snapshot {
  const recordsOf = (name: keyof Collections) =>
    [7, beyondDoubles, largestId].map((id) => emptyRecord(collections[name], { id }))
  const all = Object.fromEntries(
    collectionNames.map((name) => [name, recordsOf(name)]),
  ) as unknown as Collections
  all.hosts = Array.from({ length: 150 }, (_, index) => busyHost(index + 1))
  all.resolvedIncidents = [emptyRecord(collections.resolvedIncidents, { id: 3, resolved_at_ns: 11 })]
  return snapshotWith(all, {
    simTimeNs: 604_800_000_000_001n,
    events: [eventAt(10), eventAt(20), eventAt(beyondDoubles), eventAt(largestId - 1n)],
    newestEvictedNs: 5n,
  })
}

const text = (family: string, body: string): ExpositionChunk => ({ family, bytes: Buffer.from(body) })

const worldFamilies: readonly ExpositionChunk[] = [
  text('dcsim_hosts', '# HELP dcsim_hosts Hosts.\n# TYPE dcsim_hosts gauge\ndcsim_hosts 150\n'),
  text('dcsim_racks', '# HELP dcsim_racks Racks.\n# TYPE dcsim_racks gauge\ndcsim_racks 8\n'),
]
const ownFamilies: readonly ExpositionChunk[] = [
  text('dcsim_mirror_up', '# HELP dcsim_mirror_up Up.\n# TYPE dcsim_mirror_up gauge\ndcsim_mirror_up 1\n'),
]

const fleetSeries: HistoryReader = {
  paths(prefix) {
    const paths = ['fleet/hosts_online/10s', 'hosts/7/egress_gbps/1m'].filter((path) =>
      path.startsWith(prefix),
    )
    return { paths, total: paths.length }
  },
  series: (path) =>
    path === 'fleet/hosts_online/10s'
      ? { values: [1, 2.5, 150], scale: 'linear', unit: 'count', stepNs: 1e10, lastNs: beyondDoubles }
      : null,
}

export interface Served {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

interface ServiceSettings {
  readonly world?: Snapshot | null
  readonly exposition?: readonly ExpositionChunk[]
  readonly allowedHosts?: readonly string[]
  readonly session?: string
  readonly cadenceMs?: number
  /** Whether the world makes only what clients read. */
  readonly isSparing?: boolean
  readonly listenHost?: string
  readonly series?: HistoryReader
  readonly clock?: Clock
  readonly onResponse?: ResponseObserver
  readonly tables?: ResourceContext['tables']
}

/** The service with a literal world instead of a simulated one; all other parts are real. */
export class TestService {
  readonly supply: FakeSupply
  readonly mirror: Mirror
  readonly server: HttpServer
  readonly faults: string[] = []
  port = 0

  constructor({
    world = smallWorld(),
    exposition = worldFamilies,
    allowedHosts = [],
    session = '',
    cadenceMs = 1000,
    isSparing = false,
    series,
    clock = realClock,
    onResponse = () => {},
    tables = tablesHere(),
  }: ServiceSettings = {}) {
    this.supply = new FakeSupply(world ?? snapshotWith({}), clock)
    this.supply.exposition = exposition
    this.supply.isSparing = isSparing
    this.supply.prompt = world !== null
    this.mirror = new Mirror({ supply: this.supply, clock, cadenceMs, idleAfterMs: 60_000, log: () => {} })
    const declared = { type: 'gauge', unit: '', help: 'Hosts.', labels: ['zone'] } as const
    this.server = new HttpServer({
      mirror: this.mirror,
      clock,
      bootId: 'test',
      allowedHosts,
      context: {
        session,
        mirrorStatus: () => this.mirror.status(),
        series: series ?? fleetSeries,
        declaredMetrics: encodeFamilies(
          new Map([
            ['dcsim_racks', declared],
            ['dcsim_hosts', declared],
          ]),
        ),
        ownExposition: async () => ownFamilies,
        openApi: openApiRepresentation('1.2.3'),
        landing: landingRepresentation(session),
        llms: llmsRepresentation(),
        runbooks: createRunbookPages(ownRunbooks(), session),
        tables,
      },
      onResponse,
      log: (line) => this.faults.push(line),
    })
  }

  static async start(settings: ServiceSettings = {}): Promise<TestService> {
    const service = new TestService(settings)
    service.mirror.start()
    const address: AddressInfo = await service.server.listen(settings.listenHost ?? '127.0.0.1', 0)
    service.port = address.port
    return service
  }

  async stop(): Promise<void> {
    await this.server.close()
    await this.mirror.close()
  }

  get(
    path: string,
    headers: Record<string, string> = {},
    { method = 'GET', agent }: { method?: string; agent?: Agent } = {},
  ): Promise<Served> {
    return serve(this.port, path, headers, method, agent)
  }

  async json(path: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
    return JSON.parse((await this.get(path, headers)).text) as Record<string, unknown>
  }
}

function serve(
  port: number,
  path: string,
  headers: Record<string, string>,
  method: string,
  agent: Agent | undefined,
): Promise<Served> {
  const { promise, resolve, reject } = Promise.withResolvers<Served>()
  const sent = request({ port, path, headers, method, agent: agent ?? false }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('error', reject)
    response.on('end', () => {
      const bytes = Buffer.concat(chunks)
      resolve({ status: response.statusCode!, headers: response.headers, bytes, text: bytes.toString() })
    })
  })
  sent.on('error', reject)
  sent.end()
  return promise
}
