import { SourceError } from '../source.ts'
import { forEachConcurrently } from './http/concurrency.ts'
import { anyPublish } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import { connectionsMax } from './http/http-client.ts'
import type { UpstreamClient } from './http/http-client.ts'
import type { JsonResponse } from './http/json-response.ts'
import { partPaths, PublishPieces } from './publish-pieces.ts'
import type { Page, PartName } from './publish-pieces.ts'

/** The maximum number of repeated rounds for responses of other publishes: first for all, then for each part. */
const wholeRoundsMax = 6
const partRoundsMax = 4

/** Bound for all responses of one publish together. It bounds the requests too, as a page cannot be empty. */
const publishBytesMax = 256 * 2 ** 20

/** The responses of one publish of the upstream. */
export interface Publish extends Envelope {
  /** The pages of each part that was read, in order. */
  readonly pages: ReadonlyMap<PartName, readonly JsonResponse[]>
  /** Why each of the other parts could not be read. */
  readonly failures: ReadonlyMap<PartName, SourceError>
}

/** If an envelope has no simulated time, the publish number decides alone. */
const isOf = (envelope: Envelope | null, of: Envelope): boolean =>
  envelope !== null &&
  (envelope.publishSeq === anyPublish ||
    (envelope.publishSeq === of.publishSeq &&
      (envelope.simTimeNs === null || of.simTimeNs === null || envelope.simTimeNs === of.simTimeNs)))

const noPublish: Envelope = { publishSeq: anyPublish, simTimeNs: null, capturedAtMs: Infinity }

/** The publish to complete: the highest number among the latest responses, or a lower one after a restart. */
const newestOf = (pages: readonly Page[]): Envelope =>
  pages.reduce(
    (newest, { envelope }) =>
      envelope !== null && envelope.publishSeq > newest.publishSeq ? envelope : newest,
    noPublish,
  )

/**
 * Reads the world of an upstream, page by page, until all pages are from one publish. If an upstream publishes faster
 * than it can be read, each part is from one publish after a number of rounds. A part that cannot be read costs no
 * other.
 */
export class PublishReader {
  readonly #client: UpstreamClient
  /** The number of pages of each part in the last publish, so that all of them are requested at once. */
  #pageCounts: ReadonlyMap<PartName, number> = new Map()

  constructor(client: UpstreamClient) {
    this.#client = client
  }

  async read(names: readonly PartName[]): Promise<Publish> {
    const pieces = new PublishPieces(names, this.#pageCounts)
    await this.#complete(pieces)
    return this.#publish(pieces)
  }

  async #complete(pieces: PublishPieces): Promise<void> {
    let requested = pieces.all
    for (let round = 1; round <= wholeRoundsMax; round++) {
      await this.#request(requested, pieces)
      const newest = newestOf(requested)
      pieces.resize()
      requested = pieces.all.filter(({ envelope }) => !isOf(envelope, newest))
      if (requested.length === 0) return
    }
    for (const part of pieces.parts) await this.#completePart(part, pieces)
  }

  /** Completes one part from one publish, independently of the others. */
  async #completePart(part: PublishPieces['parts'][number], pieces: PublishPieces): Promise<void> {
    for (let round = 1; part.failure === null; round++) {
      const newest = newestOf(part.pages)
      if (part.pages.every(({ envelope }) => isOf(envelope, newest))) return
      if (round === partRoundsMax) {
        const problem = `${partPaths[part.name]} could not be read whole: the upstream publishes too fast`
        throw new SourceError('torn', `${problem} (${wholeRoundsMax + partRoundsMax} attempts).`)
      }
      await this.#request(part.pages, pieces)
      part.resize()
    }
  }

  #request(requested: readonly Page[], pieces: PublishPieces): Promise<void> {
    return forEachConcurrently(requested, connectionsMax, async (page, signal) => {
      if (!page.isNeeded()) return
      try {
        page.accept(await this.#client.get(page.path, { signal }))
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        page.fail(error)
      }
      if (pieces.bytes <= publishBytesMax) return
      const limit = `${publishBytesMax / 2 ** 20} MiB`
      throw new SourceError('too_big', `A publish of the upstream exceeds the limit of ${limit}.`)
    })
  }

  #publish(pieces: PublishPieces): Publish {
    for (const part of pieces.parts) part.check()
    const read = pieces.parts.filter(({ failure }) => failure === null)
    const { all } = pieces
    const envelopes = all.flatMap(({ envelope }) => envelope ?? [])
    const { publishSeq, simTimeNs } = newestOf(all)
    this.#pageCounts = new Map(read.map(({ name, pages }) => [name, pages.length]))
    return {
      publishSeq,
      simTimeNs: simTimeNs ?? envelopes.find(({ simTimeNs }) => simTimeNs !== null)?.simTimeNs ?? null,
      capturedAtMs: Math.min(...envelopes.map(({ capturedAtMs }) => capturedAtMs)),
      pages: new Map(read.map(({ name, pages }) => [name, pages.map(({ json }) => json)])),
      failures: new Map(
        pieces.parts.flatMap(({ name, failure }) => (failure === null ? [] : [[name, failure] as const])),
      ),
    }
  }
}
