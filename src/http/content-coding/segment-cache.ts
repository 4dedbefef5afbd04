import type { Slice } from '../responses/representation.ts'
import { sliceBytes, sliceLength } from '../responses/representation.ts'
import { codings } from './codings.ts'
import type { CodingName, Codings } from './codings.ts'
import type { CompressedSegment } from './content-coding.ts'

/** A source that is smaller than this has segments of as many bytes as one of this size. */
const sourceBytesMin = 1024 * 1024
/** Bytes before compression of all segments of a source, for each of its own bytes. Most shrink to a sixth. */
const segmentShareMax = 6

interface SourceSegments {
  readonly byRange: Map<string, Promise<CompressedSegment>>
  /** Their bytes before compression. */
  bytes: number
}

/**
 * Compresses each slice of encoded bytes once, for all requests of all snapshots in which those bytes are the same. The
 * segments of one source use about as much memory as the source, and are released with it.
 */
export class SegmentCache {
  readonly codings: Codings
  readonly #sourceBytesMin: number
  readonly #bySource = new WeakMap<Uint8Array, SourceSegments>()

  constructor(offered: Codings = codings, bytesMin: number = sourceBytesMin) {
    this.codings = offered
    this.#sourceBytesMin = bytesMin
  }

  /** The bytes of which there are segments of a source. */
  bytesOf(source: Uint8Array): number {
    return this.#bySource.get(source)?.bytes ?? 0
  }

  /** The slices as one segment. Their sources must be held until the promise settles. */
  async segmentOf(coding: CodingName, slices: readonly Slice[]): Promise<CompressedSegment> {
    const { join, compress } = this.codings[coding]
    if (slices.length === 1) return await this.#compress(coding, slices[0])
    if (join === undefined) return await compress(Buffer.concat(slices.map(sliceBytes)))
    // Even if one fails, the others must end before their sources are released.
    const results = await Promise.allSettled(slices.map((slice) => this.#compress(coding, slice)))
    const segments = results.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    return join(segments)
  }

  #compress(coding: CodingName, slice: Slice): Promise<CompressedSegment> {
    const { source, start, end } = slice
    const segments = this.#bySource.get(source) ?? { byRange: new Map(), bytes: 0 }
    this.#bySource.set(source, segments)
    const key = `${coding}.${start}.${end}`
    const cached = segments.byRange.get(key)
    if (cached !== undefined) return cached
    if (segments.bytes > segmentShareMax * Math.max(this.#sourceBytesMin, source.length)) {
      segments.byRange.clear()
      segments.bytes = 0
    }
    const compressed = this.codings[coding].compress(sliceBytes(slice))
    segments.byRange.set(key, compressed)
    segments.bytes += sliceLength(slice)
    compressed.catch(() => segments.byRange.delete(key))
    return compressed
  }
}
