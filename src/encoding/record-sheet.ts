import type { Int64 } from '../contract/fields.ts'
import { Decimal } from './decimal.ts'
import { checkFinite, checkInteger, JsonText } from './json-text.ts'
import type { LeafPrinter } from './leaf-printers.ts'
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

/**
 * The JSON of the records of one list, kept from publish to publish, and a shadow of every leaf that was printed:
 * its value and its width. Records are compared with the shadow to find what changed, and patched.
 */
export class RecordSheet {
  bytes: Buffer = Buffer.alloc(0)
  numbers = new Float64Array(0)
  numberWidths = new Uint8Array(0)
  values: unknown[] = []
  valueWidths = new Uint32Array(0)
  /** The cursor of the record being patched: its next number, value and byte. */
  n = 0
  v = 0
  at = 0

  #end = 0
  #limit = 0
  #printed = false
  #bytesUsed = 0
  #numbersUsed = 0
  #valuesUsed = 0
  readonly #code: RecordCode
  readonly #decimal = new Decimal()
  readonly #scratch = new JsonText()
  readonly #draft = new RecordDraft()

  constructor(code: RecordCode) {
    this.#code = code
  }

  /** Brings an extent up to date with its record. Says whether its JSON changed. */
  update(record: object, extent: Extent, live: readonly Extent[]): boolean {
    this.n = extent.numbersAt
    this.v = extent.valuesAt
    this.at = extent.start
    this.#end = extent.start + extent.length
    this.#limit = extent.start + extent.capacity
    this.#printed = false
    if (!this.#code.patch(record, this)) return this.#rewrite(record, extent, live)
    extent.length = this.#end - extent.start
    return this.#printed
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

  // What follows is called by the compiled code, for a leaf that differs from its shadow. `at` is where its old
  // text begins. False means that the record has no room for the new one.

  int(at: number, k: number, value: number, label: string): boolean {
    checkInteger(value, label)
    return this.#number(at, k, value, this.#decimal.measureInteger(value))
  }

  num(at: number, k: number, value: number, decimals: number, label: string): boolean {
    checkFinite(value, label)
    return this.#number(at, k, value, this.#decimal.measure(value, decimals))
  }

  int64(at: number, k: number, value: unknown, label: string): boolean {
    if (typeof value !== 'number') return this.value(at, k, value, printInt64, label)
    checkInteger(value, label)
    const width = this.#decimal.measureInteger(value)
    if (!this.#fit(at, this.valueWidths[k], width)) return false
    this.#decimal.write(this.bytes, at, width)
    this.valueWidths[k] = width
    this.values[k] = value
    return true
  }

  value(at: number, k: number, value: unknown, printer: LeafPrinter, label: string): boolean {
    const scratch = this.#scratch
    scratch.clear()
    printer(scratch, value, label)
    const width = scratch.length
    // A list may have been replaced by one that holds the same.
    if (!this.#reads(at, this.valueWidths[k], scratch)) {
      if (!this.#fit(at, this.valueWidths[k], width)) return false
      for (let i = 0; i < width; i++) this.bytes[at + i] = scratch.bytes[i]
    }
    this.valueWidths[k] = width
    this.values[k] = value
    return true
  }

  #number(at: number, k: number, value: number, width: number): boolean {
    if (!this.#fit(at, this.numberWidths[k], width)) return false
    this.#decimal.write(this.bytes, at, width)
    this.numberWidths[k] = width
    this.numbers[k] = value
    return true
  }

  #reads(at: number, width: number, { bytes, length }: JsonText): boolean {
    if (width !== length) return false
    for (let i = 0; i < width; i++) if (this.bytes[at + i] !== bytes[i]) return false
    return true
  }

  /** Makes a leaf's place as wide as its new text, moving what stands behind it in the record. */
  #fit(at: number, oldWidth: number, width: number): boolean {
    this.#printed = true
    if (width === oldWidth) return true
    const end = this.#end + width - oldWidth
    if (end > this.#limit) return false
    this.bytes.copyWithin(at + width, at + oldWidth, this.#end)
    this.#end = end
    return true
  }

  #rewrite(record: object, extent: Extent, live: readonly Extent[]): true {
    const draft = this.#draft
    draft.clear()
    this.#code.write(record, draft)
    const { text, numbers, values } = draft
    const fits =
      text.length <= extent.capacity &&
      numbers.length === extent.numberCount &&
      values.length === extent.valueCount
    if (!fits) this.#place(extent, text.length, numbers.length, values.length, live)
    extent.length = text.length
    this.bytes.set(text.bytes.subarray(0, text.length), extent.start)
    this.numbers.set(numbers, extent.numbersAt)
    this.numberWidths.set(draft.numberWidths, extent.numbersAt)
    this.valueWidths.set(draft.valueWidths, extent.valuesAt)
    for (let i = 0; i < values.length; i++) this.values[extent.valuesAt + i] = values[i]
    return true
  }

  /** Gives an extent a new place at the end of the sheet. */
  #place(extent: Extent, length: number, numbers: number, values: number, live: readonly Extent[]): void {
    const capacity = capacityFor(length)
    extent.length = extent.capacity = extent.numberCount = extent.valueCount = 0
    const hasRoom =
      this.#bytesUsed + capacity <= this.bytes.length &&
      this.#numbersUsed + numbers <= this.numbers.length &&
      this.#valuesUsed + values <= this.valueWidths.length
    if (!hasRoom) this.#repack(live, capacity, numbers, values)
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

  /** Moves all live extents into larger arrays, and so leaves the places of those gone behind. */
  #repack(live: readonly Extent[], moreBytes: number, moreNumbers: number, moreValues: number): void {
    const { bytes, numbers, numberWidths, values, valueWidths } = this
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
    this.bytes = Buffer.allocUnsafeSlow(
      grown(
        sum((extent) => extent.capacity),
        moreBytes,
      ),
    )
    this.numbers = new Float64Array(numberRoom)
    this.numberWidths = new Uint8Array(numberRoom)
    this.values = new Array<unknown>(valueRoom).fill(null)
    this.valueWidths = new Uint32Array(valueRoom)
    this.#bytesUsed = this.#numbersUsed = this.#valuesUsed = 0
    for (const extent of live) {
      const { start, length, capacity, numbersAt, numberCount, valuesAt, valueCount } = extent
      this.bytes.set(bytes.subarray(start, start + length), this.#bytesUsed)
      this.numbers.set(numbers.subarray(numbersAt, numbersAt + numberCount), this.#numbersUsed)
      this.numberWidths.set(numberWidths.subarray(numbersAt, numbersAt + numberCount), this.#numbersUsed)
      this.valueWidths.set(valueWidths.subarray(valuesAt, valuesAt + valueCount), this.#valuesUsed)
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

const printInt64: LeafPrinter = (text, value, label) => void text.int64(value, label)
