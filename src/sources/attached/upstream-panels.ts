import type { Collections } from '../../contract/collections.ts'
import { PatchPanelSchema } from '../../contract/records/network.ts'
import { routes } from '../../contract/routes.ts'
import { RecordListReader } from '../../encoding/record-list-reader.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import { SourceError } from '../source.ts'
import { forEachConcurrently } from './http/concurrency.ts'
import { connectionsMax, recordBytesMax } from './http/http-client.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { JsonResponse } from './http/json-response.ts'
import { isAbsent } from './upstream-parts.ts'

/** Panels that are read, and requests for them with each publish. */
const panelsMax = 1_000
const requestsMax = 32
/** Publishes without requests after those for which an upstream had no panel: it may lack the route. */
const pausePublishes = 60

/** The ids of panels at the ends and on the paths of cables, and at the far ends of ports. */
function panelsIn(records: Collections): Set<bigint> {
  const { cables, hosts, switches, gateways, appliances } = records
  const devices = [...hosts, ...switches, ...gateways, ...appliances]
  const ends = [
    ...cables.flatMap(({ a, b }) => [a, b]),
    ...devices.flatMap(({ ports }) => ports.map(({ peer }) => peer)),
  ]
  const ids = [
    ...ends.map((end) => (end?.device_kind === 'PatchPanel' ? end.device_id : null)),
    ...cables.flatMap(({ path }) => path.map((step) => ('PatchPanel' in step ? step.PatchPanel : null))),
  ]
  return new Set(ids.filter((id) => id !== null && id >= 0).map((id) => BigInt(id!)))
}

/**
 * The patch panels of an upstream without their list, which the specification does not show, by the ids that other records
 * name. With each publish, a bounded number of them is requested: first those that are new, then those that were read the
 * longest ago.
 */
export class UpstreamPanels {
  readonly #client: UpstreamClient
  /** By id, the longest unread first; null for one that the upstream does not have. */
  readonly #panels = new Map<bigint, Uint8Array | null>()
  /** Publishes that are still without requests. */
  #pause = 0

  constructor(client: UpstreamClient) {
    this.#client = client
  }

  /** The upstream has the list. */
  reset(): void {
    this.#panels.clear()
    this.#pause = 0
  }

  /** Null if no panel is named, or the upstream has none of them. */
  async read(records: Collections): Promise<readonly Uint8Array[] | null> {
    if (this.#pause-- > 0) return null
    const panels = this.#panels
    const named = new Set([...panelsIn(records)].slice(0, panelsMax))
    for (const id of panels.keys()) if (!named.has(id)) panels.delete(id)
    const unread = [...named].filter((id) => !panels.has(id))
    const due = [...unread, ...panels.keys()].slice(0, requestsMax)
    await forEachConcurrently(due, connectionsMax, async (id, signal) => {
      const panel = await this.#request(id, signal)
      panels.delete(id)
      panels.set(id, panel)
    })
    const found = [...panels.values()].filter((panel) => panel !== null)
    this.#pause = found.length === 0 && due.length > 0 ? pausePublishes : 0
    return found.length === 0 ? null : found
  }

  /** Null if the upstream does not have the panel; the one of before if it does not respond. */
  async #request(id: bigint, signal: AbortSignal): Promise<Uint8Array | null> {
    const path = routes.patchPanel.path.replace('{id}', String(id))
    try {
      const json = new JsonResponse(await this.#client.get(path, { signal, bodyBytesMax: recordBytesMax }))
      return checkPanel(json, withoutEnvelope(json))
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      return isAbsent(error) ? null : (this.#panels.get(id) ?? null)
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

/** The bytes of a panel; an error of its response if it cannot be read, which would cost the whole list. */
function checkPanel(json: JsonResponse, bytes: Uint8Array): Uint8Array {
  try {
    new RecordListReader('patchPanels', PatchPanelSchema).read([bytes])
    return bytes
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw json.error('bad_record', `is refused: ${error.message}`)
  }
}
