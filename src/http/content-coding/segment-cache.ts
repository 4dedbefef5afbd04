import type { Slice } from '../responses/representation.ts'
import { sliceBytes, sliceLength } from '../responses/representation.ts'
import { codings } from './codings.ts'
import type { CodingName, Codings } from './codings.ts'
import type { CompressedSegment } from './content-coding.ts'

/** Budget for the segments of a source that is itself smaller than this. */
const segmentBytesMin = 1024 * 1024

interface SourceSegments {
  readonly byRange: Map<string, Promise<CompressedSegment>>
  bytes: number
}

/**
 * Compresses each slice of encoded bytes once, for all requests of all snapshots in which those bytes are the same. The
 * segments of one source use no more memory than the source, and are released with it.
 */
export class SegmentCache {
  readonly codings: Codings
  readonly #bytesMin: number
  readonly #bySource = new WeakMap<Uint8Array, SourceSegments>()
  readonly #byList = new WeakMap<readonly Slice[], Map<CodingName, Promise<CompressedSegment>>>()

  constructor(offered: Codings = codings, bytesMin: number = segmentBytesMin) {
    this.codings = offered
    this.#bytesMin = bytesMin
  }

  /** The memory that the segments of a source use. */
  bytesOf(source: Uint8Array): number {
    return this.#bySource.get(source)?.bytes ?? 0
  }

  /** The slices as one segment, made once for a list. Their sources must be held until the promise settles. */
  segmentOf(coding: CodingName, slices: readonly Slice[]): Promise<CompressedSegment> {
    if (slices.length === 1) return this.#compress(coding, slices[0])
    const byCoding = this.#byList.get(slices) ?? new Map<CodingName, Promise<CompressedSegment>>()
    this.#byList.set(slices, byCoding)
    const cached = byCoding.get(coding)
    if (cached !== undefined) return cached
    const segment = this.#compressList(coding, slices)
    byCoding.set(coding, segment)
    segment.catch(() => byCoding.delete(coding))
    return segment
  }

  async #compressList(coding: CodingName, slices: readonly Slice[]): Promise<CompressedSegment> {
    const { join, compress } = this.codings[coding]
    if (join === undefined) return compress(Buffer.concat(slices.map(sliceBytes)))
    // Even if one fails, the others must end before their sources are released.
    const results = await Promise.allSettled(slices.map((slice) => this.#compress(coding, slice)))
    const segments = results.map((result) => {
      if (result.status === 'rejected') throw result.reason
      return result.value
    })
    return join(segments)
  }

  #compress(coding: CodingName, slice: Slice): Promise<CompressedSegment> {
    const segments = this.#segmentsOf(slice.source)
    const key = `${coding}.${slice.start}.${slice.end}`
    const cached = segments.byRange.get(key)
    if (cached !== undefined) return cached
    if (segments.bytes > Math.max(this.#bytesMin, slice.source.length)) {
      segments.byRange.clear()
      segments.bytes = 0
    }
    const compressed = this.codings[coding].compress(sliceBytes(slice))
    segments.byRange.set(key, compressed)
    // A slice counts with its own length until it is compressed.
    segments.bytes += sliceLength(slice)
    void this.#settle(segments, key, compressed, sliceLength(slice))
    return compressed
  }

  async #settle(
    segments: SourceSegments,
    key: string,
    compressed: Promise<CompressedSegment>,
    countedBytes: number,
  ): Promise<void> {
    try {
      const { bytes } = await compressed
      if (segments.byRange.get(key) === compressed) segments.bytes += bytes.length - countedBytes
    } catch {
      segments.byRange.delete(key)
    }
  }

  #segmentsOf(source: Uint8Array): SourceSegments {
    const cached = this.#bySource.get(source)
    if (cached !== undefined) return cached
    const segments = { byRange: new Map<string, Promise<CompressedSegment>>(), bytes: 0 }
    this.#bySource.set(source, segments)
    return segments
  }
}
