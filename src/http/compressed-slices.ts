import type { CodingName } from './content-coding.ts'
import { bytesOf, lengthOf } from './representation.ts'
import type { Slice } from './representation.ts'
import { formats, joinedBulk } from './spliced-streams.ts'
import type { CompressedBulk } from './spliced-streams.ts'

/** A few more than there are threads for it. Each takes a quarter of a megabyte while it is under way. */
const compressedAtOnce = 8

/** What the compressed ranges of one source may keep, where the source itself is smaller than this. */
const keptMin = 1024 * 1024

interface Ranges {
  readonly byRange: Map<string, Promise<CompressedBulk>>
  bytes: number
}

/**
 * Compresses each range of encoded bytes once, for all who ask for it at the same time and after, over every
 * publish in which those bytes stay as they are. The copies of one source never outgrow it, and go with it.
 */
export class CompressedSlices {
  readonly #bySource = new WeakMap<Uint8Array, Ranges>()

  /** Those that begin when others have ended; each request adds at most as many as it has ranges. */
  readonly #waiting: (() => void)[] = []

  #underWay = 0

  readonly #byList = new WeakMap<readonly Slice[], Map<CodingName, Promise<CompressedBulk[]>>>()

  /** The sources must be held until the promise has settled. A list that comes again is joined once. */
  all(coding: CodingName, slices: readonly Slice[]): Promise<CompressedBulk[]> {
    if (slices.length <= 1) return this.#each(coding, slices)
    const known = this.#byList.get(slices) ?? new Map<CodingName, Promise<CompressedBulk[]>>()
    this.#byList.set(slices, known)
    const before = known.get(coding)
    if (before !== undefined) return before
    const joined = this.#each(coding, slices).then((bulks) => [joinedBulk(bulks)])
    known.set(coding, joined)
    joined.catch(() => known.delete(coding))
    return joined
  }

  async #each(coding: CodingName, slices: readonly Slice[]): Promise<CompressedBulk[]> {
    // Even where one fails, the others must have ended before their sources are let go.
    const settled = await Promise.allSettled(slices.map((slice) => this.#compressed(coding, slice)))
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
  }

  #compressed(coding: CodingName, slice: Slice): Promise<CompressedBulk> {
    const ranges = this.#rangesOf(slice.source)
    const key = `${coding}.${slice.start}.${slice.end}`
    const known = ranges.byRange.get(key)
    if (known !== undefined) return known
    if (ranges.bytes > Math.max(keptMin, slice.source.length)) {
      ranges.byRange.clear()
      ranges.bytes = 0
    }
    const compressed = this.#inTurn(() => formats[coding].compress(bytesOf(slice)))
    ranges.byRange.set(key, compressed)
    // What is under way counts as if it did not shrink.
    ranges.bytes += lengthOf(slice)
    void compressed.then(
      ({ bytes }) => this.#settle(ranges, key, compressed, bytes.length - lengthOf(slice)),
      () => ranges.byRange.delete(key),
    )
    return compressed
  }

  async #inTurn<T>(compress: () => Promise<T>): Promise<T> {
    if (this.#underWay < compressedAtOnce) this.#underWay++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await compress()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#underWay--
      else next()
    }
  }

  #settle(ranges: Ranges, key: string, compressed: Promise<CompressedBulk>, change: number): void {
    if (ranges.byRange.get(key) === compressed) ranges.bytes += change
  }

  #rangesOf(source: Uint8Array): Ranges {
    const known = this.#bySource.get(source)
    if (known !== undefined) return known
    const ranges = { byRange: new Map<string, Promise<CompressedBulk>>(), bytes: 0 }
    this.#bySource.set(source, ranges)
    return ranges
  }
}
