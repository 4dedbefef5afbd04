import type { ExpositionChunk } from './exposition.ts'
import type { Family, Rows } from './family.ts'
import { wordSlack } from './label-text.ts'
import type { LabelText } from './label-text.ts'
import { numberBytesMax, writeNumber } from './number-text.ts'

const encoder = new TextEncoder()
const newline = 10

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

function firstDifference(before: Float64Array, now: Float64Array, count: number): number {
  for (let row = 0; row < count; row++) {
    const was = before[row]
    const is = now[row]
    // Unequal, and not both without a value.
    // oxlint-disable-next-line no-self-compare
    if (was !== is && (was === was || is === is)) return row
  }
  return count
}

/** The lines of one family. They are kept, and written again from the first one on that has changed. */
export interface FamilyText {
  /**
   * Takes the rows of a publish, of which those before `sameUpTo` have the labels that they had. Returns the very
   * same chunk where nothing changed, and null where there is no sample. `scratch` has room for every row.
   */
  update(rows: Rows<never, never>, sameUpTo: number, scratch: Float64Array): ExpositionChunk | null
}

export function createFamilyText(name: string, family: Family, labels: LabelText): FamilyText {
  const head = encoder.encode(headOf(name, family))
  const nameView = new DataView(new ArrayBuffer(name.length + wordSlack))
  encoder.encodeInto(name, new Uint8Array(nameView.buffer))
  let bytes = new Uint8Array(0)
  let view = new DataView(bytes.buffer)
  let values = new Float64Array(0)
  /** Where each line begins; the last one is where they end. */
  let starts = new Uint32Array(1)
  let count = 0
  let chunk: ExpositionChunk | null = null

  const reserve = (rows: number): void => {
    const lineMax = name.length + numberBytesMax + 1
    const needed = head.length + labels.starts[rows] + rows * lineMax + wordSlack
    if (needed > bytes.length) {
      const grown = new Uint8Array(Math.ceil(needed * (bytes.length === 0 ? 1 : 1.25)))
      grown.set(bytes.length === 0 ? head : bytes.subarray(0, starts[count]))
      bytes = grown
      view = new DataView(grown.buffer)
    }
    if (rows > values.length) {
      const room = Math.ceil(rows * (values.length === 0 ? 1 : 1.25))
      const grownValues = new Float64Array(room)
      grownValues.set(values.subarray(0, count))
      values = grownValues
      const grownStarts = new Uint32Array(room + 1)
      grownStarts.set(starts.subarray(0, count + 1))
      grownStarts[0] = head.length
      starts = grownStarts
    }
  }
  const write = (from: number, to: number): void => {
    const { decimals } = family
    const { view: labelView, starts: labelStarts } = labels
    let at = starts[from]
    for (let row = from; row < to; row++) {
      const value = values[row]
      if (!Number.isNaN(value)) {
        at = copyWords(nameView, 0, name.length, view, at)
        at = copyWords(labelView, labelStarts[row], labelStarts[row + 1], view, at)
        at = writeNumber(bytes, at, value, decimals)
        bytes[at++] = newline
      }
      starts[row + 1] = at
    }
  }
  return {
    update(rows, sameUpTo, scratch) {
      const rowCount = rows.items.length
      family.fill(rows, scratch)
      const from = firstDifference(values, scratch, Math.min(count, rowCount, sameUpTo))
      if (from === rowCount && rowCount === count) return chunk
      reserve(rowCount)
      values.set(scratch.subarray(from, rowCount), from)
      write(from, rowCount)
      count = rowCount
      const end = starts[count]
      chunk = end === head.length ? null : { family: name, bytes: bytes.subarray(0, end) }
      return chunk
    },
  }
}
