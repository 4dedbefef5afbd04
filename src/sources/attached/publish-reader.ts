import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import { int, record } from '../../contract/fields.ts'
import { pageLimitMax, routes } from '../../contract/routes.ts'
import type { Route } from '../../contract/routes.ts'
import type { SourceFault } from '../../contract/source-faults.ts'
import { SourceTrouble } from '../source.ts'
import { Body } from './body.ts'
import type { Envelope } from './body.ts'
import { bodyBytesMax } from './exchange.ts'
import type { Answer, Exchange } from './exchange.ts'
import { totalsPath } from './server-totals.ts'

/** How often what came from another publish is asked for again, all in all and then collection by collection. */
export const wholeRoundsMax = 6
export const collectionRoundsMax = 4

/** How much larger than the largest body so far one may be, and how large any may be. */
export const growthMax = 4
export const leastBytesMax = 8 * 2 ** 20

/** No collection has more pages; a server that says so is not believed. */
export const pagesMax = 1_000

const PageSize = record('Page', 'Which part of a collection a page is.', {
  total: int('Size of the collection.'),
  offset: int('Index of the first item.'),
  count: int('Number of items.'),
})

/** One answer of the set, with where it belongs. */
interface Piece {
  readonly path: string
  readonly collection: CollectionName | null
  body: Body | null
  answer: Answer | null
  envelope: Envelope | null
}

/** What one publish of the server holds, as it came. */
export interface Publish {
  readonly publishSeq: number
  readonly simTimeNs: bigint
  /** When the server captured it, on our own clock. */
  readonly capturedAtMs: number
  /** The pages of each collection in order. */
  readonly pages: Readonly<Record<CollectionName, readonly Body[]>>
  readonly events: Body
  readonly diagnostics: Body
  /** The text of what the server has counted; null where it does not tell. */
  readonly totals: Answer | null
}

const collectionPaths = Object.fromEntries(
  (Object.values(routes) as Route[]).flatMap(({ path, answer }) =>
    answer.kind === 'page' ? [[answer.collection, path]] : [],
  ),
) as Record<CollectionName, string>

const eventsPath = `${routes.events.path}?limit=${pageLimitMax}`

const pagePath = (name: CollectionName, index: number): string =>
  `${collectionPaths[name]}?offset=${index * pageLimitMax}&limit=${pageLimitMax}`

/** An answer that does not say which publish it is from goes with any. */
const anyPublish: Envelope = { publishSeq: -1, simTimeNs: null, capturedAtMs: Infinity }

/** Faults that say of a server only that it does not tell its totals. */
const tellsOfTotals: ReadonlySet<SourceFault> = new Set<SourceFault>(['bad_status', 'too_big', 'not_json'])

/** What does not say its simulated time goes by the number alone. */
const isOf = (envelope: Envelope | null, of: Envelope): boolean =>
  envelope === anyPublish ||
  (envelope !== null &&
    envelope.publishSeq === of.publishSeq &&
    (envelope.simTimeNs === null || of.simTimeNs === null || envelope.simTimeNs === of.simTimeNs))

/** Which publish to go for: the highest number that was answered last, so that after a restart it is the lower one. */
const newestOf = (envelopes: readonly Envelope[]): Envelope =>
  envelopes.reduce((one, other) => (other.publishSeq > one.publishSeq ? other : one))

/**
 * Reads all of a server's world, page by page, until all of it comes from one publish. A server that publishes
 * faster than it can be read gives, after a number of rounds, collections that are each of one publish.
 */
export class PublishReader {
  readonly #exchange: Exchange
  /** How many pages each collection had the last time, so that all of them are asked for at once. */
  readonly #pageCounts = Object.fromEntries(collectionNames.map((name) => [name, 1])) as Record<
    CollectionName,
    number
  >
  #hasTotals = true
  /** Bodies grow slowly from publish to publish: one that is many times larger than any before does not end. */
  #bytesMax = bodyBytesMax

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** Whether to ask the server for its totals. */
  askForTotals(whether: boolean): void {
    this.#hasTotals = whether
  }

  async read(signal: AbortSignal): Promise<Publish> {
    const pieces = new Map<string, Piece>()
    try {
      return await this.#readInto(pieces, signal)
    } catch (error) {
      for (const { answer } of pieces.values()) answer?.free()
      throw error
    }
  }

  async #readInto(pieces: Map<string, Piece>, signal: AbortSignal): Promise<Publish> {
    const wanted = this.#firstPieces()
    for (const piece of wanted) pieces.set(piece.path, piece)
    let asked = await this.#ask(wanted, signal)
    for (let round = 1; ; round++) {
      const newest = newestOf(asked)
      const others = [...this.#completed(pieces).values()].filter(({ envelope }) => !isOf(envelope, newest))
      if (others.length === 0) return this.#publish(pieces, newest)
      if (round === wholeRoundsMax) return this.#collectionWise(pieces, signal)
      asked = await this.#ask(others, signal)
    }
  }

