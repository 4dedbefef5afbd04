import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { Family } from '../declaration/family.ts'
import { labelAlignment } from './label-text.ts'
import type { LabelText } from './label-text.ts'
import { numberBytesMax, NumberText } from '../../text/number-text.ts'

const encoder = new TextEncoder()
const newline = 10
const blank = 0x20
const number = new NumberText()

/** Copies four bytes at a time. Up to three bytes past the end are written too; the caller overwrites them. */
function copyWords(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const length = end - start
  for (let offset = 0; offset < length; offset += 4) {
    to.setUint32(at + offset, from.getUint32(start + offset, true), true)
  }
  return at + length
}

/** Escapes a help text for the text format. */
const escapeHelp = (help: string): string => help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const headOf = (name: string, { help, type }: Family): string =>
  `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`

/**
 * The lines of one family. Each line ends in a slot as wide as the family's widest value, padded on the left (parsers
 * reject blanks after a value). A changed value is written over the old one and nothing else moves.
 */
export class FamilyText {
  readonly #name: string
  readonly #family: Family
  readonly #labels: LabelText
  readonly #nameView: DataView
  readonly #head: Uint8Array
  #bytes = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)
  #values = new Float64Array(0)
  /** End offset of each line; the first entry is the end of the head. */
  #ends = new Uint32Array(1)
  #count = 0
  #width = 1
  #chunk: ExpositionChunk | null = null

  constructor(name: string, family: Family, labels: LabelText) {
    this.#name = name
    this.#family = family
    this.#labels = labels
    this.#head = encoder.encode(headOf(name, family))
    this.#nameView = new DataView(new ArrayBuffer(name.length + labelAlignment))
    encoder.encodeInto(name, new Uint8Array(this.#nameView.buffer))
  }

  /**
   * Applies the values of a publish; rows before `sameUpTo` kept their labels. Returns the identical chunk if nothing
   * changed, and null if the family has no sample.
   */
  update(now: Float64Array, count: number, sameUpTo: number, hasChanged: boolean): ExpositionChunk | null {
    const isLaid = count === this.#count && sameUpTo === count
    if (isLaid && !hasChanged) return this.#chunk
    const laidFrom = this.#patch(now, Math.min(this.#count, count, sameUpTo))
    if (laidFrom < count || count !== this.#count) this.#lay(now, laidFrom, count)
    const end = this.#ends[count]
    const isEmpty = count === 0 || end === this.#head.length
    this.#chunk = isEmpty ? null : { family: this.#name, bytes: this.#bytes.subarray(0, end) }
    return this.#chunk
  }

  /** Overwrites changed values in place. Returns the first row that has to be laid out again. */
  #patch(now: Float64Array, common: number): number {
    const { decimals } = this.#family
    const values = this.#values
    const ends = this.#ends
    const width = this.#width
    for (let row = 0; row < common; row++) {
      const value = now[row]
      const before = values[row]
      if (value === before) continue
      const isAbsent = Number.isNaN(value)
      if (isAbsent && Number.isNaN(before)) continue
      if (isAbsent || Number.isNaN(before)) return row
      const end = ends[row + 1] - 1
      const needed = number.measureSample(now, row, decimals)
      if (needed > width) {
        this.#width = needed
        return 0
      }
      this.#fillSlot(end, needed)
      values[row] = value
    }
    return common
  }

  /** Right-aligns the number measured last, of some width, in the slot that ends here. */
  #fillSlot(end: number, width: number): void {
    for (let at = end - this.#width; at < end - width; at++) this.#bytes[at] = blank
    number.write(this.#view, end - width)
  }

  #reserve(count: number): void {
    const lineMax = this.#name.length + this.#width + 1
    const needed = this.#head.length + this.#labels.starts[count] + count * lineMax + numberBytesMax
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.ceil(needed * (this.#bytes.length === 0 ? 1 : 1.25)))
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    if (count > this.#values.length) {
      const room = Math.ceil(count * (this.#values.length === 0 ? 1 : 1.25))
      const values = new Float64Array(room)
      values.set(this.#values)
      this.#values = values
      const ends = new Uint32Array(room + 1)
      ends.set(this.#ends)
      this.#ends = ends
    }
    this.#bytes.set(this.#head)
    this.#ends[0] = this.#head.length
  }

  /** Lays out the lines from a row on, or all lines if a new value is wider than the slots. */
  #lay(now: Float64Array, from: number, count: number): void {
    const { decimals } = this.#family
    let first = from
    for (let row = from; row < count; row++) {
      if (Number.isNaN(now[row])) continue
      const width = number.measureSample(now, row, decimals)
      if (width > this.#width) {
        this.#width = width
        first = 0
      }
    }
    this.#reserve(count)
    this.#values.set(now.subarray(first, count), first)
    const { view: labelView, starts: labelStarts } = this.#labels
    const view = this.#view
    let at = this.#ends[first]
    for (let row = first; row < count; row++) {
      if (!Number.isNaN(now[row])) {
        at = copyWords(this.#nameView, 0, this.#name.length, view, at)
        at = copyWords(labelView, labelStarts[row], labelStarts[row + 1], view, at)
        at += this.#width
        this.#fillSlot(at, number.measureSample(now, row, decimals))
        view.setUint8(at++, newline)
      }
      this.#ends[row + 1] = at
    }
    this.#count = count
  }
}
