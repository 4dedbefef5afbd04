import type { Int64 } from '../contract/fields.ts'
import { JsonText } from './json-text.ts'
import type { LeafPrinter } from './leaf-printers.ts'

const comma = 0x2c

/**
 * A record being encoded from scratch: its JSON, and beside it what has to be remembered to tell later what changed
 * and to print numbers over the old ones.
 */
export class RecordDraft {
  readonly text = new JsonText()
  readonly numbers: number[] = []
  /** Where each number's text begins, and how long it is. */
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

  /** Between the items of a list of records. */
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

  /** An integer that needs all of 64 bits is kept among the values; its number is one that equals nothing. */
  int64(value: Int64, label: string): void {
    this.numberOffsets.push(this.text.length)
    this.numberWidths.push(this.text.int64(value, label))
    this.numbers.push(typeof value === 'number' ? value : Number.NaN)
    this.values.push(typeof value === 'bigint' ? value : null)
  }

  /** Any leaf that is not simply a number. */
  value(value: unknown, printer: LeafPrinter, label: string): void {
    printer(this.text, value, label)
    this.values.push(value)
  }

  /** What the record's structure hangs on: the length of a list, or whether a record is null. Prints nothing. */
  structure(value: unknown): void {
    this.values.push(value)
  }
}
