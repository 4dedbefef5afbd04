/** Tables over the archive: what it has found takes the place of records of the frame, and columns stay the same. */
import type { ArchiveAnswer, ArchiveQuery } from '../../contract/archive.ts'
import type {
  CollectionName,
  DiagnosticsRecord,
  EventRecord,
  IncidentRecord,
  WorkOrderRecord,
} from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { bandRank } from '../../words/vocabulary.ts'
import type { RecordIn, Records } from './frame-records.ts'
import { once } from './once.ts'
import { everything } from './past-range.ts'
import type { PastRange } from './past-range.ts'
import { idPattern } from './query.ts'
import type { TableQuery } from './query.ts'
import type { AnyTable } from './table.ts'

/** Records that are searched by filters and orders, which the archive does not know: the latest ones. */
const searchedMax = 50_000

/** The incidents that a request names; null if it names none, or not by number. */
function incidentsIn({ filters }: TableQuery): readonly bigint[] | null {
  const texts = filters
    .get('incident')
    ?.flatMap((value) => value.split(','))
    .map((text) => text.trim())
  if (texts === undefined || !texts.every((text) => idPattern.test(text))) return null
  return texts.map(BigInt)
}

const incidentLists = ['incidents', 'resolvedIncidents'] as const

const isShown = (live: Records, id: bigint): boolean =>
  incidentLists.some((name) => live.get(name, id) !== undefined)

/** The question to the archive; null if the frame has all that is asked for. */
export function pastQueryOf(
  table: AnyTable,
  request: TableQuery & { readonly past?: PastRange | null },
  live: Records,
): ArchiveQuery | null {
  const kind = table.past
  if (kind === undefined || kind === 'day') return null
  const named = kind === 'event' ? null : incidentsIn(request)
  const range = request.past ?? null
  if (range === null && (named === null || named.every((id) => isShown(live, id)))) return null
  const isPlain =
    request.sort === null &&
    [...request.filters.keys()].every((name) => named !== null && name === 'incident')
  const limit = isPlain && table.isEach === true ? request.offset + request.limit : searchedMax
  return { ...(range ?? everything), kind, incidents: named, limit }
}

const idOf = ({ id }: { readonly id: Int64 | null }): bigint => BigInt(id ?? 0)

/** Records by id, in the order of their ids. */
function byId<R extends { readonly id: Int64 }>(...lists: readonly (readonly R[])[]): ReadonlyMap<string, R> {
  const records = lists.flat().toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  return new Map(records.map((record) => [String(record.id), record]))
}

/** Whether the span of a question reaches beyond what the archive knows: it learns some seconds after the frame. */
const reachesNow = ({ toMs, text }: ArchiveQuery, { world }: ArchiveAnswer): boolean =>
  text === '' && (toMs === null || world.lastMs === null || toMs >= world.lastMs)

/** The records of a frame and of an answer of the archive together. A record that both have is as in the frame. */
export class ArchivedRecords implements Records {
  readonly nowNs: bigint
  readonly #frame: Records
  readonly #query: ArchiveQuery
  readonly #answer: ArchiveAnswer
  /** The records of the frame; null for a world that is not the one in it. */
  readonly #live: Records | null
  readonly #lists: Partial<Record<CollectionName, ReadonlyMap<string, object>>>
  readonly #entities: ReadonlyMap<string, object>
  readonly #events = once(() => this.#allEvents())

  constructor(query: ArchiveQuery, answer: ArchiveAnswer, frame: Records) {
    const { world, entities } = answer
    this.#query = query
    this.#answer = answer
    this.#live = world.isCurrent ? frame : null
    this.nowNs = world.isCurrent ? frame.nowNs : world.simTimeNs
    this.#frame = frame
    this.#entities = new Map(entities.map(({ collection, id, record }) => [`${collection} ${id}`, record]))
    this.#lists =
      query.kind === 'incident' ? this.#foundIncidents() : { resolvedIncidents: this.#referredIncidents() }
    if (query.kind === 'order') this.#lists.workOrders = this.#foundOrders()
  }

  /** An entity that is gone, or of another world, has its name and place only: other fields are unknown. */
  get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined {
    if (id === null) return undefined
    const list = this.#lists[name]
    const record = list === undefined ? this.#live?.get(name, id) : list.get(String(id))
    return (record ?? this.#entities.get(`${name} ${id}`)) as RecordIn<C> | undefined
  }

  all<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    const list = this.#lists[name]
    if (list !== undefined) return [...list.values()] as RecordIn<C>[]
    if (this.#live !== null) return this.#live.all(name)
    const zones = name === 'azs' ? [...this.#entities].filter(([key]) => key.startsWith('azs ')) : []
    return zones.map(([, zone]) => zone as RecordIn<C>)
  }

  count(name: CollectionName): number {
    return this.#lists[name]?.size ?? this.#live?.count(name) ?? 0
  }

  isUnknown(name: CollectionName): boolean {
    return this.#lists[name] === undefined && this.#live?.isUnknown(name) === true
  }

  get events(): readonly EventRecord[] {
    return this.#events()
  }

  get diagnostics(): DiagnosticsRecord {
    return this.#frame.diagnostics
  }

  #isLive(id: bigint): boolean {
    return this.#live !== null && isShown(this.#live, id)
  }

  #foundIncidents() {
    const { found } = this.#answer
    const query = this.#query
    const stored = new Map(found.map(({ id, record, isOpen }) => [id, { record, isOpen }]))
    const isNew = (id: bigint): boolean =>
      reachesNow(query, this.#answer) && (query.incidents === null || query.incidents.includes(id))
    // The frame has the band of now.
    const atItsWorst = (incident: IncidentRecord): IncidentRecord => {
      const known = stored.get(idOf(incident))
      const band = known?.isOpen === true ? (known.record as IncidentRecord).band : incident.band
      return bandRank(band) > bandRank(incident.band) ? { ...incident, band } : incident
    }
    const past = (isOpen: boolean) =>
      found
        .filter((one) => one.isOpen === isOpen && !this.#isLive(one.id))
        .map(({ record }) => record as IncidentRecord)
    const open = this.#live?.all('incidents').filter((one) => stored.has(idOf(one)) || isNew(idOf(one))) ?? []
    const resolved = this.#live?.all('resolvedIncidents').filter((one) => stored.has(idOf(one))) ?? []
    return {
      incidents: byId(open.map(atItsWorst), past(true)),
      resolvedIncidents: byId(resolved, past(false)),
    }
  }

  /** The incidents that orders and events refer to, beside those of the frame. */
  #referredIncidents(): ReadonlyMap<string, IncidentRecord> {
    const past = this.#answer.incidents.filter(({ id }) => !this.#isLive(id))
    return byId(
      this.#live?.all('resolvedIncidents') ?? [],
      past.map(({ record }) => record),
    )
  }

  #foundOrders(): ReadonlyMap<string, WorkOrderRecord> {
    return byId(
      this.#answer.found.map(
        ({ id, record }) => this.#live?.get('workOrders', id) ?? (record as WorkOrderRecord),
      ),
    )
  }

  #allEvents(): readonly EventRecord[] {
    const live = this.#live?.events ?? []
    if (this.#query.kind !== 'event') return live
    const { found } = this.#answer
    const newestNs = found.at(-1)?.id ?? -1n
    const isNew = reachesNow(this.#query, this.#answer)
    return [
      ...found.map(({ record }) => record as EventRecord),
      // An upstream may leave out the time of an event.
      ...live.filter(({ at_ns }: Partial<EventRecord>) => isNew && BigInt(at_ns ?? -1) > newestNs),
    ]
  }
}
