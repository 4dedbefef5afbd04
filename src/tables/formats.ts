import { setImmediate } from 'node:timers/promises'
import type { AnyTable, Cell, Row } from './table.ts'

/** The formats in which a table is served. */
export const tableFormats = ['json', 'csv'] as const
export type TableFormat = (typeof tableFormats)[number]

/** How many rows are encoded before other requests get their turn. */
const rowsPerTurn = 200

/** A value that is no finite number is unknown, as null is. */
const plain = (cell: Cell): Cell => (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell)

/** A text that a spreadsheet would take for a formula. */
const formula = /^\s*[=+\-@|%]/
const needsQuotes = /[",\r\n]|^\s|\s$/

/** A field after RFC 4180. A text that looks like a formula gets an apostrophe, which keeps it a text. */
function csvField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = formula.test(cell) || /^[\t\r]/.test(cell) ? `'${cell}` : cell
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvLine = (fields: readonly Cell[]): string => `${fields.map(csvField).join(',')}\r\n`

interface Encoder {
  readonly opening: (columns: readonly string[]) => string
  readonly separator: string
  readonly closing: string
  readonly row: (row: Row, columns: readonly string[]) => string
}

const encoders: Readonly<Record<TableFormat, Encoder>> = {
  // JSON.stringify prints a number that is not finite as null.
  json: { opening: () => '[', separator: ',\n', closing: ']', row: (row) => JSON.stringify(row) },
  csv: {
    opening: csvLine,
    separator: '',
    closing: '',
    row: (row, columns) => csvLine(columns.map((column) => plain(row[column]))),
  },
}

/** Encodes rows in turns, so that other requests are answered in between. */
export async function encodeRows(
  format: TableFormat,
  { row: { fields } }: AnyTable,
  rows: readonly Row[],
): Promise<Buffer> {
  const { opening, separator, closing, row } = encoders[format]
  const columns = Object.keys(fields)
  const pieces: string[] = []
  for (let start = 0; start < rows.length; start += rowsPerTurn) {
    if (start > 0) await setImmediate()
    const texts = rows.slice(start, start + rowsPerTurn).map((one) => row(one, columns))
    pieces.push(texts.join(separator))
  }
  return Buffer.from(opening(columns) + pieces.join(separator) + closing)
}
