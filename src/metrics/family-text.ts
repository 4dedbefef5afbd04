import type { ExpositionChunk } from './exposition.ts'
import type { Family } from './family.ts'
import { wordSlack } from './label-text.ts'
import type { LabelText } from './label-text.ts'
import { numberBytesMax, writeNumberBefore } from './number-text.ts'

const encoder = new TextEncoder()
const newline = 10
const blank = 32

/** Copies in words of four bytes; up to three bytes after the end are overwritten by what follows. */
function copyWords(from: DataView, start: number, end: number, to: DataView, at: number): number {
  const length = end - start
  for (let offset = 0; offset < length; offset += 4) {
    to.setUint32(at + offset, from.getUint32(start + offset, true), true)
  }
  return at + length
}

/** Help as the text format wants it. */
export const escapeHelp = (help: string): string => help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const headOf = (name: string, { help, type }: Family): string =>
  `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`

/**
 * The lines of one family. Each ends in a slot that is as wide as the widest value of the family, with blanks before
 * a shorter value (after it, parsers would refuse them). So a value that changes is written over the old one,
 * and nothing else moves.
 */
export class FamilyText {
  readonly #name: string
  readonly #family: Family
  readonly #labels: LabelText
  readonly #nameView: DataView
  readonly #head: Uint8Array
  readonly #number = new Uint8Array(numberBytesMax)
  #bytes = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)
  #values = new Float64Array(0)
  /** Where each line ends, behind where the head does. */
  #ends = new Uint32Array(1)
  #count = 0
  #width = 1
  #chunk: ExpositionChunk | null = null

  constructor(name: string, family: Family, labels: LabelText) {
    this.#name = name
    this.#family = family
    this.#labels = labels
    this.#head = encoder.encode(headOf(name, family))
    this.#nameView = new DataView(new ArrayBuffer(name.length + wordSlack))
    encoder.encodeInto(name, new Uint8Array(this.#nameView.buffer))
  }

  /**
   * Takes the values of a publish, of which those before `sameUpTo` have the labels that they had. Returns the very
   * same chunk where nothing changed, and null where there is no sample.
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

  /** Writes changed values over the old ones, up to the first line that does not have the place for it. */
  #patch(now: Float64Array, common: number): number {
    const { decimals } = this.#family
    const values = this.#values
    const ends = this.#ends
    const bytes = this.#bytes
    const width = this.#width
    for (let row = 0; row < common; row++) {
      const value = now[row]
      const before = values[row]
      if (value === before) continue
      const isAbsent = Number.isNaN(value)
      if (isAbsent && Number.isNaN(before)) continue
      if (isAbsent || Number.isNaN(before)) return row
      const end = ends[row + 1] - 1
      const start = end - width
      // What is too wide is written over what stands before, but then all is laid out anew.
      let at = writeNumberBefore(bytes, end, value, decimals)
      if (at < start) {
        this.#width = end - at
        return 0
      }
      while (at > start) bytes[--at] = blank
      values[row] = value
    }
    return common
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

  /** Writes the lines from one row on; all of them where a value among the new ones is wider than any before. */
  #lay(now: Float64Array, from: number, count: number): void {
    const { decimals } = this.#family
    let first = from
    for (let row = from; row < count; row++) {
      if (Number.isNaN(now[row])) continue
      const width = numberBytesMax - writeNumberBefore(this.#number, numberBytesMax, now[row], decimals)
      if (width > this.#width) {
        this.#width = width
        first = 0
      }
    }
    this.#reserve(count)
    this.#values.set(now.subarray(first, count), first)
    const { view: labelView, starts: labelStarts } = this.#labels
    const bytes = this.#bytes
    let at = this.#ends[first]
    for (let row = first; row < count; row++) {
      const value = now[row]
      if (!Number.isNaN(value)) {
        at = copyWords(this.#nameView, 0, this.#name.length, this.#view, at)
        at = copyWords(labelView, labelStarts[row], labelStarts[row + 1], this.#view, at)
        const slot = at
        at += this.#width
        let start = writeNumberBefore(bytes, at, value, decimals)
        while (start > slot) bytes[--start] = blank
        bytes[at++] = newline
      }
      this.#ends[row + 1] = at
    }
    this.#count = count
  }
}