  /** Every collection from one publish, though not all from the same. */
  async #collectionWise(pieces: Map<string, Piece>, signal: AbortSignal): Promise<Publish> {
    for (const name of collectionNames) {
      for (let round = 1; ; round++) {
        const pages = [...this.#completed(pieces).values()].filter(({ collection }) => collection === name)
        const newest = newestOf(pages.flatMap(({ envelope }) => (envelope === null ? [] : [envelope])))
        const others = pages.filter(({ envelope }) => !isOf(envelope, newest))
        if (others.length === 0) break
        if (round === collectionRoundsMax) {
          const what = `${collectionPaths[name]} could not be read whole: the server publishes too fast`
          throw new SourceTrouble('torn', `${what} (${wholeRoundsMax + collectionRoundsMax} attempts).`)
        }
        // oxlint-disable-next-line no-await-in-loop
        await this.#ask(pages, signal)
      }
    }
    return this.#publish(pieces, newestOf([...pieces.values()].map(({ envelope }) => envelope!)))
  }

  #firstPieces(): Piece[] {
    const pages = collectionNames.flatMap((name) =>
      Array.from({ length: this.#pageCounts[name] }, (_, index) => pieceOf(pagePath(name, index), name)),
    )
    const others = [eventsPath, routes.diagnostics.path]
    if (this.#hasTotals) others.push(totalsPath)
    return [...pages, ...others.map((path) => pieceOf(path, null))]
  }

  /** Asks for pieces, all at once as far as there are connections, and says which publishes they are from. */
  async #ask(pieces: readonly Piece[], signal: AbortSignal): Promise<Envelope[]> {
    await Promise.all(pieces.map((piece) => this.#askFor(piece, signal)))
    return pieces.map(({ envelope }) => envelope!)
  }

  async #askFor(piece: Piece, signal: AbortSignal): Promise<void> {
    if (piece.path === totalsPath) return this.#askForTotals(piece, signal)
    const answer = await this.#exchange.get(piece.path, { signal, bytesMax: this.#bytesMax })
    piece.answer?.free()
    piece.answer = answer
    piece.body = new Body(answer)
    piece.envelope = piece.body.envelope()
  }

  /** A server that cannot tell its totals is mirrored without. */
  async #askForTotals(piece: Piece, signal: AbortSignal): Promise<void> {
    piece.envelope = anyPublish
    try {
      const answer = await this.#exchange.get(piece.path, { signal })
      piece.answer?.free()
      piece.answer = answer
      const { publishSeq, receivedMs, ageMs } = answer
      if (publishSeq === null) return
      piece.envelope = { publishSeq, simTimeNs: null, capturedAtMs: receivedMs - (ageMs ?? 0) }
    } catch (error) {
      if (!(error instanceof SourceTrouble && tellsOfTotals.has(error.fault))) throw error
      this.#hasTotals = false
    }
  }

  /** Adds the pages that collections turned out to have, and takes away those that they have no more. */
  #completed(pieces: Map<string, Piece>): Map<string, Piece> {
    for (const name of collectionNames) {
      const { total } = pieces.get(pagePath(name, 0))!.body!.read(PageSize)
      const count = Math.max(1, Math.ceil(total / pageLimitMax))
      if (count > pagesMax) {
        throw new SourceTrouble(
          'too_big',
          `${collectionPaths[name]} has ${total} items, more than are taken.`,
        )
      }
      for (let index = 0; index < count; index++) {
        const path = pagePath(name, index)
        if (!pieces.has(path)) pieces.set(path, pieceOf(path, name))
      }
      for (let index = count; index < this.#pageCounts[name]; index++) {
        const path = pagePath(name, index)
        pieces.get(path)?.answer?.free()
        pieces.delete(path)
      }
      this.#pageCounts[name] = count
    }
    return pieces
  }

  #publish(pieces: ReadonlyMap<string, Piece>, { publishSeq, simTimeNs }: Envelope): Publish {
    const all = [...pieces.values()]
    const pages = {} as Record<CollectionName, Body[]>
    for (const name of collectionNames) {
      pages[name] = all.filter(({ collection }) => collection === name).map(({ body }) => body!)
      checkPages(pages[name])
    }
    const largest = Math.max(...all.map(({ answer }) => answer?.body.length ?? 0))
    this.#bytesMax = Math.min(bodyBytesMax, Math.max(leastBytesMax, growthMax * largest))
    const events = pieces.get(eventsPath)!.body!
    const capturedAtMs = Math.min(...all.map(({ envelope }) => envelope!.capturedAtMs))
    const diagnostics = pieces.get(routes.diagnostics.path)!.body!
    const time = simTimeNs ?? all.find(({ envelope }) => envelope!.simTimeNs !== null)?.envelope?.simTimeNs
    if (time === null || time === undefined) throw events.trouble('bad_record', 'has no sim_time_ns')
    const totals = this.#hasTotals ? (pieces.get(totalsPath)?.answer ?? null) : null
    return { publishSeq, simTimeNs: time, capturedAtMs, pages, events, diagnostics, totals }
  }
}

const pieceOf = (path: string, collection: CollectionName | null): Piece => ({
  path,
  collection,
  body: null,
  answer: null,
  envelope: null,
})

/** Each page has to hold what was asked for, and all of them one collection. */
function checkPages(pages: readonly Body[]): void {
  const { total } = pages[0].read(PageSize)
  for (const [index, page] of pages.entries()) {
    const size = page.read(PageSize)
    const offset = Math.min(index * pageLimitMax, total)
    const count = Math.min(pageLimitMax, total - offset)
    if (size.total === total && size.offset === offset && size.count === count) continue
    const got = `offset ${size.offset}, count ${size.count} and total ${size.total}`
    throw page.trouble(
      'bad_record',
      `has ${got}, expected offset ${offset}, count ${count} and total ${total}`,
    )
  }
}
