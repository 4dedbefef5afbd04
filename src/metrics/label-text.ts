import type { LabelValue, Rows, Subject } from './family.ts'

const encoder = new TextEncoder()

/** Bytes that a copy in whole words may touch beyond the end of what it copies. */
export const wordSlack = 4

/** A label's value as the text format wants it. */
export function escapeLabel(value: string): string {
  return /[\\"\n]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : value
}

const textOf = (value: LabelValue): string =>
  typeof value === 'string' ? escapeLabel(value) : value === null ? '' : String(value)

/**
 * The text between a family's name and the value, row by row, for all families of one subject. It is made anew
 * only from the first row on whose labels have changed.
 */
export interface LabelText {
  /** Takes the rows of a publish and returns the first row whose text is not what it was; `count` if none. */
  update(rows: Rows<never, never>): number
  readonly count: number
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Row i is bytes[starts[i], starts[i + 1]). */
  readonly starts: Uint32Array
}

function lineText(
  subject: Subject<never, never>,
  values: readonly LabelValue[],
  from: number,
  suffix: string,
): string {
  let pairs = ''
  for (const [index, label] of subject.labels.entries()) {
    const value = values[from + index]!
    // An empty label is the same as none.
    if (value === null || value === '') continue
    pairs += `${pairs === '' ? '' : ','}${label}="${textOf(value)}"`
  }
  return pairs === '' ? `${suffix} ` : `${suffix}{${pairs}} `
}

export function createLabelText(subject: Subject<never, never>): LabelText {
  const width = subject.labels.length
  let known: LabelValue[] = []
  let suffixes: string[] = []
  let count = 0
  let bytes = new Uint8Array(wordSlack)
  let view = new DataView(bytes.buffer)
  let starts = new Uint32Array(1)

  const firstChange = ({ items, parents }: Rows<never, never>): number => {
    const common = Math.min(count, items.length)
    for (let row = 0; row < common; row++) {
      const item = items[row]
      const parent = parents[row]
      for (let label = 0; label < width; label++) {
        if (known[row * width + label] !== subject.labelValue(label, item, parent)) return row
      }
      if (subject.suffix !== undefined && suffixes[row] !== subject.suffix(item)) return row
    }
    return common
  }
  const reserve = (needed: number): void => {
    if (needed + wordSlack <= bytes.length) return
    const grown = new Uint8Array(Math.ceil((needed + wordSlack) * 1.25))
    grown.set(bytes)
    bytes = grown
    view = new DataView(grown.buffer)
  }
  const rewrite = ({ items, parents }: Rows<never, never>, from: number): void => {
    known = known.slice(0, from * width)
    suffixes = suffixes.slice(0, from)
    if (items.length + 1 > starts.length) {
      const grown = new Uint32Array(Math.ceil((items.length + 1) * 1.25))
      grown.set(starts.subarray(0, from + 1))
      starts = grown
    }
    for (let row = from; row < items.length; row++) {
      const item = items[row]
      for (let label = 0; label < width; label++) known.push(subject.labelValue(label, item, parents[row]))
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
    get count() {
      return count
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
