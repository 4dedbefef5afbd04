import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { SourceFault } from '../../contract/source-faults.ts'
import { SourceError } from '../source.ts'
import { forEachConcurrently } from './http/concurrency.ts'
import type { Envelope } from './http/envelope.ts'
import { bodyBytesMax, connectionsMax } from './http/http-client.ts'
import type { HttpClient, HttpResponse } from './http/http-client.ts'
import type { JsonResponse } from './http/json-response.ts'
import { anyPublish, collectionPaths, perCollection, PublishPieces, TotalsPiece } from './publish-pieces.ts'
import type { Piece } from './publish-pieces.ts'
import { totalsBytesMax } from './upstream-totals.ts'

/** The maximum number of repeated rounds for responses of other publishes: first for all, then for each collection. */
const wholeRoundsMax = 6
const collectionRoundsMax = 4

/** The maximum ratio of a body to the largest one so far, and the bound that applies at least. */
const growthMax = 4
const leastBytesMax = 8 * 2 ** 20

/** Bound for all responses of one publish together. It bounds the requests too, as a page cannot be empty. */
const publishBytesMax = 256 * 2 ** 20

/** The responses of one publish of the upstream. */
export interface Publish {
  readonly publishSeq: number
  readonly simTimeNs: bigint
  /** The capture at the upstream, on this process's clock. */
  readonly capturedAtMs: number
  /** The pages of each collection in order. */
  readonly pages: Readonly<Record<CollectionName, readonly JsonResponse[]>>
  readonly events: JsonResponse
  readonly diagnostics: JsonResponse
  /** The exposition of the upstream's counters; null if it has none. */
  readonly totals: HttpResponse | null
}

/** Faults whose only meaning is that an upstream exposes no counters. */
const totalsFaults: ReadonlySet<SourceFault> = new Set<SourceFault>(['bad_status', 'too_big', 'not_json'])

/** If an envelope has no simulated time, the publish number decides alone. */
const isOf = (envelope: Envelope | null, of: Envelope): boolean =>
  envelope === anyPublish ||
  (envelope !== null &&
    envelope.publishSeq === of.publishSeq &&
    (envelope.simTimeNs === null || of.simTimeNs === null || envelope.simTimeNs === of.simTimeNs))

/** The publish to complete: the highest number among the latest responses, or a lower one after a restart. */
const newestOf = (pieces: readonly Piece[]): Envelope =>
  pieces.reduce(
    (newest, { envelope }) =>
      envelope !== null && envelope.publishSeq > newest.publishSeq ? envelope : newest,
    anyPublish,
  )

/**
 * Reads the whole world of an upstream, page by page, until all pages are from one publish. If an upstream publishes
 * faster than it can be read, each collection is from one publish after a number of rounds.
 */
export class PublishReader {
  readonly #client: HttpClient
  /** The number of pages of each collection in the last publish, so that all of them are requested at once. */
  #pageCounts: Readonly<Record<CollectionName, number>> = perCollection(() => 1)
  #hasTotals = true
  /** Bodies grow slowly from publish to publish: one that is many times larger than all before it is endless. */
  #bodyBytesMax = bodyBytesMax

  constructor(client: HttpClient) {
    this.#client = client
  }

  /** Whether to request the upstream's counters. */
  requestTotals(isWanted: boolean): void {
    this.#hasTotals = isWanted
  }

  async read(signal: AbortSignal): Promise<Publish> {
    const pieces = new PublishPieces(this.#pageCounts, this.#hasTotals)
    try {
      await this.#complete(pieces, signal)
      return this.#publish(pieces)
    } catch (error) {
      for (const { response } of pieces.all) response?.free()
      throw error
    }
  }

  async #complete(pieces: PublishPieces, signal: AbortSignal): Promise<void> {
    let requested: readonly Piece[] = pieces.all
    for (let round = 1; round <= wholeRoundsMax; round++) {
      await this.#request(requested, pieces, signal)
      const newest = newestOf(requested)
      pieces.resizeCollections()
      requested = pieces.all.filter(({ envelope }) => !isOf(envelope, newest))
      if (requested.length === 0) return
    }
    for (const name of collectionNames) await this.#completeCollection(name, pieces, signal)
  }

  /** Completes one collection from one publish, independently of the other collections. */
  async #completeCollection(name: CollectionName, pieces: PublishPieces, signal: AbortSignal): Promise<void> {
    for (let round = 1; ; round++) {
      const { pages } = pieces.collections[name]
      const newest = newestOf(pages)
      if (pages.every(({ envelope }) => isOf(envelope, newest))) return
      if (round === collectionRoundsMax) {
        const problem = `${collectionPaths[name]} could not be read whole: the upstream publishes too fast`
        throw new SourceError('torn', `${problem} (${wholeRoundsMax + collectionRoundsMax} attempts).`)
      }
      await this.#request(pages, pieces, signal)
      pieces.resizeCollections()
    }
  }

  #request(requested: readonly Piece[], pieces: PublishPieces, signal: AbortSignal): Promise<void> {
    return forEachConcurrently(requested, connectionsMax, signal, async (piece, signal) => {
      // A page beyond the end of a collection that has shrunk is not needed.
      if (!piece.isNeeded()) return
      const response = await this.#fetch(piece, signal)
      if (response === null) return
      piece.accept(response)
      if (pieces.bytes <= publishBytesMax) return
      const limit = `${publishBytesMax / 2 ** 20} MiB`
      throw new SourceError('too_big', `A publish of the upstream exceeds the limit of ${limit}.`)
    })
  }

  /** Null if the upstream exposes no counters: it is mirrored without them. */
  async #fetch(piece: Piece, signal: AbortSignal): Promise<HttpResponse | null> {
    if (!(piece instanceof TotalsPiece))
      return this.#client.get(piece.path, { signal, bodyBytesMax: this.#bodyBytesMax })
    try {
      return await this.#client.get(piece.path, { signal, bodyBytesMax: totalsBytesMax })
    } catch (error) {
      if (!(error instanceof SourceError && totalsFaults.has(error.fault))) throw error
      this.#hasTotals = false
      piece.envelope = anyPublish
      return null
    }
  }

  #publish(pieces: PublishPieces): Publish {
    const { all, events, diagnostics, totals } = pieces
    const envelopes = all.map(({ envelope }) => envelope!)
    const { publishSeq, simTimeNs } = newestOf(all)
    const time = simTimeNs ?? envelopes.find(({ simTimeNs }) => simTimeNs !== null)?.simTimeNs
    if (time === null || time === undefined)
      throw events.json.error('bad_record', 'is refused: sim_time_ns is missing')
    const largest = Math.max(...all.map(({ response }) => response?.body.length ?? 0))
    this.#bodyBytesMax = Math.min(bodyBytesMax, Math.max(leastBytesMax, growthMax * largest))
    this.#pageCounts = perCollection((name) => pieces.collections[name].pages.length)
    return {
      publishSeq,
      simTimeNs: time,
      capturedAtMs: Math.min(...envelopes.map(({ capturedAtMs }) => capturedAtMs)),
      pages: perCollection((name) => pieces.collections[name].json()),
      events: events.json,
      diagnostics: diagnostics.json,
      totals: this.#hasTotals ? (totals?.response ?? null) : null,
    }
  }
}
