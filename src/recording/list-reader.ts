import type { BitReader } from './bit-coder.ts'
import { Decimal, decimalText, DecimalSlots, plainBelow } from './decimal-slots.ts'
import { ListModel, type SharedModels } from './list-model.ts'
import type { LiteralReader } from './literals.ts'
import { noTexts, type TextList } from './record-text.ts'

/** No list has more records. */
const recordsMax = 1 << 24

const comma = 0x2c

/** What a frame is read from. */
export interface FrameInput {
  readonly coder: BitReader
  readonly literals: LiteralReader
}

/** Text in the making. */
class TextMemory {
  bytes = Buffer.alloc(0)
  length = 0

  room(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + more))
    larger.set(this.bytes.subarray(0, this.length))
    this.bytes = larger
  }

  copy(bytes: Uint8Array, from: number, to: number): void {
    this.room(to - from)
    this.bytes.set(bytes.subarray(from, to), this.length)
    this.length += to - from
  }

  digits(text: string): void {
    this.room(text.length)
    this.bytes.write(text, this.length, 'latin1')
    this.length += text.length
  }

  comma(): void {
    this.room(1)
    this.bytes[this.length++] = comma
  }
}

/** Reads back what a list writer wrote. */
export class ListReader {
  readonly #model: ListModel
  readonly #found = new DecimalSlots()
  readonly #decimal = new Decimal()
  #text = new TextMemory()
  #spare = new TextMemory()
  /** The list as it was read last. Its memory is written again two frames on. */
  list: TextList = noTexts

  constructor(shared: SharedModels, list: number) {
    this.#model = new ListModel(shared, list)
  }

  forget(): void {
    this.#model.forget()
    this.list = noTexts
  }

  /** Says whether the list may have changed. */
  read(input: FrameInput): boolean {
    if (this.#model.bit(input.coder, 'isSame', 0) === 0) return false
    const { ids, origins } = this.#readRecords(input.coder)
    const before = this.list
    const text = this.#spare
    text.length = 0
    const starts = new Uint32Array(ids.length + 1)
    for (let i = 0; i < ids.length; i++) {
      starts[i] = text.length
      this.#readRecord(input, text, i, origins === null ? i : origins[i], before)
      if (i < ids.length - 1) text.comma()
    }
    starts[ids.length] = ids.length === 0 ? 0 : text.length + 1
    this.list = { bytes: text.bytes.subarray(0, text.length), starts, ids }
    this.#spare = this.#text
    this.#text = text
    return true
  }

  #readRecords(coder: BitReader): { readonly ids: BigInt64Array; readonly origins: Int32Array | null } {
    const model = this.#model
    const before = this.list.ids
    if (model.bit(coder, 'hasSameRecords', 0) === 0) return { ids: before, origins: null }
    const count = model.count(coder, 'records', 0)
    if (count > recordsMax) throw new RangeError(`a list of ${count} records`)
    const ids = new BigInt64Array(count)
    const origins = new Int32Array(count)
    let expected = 0
    for (let i = 0; i < count; i++) {
      if (model.bit(coder, 'isNew', 0) === 1) {
        origins[i] = -1
        ids[i] = this.#readId(coder, i === 0 ? 0n : ids[i - 1])
        continue
      }
      const place = expected + model.integer(coder, 'position', 0)
      if (!(place >= 0 && place < before.length)) throw new RangeError(`record ${place} of ${before.length}`)
      origins[i] = place
      ids[i] = before[place]
      expected = place + 1
    }
    model.matchRecords(origins)
    return { ids, origins }
  }

