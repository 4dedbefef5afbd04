import { crc32, zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib'
import { BitReader, BitWriter } from './bit-coder.ts'
import { SharedModels } from './list-model.ts'
import { ListReader } from './list-reader.ts'
import { ListWriter } from './list-writer.ts'
import { LiteralReader, LiteralWriter } from './literals.ts'
import type { TextList } from './record-text.ts'

/** What is told of a frame besides its lists. It stands uncompressed at the beginning of its block. */
export interface FrameFacts {
  readonly simTimeNs: bigint
  /** When the frame was captured, by the wall clock. */
  readonly wallMs: number
  /** The number of the publish that it was. */
  readonly publishSeq: number
  /** `at_ns` of the newest event that had left the window; -1 while none had. */
  readonly newestEvictedNs: bigint
  /** Whether events came and went since the frame before without being recorded. */
  readonly hasEventGap: boolean
  /** Whether this is another world than that of the frame before. */
  readonly isOtherWorld: boolean
}

/** A frame on its way into a recording. A list that did not change since the frame before is the same object. */
export interface TextFrame extends FrameFacts {
  readonly lists: readonly TextList[]
}

const factsBytes = 48
const gapFlag = 1
const otherWorldFlag = 2

/** No frame holds more text. */
const literalBytesMax = 1 << 30

const levels = { key: 9, delta: 5 } as const

const nothing = Buffer.alloc(0)

const compressed = (text: Uint8Array, level: number): Buffer =>
  text.length === 0
    ? nothing
    : zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: level } })

const decompressed = (text: Uint8Array, length: number): Buffer =>
  length === 0 ? nothing : zstdDecompressSync(text, { maxOutputLength: length })

function checksumOf(lists: readonly TextList[]): number {
  let checksum = 0
  for (const { bytes } of lists) checksum = crc32(bytes, checksum)
  return checksum
}

/** Turns frames into the content of blocks: whole, or as what changed since the frame before. */
export class FrameWriter {
  readonly #shared: SharedModels
  readonly #coder = new BitWriter()
  readonly #literals = new LiteralWriter()
  readonly #lists: readonly ListWriter[]

  constructor(lists: number) {
    this.#shared = new SharedModels(lists)
    this.#lists = Array.from(
      { length: lists },
      (_, list) => new ListWriter(this.#shared, list, this.#coder, this.#literals),
    )
  }

  write(frame: TextFrame, kind: 'key' | 'delta'): Buffer {
    if (kind === 'key') {
      this.#shared.forget()
      for (const list of this.#lists) list.forget()
    }
    this.#coder.clear()
    this.#literals.clear()
    this.#shared.slots.beginFrame()
    const changed = frame.lists.filter((list, i) => this.#lists[i].write(list))
    const coded = this.#coder.finish()
    const { text } = this.#literals
    const literals = compressed(text, levels[kind])
    const content = Buffer.allocUnsafeSlow(factsBytes + coded.length + literals.length)
    content.writeBigInt64LE(frame.simTimeNs, 0)
    content.writeBigInt64LE(BigInt(Math.round(frame.wallMs)), 8)
    content.writeBigInt64LE(BigInt(frame.publishSeq), 16)
    content.writeBigInt64LE(frame.newestEvictedNs, 24)
    const flags = (frame.hasEventGap ? gapFlag : 0) | (frame.isOtherWorld ? otherWorldFlag : 0)
    content.writeUInt32LE(flags, 32)
    content.writeUInt32LE(checksumOf(changed), 36)
    content.writeUInt32LE(coded.length, 40)
    content.writeUInt32LE(text.length, 44)
    content.set(coded, factsBytes)
    content.set(literals, factsBytes + coded.length)
    return content
  }
}

/** What a block says of its frame, without reading the lists. */
export function readFacts(content: Buffer): FrameFacts {
  if (content.length < factsBytes) throw new RangeError(`a frame of ${content.length} bytes`)
  const flags = content.readUInt32LE(32)
  return {
    simTimeNs: content.readBigInt64LE(0),
    wallMs: Number(content.readBigInt64LE(8)),
    publishSeq: Number(content.readBigInt64LE(16)),
    newestEvictedNs: content.readBigInt64LE(24),
    hasEventGap: (flags & gapFlag) !== 0,
    isOtherWorld: (flags & otherWorldFlag) !== 0,
  }
}

/** Turns the content of blocks back into frames, each on the ground of those since the last whole one. */
export class FrameReader {
  readonly #shared: SharedModels
  readonly #lists: readonly ListReader[]
  /** How many bytes of the file each list has taken since the reader was made. */
  readonly sizes: Float64Array

  constructor(lists: number) {
    this.#shared = new SharedModels(lists)
    this.#lists = Array.from({ length: lists }, (_, list) => new ListReader(this.#shared, list))
    this.sizes = new Float64Array(lists)
  }

  /** The lists hold until the frame after the next is read. */
  read(content: Buffer, kind: 'key' | 'delta'): TextFrame {
    const facts = readFacts(content)
    if (kind === 'key') {
      this.#shared.forget()
      for (const list of this.#lists) list.forget()
    }
    const codedEnd = factsBytes + content.readUInt32LE(40)
    const literalLength = content.readUInt32LE(44)
    if (codedEnd > content.length || literalLength > literalBytesMax) {
      throw new RangeError(`a frame of ${content.length} bytes that tells of more`)
    }
    const text = decompressed(content.subarray(codedEnd), literalLength)
    const coder = new BitReader(content.subarray(factsBytes, codedEnd))
    const input = { coder, literals: new LiteralReader(text) }
    this.#shared.slots.beginFrame()
    const literalPrice = text.length === 0 ? 0 : (content.length - codedEnd) / text.length
    const changed = this.#lists
      .filter((list, i) => {
        const [read, taken] = [coder.read, input.literals.taken]
        const isChanged = list.read(input)
        this.sizes[i] += coder.read - read + (input.literals.taken - taken) * literalPrice
        return isChanged
      })
      .map(({ list }) => list)
    if (checksumOf(changed) !== content.readUInt32LE(36)) {
      throw new RangeError('records with another checksum than those that were recorded')
    }
    return { ...facts, lists: this.#lists.map(({ list }) => list) }
  }
}
