import type { Int64 } from '../contract/fields.ts'
import { Decimal, decimalMargin, decimalRoom } from './decimal.ts'
import type { RecordCode } from './record-code.ts'
import { RecordDraft } from './record-draft.ts'

/** Where one record's bytes and leaves stand in the sheet. */
export interface Extent {
  readonly id: Int64
  start: number
  length: number
  /** Bytes that it may grow to without moving. */
  capacity: number
  numbersAt: number
  numberCount: number
  valuesAt: number
  valueCount: number
}

/** Room that a record is given to grow, at least and as a part of its length. */
const slackBytes = 24
const slackShift = 5

const capacityFor = (length: number): number => length + slackBytes + (length >> slackShift)

/** From one text of a resized number to the next. */
const textStride = decimalMargin + decimalRoom

/**
 * The JSON of the records of one list, kept from publish to publish, and a shadow of every leaf that was printed.
 * Records are compared with the shadow to find what changed. Numbers that changed are printed over the old ones;
 * a record in which anything else changed is encoded from scratch.
 */
export class RecordSheet {
  bytes: Buffer = Buffer.alloc(0)
  #view = new DataView(this.bytes.buffer)

  // The compiled code reads and writes these.
  numbers = new Float64Array(0)
  values: unknown[] = []
  /** The cursor of the record being compared: its next number and value, and how many changes were found. */
  n = 0
  v = 0
  c = 0
  /** The numbers that changed, in the order of the text: which, to what, and 1 for those that must be
   * integers. */
  changed = new Int32Array(0)
  changedTo = new Float64Array(0)
  changedIsInteger = new Uint8Array(0)

  #offsets = new Uint32Array(0)
  #widths = new Uint8Array(0)
  /** Those of the changed numbers whose new text is shorter or longer, the text, and its width. */
  #resized = new Int32Array(0)
  #resizedTexts = Buffer.alloc(0)
  #resizedView = new DataView(this.#resizedTexts.buffer)
  #resizedWidths = new Uint8Array(0)
  /** How far the text behind each of them moves. */
  #shifts = new Int32Array(0)

  #bytesUsed = decimalMargin
  #numbersUsed = 0
  #valuesUsed = 0
  readonly #code: RecordCode
  readonly #decimal = new Decimal()
  readonly #draft = new RecordDraft()

  constructor(code: RecordCode) {
    this.#code = code
  }

  /** Brings an extent up to date with its record. Says whether its JSON changed. */
  update(record: object, extent: Extent, live: readonly Extent[]): boolean {
    this.n = extent.numbersAt
    this.v = extent.valuesAt
    this.c = 0
    const onlyNumbers = this.#code.diff(record, this)
    if (onlyNumbers && this.c === 0) return false
    return (onlyNumbers && this.#printChanged(extent)) || this.#rewrite(record, extent, live)
  }

  /** Encodes a record that was not there before. `live` are the extents that must not be lost. */
  add(record: object, id: Int64, live: readonly Extent[]): Extent {
    const extent: Extent = {
      id,
      start: 0,
      length: 0,
      capacity: 0,
      numbersAt: 0,
      numberCount: 0,
      valuesAt: 0,
      valueCount: 0,
    }
    this.#rewrite(record, extent, live)
    return extent
  }

  /** Prints the changed numbers. False where there is no room, or where one of them cannot be printed. */
  #printChanged(extent: Extent): boolean {
    const { numbers, changed, changedTo, changedIsInteger } = this
    const decimal = this.#decimal
    const view = this.#view
    const offsets = this.#offsets
    const widths = this.#widths
    const { start } = extent
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
      decimal.write(this.#resizedView, resized * textStride + decimalMargin)
      shift += width - oldWidth
      this.#resized[resized] = k
      this.#resizedWidths[resized] = width
      this.#shifts[resized] = shift
      resized++
    }
    if (resized === 0) return true
    if (extent.length + shift > extent.capacity) return false
    this.#moveBetween(extent, resized)
    this.#placeResized(extent, resized)
    extent.length += shift
    return true
  }

  /** Moves the text between resized numbers. What moves right goes last first, so that nothing is overwritten. */
  #moveBetween({ start, length }: Extent, resized: number): void {
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

