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

type FirstChange = (
  rows: Rows<never, never>,
  count: number,
  known: readonly LabelValue[],
  readers: readonly unknown[],
) => number

/**
 * Compiles the loop that looks for the first row with other labels than are known. It runs over all rows at every
 * publish, nearly always in vain; in a loop that names its readers one by one their calls cost nothing.
 */
function compileFirstChange(width: number): FirstChange {
  const readers = Array.from({ length: width }, (_, label) => `l${label}`)
  const differs = readers.map((reader, label) => `${reader}(r, p) !== known[at + ${label}]`)
  const body = `
  const [${readers.join(', ')}] = readers
  const { items, parents } = rows
  const hasParents = parents.length > 0
  for (let row = 0, at = 0; row < count; row++, at += ${width}) {
    const r = items[row]
    const p = hasParents ? parents[row] : undefined
    if (${[...differs, 'false'].join(' || ')}) return row
  }
  return count`
  // oxlint-disable-next-line no-new-func, no-implied-eval
  return new Function('rows', 'count', 'known', 'readers', body) as FirstChange
}

export function createLabelText(subject: Subject<never, never>): LabelText {
  const width = subject.labels.length
  let known: LabelValue[] = []
  let suffixes: string[] = []
  let count = 0
  let bytes = new Uint8Array(wordSlack)
  let view = new DataView(bytes.buffer)
  let starts = new Uint32Array(1)

  const firstLabelChange = compileFirstChange(width)
  const firstChange = (rows: Rows<never, never>): number => {
    const common = Math.min(count, rows.items.length)
    const from = firstLabelChange(rows, common, known, subject.readers)
    if (subject.suffix === undefined) return from
    const changedSuffix = suffixes
      .slice(0, from)
      .findIndex((suffix, row) => suffix !== subject.suffix!(rows.items[row]))
    return changedSuffix === -1 ? from : changedSuffix
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
