import type { Cell, Row } from './table.ts'
import type { Steps } from './turns.ts'

/** The formats in which a table is served. */
export const tableFormats = ['json', 'csv'] as const
export type TableFormat = (typeof tableFormats)[number]

/** The length of the text that is encoded at once. */
const pieceLength = 64 * 1024

/** A text that a spreadsheet would take for a formula, also after invisible characters. */
const formula = /^[\s\p{C}]*[=+\-@|%]|^[\t\r]/u
/** Separators of CSV in any locale, line terminators, and invisible characters. */
const needsQuotes = /[",;\p{C}\p{Zl}\p{Zp}]|^\s|\s$/u

/** A field by RFC 4180. A text that looks like a formula gets an apostrophe, which keeps it a text. */
function csvField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = formula.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (fields: readonly Cell[]): string => `${fields.map(csvField).join(',')}\r\n`

interface Encoding {
  readonly opening: (columns: readonly string[]) => string
  readonly separator: string
  readonly closing: string
  readonly row: (row: Row) => string
}

const encodings: Readonly<Record<TableFormat, Encoding>> = {
  json: { opening: () => '[', separator: ',\n', closing: ']', row: (row) => JSON.stringify(row) },
  csv: { opening: csvLine, separator: '', closing: '', row: (row) => csvLine(Object.values(row)) },
}

/** Encodes the rows of items in a format. */
export function* encodeRows<Item>(
  format: TableFormat,
  columns: readonly string[],
  items: readonly Item[],
  rowOf: (item: Item) => Steps<Row>,
): Steps<Buffer> {
  const { opening, separator, closing, row } = encodings[format]
  const pieces: Buffer[] = []
  let text = opening(columns)
  for (const [index, item] of items.entries()) {
    text += (index === 0 ? '' : separator) + row(yield* rowOf(item))
    if (text.length > pieceLength) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    yield
  }
  pieces.push(Buffer.from(text + closing))
  return yield* joined(pieces)
}

/** Copies in steps: the memory of a large table takes longer than a turn to fill. */
function* joined(pieces: readonly Buffer[]): Steps<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    end += piece.copy(whole, end)
    yield
  }
  return whole
}
