import { crc32 } from 'node:zlib'
import {
  compressStreams,
  decompressNumbers,
  decompressText,
  FrameOutput,
  textBytesMax,
} from './frame-streams.ts'
import type { FrameInput } from './frame-streams.ts'
import { ListDecoder } from './list-decoder.ts'
import { ListEncoder } from './list-encoder.ts'
import type { TextList } from './text-list.ts'
import { ByteWriter } from './varint.ts'

/** A key frame is encoded by itself, a delta frame as the differences from the previous frame. */
export type FrameKind = 'key' | 'delta'

/** The metadata of a frame, uncompressed at the beginning of its block. */
export interface FrameHeader {
  readonly simTimeNs: bigint
  /** Wall time of the capture, in milliseconds since 1970. */
  readonly wallMs: number
  readonly publishSeq: number
  /** `at_ns` of the newest event that has left the window; -1 if none has. */
  readonly newestEvictedNs: bigint
  /** Whether events since the previous frame are missing from every frame. */
  readonly hasEventGap: boolean
  /** Whether this is another world than that of the previous frame. */
  readonly isOtherWorld: boolean
}

/** A list that has not changed since the previous frame is the same object. */
export interface RecordedFrame extends FrameHeader {
  readonly lists: readonly TextList[]
}

export const frameHeaderBytes = 52
const eventGapFlag = 1
const otherWorldFlag = 2

function checksumOf(lists: readonly TextList[]): number {
  let checksum = 0
  for (const { bytes } of lists) checksum = crc32(bytes, checksum)
  return checksum
}

/** Encodes frames to the content of blocks. */
export class FrameEncoder {
  readonly #output = new FrameOutput()
  readonly #lists: readonly ListEncoder[]

  constructor(listCount: number) {
    this.#lists = Array.from({ length: listCount }, () => new ListEncoder(this.#output))
  }

  encode(frame: RecordedFrame, kind: FrameKind): Buffer {
    if (kind === 'key') for (const list of this.#lists) list.reset()
    this.#output.clear()
    const changed = frame.lists.filter((list, i) => this.#lists[i].encode(list))
    const { numbers, numbersLength, text, textLength } = compressStreams(this.#output)
    const header = Buffer.alloc(frameHeaderBytes)
    header.writeBigInt64LE(frame.simTimeNs, 0)
    header.writeBigInt64LE(BigInt(Math.round(frame.wallMs)), 8)
    header.writeBigInt64LE(BigInt(frame.publishSeq), 16)
    header.writeBigInt64LE(frame.newestEvictedNs, 24)
    const flags = (frame.hasEventGap ? eventGapFlag : 0) | (frame.isOtherWorld ? otherWorldFlag : 0)
    header.writeUInt32LE(flags, 32)
    header.writeUInt32LE(checksumOf(changed), 36)
    header.writeUInt32LE(numbers.length, 40)
    header.writeUInt32LE(numbersLength, 44)
    header.writeUInt32LE(textLength, 48)
    return Buffer.concat([header, numbers, text])
  }
}

export function decodeFrameHeader(content: Buffer): FrameHeader {
  if (content.length < frameHeaderBytes) throw new RangeError(`a frame of ${content.length} bytes`)
  const flags = content.readUInt32LE(32)
  return {
    simTimeNs: content.readBigInt64LE(0),
    wallMs: Number(content.readBigInt64LE(8)),
    publishSeq: Number(content.readBigInt64LE(16)),
    newestEvictedNs: content.readBigInt64LE(24),
    hasEventGap: (flags & eventGapFlag) !== 0,
    isOtherWorld: (flags & otherWorldFlag) !== 0,
  }
}

/** Decodes the content of blocks, using the frames since the last key frame. */
export class FrameDecoder {
  readonly #lists: readonly ListDecoder[]
  readonly #dictionary = new ByteWriter()
  /** Bytes of the file per list so far, each by its share of the data that was compressed together. */
  readonly sizes: Float64Array

  constructor(listCount: number) {
    this.#lists = Array.from({ length: listCount }, () => new ListDecoder())
    this.sizes = new Float64Array(listCount)
  }

  /** Throws a RangeError for content that no encoder produces. The lists are valid until the frame after the next. */
  decode(content: Buffer, kind: FrameKind): RecordedFrame {
    const header = decodeFrameHeader(content)
    if (kind === 'key') for (const list of this.#lists) list.reset()
    const textAt = frameHeaderBytes + content.readUInt32LE(40)
    const [numbersLength, textLength] = [content.readUInt32LE(44), content.readUInt32LE(48)]
    const numbers = decompressNumbers(content.subarray(frameHeaderBytes, textAt), numbersLength)
    const numbersRatio = (textAt - frameHeaderBytes) / numbersLength
    this.#dictionary.clear()
    for (const [i, list] of this.#lists.entries()) {
      const before = numbers.records.position
      list.decodeRecords(numbers.records, this.#dictionary)
      this.sizes[i] += (numbers.records.position - before) * numbersRatio
    }
    const text = decompressText(content.subarray(textAt), textLength, this.#dictionary.written)
    const textRatio = textLength === 0 ? 0 : (content.length - textAt) / textLength
    const changed = this.#decodeTexts({ ...numbers, text }, numbersRatio, textRatio)
    if (checksumOf(changed) !== content.readUInt32LE(36))
      throw new RangeError('checksum mismatch: the decoded records differ from the recorded ones')
    return { ...header, lists: this.#lists.map(({ list }) => list) }
  }

  /** Returns the lists that may have changed. */
  #decodeTexts(input: FrameInput, numbersRatio: number, textRatio: number): TextList[] {
    const { changes, deltas, text } = input
    let frameBytes = 0
    return this.#lists
      .filter((list, i) => {
        const [numbersBefore, textBefore] = [changes.position + deltas.position, text.position]
        const isChanged = list.decodeTexts(input)
        frameBytes += list.list.bytes.length
        if (frameBytes > textBytesMax)
          throw new RangeError(`a frame of more than ${textBytesMax} bytes of text`)
        const numberBytes = changes.position + deltas.position - numbersBefore
        this.sizes[i] += numberBytes * numbersRatio + (text.position - textBefore) * textRatio
        return isChanged
      })
      .map(({ list }) => list)
  }
}
