/** Tables over the archive: what it has found takes the place of records of the frame, and columns stay the same. */
import type { ArchiveAnswer, ArchiveQuery } from '../../contract/archive.ts'
import type { CollectionName, DiagnosticsRecord, EventRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import type { RecordIn, Records } from './frame-records.ts'
import { everything } from './archive-range.ts'
import type { ArchiveRange } from './archive-range.ts'
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

const isShown = (live: Records, id: bigint): boolean =>
  (live.get('incidents', id) ?? live.get('resolvedIncidents', id)) !== undefined

/** The question to the archive; null if the frame has all that is asked for. */
export function archiveQueryOf(
  table: AnyTable,
  request: TableQuery & { readonly range?: ArchiveRange | null },
  live: Records,
): ArchiveQuery | null {
  const kind = table.archived
  if (kind === undefined || kind === 'day') return null
  const named = kind === 'event' ? null : incidentsIn(request)
  const range = request.range ?? null
  if (range === null && (named === null || named.every((id) => isShown(live, id)))) return null
  const isPlain =
    request.sort === null &&
    [...request.filters.keys()].every((name) => named !== null && name === 'incident')
  const limit = isPlain && table.isEach === true ? request.offset + request.limit : searchedMax
  return { ...(range ?? everything), kind, incidents: named, limit }
}

const byId = (found: ArchiveAnswer['found']): ReadonlyMap<string, object> =>
  new Map(found.map(({ id, record }) => [String(id), record]))

/** Records of the archive, at most two seconds behind the frame, which has all that is as of now. */
export class ArchivedRecords implements Records {
  readonly nowNs: bigint
  readonly events: readonly EventRecord[]
  readonly #frame: Records
  /** The records of the frame; null for a world that is not the one in it. */
  readonly #live: Records | null
  readonly #lists: Partial<Record<CollectionName, ReadonlyMap<string, object>>>
  readonly #entities: ReadonlyMap<string, object>

  constructor({ kind }: ArchiveQuery, { world, found, incidents, entities }: ArchiveAnswer, frame: Records) {
    this.#live = world.isCurrent ? frame : null
    this.nowNs = world.isCurrent ? frame.nowNs : world.simTimeNs
    this.#frame = frame
    this.#entities = new Map(entities.map(({ collection, id, record }) => [`${collection} ${id}`, record]))
    const referred = kind === 'incident' ? found : incidents
    this.#lists = {
      incidents: byId(referred.filter(({ isOpen }) => isOpen)),
      resolvedIncidents: byId(referred.filter(({ isOpen }) => !isOpen)),
      ...(kind === 'order' && { workOrders: byId(found) }),
    }
    this.events =
      kind === 'event' ? found.map(({ record }) => record as EventRecord) : (this.#live?.events ?? [])
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

  get diagnostics(): DiagnosticsRecord {
    return this.#frame.diagnostics
  }
}