  #readId(coder: BitReader, previous: bigint): bigint {
    const step = this.#model.integer(coder, 'id', 0)
    if (step === step) return previous + BigInt(step)
    let bits = 0n
    for (let i = 0; i < 4; i++) bits = (bits << 16n) | BigInt(coder.raw(16))
    return BigInt.asIntN(64, bits)
  }

  #readRecord(input: FrameInput, text: TextMemory, record: number, origin: number, before: TextList): void {
    const model = this.#model
    const { coder, literals } = input
    const from = text.length
    if (origin < 0) {
      const literal = literals.take(model.count(coder, 'textLength', 0))
      text.copy(literal, 0, literal.length)
      this.#found.find(text.bytes, from, text.length)
      model.addSlots(record, text.bytes, from, this.#found)
      return
    }
    const { bytes, starts } = before
    const [beforeFrom, beforeTo] = [starts[origin], starts[origin + 1] - 1]
    if (model.codeChange(coder, record, 0) === 0) return text.copy(bytes, beforeFrom, beforeTo)
    if (model.bit(coder, 'isSpliced', 0) === 0) {
      const count = model.slotCounts[record]
      const copied = this.#readNumbers(
        input,
        text,
        model.slotsAt[record],
        count,
        bytes,
        beforeFrom,
        beforeFrom,
      )
      return text.copy(bytes, copied, beforeTo)
    }
    this.#readSpliced(input, text, record, bytes, beforeFrom, beforeTo)
  }

  #readSpliced(
    input: FrameInput,
    text: TextMemory,
    record: number,
    bytes: Uint8Array,
    beforeFrom: number,
    beforeTo: number,
  ): void {
    const model = this.#model
    const { coder, literals } = input
    const { offsets, widths } = model.shared.slots
    const [base, count] = [model.slotsAt[record], model.slotCounts[record]]
    const first = model.count(coder, 'firstSlots', 0)
    const last = model.count(coder, 'lastSlots', 0)
    if (first + last > count) throw new RangeError(`${first} and ${last} of ${count} numbers`)
    const middle = literals.take(model.count(coder, 'spliceLength', 0))
    const from = text.length
    if (first > 0) {
      const end = beforeFrom + offsets[base + first - 1] + widths[base + first - 1]
      text.copy(bytes, this.#readNumbers(input, text, base, first, bytes, beforeFrom, beforeFrom), end)
    }
    text.copy(middle, 0, middle.length)
    if (last > 0) {
      const lastBase = base + count - last
      const start = beforeFrom + offsets[lastBase]
      text.copy(bytes, this.#readNumbers(input, text, lastBase, last, bytes, beforeFrom, start), beforeTo)
    }
    this.#found.find(text.bytes, from, text.length)
    model.spliceSlots(record, text.bytes, from, this.#found, first, last)
  }

  /** Copies text up to the last number in it that changed. Returns where it goes on. */
  #readNumbers(
    input: FrameInput,
    text: TextMemory,
    base: number,
    count: number,
    bytes: Uint8Array,
    recordFrom: number,
    copiedTo: number,
  ): number {
    const { slots } = this.#model.shared
    const { offsets, widths } = slots
    let copied = copiedTo
    let shift = 0
    for (let slot = base; slot < base + count; slot++) {
      const start = recordFrom + offsets[slot]
      offsets[slot] += shift
      if (slots.codeChange(input.coder, slot, 0) === 0) continue
      const width = widths[slot]
      text.copy(bytes, copied, start)
      const writtenAt = text.length
      this.#readNumber(input, text, slot, bytes, start, start + width)
      copied = start + width
      widths[slot] = text.length - writtenAt
      shift += widths[slot] - width
    }
    return copied
  }

  #readNumber(
    { coder, literals }: FrameInput,
    text: TextMemory,
    slot: number,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): void {
    const model = this.#model
    const { slots } = model.shared
    const scale = slots.scales[slot]
    const decimal = this.#decimal
    decimal.read(bytes, start, end)
    const before = decimal.scaled(scale)
    const step = slots.codeStep(coder, model.list, slot, before, 0)
    if (step === step) {
      const value = before + step
      const isPlain = !decimal.isLong && value < plainBelow && value > -plainBelow
      const longText = (): string =>
        String(BigInt(Buffer.from(bytes.subarray(start, end)).toString('latin1')) + BigInt(step))
      text.digits(isPlain ? decimalText(value, scale) : longText())
      return
    }
    const literal = literals.take(model.count(coder, 'numberLength', 0))
    text.copy(literal, 0, literal.length)
    model.settleScale(slot, literal, 0, literal.length)
  }
}
