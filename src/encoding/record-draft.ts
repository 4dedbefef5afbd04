import { JsonText } from './json-text.ts'
import type { LeafPrinter } from './leaf-printers.ts'

/**
 * A record being encoded from scratch: its JSON, and beside it what has to be remembered of every leaf to tell
 * later whether it changed and where it stands.
 */
export class RecordDraft {
  readonly text = new JsonText()
  readonly numbers: number[] = []
  readonly numberWidths: number[] = []
  readonly values: unknown[] = []
  readonly valueWidths: number[] = []

  clear(): void {
    this.text.clear()
    this.numbers.length = 0
    this.numberWidths.length = 0
    this.values.length = 0
    this.valueWidths.length = 0
  }

  raw(text: Uint8Array): void {
    this.text.raw(text)
  }

  /** Between the items of a list of records. */
  comma(): void {
    this.text.byte(0x2c)
  }

  null(): void {
    this.text.null()
  }

  int(value: number, label: string): void {
    this.numberWidths.push(this.text.int(value, label))
    this.numbers.push(value)
  }

  num(value: number, decimals: number, label: string): void {
    this.numberWidths.push(this.text.num(value, decimals, label))
    this.numbers.push(value)
  }

  /** Any leaf that is not simply a double. */
  value(value: unknown, printer: LeafPrinter, label: string): void {
    const start = this.text.length
    printer(this.text, value, label)
    this.values.push(value)
    this.valueWidths.push(this.text.length - start)
  }

  /** What the record's structure hangs on: the length of a list, or whether a record is null. Prints nothing. */
  structure(value: unknown): void {
    this.values.push(value)
    this.valueWidths.push(0)
  }
}
