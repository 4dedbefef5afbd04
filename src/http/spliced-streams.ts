/**
 * A compressed body of which a part is compressed once for all its readers. Every body begins with its age, which
 * differs from one response to the next; the bulk that follows does not. All three formats can carry bytes
 * as they are, on a byte boundary, so a response is: the format's opening, the head as it is, the bulks as they
 * were compressed, the tail as it is, the format's end. What comes out is one ordinary stream of that format.
 */
import { promisify } from 'node:util'
import { constants, crc32, createBrotliCompress, deflateRaw, zstdCompress } from 'node:zlib'
import type { CodingName } from './content-coding.ts'
import { crc32Joined, crc32Shift } from './crc32-join.ts'

/** The bulk of a body, compressed, with what is needed to splice it into a stream. */
export interface CompressedBulk {
  readonly bytes: Uint8Array
  readonly plainLength: number
  /** Of the bytes before compression; 0 where the format carries no checksum. */
  readonly crc32: number
  readonly crc32Shift: number
}

/** Bulks that follow one another, as one. */
export function joinedBulk(bulks: readonly CompressedBulk[]): CompressedBulk {
  const plainLength = bulks.reduce((length, bulk) => length + bulk.plainLength, 0)
  return {
    bytes: Buffer.concat(bulks.map(({ bytes }) => bytes)),
    plainLength,
    crc32: bulks.reduce((crc, bulk) => crc32Joined(crc, bulk.crc32, bulk.crc32Shift), 0),
    crc32Shift: crc32Shift(plainLength),
  }
}

interface Format {
  compress(bulk: Uint8Array): Promise<CompressedBulk>
  splice(head: Uint8Array, bulks: readonly CompressedBulk[], tail: Uint8Array): Uint8Array[]
}

/**
 * Room for what comes out, so that it comes at once: whenever it is full, the compressor's thread waits for this one.
 * JSON and samples become an eighth to a sixth of what they were. Pages of it that stay empty take no memory.
 */
const roomFor = ({ length }: Uint8Array): number => Math.max(constants.Z_DEFAULT_CHUNK, length >> 2)

const noChecksum = { crc32: 0, crc32Shift: 0 }
const deflateRawAsync = promisify(deflateRaw)
const zstdAsync = promisify(zstdCompress)

/** Bytes as they are, in blocks of at most `blockMax`, each behind what `blockHeader` says of its length. */
function plainBlocks(bytes: Uint8Array, blockMax: number, blockHeader: (length: number) => Uint8Array) {
  const blocks: Uint8Array[] = []
  for (let start = 0; start < bytes.length; start += blockMax) {
    const block = bytes.subarray(start, start + blockMax)
    blocks.push(blockHeader(block.length), block)
  }
  return blocks
}

// RFC 1952 and RFC 1951: a stored block, and an empty last block made of fixed codes.
const gzipOpening = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255)
const deflateEnd = Uint8Array.of(0x03, 0x00)
const storedHeader = (length: number): Uint8Array =>
  Uint8Array.of(0, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255)

function gzipEnd(checksum: number, plainLength: number): Uint8Array {
  const end = Buffer.alloc(deflateEnd.length + 8)
  end.set(deflateEnd)
  end.writeUInt32LE(checksum >>> 0, deflateEnd.length)
  end.writeUInt32LE(plainLength % 2 ** 32, deflateEnd.length + 4)
  return end
}

const gzip: Format = {
  async compress(bulk) {
    const bytes = await deflateRawAsync(bulk, {
      level: constants.Z_BEST_SPEED,
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: roomFor(bulk),
    })
    return { bytes, plainLength: bulk.length, crc32: crc32(bulk), crc32Shift: crc32Shift(bulk.length) }
  },
  splice(head, bulks, tail) {
    const checksum = bulks.reduce((crc, bulk) => crc32Joined(crc, bulk.crc32, bulk.crc32Shift), crc32(head))
    const bulkLength = bulks.reduce((length, bulk) => length + bulk.plainLength, 0)
    return [
      gzipOpening,
      ...plainBlocks(head, 0xffff, storedHeader),
      ...bulks.map(({ bytes }) => bytes),
      ...plainBlocks(tail, 0xffff, storedHeader),
      gzipEnd(crc32(tail, checksum), head.length + bulkLength + tail.length),
    ]
  },
}