  #placeResized({ start, numbersAt, numberCount }: Extent, resized: number): void {
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
      for (let i = 0; i < width; i++) bytes[at + i] = texts[j * textStride + decimalMargin + i]
      this.#widths[first] = width
      shift = this.#shifts[j]
      if (shift !== 0) for (let k = first + 1; k < next; k++) offsets[k] += shift
    }
  }

  /** Says whether the JSON came out different: a list may have been replaced by one that holds the same. */
  #rewrite(record: object, extent: Extent, live: readonly Extent[]): boolean {
    const draft = this.#draft
    draft.clear()
    this.#code.write(record, draft)
    const { text, numbers, values } = draft
    const fits =
      text.length <= extent.capacity &&
      numbers.length === extent.numberCount &&
      values.length === extent.valueCount
    if (!fits) this.#place(extent, text.length, numbers.length, values.length, live)
    const { json } = text
    const isSame = json.equals(this.bytes.subarray(extent.start, extent.start + extent.length))
    extent.length = text.length
    this.bytes.set(json, extent.start)
    this.numbers.set(numbers, extent.numbersAt)
    this.#offsets.set(draft.numberOffsets, extent.numbersAt)
    this.#widths.set(draft.numberWidths, extent.numbersAt)
    for (let i = 0; i < values.length; i++) this.values[extent.valuesAt + i] = values[i]
    return !isSame
  }

  /** Gives an extent a new place at the end of the sheet. */
  #place(extent: Extent, length: number, numbers: number, values: number, live: readonly Extent[]): void {
    const capacity = capacityFor(length)
    extent.length = extent.capacity = extent.numberCount = extent.valueCount = 0
    const hasRoom =
      this.#bytesUsed + capacity + decimalMargin <= this.bytes.length &&
      this.#numbersUsed + numbers <= this.numbers.length &&
      this.#valuesUsed + values <= this.values.length
    if (!hasRoom) this.#repack(live, capacity, numbers, values)
    if (numbers > this.changed.length) this.#makeRoomForChanges(2 * numbers)
    extent.start = this.#bytesUsed
    extent.capacity = capacity
    extent.numbersAt = this.#numbersUsed
    extent.numberCount = numbers
    extent.valuesAt = this.#valuesUsed
    extent.valueCount = values
    this.#bytesUsed += capacity
    this.#numbersUsed += numbers
    this.#valuesUsed += values
  }

  #makeRoomForChanges(count: number): void {
    this.changed = new Int32Array(count)
    this.changedTo = new Float64Array(count)
    this.changedIsInteger = new Uint8Array(count)
    this.#resized = new Int32Array(count)
    this.#resizedTexts = Buffer.alloc(count * textStride + decimalMargin)
    this.#resizedView = new DataView(this.#resizedTexts.buffer)
    this.#resizedWidths = new Uint8Array(count)
    this.#shifts = new Int32Array(count)
  }

  /** Moves all live extents into larger arrays, and so leaves the places of those gone behind. */
  #repack(live: readonly Extent[], moreBytes: number, moreNumbers: number, moreValues: number): void {
    const { bytes, numbers, values } = this
    const offsets = this.#offsets
    const widths = this.#widths
    const sum = (size: (extent: Extent) => number): number => live.reduce((n, extent) => n + size(extent), 0)
    const grown = (used: number, more: number): number => Math.ceil((used + more) * 1.5) + 64
    const numberRoom = grown(
      sum((extent) => extent.numberCount),
      moreNumbers,
    )
    const valueRoom = grown(
      sum((extent) => extent.valueCount),
      moreValues,
    )
    const byteRoom = grown(
      sum((extent) => extent.capacity),
      moreBytes,
    )
    this.bytes = Buffer.allocUnsafeSlow(byteRoom + 2 * decimalMargin)
    this.#view = new DataView(this.bytes.buffer)
    this.numbers = new Float64Array(numberRoom)
    this.#offsets = new Uint32Array(numberRoom)
    this.#widths = new Uint8Array(numberRoom)
    this.values = new Array<unknown>(valueRoom).fill(null)
    this.#bytesUsed = decimalMargin
    this.#numbersUsed = this.#valuesUsed = 0
    for (const extent of live) {
      const { start, length, capacity, numbersAt, numberCount, valuesAt, valueCount } = extent
      const numbersEnd = numbersAt + numberCount
      this.bytes.set(bytes.subarray(start, start + length), this.#bytesUsed)
      this.numbers.set(numbers.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      this.#offsets.set(offsets.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      this.#widths.set(widths.subarray(numbersAt, numbersEnd), this.#numbersUsed)
      for (let i = 0; i < valueCount; i++) this.values[this.#valuesUsed + i] = values[valuesAt + i]
      extent.start = this.#bytesUsed
      extent.numbersAt = this.#numbersUsed
      extent.valuesAt = this.#valuesUsed
      this.#bytesUsed += capacity
      this.#numbersUsed += numberCount
      this.#valuesUsed += valueCount
    }
  }
}
