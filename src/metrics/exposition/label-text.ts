import { compileLabelComparison } from '../../codegen/label-comparison.ts'
import type { LabelValue, RowBatch } from '../../codegen/rows.ts'
import type { LabeledRows } from '../declaration/family.ts'

const encoder = new TextEncoder()

/** Bytes past the end of the text that a copy in four-byte words may read. */
export const labelAlignment = 4

/** Escapes a label value for the text format. */
export function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value
}

const textOf = (value: LabelValue): string =>
  typeof value === 'string' ? escapeLabel(value) : value === null ? '' : String(value)

/**
 * The text between family name and value, row by row, shared by all families of the same rows. It is rebuilt only
 * from the first row whose labels changed.
 */
export interface LabelText {
  /** Applies the rows of a publish. Returns the first row whose text changed; their number if none did. */
  update(rows: RowBatch<never, never>): number
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Row i is bytes[starts[i], starts[i + 1]). */
  readonly starts: Uint32Array
}

function lineText(
  subject: LabeledRows<never, never>,
  values: readonly LabelValue[],
  from: number,
  suffix: string,
): string {
  let pairs = ''
  for (const [index, label] of subject.labels.entries()) {
    const value = values[from + index]!
    // In the text format an empty label equals a missing one.
    if (value === null || value === '') continue
    pairs += `${pairs === '' ? '' : ','}${label}="${textOf(value)}"`
  }
  return pairs === '' ? `${suffix} ` : `${suffix}{${pairs}} `
}

export function createLabelText(subject: LabeledRows<never, never>): LabelText {
  const width = subject.labels.length
  let known: LabelValue[] = []
  let suffixes: string[] = []
  let count = 0
  let bytes = new Uint8Array(labelAlignment)
  let view = new DataView(bytes.buffer)
  let starts = new Uint32Array(1)

  const firstLabelChange = compileLabelComparison(width)
  const firstChange = (rows: RowBatch<never, never>): number => {
    const common = Math.min(count, rows.items.length)
    const from = firstLabelChange(rows, common, known, subject.readers)
    if (subject.suffix === undefined) return from
    const changedSuffix = suffixes
      .slice(0, from)
      .findIndex((suffix, row) => suffix !== subject.suffix!(rows.items[row]))
    return changedSuffix === -1 ? from : changedSuffix
  }
  const reserve = (needed: number): void => {
    if (needed + labelAlignment <= bytes.length) return
    const grown = new Uint8Array(Math.ceil((needed + labelAlignment) * 1.25))
    grown.set(bytes)
    bytes = grown
    view = new DataView(grown.buffer)
  }
  const rewrite = ({ items, parents }: RowBatch<never, never>, from: number): void => {
    known = known.slice(0, from * width)
    suffixes = suffixes.slice(0, from)
    if (items.length + 1 > starts.length) {
      const grown = new Uint32Array(Math.ceil((items.length + 1) * 1.25))
      grown.set(starts.subarray(0, from + 1))
      starts = grown
    }
    for (let row = from; row < items.length; row++) {
      const item = items[row]
      for (const read of subject.readers) known.push(read(item, parents[row]))
      suffixes.push(subject.suffix?.(item) ?? '')
      const text = lineText(subject, known, row * width, suffixes[row])
      reserve(starts[row] + text.length * 3)
      starts[row + 1] = starts[row] + encoder.encodeInto(text, bytes.subarray(starts[row])).written
    }
  }
  return {
    update(rows) {
      const from = firstChange(rows)
      if (from < rows.items.length) rewrite(rows, from)
      const unchanged = from === rows.items.length && from === count
      count = rows.items.length
      return unchanged ? count : from
    },
    get bytes() {
      return bytes
    },
    get view() {
      return view
    },
    get starts() {
      return starts
    },
  }
}
