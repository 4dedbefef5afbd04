import type { Int64 } from '../../contract/fields.ts'
import { NumberText, numberMargin, numberBytesMax } from '../../text/number-text.ts'
import type { RecordEncoder, RecordShadow } from '../../codegen/record-encoder.ts'
import { RecordBuffer } from './record-buffer.ts'

/** The positions of a record's bytes, numbers and other values in the buffers. */
export interface RecordSlot {
  readonly id: Int64
  start: number
  length: number
  /** Bytes to which the record can grow without being moved. */
  capacity: number
  numbersAt: number
  numberCount: number
  valuesAt: number
  valueCount: number
}

/** Spare bytes of a slot: a constant and a share of the record's length. */
const slackBytes = 24
const slackShift = 5

const capacityFor = (length: number): number => length + slackBytes + (length >> slackShift)

/** Distance between the texts of two resized numbers. */
const textStride = numberMargin + numberBytesMax

/**
 * The JSON of one list's records, kept from publish to publish, with a shadow copy of every encoded value, against
 * which a record is compared. Changed numbers are overwritten in place; a record with any other change is encoded from
 * scratch.
 */
export class CachedRecords implements RecordShadow {
  bytes: Buffer = Buffer.alloc(0)
  #view = new DataView(this.bytes.buffer)

  // The shadow: generated code reads and writes these.
  numbers = new Float64Array(0)
  values: unknown[] = []
  /** The cursor: the next number, the next value, and the number of changes found. */
  n = 0
  v = 0
  c = 0
  /** The changed numbers in text order: index, new value, and 1 for those that must be integers. */
  changed = new Int32Array(0)
  changedTo = new Float64Array(0)
  changedIsInteger = new Uint8Array(0)

  #offsets = new Uint32Array(0)
  #widths = new Uint8Array(0)
  /** The changed numbers whose new text has another width, with that text and its width. */
  #resized = new Int32Array(0)
  #resizedTexts = Buffer.alloc(0)
  #resizedView = new DataView(this.#resizedTexts.buffer)
  #resizedWidths = new Uint8Array(0)
  /** The offset by which the text after each resized number moves. */
  #shifts = new Int32Array(0)

  #bytesUsed = numberMargin
  #numbersUsed = 0
  #valuesUsed = 0
  readonly #encoder: RecordEncoder
  readonly #decimal = new NumberText()
  readonly #buffer = new RecordBuffer()

  constructor(encoder: RecordEncoder) {
    this.#encoder = encoder
  }

