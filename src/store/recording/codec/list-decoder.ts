import { Decimal } from './decimal.ts'
import { listStates, textBytesMax } from './frame-streams.ts'
import type { FrameInput } from './frame-streams.ts'
import { RecordNumbers } from './record-numbers.ts'
import { emptyTextList } from './text-list.ts'
import type { TextList } from './text-list.ts'
import { ByteWriter } from './varint.ts'
import type { ByteReader } from './varint.ts'

const comma = 0x2c
/** The text index of a record that is neither new nor rewritten. */
const noText = -1

function decodeTextLength(records: ByteReader): number {
  const length = records.varint()
  if (length > textBytesMax) throw new RangeError(`a text of ${length} bytes`)
  return length
}

/** Decodes the output of a ListEncoder in two steps: the records of a frame, then, after all texts, the list. */
export class ListDecoder {
  readonly #number = new Decimal()
  #builder = new ByteWriter()
  #spareBuilder = new ByteWriter()
  #numbers: (RecordNumbers | null)[] = []
  /** The ids in the current frame; null if the list is unchanged. */
  #ids: BigInt64Array | null = null
  #origins = new Int32Array(0)
  #textLengths = new Int32Array(0)
  /** The last decoded list. Its memory is overwritten two frames later. */
  list: TextList = emptyTextList

  reset(): void {
    this.list = emptyTextList
    this.#numbers = []
  }

  /** Adds the former texts of rewritten records to the dictionary. */
  decodeRecords(records: ByteReader, dictionary: ByteWriter): void {
    this.#ids = null
    const state = records.varint()
    if (state === listStates.unchanged) return
    if (state === listStates.sameRecords) this.#keepRecords()
    else if (state === listStates.otherRecords) this.#decodeOtherRecords(records)
    else throw new RangeError(`a list in the unknown state ${state}`)
    const { bytes, starts } = this.list
    for (let i = -1, gap = records.varint(); gap > 0; gap = records.varint()) {
      i += gap
      if (i >= this.#origins.length || this.#origins[i] < 0) throw new RangeError(`no former record ${i}`)
      this.#textLengths[i] = decodeTextLength(records)
      const origin = this.#origins[i]
      dictionary.raw(bytes, starts[origin], starts[origin + 1] - 1)
    }
  }

  /** Returns whether the list may have changed. */
  decodeTexts(input: FrameInput): boolean {
    const ids = this.#ids
    if (ids === null) return false
    const builder = this.#spareBuilder
    builder.clear()
    const former = this.list
    this.#checkTextLengths(ids.length)
    const numbers: (RecordNumbers | null)[] = Array(ids.length).fill(null)
    const starts = new Uint32Array(ids.length + 1)
    let changed = input.changes.varint() - 1
    for (let i = 0; i < ids.length; i++) {
      starts[i] = builder.length
      const [origin, textLength] = [this.#origins[i], this.#textLengths[i]]
      if (textLength !== noText) builder.raw(input.text.raw(textLength), 0, textLength)
      else {
        const [from, to] = [former.starts[origin], former.starts[origin + 1] - 1]
        numbers[i] = this.#numbers[origin]
        if (i === changed) {
          numbers[i] ??= new RecordNumbers(former.bytes, from, to)
          this.#decodeNumbers(input, builder, numbers[i]!, former.bytes.subarray(from, to))
          const gap = input.changes.varint()
          changed = gap === 0 ? -1 : i + gap
        } else builder.raw(former.bytes, from, to)
      }
      if (i < ids.length - 1) builder.byte(comma)
    }
    if (changed >= 0) throw new RangeError(`no record ${changed}`)
    starts[ids.length] = ids.length === 0 ? 0 : builder.length + 1
    this.list = { bytes: builder.written, starts, ids }
    this.#numbers = numbers
    this.#spareBuilder = this.#builder
    this.#builder = builder
    return true
  }

  /** Without this check, a short list of references to one long text would take any amount of memory. */
  #checkTextLengths(count: number): void {
    const { starts } = this.list
    let sum = 0
    for (let i = 0; i < count; i++) {
      const origin = this.#origins[i]
      sum += this.#textLengths[i] === noText ? starts[origin + 1] - starts[origin] : this.#textLengths[i]
    }
    if (sum > textBytesMax) throw new RangeError(`a list of ${sum} bytes of text`)
  }

  #keepRecords(): void {
    const { ids } = this.list
    this.#ids = ids
    this.#origins = Int32Array.from(ids, (_, i) => i)
    this.#textLengths = new Int32Array(ids.length).fill(noText)
  }

  #decodeOtherRecords(records: ByteReader): void {
    const before = this.list.ids
    const count = records.varint()
    // Each record takes a byte or more.
    if (count > records.remaining) throw new RangeError(`a list of ${count} records`)
    this.#ids = new BigInt64Array(count)
    this.#origins = new Int32Array(count)
    this.#textLengths = new Int32Array(count).fill(noText)
    let expected = 0
    for (let i = 0; i < count; i++) {
      const step = records.biased()
      if (step === null) {
        this.#origins[i] = -1
        this.#ids[i] = records.int64()
        this.#textLengths[i] = decodeTextLength(records)
        continue
      }
      const origin = expected + step
      if (!(origin >= 0 && origin < before.length)) throw new RangeError(`no former record ${origin}`)
      this.#origins[i] = origin
      this.#ids[i] = before[origin]
      expected = origin + 1
    }
  }

  /** Copies a text and replaces some of its numbers. */
  #decodeNumbers(input: FrameInput, builder: ByteWriter, numbers: RecordNumbers, former: Uint8Array): void {
    const { count, starts, ends } = numbers
    let copied = 0
    let shift = 0
    let changed = input.changes.varint() - 1
    for (let slot = 0; slot < count && (changed >= 0 || shift !== 0); slot++) {
      const [start, end] = [starts[slot], ends[slot]]
      starts[slot] += shift
      if (slot === changed) {
        builder.raw(former, copied, start)
        const before = builder.length
        this.#decodeNumber(input, builder, numbers, slot, former.subarray(start, end))
        shift += builder.length - before - (end - start)
        copied = end
        const gap = input.changes.varint()
        changed = gap === 0 ? -1 : slot + gap
      }
      ends[slot] += shift
    }
    if (changed >= 0) throw new RangeError(`number ${changed} of ${count}`)
    builder.raw(former, copied, former.length)
  }

  #decodeNumber(
    { deltas, text }: FrameInput,
    builder: ByteWriter,
    numbers: RecordNumbers,
    slot: number,
    former: Uint8Array,
  ): void {
    const residual = deltas.biased()
    if (residual === null) {
      const literal = text.raw(deltas.varint())
      builder.raw(literal, 0, literal.length)
      numbers.observeText(slot, literal, 0, literal.length)
      return
    }
    const delta = residual + numbers.predictDelta(slot)
    numbers.observeDelta(slot, delta)
    this.#number.parse(former, 0, former.length)
    if (!this.#number.isCanonical) throw new RangeError('a delta to what is not a number')
    builder.latin1(this.#number.formatPlus(delta, numbers.scales[slot]))
  }
}
