import { xmlText } from '../../pictures/svg.ts'
import type { Cell, Row } from './table.ts'
import { withQuery } from './own-links.ts'
import { TableRefused } from './refused.ts'

/** The formats in which a table is served. */
export const tableFormats = ['json', 'csv', 'html'] as const
export type TableFormat = (typeof tableFormats)[number]

/** Bound of the rows of one answer, in characters: a text may have twice as many. */
const bodyLengthMax = 256 * 2 ** 20

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

/** The table of one entity for the columns that have its id. */
const tablesById: Readonly<Record<string, string>> = {
  incident_id: 'incident?incident=',
  customer_id: 'customer?customer=',
  device_id: 'device?device=',
  host_id: 'host?host=',
  cable_id: '../pictures/cable.svg?cable=',
  port_id: '../pictures/cable.svg?port=',
}
const cellLengthMax = 400

function htmlCell([column, cell]: readonly [string, Cell]): string {
  if (cell === null) return '<td></td>'
  const text = xmlText(String(cell).slice(0, cellLengthMax))
  const table = tablesById[column]
  if (table !== undefined && cell !== '') return `<td><a href="${table}${text}">${text}</a></td>`
  return typeof cell === 'number' ? `<td class="number">${text}</td>` : `<td>${text}</td>`
}

const htmlHead = (column: string): string => `<th>${column.replaceAll('_', ' ')}</th>`

interface Encoding {
  readonly opening: (columns: readonly string[]) => string
  readonly separator: string
  readonly closing: string
  readonly row: (row: Row) => string
}

const encodings: Readonly<Record<TableFormat, Encoding>> = {
  json: { opening: () => '[', separator: ',\n', closing: ']', row: (row) => JSON.stringify(row) },
  csv: { opening: csvLine, separator: '', closing: '', row: (row) => csvLine(Object.values(row)) },
  html: {
    opening: (columns) => `<table><thead><tr>${columns.map(htmlHead).join('')}</tr></thead><tbody>\n`,
    separator: '\n',
    closing: '</tbody></table>',
    row: (row) => `<tr>${Object.entries(row).map(htmlCell).join('')}</tr>`,
  },
}

/** Encodes rows in a format. Links in them have a query. */
export function encodeRows(
  format: TableFormat,
  columns: readonly string[],
  rows: Iterable<Row>,
  linkQuery = '',
): Buffer<ArrayBuffer> {
  const { opening, separator, closing, row } = encodings[format]
  const texts: string[] = []
  let length = 0
  for (const one of rows) {
    const text = withQuery(row(one), linkQuery)
    length += text.length
    if (length > bodyLengthMax)
      throw new TableRefused('large', `The rows have more than ${bodyLengthMax} characters.`)
    texts.push(text)
  }
  return bytesOf(opening(columns) + texts.join(separator) + closing)
}

/** Bytes of a text in memory of their own, which can be moved to another thread. */
export function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