  /** Updates a slot from its record. Returns whether its JSON changed. */
  update(record: object, slot: RecordSlot, live: readonly RecordSlot[]): boolean {
    this.n = slot.numbersAt
    this.v = slot.valuesAt
    this.c = 0
    const onlyNumbers = this.#encoder.diff(record, this)
    if (onlyNumbers && this.c === 0) return false
    return (onlyNumbers && this.#overwriteNumbers(slot)) || this.#rewrite(record, slot, live, 0)
  }

  /** Encodes a new record. `live` lists the slots that must survive a repack; `following` more may be added. */
  add(record: object, id: Int64, live: readonly RecordSlot[], following: number): RecordSlot {
    const slot: RecordSlot = {
      id,
      start: 0,
      length: 0,
      capacity: 0,
      numbersAt: 0,
      numberCount: 0,
      valuesAt: 0,
      valueCount: 0,
    }
    this.#rewrite(record, slot, live, following)
    return slot
  }

  /** Overwrites the changed numbers. Returns false if they do not fit or one of them is not encodable. */
  #overwriteNumbers(slot: RecordSlot): boolean {
    const { numbers, changed, changedTo, changedIsInteger } = this
    const decimal = this.#decimal
    const view = this.#view
    const offsets = this.#offsets
    const widths = this.#widths
    const { start } = slot
    let resized = 0
    let shift = 0
    for (let i = 0; i < this.c; i++) {
      const k = changed[i]
      const value = changedTo[i]
      if (changedIsInteger[i] === 1 ? !Number.isSafeInteger(value) : !Number.isFinite(value)) return false
      const width = decimal.measure(changedTo, i)
      const oldWidth = widths[k]
      numbers[k] = value
      if (width === oldWidth) {
        decimal.write(view, start + offsets[k])
        continue
      }
      decimal.write(this.#resizedView, resized * textStride + numberMargin)
      shift += width - oldWidth
      this.#resized[resized] = k
      this.#resizedWidths[resized] = width
      this.#shifts[resized] = shift
      resized++
    }
    if (resized === 0) return true
    if (slot.length + shift > slot.capacity) return false
    this.#shiftText(slot, resized)
    this.#insertResized(slot, resized)
    slot.length += shift
    return true
  }

  /**
   * Moves the text between resized numbers. Text that moves right is moved last to first, so that no text is
   * overwritten before it has moved.
   */
  #shiftText({ start, length }: RecordSlot, resized: number): void {
    const offsets = this.#offsets
    const move = (j: number): void => {
      const k = this.#resized[j]
      const from = start + offsets[k] + this.#widths[k]
      const to = start + (j + 1 < resized ? offsets[this.#resized[j + 1]] : length)
      this.bytes.copyWithin(from + this.#shifts[j], from, to)
    }
    for (let j = resized - 1; j >= 0; j--) if (this.#shifts[j] > 0) move(j)
    for (let j = 0; j < resized; j++) if (this.#shifts[j] < 0) move(j)
  }

  #insertResized({ start, numbersAt, numberCount }: RecordSlot, resized: number): void {
    const { bytes } = this
    const offsets = this.#offsets
    const texts = this.#resizedTexts
    const end = numbersAt + numberCount
    let shift = 0
    for (let j = 0; j < resized; j++) {
      const first = this.#resized[j]
      const next = j + 1 < resized ? this.#resized[j + 1] : end
      const width = this.#resizedWidths[j]
      offsets[first] += shift
      const at = start + offsets[first]
      for (let i = 0; i < width; i++) bytes[at + i] = texts[j * textStride + numberMargin + i]
      this.#widths[first] = width
      shift = this.#shifts[j]
      if (shift !== 0) for (let k = first + 1; k < next; k++) offsets[k] += shift
    }
  }

  /** Returns whether the JSON differs: a list may have been replaced by an equal one. */
  #rewrite(record: object, slot: RecordSlot, live: readonly RecordSlot[], following: number): boolean {
    const buffer = this.#buffer
    buffer.clear()
    this.#encoder.write(record, buffer)
    const { text, numbers, values } = buffer
    const fits =
      text.length <= slot.capacity && numbers.length === slot.numberCount && values.length === slot.valueCount
    if (!fits) this.#allocate(slot, text.length, numbers.length, values.length, live, following)
    const { json } = text
    const isSame = json.equals(this.bytes.subarray(slot.start, slot.start + slot.length))
    slot.length = text.length
    this.bytes.set(json, slot.start)
    this.numbers.set(numbers, slot.numbersAt)
    this.#offsets.set(buffer.numberOffsets, slot.numbersAt)
    this.#widths.set(buffer.numberWidths, slot.numbersAt)
    for (let i = 0; i < values.length; i++) this.values[slot.valuesAt + i] = values[i]
    return !isSame
  }

  /** Gives a slot new space at the end of the buffers. */
  #allocate(
    slot: RecordSlot,
    length: number,
    numbers: number,
    values: number,
    live: readonly RecordSlot[],
    following: number,
  ): void {
    const capacity = capacityFor(length)
    slot.length = slot.capacity = slot.numberCount = slot.valueCount = 0
    const hasRoom =
      this.#bytesUsed + capacity + numberMargin <= this.bytes.length &&
      this.#numbersUsed + numbers <= this.numbers.length &&
      this.#valuesUsed + values <= this.values.length
    if (!hasRoom) this.#repack(live, following, { capacity, numbers, values })
    if (numbers > this.changed.length) this.#growChanges(2 * numbers)
    slot.start = this.#bytesUsed
    slot.capacity = capacity
    slot.numbersAt = this.#numbersUsed
    slot.numberCount = numbers
    slot.valuesAt = this.#valuesUsed
    slot.valueCount = values
    this.#bytesUsed += capacity
    this.#numbersUsed += numbers
    this.#valuesUsed += values
  }

  #growChanges(count: number): void {
    this.changed = new Int32Array(count)
    this.changedTo = new Float64Array(count)
    this.changedIsInteger = new Uint8Array(count)
    this.#resized = new Int32Array(count)
    this.#resizedTexts = Buffer.alloc(count * textStride + numberMargin)
    this.#resizedView = new DataView(this.#resizedTexts.buffer)
    this.#resizedWidths = new Uint8Array(count)
    this.#shifts = new Int32Array(count)
  }

  /**
   * Copies all live slots into larger buffers, which drops the space of removed records. They have room for a new record,
   * and for others of its size that follow.
   */
  #repack(
    live: readonly RecordSlot[],
    following: number,
    added: { readonly capacity: number; readonly numbers: number; readonly values: number },
  ): void {
    const { bytes, numbers, values } = this
    const offsets = this.#offsets
    const widths = this.#widths
    const sum = (size: (slot: RecordSlot) => number): number => live.reduce((n, slot) => n + size(slot), 0)
    const growth = following > 0 ? 1.1 : 1.5
    const room = (each: number, size: (slot: RecordSlot) => number): number =>
      Math.ceil((sum(size) + each * (1 + following)) * growth) + 64
    const numberRoom = room(added.numbers, (slot) => slot.numberCount)
    const valueRoom = room(added.values, (slot) => slot.valueCount)
    const byteRoom = room(added.capacity, (slot) => slot.capacity)
    this.bytes = Buffer.allocUnsafeSlow(byteRoom + 2 * numberMargin)
    this.#view = new DataView(this.bytes.buffer)
    this.numbers = new Float64Array(numberRoom)
    this.#offsets = new Uint32Array(numberRoom)
    this.#widths = new Uint8Array(numberRoom)
    this.values = new Array<unknown>(valueRoom).fill(null)
    this.#bytesUsed = numberMargin
    this.#numbersUsed = this.#valuesUsed = 0
    for (const slot of live) {
      const { start, length, capacity, numbersAt, numberCount, valuesAt, valueCount } = slot
      const numbersEnd = numbersAt + numberCount
      this.bytes.set(bytes.subarray(start, start + length), this.#bytesUsed)
      this.numbers.set(numbers.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      this.#offsets.set(offsets.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      this.#widths.set(widths.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      for (let i = 0; i < valueCount; i++) this.values[this.#valuesUsed + i] = values[valuesAt + i]
      slot.start = this.#bytesUsed
      slot.numbersAt = this.#numbersUsed
      slot.valuesAt = this.#valuesUsed
      this.#bytesUsed += capacity
      this.#numbersUsed += numberCount
      this.#valuesUsed += valueCount
    }
  }
}
