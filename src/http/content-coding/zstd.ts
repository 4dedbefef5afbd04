import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { blocksOf, limitConcurrency, outputChunkSize, segmentWithoutChecksum } from './content-coding.ts'
import type { ContentCoding } from './content-coding.ts'

const zstdCompressAsync = promisify(zstdCompress)
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

const magicNumberLength = 4
/** RFC 8878, 3.1.1: magic number, and a header without content size for a window of 8 MiB, as RFC 9659 allows. */
const frameHeader = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68)
const emptyLastBlock = Uint8Array.of(0x01, 0x00, 0x00)
const blockMax = 0x20000

/** RFC 8878, 3.1.1.2: blocks of uncompressed bytes. They leave a decoder's repeated offsets and tables unchanged. */
const rawBlocks = (bytes: Uint8Array): Uint8Array[] =>
  blocksOf(bytes, blockMax).flatMap((block) => {
    const header = block.length << 3
    return [Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), block]
  })

/** The offset of a frame's first block: RFC 8878, 3.1.1.1. */
function blocksStart(frame: Uint8Array): number {
  const descriptor = frame[magicNumberLength]
  const isSingleSegment = (descriptor >> 5) & 1
  const windowLength = 1 - isSingleSegment
  const contentSizeLength = [isSingleSegment, 2, 4, 8][descriptor >> 6]
  const dictionaryIdLength = [0, 1, 2, 4][descriptor & 3]
  return magicNumberLength + 1 + windowLength + dictionaryIdLength + contentSizeLength
}

/**
 * A segment is the blocks of a frame of its own. A decoder is in its initial state after raw blocks, but not after
 * compressed ones, so segments cannot be joined within a frame.
 */
export const zstd: ContentCoding = {
  compress: (plain) =>
    limitConcurrency(async () => {
      const frame = await zstdCompressAsync(plain, {
        params,
        finishFlush: constants.ZSTD_e_flush,
        chunkSize: outputChunkSize(plain),
      })
      return segmentWithoutChecksum(frame.subarray(blocksStart(frame)))
    }),
  assemble: async (head, segment, tail) => [
    frameHeader,
    ...rawBlocks(head),
    segment.bytes,
    ...rawBlocks(tail),
    emptyLastBlock,
  ],
}
