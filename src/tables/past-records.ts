/** Tables over the archive: its records take the place of those in the frame, and columns and filters stay the same. */
import type { ArchiveAnswer, ArchivedKind, ArchivedWorld, ArchiveQuery } from '../contract/archive.ts'
import { collectionNames } from '../contract/collections.ts'
import type { CollectionName } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import type { Band } from '../contract/vocabularies.ts'
import type { EncodedCollection, Frame } from '../encoding/frames/frame.ts'
import { positionOfId } from '../encoding/frames/item-position.ts'
import { itemAt, joinedInSteps, joinedItems } from '../encoding/frames/joined-items.ts'
import type { ItemList, JsonItem } from '../encoding/frames/joined-items.ts'
import { FrameRecords } from './frame-records.ts'
import type { RecordIn } from './frame-records.ts'
import { everything } from './past-range.ts'
import type { PastRange } from './past-range.ts'
import type { TableQuery } from './query.ts'
import type { AnyTable } from './table.ts'
import { sortedInSteps } from './turns.ts'
import type { Steps } from './turns.ts'
import { bandRank } from '../words/vocabulary.ts'

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

const isIn = (list: ItemList) => {
  const sorted = { byId: null, ...list }
  return (id: bigint): boolean => positionOfId(sorted, id) >= 0
}

const has = ({ incidents, resolvedIncidents }: Frame['collections'], id: bigint): boolean =>
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
  if (range === null && (named === null || named.every((id) => has(frame.collections, id)))) return null
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
  /** Of open incidents: the frame has the bands of now. */
  readonly #worstBands: ReadonlyMap<string, Band>

  constructor(frame: Frame, { world, entities }: ArchiveAnswer, worstBands: ReadonlyMap<string, Band>) {
    super(frame)
    this.#isCurrent = world.isCurrent
    this.#worstBands = worstBands
    for (const { collection, id, json } of entities)
      this.#entities.set(`${collection} ${id}`, JSON.parse(json))
  }

  /** An entity that is gone, or of another world, has its name and place only: other fields are unknown. */
  override get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined {
    const record = super.get(name, id)
    if (record === undefined) return this.#entities.get(`${name} ${id}`) as RecordIn<C> | undefined
    return name === 'incidents' ? this.#atItsWorst(record) : record
  }

  #atItsWorst<R extends RecordIn<CollectionName>>(record: R): R {
    const worst = this.#worstBands.get(String(record.id))
    return worst !== undefined && 'band' in record && bandRank(worst) > bandRank(record.band)
      ? { ...record, band: worst }
      : record
  }

  override all<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    if (name === 'incidents') return super.all(name).map((record) => this.#atItsWorst(record))
    if (this.#isCurrent || name !== 'azs') return super.all(name)
    const zones = [...this.#entities].filter(([key]) => key.startsWith('azs '))
    return zones.map(([, zone]) => zone as RecordIn<C>)
  }
}

const nothing: EncodedCollection = joinedItems([])

const byId = (one: JsonItem, other: JsonItem): number => (one.id < other.id ? -1 : 1)

/** Some items of a list. */
interface Part {
  readonly list: ItemList
  readonly isWanted: (id: bigint, index: number) => boolean
}

const wholeOf = (list: ItemList): Part => ({ list, isWanted: () => true })

/** The items of several lists; of those with one id the first. */
function* merged(...parts: readonly Part[]): Steps<EncodedCollection> {
  const items = new Map<bigint, JsonItem>()
  for (const { list, isWanted } of parts)
    for (const [index, id] of list.ids.entries()) {
      if (!items.has(id) && isWanted(id, index)) items.set(id, itemAt(list, index))
      yield
    }
  return yield* joinedInSteps(yield* sortedInSteps([...items.values()], byId))
}

type Live = Frame['collections']

/** The incidents of an answer, each as the frame has it if it does. */
function* incidentsOf(
  query: ArchiveQuery,
  { found, isOpen, incidents, world }: ArchiveAnswer,
  live: Live,
): Steps<Pick<Live, 'incidents' | 'resolvedIncidents'>> {
  const isPast = (id: bigint): boolean => !has(live, id)
  if (query.kind !== 'incident') {
    const { incidents: open, resolvedIncidents } = live
    const referred = { list: incidents, isWanted: isPast }
    return {
      incidents: open,
      resolvedIncidents: yield* merged(wholeOf(resolvedIncidents), referred),
    }
  }
  const isFound = isIn(found)
  // The archive learns of an incident some seconds after the frame.
  const isNew = (id: bigint): boolean =>
    query.text === '' &&
    reachesNow(query, world) &&
    (query.incidents === null || query.incidents.includes(id))
  const past = (state: 0 | 1): Part => ({
    list: found,
    isWanted: (id, index) => isOpen[index] === state && isPast(id),
  })
  return {
    incidents: yield* merged({ list: live.incidents, isWanted: (id) => isFound(id) || isNew(id) }, past(1)),
    resolvedIncidents: yield* merged({ list: live.resolvedIncidents, isWanted: isFound }, past(0)),
  }
}

const reachesNow = ({ toMs }: ArchiveQuery, { lastMs }: ArchivedWorld): boolean =>
  toMs === null || lastMs === null || toMs >= lastMs

function* eventsOf(
  query: ArchiveQuery,
  { found, world }: ArchiveAnswer,
  { events }: Frame,
): Steps<Frame['events']> {
  const newest = found.ids.at(-1) ?? -1n
  const isNew = world.isCurrent && query.text === '' && reachesNow(query, world)
  const live = { list: { ...events, ids: events.atNs }, isWanted: (id: bigint) => isNew && id > newest }
  const { ids: atNs, ...list } = yield* merged(wholeOf(found), live)
  return { ...list, atNs, newestEvictedNs: -1n }
}

/** The bands of open incidents at their worst. */
function* worstBandsOf({ kind }: ArchiveQuery, { found, isOpen }: ArchiveAnswer): Steps<Map<string, Band>> {
  const worst = new Map<string, Band>()
  if (kind !== 'incident') return worst
  for (let index = 0; index < isOpen.length; index++) {
    if (isOpen[index] === 1) {
      const { id, json } = itemAt(found, index)
      worst.set(String(id), (JSON.parse(Buffer.from(json).toString('utf8')) as { band: Band }).band)
    }
    yield
  }
  return worst
}

/** The records from which a table answers a question to the archive. */
export function* pastRecords(query: ArchiveQuery, answer: ArchiveAnswer, frame: Frame): Steps<FrameRecords> {
  const { world, found } = answer
  const collections = { ...frame.collections }
  if (!world.isCurrent) for (const name of collectionNames) collections[name] = nothing
  Object.assign(collections, yield* incidentsOf(query, answer, collections))
  if (query.kind === 'order') {
    const live = { list: collections.workOrders, isWanted: isIn(found) }
    collections.workOrders = yield* merged(live, wholeOf(found))
  }
  const past = {
    ...frame,
    collections,
    simTimeNs: world.isCurrent ? frame.simTimeNs : world.simTimeNs,
    events: query.kind === 'event' ? yield* eventsOf(query, answer, frame) : frame.events,
  }
  return new PastRecords(past, answer, yield* worstBandsOf(query, answer))
}
