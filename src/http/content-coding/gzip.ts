import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { limitConcurrency } from './content-coding.ts'
import type { ContentCoding } from './content-coding.ts'
import { combineCrc32, crc32Shift } from './crc32-combine.ts'

const deflateRawAsync = promisify(deflateRaw)

/** RFC 1952, 2.3: deflate, no flags, no time, fastest algorithm, unknown operating system. */
const gzipHeader = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255)
/** RFC 1951, 3.2.6: an empty last block with fixed codes. */
const lastBlock = Uint8Array.of(0x03, 0x00)
const storedBlockMax = 0xffff

/** RFC 1951, 3.2.4: blocks of uncompressed bytes. They begin on a byte boundary, as segments do after a sync flush. */
function storedBlocks(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += storedBlockMax) {
    const block = bytes.subarray(start, start + storedBlockMax)
    const { length } = block
    blocks.push(Uint8Array.of(0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255), block)
  }
  return blocks
}

function gzipTrailer(checksum: number, plainLength: number): Uint8Array {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum >>> 0, 0)
  trailer.writeUInt32LE(plainLength % 2 ** 32, 4)
  return trailer
}

/** Segments are deflate blocks that end in a sync flush; the checksums of all parts are combined. */
export const gzip: ContentCoding = {
  compress: (plain) =>
    limitConcurrency(async () => ({
      bytes: await deflateRawAsync(plain, {
        level: constants.Z_BEST_SPEED,
        finishFlush: constants.Z_SYNC_FLUSH,
        // The compressor returns to the event loop whenever this is full. Most texts shrink to less.
        chunkSize: Math.max(constants.Z_DEFAULT_CHUNK, plain.length >> 2),
      }),
      plainLength: plain.length,
      crc32: crc32(plain),
      crc32Shift: crc32Shift(plain.length),
    })),
  join(segments) {
    const plainLength = segments.reduce((length, segment) => length + segment.plainLength, 0)
    return {
      bytes: Buffer.concat(segments.map(({ bytes }) => bytes)),
      plainLength,
      crc32: segments.reduce((crc, segment) => combineCrc32(crc, segment.crc32, segment.crc32Shift), 0),
      crc32Shift: crc32Shift(plainLength),
    }
  },
  async assemble(head, segment, tail) {
    const checksum = crc32(tail, combineCrc32(crc32(head), segment.crc32, segment.crc32Shift))
    return [
      gzipHeader,
      ...storedBlocks(head),
      segment.bytes,
      ...storedBlocks(tail),
      lastBlock,
      gzipTrailer(checksum, head.length + segment.plainLength + tail.length),
    ]
  },
}
