/** A compressed part of a body that many responses share. */
export interface CompressedSegment {
  readonly bytes: Uint8Array
  /**
   * Length and checksum before compression, and the factor by which appending the bytes multiplies a checksum; 0
   * without a checksum.
   */
  readonly plainLength: number
  readonly crc32: number
  readonly crc32Shift: number
}

/**
 * A content coding. Bodies of one snapshot differ in their head, which contains the age, and share the rest: the rest
 * is compressed once for all responses, and each response is assembled from its head and the compressed rest.
 */
export interface ContentCoding {
  readonly compress: (plain: Uint8Array) => Promise<CompressedSegment>
  /** Consecutive segments as one. A coding that lacks it compresses the parts of a body together. */
  readonly join?: (segments: readonly CompressedSegment[]) => CompressedSegment
  /** A complete stream of the coding. */
  readonly assemble: (head: Uint8Array, segment: CompressedSegment, tail: Uint8Array) => Promise<Uint8Array[]>
}

export const segmentWithoutChecksum = (bytes: Uint8Array): CompressedSegment => ({
  bytes,
  plainLength: 0,
  crc32: 0,
  crc32Shift: 0,
})

/** Slightly more than libuv has threads. Each compression needs a quarter of a megabyte. */
const concurrentCompressionsMax = 8
const waiting: (() => void)[] = []
let running = 0

/** Runs a compression as soon as the number of running ones is below the maximum. */
export async function limitConcurrency<T>(compress: () => Promise<T>): Promise<T> {
  if (running < concurrentCompressionsMax) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    return await compress()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}
