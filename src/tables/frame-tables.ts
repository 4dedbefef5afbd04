import { ArchiveUnavailable } from '../contract/archive.ts'
import type { Frame } from '../encoding/frames/frame.ts'
import { encodeRows } from './formats.ts'
import type { TableFormat } from './formats.ts'
import { FrameRecords } from './frame-records.ts'
import type { ReadHistory } from './history.ts'
import type { Past, PastRange } from './past-range.ts'
import { pastQueryOf, pastRecords } from './past-records.ts'
import { MatchedItems, sortedItems } from './query.ts'
import type { TableQuery } from './query.ts'
import { rowOfItem } from './table.ts'
import type { AnyTable } from './table.ts'
import { TableWorld } from './table-world.ts'
import { MadeInSteps, Turns, whenReady } from './turns.ts'
import type { Steps } from './turns.ts'
import type { WallTimes } from './wall-times.ts'

/** Bounds of the cache of one frame. */
const cachedAnswersMax = 200
const cachedBytesMax = 64 * 2 ** 20
const cachedSelectionsMax = 100

export interface TableRequest extends TableQuery {
  readonly table: AnyTable
  /** A document is that of the first item. */
  readonly format: TableFormat | 'document'
  /** The part of the archive that is asked for; null or left out for the frame. */
  readonly past?: PastRange | null
}

const selectionKey = ({ table, filters, past = null }: TableRequest): string =>
  JSON.stringify([table.name, past, [...filters].toSorted(([one], [other]) => (one < other ? -1 : 1))])

/** A cache key: requests with different answers have different keys. */
export const requestKey = (request: TableRequest): string =>
  selectionKey(request) + JSON.stringify([request.format, request.sort, request.offset, request.limit])

/** The items that filters select from a table, in each requested order. */
interface Selection {
  readonly matched: MatchedItems
  readonly sorted: Map<string, MadeInSteps<readonly unknown[]>>
}

/** The cache that requests of one frame share. */
class FrameAnswers {
  readonly frame: Frame
  readonly world: TableWorld
  readonly byKey = new Map<string, Promise<Buffer>>()
  readonly #selections = new Map<string, Selection>()
  bytes = 0

  constructor(frame: Frame, world: TableWorld) {
    this.frame = frame
    this.world = world
  }

  *encoded(request: TableRequest, fetched: readonly unknown[] | undefined): Steps<Buffer> {
    const { table, format, offset, limit } = request
    const items = yield* this.#items(request, fetched)
    const page = items.slice(offset, offset + limit)
    if (format === 'document') return Buffer.from(yield* whenReady(() => table.documentOf!(page[0])))
    const columns = Object.keys(table.columns)
    return yield* encodeRows(format, columns, page, (item) =>
      whenReady(() => rowOfItem(table, item, this.world)),
    )
  }

  /** Without an order, matching stops at the end of the page. */
  *#items(request: TableRequest, fetched: readonly unknown[] | undefined): Steps<readonly unknown[]> {
    const { table, sort, offset, limit } = request
    const { matched, sorted } = this.#selection(request, fetched)
    if (sort === null) {
      yield* matched.find(offset + limit)
      return matched.items
    }
    const order = `${sort.descending ? '-' : ''}${sort.column}`
    const made = sorted.get(order) ?? new MadeInSteps(sortedItems(table, matched, sort, this.world))
    sorted.set(order, made)
    return yield* whenReady(() => made.value)
  }

  #selection(request: TableRequest, fetched: readonly unknown[] | undefined): Selection {
    const key = selectionKey(request)
    const known = this.#selections.get(key)
    if (known !== undefined) return known
    if (this.#selections.size >= cachedSelectionsMax) this.#selections.clear()
    const { table, filters } = request
    const selection = { matched: new MatchedItems(table, filters, this.world, fetched), sorted: new Map() }
    this.#selections.set(key, selection)
    return selection
  }
}

/**
 * Tables of the current frame. Nothing is decoded before the first request; equal requests of one frame share an
 * answer. A frame must be leased until the promise for it settles.
 */
export class FrameTables {
  readonly #history: ReadHistory
  readonly #past: Past | null
  readonly #wallTimes: WallTimes | null
  readonly #turns: Turns
  #answers: FrameAnswers | null = null

  constructor(
    history: ReadHistory,
    nowMs: () => number,
    past: Past | null = null,
    wallTimes: WallTimes | null = null,
  ) {
    this.#history = history
    this.#past = past
    this.#wallTimes = wallTimes
    this.#turns = new Turns(nowMs)
  }

  /** Lets a connection that has arrived, and those behind it, go first. */
  putOff(): void {
    this.#turns.putOff()
  }

  /** The encoded rows of a request. */
  encoded(frame: Frame, request: TableRequest): Promise<Buffer> {
    const answers = this.#answersOf(frame)
    const key = requestKey(request)
    const cached = answers.byKey.get(key)
    if (cached !== undefined) return cached
    if (answers.byKey.size >= cachedAnswersMax || answers.bytes > cachedBytesMax) {
      answers.byKey.clear()
      answers.bytes = 0
    }
    const answer = this.#answer(answers, request, key)
    answers.byKey.set(key, answer)
    return answer
  }

  /** The number of the last world in the archive that had this session; null if there is none. */
  async worldOfSession(session: string): Promise<number | null> {
    const worlds = (await this.#past?.worlds()) ?? []
    const own = worlds.filter((world) => world.session === session).map(({ number }) => number)
    return own.length === 0 ? null : Math.max(...own)
  }

  #answersOf(frame: Frame): FrameAnswers {
    if (this.#answers?.frame === frame) return this.#answers
    const world = new TableWorld(new FrameRecords(frame), this.#history, this.#past, this.#wallTimes)
    const answers = new FrameAnswers(frame, world)
    // Answers from an earlier frame, which late requests may still use, are not cached.
    if (this.#answers === null || frame.publishSeq > this.#answers.frame.publishSeq) this.#answers = answers
    return answers
  }

  async #answer(answers: FrameAnswers, request: TableRequest, key: string): Promise<Buffer> {
    try {
      const { table, filters, past = null } = request
      const source = await this.#sourceOf(answers, request)
      const fetched = source === null ? [] : await table.fetch?.(filters, source.world, past)
      const bytes = await this.#turns.run((source ?? answers).encoded(request, fetched))
      answers.bytes += bytes.length
      return bytes
    } catch (error) {
      answers.byKey.delete(key)
      throw error
    }
  }

  /** The frame, or the archive for what is not in it; null for a world that the archive does not have. */
  async #sourceOf(answers: FrameAnswers, request: TableRequest): Promise<FrameAnswers | null> {
    const { frame } = answers
    const query = pastQueryOf(request.table, request, frame)
    if (query === null) return answers
    if (this.#past === null) {
      if ((request.past ?? null) === null) return answers
      throw new ArchiveUnavailable('This mirror has no archive.')
    }
    const answer = await this.#past.read(query)
    if (answer === null) return null
    const records = await this.#turns.run(pastRecords(query, answer, frame))
    const world = new TableWorld(records, this.#history, this.#past)
    return new FrameAnswers(frame, world)
  }
}