// RFC 7932: an uncompressed meta-block, and an empty last one. At this quality the encoder neither refers to its
// static dictionary nor models contexts, both of which would depend on what stands before the bulk.
const brotliQuality = 1
const brotliWindow = 22
/** The encoder's first flush: the window's size and padding to a byte boundary. */
const brotliOpening = Uint8Array.of(0x6b, 0x00)
const brotliEnd = Uint8Array.of(0x03)
const brotliParameters = {
  [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
  [constants.BROTLI_PARAM_LGWIN]: brotliWindow,
}
function uncompressedHeader(length: number): Uint8Array {
  const bits = ((length - 1) << 3) | (1 << 19)
  return Uint8Array.of(bits & 255, (bits >> 8) & 255, bits >> 16)
}

function brotliBulk(bulk: Uint8Array): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const encoder = createBrotliCompress({ params: brotliParameters })
  const chunks: Buffer[] = []
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk))
  encoder.on('error', reject)
  encoder.flush(() => {
    encoder.write(bulk)
    encoder.flush(() => {
      encoder.close()
      resolve(Buffer.concat(chunks).subarray(brotliOpening.length))
    })
  })
  return promise
}

const br: Format = {
  async compress(bulk) {
    return { bytes: await brotliBulk(bulk), plainLength: bulk.length, ...noChecksum }
  },
  splice: (head, bulks, tail) => [
    brotliOpening,
    ...plainBlocks(head, 0x10000, uncompressedHeader),
    ...bulks.map(({ bytes }) => bytes),
    ...plainBlocks(tail, 0x10000, uncompressedHeader),
    brotliEnd,
  ],
}

// RFC 8878: a raw block, and an empty last one. The frame states the widest window that RFC 9659 allows. A block
// may repeat the offsets of the block before it, which another encoder cannot know: so one bulk at most.
const zstdLevel = 1
const zstdMagicLength = 4
const zstdOpening = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68)
const zstdEnd = Uint8Array.of(0x01, 0x00, 0x00)
const zstdBlockMax = 0x20000
const rawHeader = (length: number): Uint8Array =>
  Uint8Array.of((length << 3) & 255, (length >> 5) & 255, length >> 13)

/** Where the blocks of a frame begin, its header read as RFC 8878, 3.1.1.1 has it. */
function zstdBlocksStart(frame: Uint8Array): number {
  const descriptor = frame[zstdMagicLength]
  const singleSegment = (descriptor >> 5) & 1
  const contentSizeLength = [singleSegment, 2, 4, 8][descriptor >> 6]
  const dictionaryLength = [0, 1, 2, 4][descriptor & 3]
  return zstdMagicLength + 1 + (1 - singleSegment) + dictionaryLength + contentSizeLength
}

const zstd: Format = {
  async compress(bulk) {
    const params = { [constants.ZSTD_c_compressionLevel]: zstdLevel }
    const frame = await zstdAsync(bulk, {
      params,
      finishFlush: constants.ZSTD_e_flush,
      chunkSize: roomFor(bulk),
    })
    return { bytes: frame.subarray(zstdBlocksStart(frame)), plainLength: bulk.length, ...noChecksum }
  },
  splice: (head, bulks, tail) => [
    zstdOpening,
    ...plainBlocks(head, zstdBlockMax, rawHeader),
    ...bulks.map(({ bytes }) => bytes),
    ...plainBlocks(tail, zstdBlockMax, rawHeader),
    zstdEnd,
  ],
}

/** The codings in which several bulks can follow one another. */
export const manyBulkCodings: readonly CodingName[] = ['br', 'gzip']

export const formats: Readonly<Record<CodingName, Format>> = { gzip, br, zstd }
