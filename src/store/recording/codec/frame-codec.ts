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

export const frameHeaderBytes = 16

function checksumOf(lists: readonly TextList[]): number {
  let checksum = 0
  for (const { bytes } of lists) checksum = crc32(bytes, checksum)
  return checksum
}

/** Encodes frames. A list that has not changed since the previous frame is the same object. */
export class FrameEncoder {
  readonly #output = new FrameOutput()
  readonly #lists: readonly ListEncoder[]

  constructor(listCount: number) {
    this.#lists = Array.from({ length: listCount }, () => new ListEncoder(this.#output))
  }

  encode(lists: readonly TextList[], kind: FrameKind): Buffer {
    if (kind === 'key') for (const list of this.#lists) list.reset()
    this.#output.clear()
    const changed = lists.filter((list, i) => this.#lists[i].encode(list))
    const { numbers, numbersLength, text, textLength } = compressStreams(this.#output)
    const header = Buffer.alloc(frameHeaderBytes)
    header.writeUInt32LE(checksumOf(changed), 0)
    header.writeUInt32LE(numbers.length, 4)
    header.writeUInt32LE(numbersLength, 8)
    header.writeUInt32LE(textLength, 12)
    return Buffer.concat([header, numbers, text])
  }
}

/** Decodes frames, using those since the last key frame. */
export class FrameDecoder {
  readonly #lists: readonly ListDecoder[]
  readonly #dictionary = new ByteWriter()

  constructor(listCount: number) {
    this.#lists = Array.from({ length: listCount }, () => new ListDecoder())
  }

  /** Throws a RangeError for content that no encoder produces. The lists are valid until the frame after the next. */
  decode(content: Buffer, kind: FrameKind): readonly TextList[] {
    if (content.length < frameHeaderBytes) throw new RangeError(`a frame of ${content.length} bytes`)
    if (kind === 'key') for (const list of this.#lists) list.reset()
    const textAt = frameHeaderBytes + content.readUInt32LE(4)
    const [numbersLength, textLength] = [content.readUInt32LE(8), content.readUInt32LE(12)]
    const numbers = decompressNumbers(content.subarray(frameHeaderBytes, textAt), numbersLength)
    this.#dictionary.clear()
    for (const list of this.#lists) list.decodeRecords(numbers.records, this.#dictionary)
    const text = decompressText(content.subarray(textAt), textLength, this.#dictionary.written)
    if (checksumOf(this.#decodeTexts({ ...numbers, text })) !== content.readUInt32LE(0))
      throw new RangeError('checksum mismatch: the decoded records differ from the recorded ones')
    return this.#lists.map(({ list }) => list)
  }

  /** Returns the lists that may have changed. */
  #decodeTexts(input: FrameInput): TextList[] {
    let frameBytes = 0
    return this.#lists
      .filter((list) => {
        const isChanged = list.decodeTexts(input)
        frameBytes += list.list.bytes.length
        if (frameBytes > textBytesMax)
          throw new RangeError(`a frame of more than ${textBytesMax} bytes of text`)
        return isChanged
      })
      .map(({ list }) => list)
  }
}
