import type { Int64 } from '../../contract/fields.ts'
import type { RecordSink } from '../../codegen/record-encoder.ts'
import { JsonWriter } from '../../text/json-writer.ts'
import type { ScalarEncoder } from '../../text/json-writer.ts'

const comma = 0x2c

/**
 * A record during encoding from scratch: its JSON, with the values and offsets that later updates need to find changes
 * and to overwrite numbers in place.
 */
export class RecordBuffer implements RecordSink {
  readonly text = new JsonWriter()
  readonly numbers: number[] = []
  /** Offset and width of each number's text. */
  readonly numberOffsets: number[] = []
  readonly numberWidths: number[] = []
  readonly values: unknown[] = []

  clear(): void {
    this.text.clear()
    this.numbers.length = 0
    this.numberOffsets.length = 0
    this.numberWidths.length = 0
    this.values.length = 0
  }

  raw(text: Uint8Array): void {
    this.text.raw(text)
  }

  /** Separates the items of a list of records. */
  comma(): void {
    this.text.byte(comma)
  }

  null(): void {
    this.text.null()
  }

  int(value: number, label: string): void {
    this.numberOffsets.push(this.text.length)
    this.numberWidths.push(this.text.int(value, label))
    this.numbers.push(value)
  }

  num(value: number, label: string): void {
    this.numberOffsets.push(this.text.length)
    this.numberWidths.push(this.text.num(value, label))
    this.numbers.push(value)
  }

  /** A bigint is stored in `values`; its entry in `numbers` is NaN, which never compares equal. */
  int64(value: Int64, label: string): void {
    this.numberOffsets.push(this.text.length)
    this.numberWidths.push(this.text.int64(value, label))
    this.numbers.push(typeof value === 'number' ? value : Number.NaN)
    this.values.push(typeof value === 'bigint' ? value : null)
  }

  /** Encodes a leaf that is not a plain number. */
  value(value: unknown, encode: ScalarEncoder, label: string): void {
    encode(this.text, value, label)
    this.values.push(value)
  }

  /** Records a value that determines the record's structure: a list's length, or whether a record is null. */
  structure(value: unknown): void {
    this.values.push(value)
  }
}
