import type { AnyTable, Cell, Row } from './table.ts'

/** The formats in which a table is served. */
export const tableFormats = ['json', 'csv'] as const
export type TableFormat = (typeof tableFormats)[number]

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

const encoders: Readonly<Record<TableFormat, (columns: readonly string[], rows: readonly Row[]) => string>> =
  {
    json: (_columns, rows) =>
      `[${rows.map((row) => JSON.stringify(row, (_key, cell: Cell) => plain(cell))).join(',\n')}]`,
    csv: (columns, rows) =>
      csvLine(columns) + rows.map((row) => csvLine(columns.map((column) => plain(row[column])))).join(''),
  }

export const encodeRows = (format: TableFormat, { row }: AnyTable, rows: readonly Row[]): Buffer =>
  Buffer.from(encoders[format](Object.keys(row.fields), rows))
