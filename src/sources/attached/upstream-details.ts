import type { CollectionName, Collections, PortRecord } from '../../contract/collections.ts'
import { collectionNames, collections } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import { RecordListReader } from '../../encoding/record-list-reader.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { SourceError } from '../source.ts'
import { forEachConcurrently } from './http/concurrency.ts'
import { connectionsMax, recordBytesMax } from './http/http-client.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'
import { isAbsent } from './upstream-parts.ts'

/** Records of a collection that are read one by one, and requests for them with each publish. */
const recordsMax = 1_000
const requestsMax = 32

/** Publishes without requests after those for which an upstream had no record: it may lack the route. */
const pausePublishes = 60

type Ids = Iterable<Int64 | null | undefined>
type Devices = Pick<Collections, 'hosts' | 'switches' | 'gateways' | 'appliances'>

const devicesOf = ({ hosts, switches, gateways, appliances }: Devices) => [
  ...hosts,
  ...switches,
  ...gateways,
  ...appliances,
]

function* endsOf(records: Collections): Generator<PortRecord['peer'] | Collections['cables'][number]['a']> {
  for (const { a, b } of records.cables) yield* [a, b]
  for (const { ports } of devicesOf(records)) for (const { peer } of ports) yield peer
}

/** Devices of a kind at the ends of cables, and at the far ends of ports. */
function* devicesAtEnds(records: Collections, kind: string): Ids {
  for (const end of endsOf(records)) if (end?.device_kind === kind) yield end.device_id
}

function* panelsOf(records: Collections): Ids {
  yield* devicesAtEnds(records, 'PatchPanel')
  for (const { path } of records.cables)
    for (const step of path) if ('PatchPanel' in step) yield step.PatchPanel
}

/** The ids that other records name. */
const namedIds: Partial<Record<CollectionName, (records: Collections) => Ids>> = {
  azs: (records) => devicesOf(records).map(({ az_id: id }) => id),
  customers: ({ hosts, incidents, segments }) => [
    ...hosts.flatMap(({ served_customer_ids: ids }) => ids),
    ...incidents.flatMap((incident) => [incident.symptom_customer_id, ...incident.affected_customer_ids]),
    ...segments.flatMap(({ explicit_customer_ids: ids }) => ids),
  ],
  hostPools: ({ hosts }) => hosts.map(({ pool_id: id }) => id),
  hosts: (records) => [
    ...records.incidents.flatMap(({ affected_host_ids: ids }) => ids),
    ...records.segments.flatMap(({ carrier_host_ids: ids }) => ids),
    ...records.cables.map(({ from_host: id }) => id),
    ...devicesAtEnds(records, 'Host'),
  ],
  incidents: ({ workOrders }) =>
    workOrders.filter(({ resolved_at_ns: at }) => at === null).map(({ incident_id: id }) => id),
  gateways: (records) => devicesAtEnds(records, 'Gateway'),
  switches: (records) => [
    ...records.cables.map(({ to_switch: id }) => id),
    ...devicesAtEnds(records, 'Switch'),
  ],
  appliances: (records) => devicesAtEnds(records, 'Appliance'),
  patchPanels: panelsOf,
  workOrders: ({ incidents }) => incidents.flatMap(({ work_order_ids: ids }) => ids),
}

const detailPaths = new Map(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'detail' ? answer.collections.map((name) => [name, path] as const) : [],
  ),
)

/** The collections that can be read record by record. */
export const detailedCollections = collectionNames.filter(
  (name) => namedIds[name] !== undefined && detailPaths.has(name),
)

/**
 * The records of a collection whose list an upstream lacks, by the ids that other records name. With each publish, a
 * bounded number of them is requested: first those that are new, then those that were read the longest ago.
 */
export class UpstreamDetails {
  readonly #client: UpstreamClient
  /** By id, the longest unread first; null for one that the upstream does not have. */
  readonly #records = new Map<CollectionName, Map<bigint, Uint8Array | null>>()

  /** Publishes that are still without requests. */
  readonly #pauses = new Map<CollectionName, number>()

  constructor(client: UpstreamClient) {
    this.#client = client
  }

  reset(name: CollectionName): void {
    this.#records.delete(name)
    this.#pauses.delete(name)
  }

  /** Null if no id is named, or the upstream has no such record. */
  async read(
    name: CollectionName,
    records: Collections,
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[] | null> {
    const pause = this.#pauses.get(name) ?? 0
    this.#pauses.set(name, pause - 1)
    if (pause > 0) return null
    const known = this.#records.get(name) ?? new Map<bigint, Uint8Array | null>()
    this.#records.set(name, known)
    const named = new Set<bigint>()
    for (const id of namedIds[name]!(records)) {
      if (id === null || id === undefined || id < 0) continue
      named.add(BigInt(id))
      if (named.size === recordsMax) break
    }
    for (const id of known.keys()) if (!named.has(id)) known.delete(id)
    const unread = [...named].filter((id) => !known.has(id))
    const due = [...unread, ...known.keys()].slice(0, requestsMax)
    await forEachConcurrently(due, connectionsMax, signal, async (id, signal) => {
      const record = await this.#request(name, id, signal, known.get(id) ?? null)
      known.delete(id)
      known.set(id, record)
    })
    const found = [...known.values()].filter((record) => record !== null)
    if (found.length > 0) return found
    this.#pauses.set(name, due.length === 0 ? 0 : pausePublishes)
    return null
  }

  /** Null if the upstream does not have the record; the one of before if it does not respond. */
  async #request(
    name: CollectionName,
    id: bigint,
    signal: AbortSignal,
    before: Uint8Array | null,
  ): Promise<Uint8Array | null> {
    const path = detailPaths.get(name)!.replace('{id}', String(id))
    try {
      const response = await this.#client.get(path, { signal, bodyBytesMax: recordBytesMax })
      try {
        const json = new JsonResponse(response)
        return checkRecord(name, json, withoutEnvelope(json))
      } finally {
        response.free()
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      return isAbsent(error) ? null : before
    }
  }
}

/** Where an envelope may be: beside the fields of a record, it would make each publish another record. */
const envelopeMembers = ['age_ms', 'publish_seq', 'sim_time_ns']

const withoutEnvelope = (json: JsonResponse): Uint8Array =>
  envelopeMembers.reduce(
    (bytes, name) => new JsonResponse({ ...json.response, body: Buffer.from(bytes) }).without(name),
    json.without('meta'),
  )

/** The bytes of a record; an error of its response if it cannot be read, which would cost the whole list. */
function checkRecord(name: CollectionName, json: JsonResponse, bytes: Uint8Array): Uint8Array {
  try {
    new RecordListReader(name, collections[name]).read([bytes])
    return bytes
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw json.error('bad_record', `is refused: ${error.message}`)
  }
}
