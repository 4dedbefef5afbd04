/** Tables over the archive: its records take the place of those in the frame, and columns and filters stay the same. */
import type {
  ArchiveAnswer,
  ArchivedEntity,
  ArchivedKind,
  ArchivedWorld,
  ArchiveQuery,
} from '../contract/archive.ts'
import { collectionNames } from '../contract/collections.ts'
import type { CollectionName } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import type { EncodedCollection, Frame } from '../encoding/frames/frame.ts'
import { positionOfId } from '../encoding/frames/item-position.ts'
import { itemsOf, joinedItems } from '../encoding/frames/joined-items.ts'
import type { JsonItem } from '../encoding/frames/joined-items.ts'
import { FrameRecords } from './frame-records.ts'
import type { RecordIn } from './frame-records.ts'
import { everything } from './past-range.ts'
import type { PastRange } from './past-range.ts'
import type { TableQuery } from './query.ts'
import type { AnyTable } from './table.ts'

/** Records that are searched by filters and orders, which the archive does not know: the latest ones. */
const searchedMax = 50_000

const idPattern = /^\d{1,19}$/

/** The incidents that a request names; null if it names none, or not by number. */
function incidentsIn({ filters }: TableQuery): readonly bigint[] | null {
  const texts = filters
    .get('incident')
    ?.flatMap((value) => value.split(','))
    .map((text) => text.trim())
  if (texts === undefined || !texts.every((text) => idPattern.test(text))) return null
  return texts.map(BigInt)
}

const has = ({ collections: { incidents, resolvedIncidents } }: Frame, id: bigint): boolean =>
  positionOfId(incidents, id) >= 0 || positionOfId(resolvedIncidents, id) >= 0

/** The question to the archive; null if the frame has all that is asked for. */
export function pastQueryOf(
  table: AnyTable,
  request: TableQuery & { readonly past?: PastRange | null },
  frame: Frame,
): ArchiveQuery | null {
  const kind: ArchivedKind | undefined = table.past
  if (kind === undefined || kind === 'day') return null
  const named = kind === 'event' ? null : incidentsIn(request)
  const range = request.past ?? null
  if (range === null && (named === null || named.every((id) => has(frame, id)))) return null
  const isPlain =
    request.sort === null &&
    [...request.filters.keys()].every((name) => named !== null && name === 'incident')
  const limit = isPlain && table.isEach === true ? request.offset + request.limit : searchedMax
  return { ...(range ?? everything), kind, incidents: named, limit }
}

/** Records of the archive beside those of the frame. */
class PastRecords extends FrameRecords {
  readonly #entities = new Map<string, unknown>()
  readonly #isCurrent: boolean

  constructor(frame: Frame, isCurrent: boolean, entities: readonly ArchivedEntity[]) {
    super(frame)
    this.#isCurrent = isCurrent
    for (const { collection, id, json } of entities)
      this.#entities.set(`${collection} ${id}`, JSON.parse(json))
  }

  /** An entity that is gone, or of another world, has its name and place only: other fields are unknown. */
  override get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined {
    return super.get(name, id) ?? (this.#entities.get(`${name} ${id}`) as RecordIn<C> | undefined)
  }

  override all<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    if (this.#isCurrent || name !== 'azs') return super.all(name)
    const zones = [...this.#entities].filter(([key]) => key.startsWith('azs '))
    return zones.map(([, zone]) => zone as RecordIn<C>)
  }
}

const nothing: EncodedCollection = joinedItems([])

const byId = (one: JsonItem, other: JsonItem): number => (one.id < other.id ? -1 : 1)

/** Items of several lists; of those with one id the first. */
function merged(...lists: readonly (readonly JsonItem[])[]): EncodedCollection {
  const items = new Map<bigint, JsonItem>()
  for (const item of lists.flat()) if (!items.has(item.id)) items.set(item.id, item)
  return joinedItems([...items.values()].toSorted(byId))
}

/** The incidents of an answer, each as the frame has it if it does. */
function incidentsOf(query: ArchiveQuery, { found, isOpen, incidents, world }: ArchiveAnswer, frame: Frame) {
  const live = frame.collections
  const isLive = (id: bigint): boolean => world.isCurrent && has(frame, id)
  const liveItems = (list: EncodedCollection, isWanted: (id: bigint) => boolean): JsonItem[] =>
    world.isCurrent ? itemsOf(list).filter(({ id }) => isWanted(id)) : []
  if (query.kind !== 'incident') {
    const referred = itemsOf(incidents).filter(({ id }) => !isLive(id))
    return {
      incidents: merged(liveItems(live.incidents, () => true)),
      resolvedIncidents: merged(
        liveItems(live.resolvedIncidents, () => true),
        referred,
      ),
    }
  }
  const items = itemsOf(found)
  const ids = new Set(found.ids)
  // The archive learns of an incident some seconds after the frame.
  const isNew = (id: bigint): boolean =>
    query.text === '' &&
    reachesNow(query, world) &&
    (query.incidents === null || query.incidents.includes(id))
  return {
    incidents: merged(
      liveItems(live.incidents, (id) => ids.has(id) || isNew(id)),
      items.filter(({ id }, index) => isOpen[index] === 1 && !isLive(id)),
    ),
    resolvedIncidents: merged(
      liveItems(live.resolvedIncidents, (id) => ids.has(id)),
      items.filter(({ id }, index) => isOpen[index] === 0 && !isLive(id)),
    ),
  }
}

const reachesNow = ({ toMs }: ArchiveQuery, { lastMs }: ArchivedWorld): boolean =>
  toMs === null || lastMs === null || toMs >= lastMs

function eventsOf(query: ArchiveQuery, { found, world }: ArchiveAnswer, { events }: Frame): Frame['events'] {
  const newest = found.ids.at(-1) ?? -1n
  const isWanted = world.isCurrent && query.text === '' && reachesNow(query, world)
  const live = isWanted ? itemsOf({ ...events, ids: events.atNs }).filter(({ id }) => id > newest) : []
  const { ids: atNs, ...list } = merged(itemsOf(found), live)
  return { ...list, atNs, newestEvictedNs: -1n }
}

function ordersOf(
  { found, world }: ArchiveAnswer,
  { collections: { workOrders } }: Frame,
): EncodedCollection {
  const ids = new Set(found.ids)
  const live = world.isCurrent ? itemsOf(workOrders).filter(({ id }) => ids.has(id)) : []
  return merged(live, itemsOf(found))
}

/** The records from which a table answers a question to the archive. */
export function pastRecords(query: ArchiveQuery, answer: ArchiveAnswer, frame: Frame): FrameRecords {
  const { world, entities } = answer
  const collections = { ...frame.collections }
  if (!world.isCurrent) for (const name of collectionNames) collections[name] = nothing
  Object.assign(collections, incidentsOf(query, answer, frame))
  if (query.kind === 'order') collections.workOrders = ordersOf(answer, frame)
  const past = {
    ...frame,
    collections,
    simTimeNs: world.isCurrent ? frame.simTimeNs : world.simTimeNs,
    events: query.kind === 'event' ? eventsOf(query, answer, frame) : frame.events,
  }
  return new PastRecords(past, world.isCurrent, entities)
}
