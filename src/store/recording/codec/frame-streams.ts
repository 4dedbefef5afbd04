import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { ByteReader, ByteWriter } from './varint.ts'

/** The relation of a list to that of the previous frame. */
export const listStates = { unchanged: 0, sameRecords: 1, otherRecords: 2 } as const

/** The streams of an encoded frame, one for each kind of data: similar data compresses best together. */
export class FrameOutput {
  /** The records of each list, and which of them are rewritten. */
  readonly records = new ByteWriter()
  /** Positions of the changed numbers. */
  readonly changes = new ByteWriter()
  /** Differences of the changed numbers. */
  readonly deltas = new ByteWriter()
  /** New texts. */
  readonly text = new ByteWriter()
  /** The former texts of rewritten records, which prime the compression of the new ones. */
  readonly dictionary = new ByteWriter()

  clear(): void {
    for (const stream of [this.records, this.changes, this.deltas, this.text, this.dictionary]) stream.clear()
  }
}

/** The streams of a frame during decoding. */
export interface FrameInput {
  readonly records: ByteReader
  readonly changes: ByteReader
  readonly deltas: ByteReader
  readonly text: ByteReader
}

interface CompressedStreams {
  /** `records`, `changes` and `deltas`, preceded by the lengths of the first two. */
  readonly numbers: Buffer
  readonly numbersLength: number
  readonly text: Buffer
  readonly textLength: number
}

const noBytes = Buffer.alloc(0)

/** Higher levels take more time and save less than 2 %. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 }

/** Frames of real worlds compress by 30:1 at most. */
const compressionRatioMax = 64
const uncheckedBytesMax = 1 << 16
/** Upper bound of each stream of a frame. */
export const textBytesMax = 1 << 28

/** The largest plausible decompressed size: a small file must not take much memory. */
const decompressedBytesMax = (compressedBytes: number, dictionaryBytes: number): number =>
  uncheckedBytesMax + compressionRatioMax * compressedBytes + dictionaryBytes

/** Bytes that compress beyond the ratio that decompression accepts, or not at all, are stored uncompressed. */
function compress(bytes: Buffer, dictionary = noBytes): Buffer {
  if (bytes.length === 0) return noBytes
  const compressed = zstdCompressSync(bytes, dictionary.length === 0 ? { params } : { params, dictionary })
  const isStored =
    compressed.length >= bytes.length ||
    bytes.length > decompressedBytesMax(compressed.length, dictionary.length)
  return isStored ? bytes : compressed
}

/** Checks the declared length before allocating memory for it. */
function decompress(bytes: Buffer, length: number, dictionary = noBytes): Buffer {
  if (length === bytes.length) return bytes
  if (length > decompressedBytesMax(bytes.length, dictionary.length))
    throw new RangeError(`${bytes.length} bytes that claim to hold ${length}`)
  if (length > textBytesMax)
    throw new RangeError(`${length} bytes where at most ${textBytesMax} are expected`)
  const options = { maxOutputLength: length }
  return zstdDecompressSync(bytes, dictionary.length === 0 ? options : { ...options, dictionary })
}

export function compressStreams(output: FrameOutput): CompressedStreams {
  const { records, changes, deltas, text, dictionary } = output
  const lengths = new ByteWriter()
  lengths.varint(records.length)
  lengths.varint(changes.length)
  const numbers = Buffer.concat([lengths.written, records.written, changes.written, deltas.written])
  return {
    numbers: compress(numbers),
    numbersLength: numbers.length,
    text: compress(text.written, dictionary.written),
    textLength: text.length,
  }
}

export function decompressNumbers(bytes: Buffer, length: number): Omit<FrameInput, 'text'> {
  const reader = new ByteReader(decompress(bytes, length))
  const [recordsLength, changesLength] = [reader.varint(), reader.varint()]
  const records = new ByteReader(reader.raw(recordsLength))
  const changes = new ByteReader(reader.raw(changesLength))
  return { records, changes, deltas: new ByteReader(reader.raw(reader.remaining)) }
}

export const decompressText = (bytes: Buffer, length: number, dictionary: Buffer<ArrayBuffer>): ByteReader =>
  new ByteReader(decompress(bytes, length, dictionary))
