import { createHash } from 'node:crypto'
import type { Frame } from '../../encoding/frames/frame.ts'
import { tables } from '../../tables/catalog.ts'
import { requestKey } from '../../tables/frame-tables.ts'
import type { FrameTables, TableRequest } from '../../tables/frame-tables.ts'
import { closestMatch } from '../../text/closest-match.ts'
import { tableFormats } from '../../tables/formats.ts'
import type { TableFormat } from '../../tables/formats.ts'
import type { AnyTable } from '../../tables/table.ts'
import { TooMuchWork } from '../../tables/turns.ts'
import type { HistoryReader } from '../../metrics/history/series-reader.ts'
import type { ReadHistory } from '../../tables/history.ts'
import type { ParametersOf } from '../requests/parameters.ts'
import { csvMediaType, jsonMediaType } from '../responses/media-types.ts'
import { Problem, quoteForDetail } from '../responses/problems.ts'
import { wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { preferredType } from './accepted-types.ts'
import { unlessUnavailable } from './metric-history.ts'

const mediaTypes: Readonly<Record<TableFormat, string>> = { json: jsonMediaType, csv: csvMediaType }

/** The name in a path, and the format of its extension. */
function namedTable(text: string): { readonly name: string; readonly format: TableFormat | null } {
  const format = tableFormats.find((ending) => text.endsWith(`.${ending}`)) ?? null
  return { name: format === null ? text : text.slice(0, -format.length - 1), format }
}

function sortOf(text: string, table: AnyTable): TableRequest['sort'] {
  if (text === '') return null
  const descending = text.startsWith('-')
  const column = descending ? text.slice(1) : text
  if (Object.hasOwn(table.row.fields, column)) return { column, descending }
  const expected = `expected a column of the table ${table.name}, with - before it for the highest first`
  throw new Problem('MalformedParameter', `sort: got ${quoteForDetail(text)}, ${expected}.`)
}

export function filtersOf(
  given: ParametersOf<'table'>['filters'],
  table: AnyTable,
): ReadonlyMap<string, readonly string[]> {
  const filters = new Map<string, readonly string[]>()
  for (const [name, values] of given) {
    if (!Object.hasOwn(table.filters, name)) continue
    if (values instanceof Problem) throw values
    filters.set(name, values)
  }
  return filters
}

function missingTable(name: string): string {
  const similar = closestMatch(name, [...tables.keys()])
  return similar === null
    ? `There is no table ${quoteForDetail(name)}, expected one that /tables lists.`
    : `There is no table ${quoteForDetail(name)}; did you mean /tables/${similar}? /tables lists all.`
}

export async function unlessBusy<T>(making: Promise<T>): Promise<T> {
  try {
    return await making
  } catch (error) {
    if (error instanceof TooMuchWork)
      throw new Problem('TooManyTables', `Too many tables are being made: ${error.message}`)
    throw error
  }
}

/**
 * The requested rows. They are made in several turns of the event loop, so the frame must be leased until they are
 * ready.
 */
export async function tableRepresentation(
  frame: Frame,
  { table: path, offset, tableLimit: limit, sort, filters }: ParametersOf<'table'>,
  frameTables: FrameTables,
  accept: string | undefined,
): Promise<Representation> {
  const { name, format: ending } = namedTable(path)
  const table = tables.get(name)
  if (table === undefined) throw new Problem('NoSuchTable', missingTable(name))
  const format = ending ?? preferredType(accept, { json: 'application/json', csv: 'text/csv' })
  const request: TableRequest = {
    table,
    format,
    filters: filtersOf(filters, table),
    sort: sortOf(sort, table),
    offset,
    limit,
  }
  const digest = createHash('sha1').update(requestKey(request)).digest('base64url')
  const bytes = await unlessUnavailable(unlessBusy(frameTables.encoded(frame, request)))
  return {
    name: `table.${digest}`,
    mediaType: mediaTypes[format],
    head: () => '',
    slices: [wholeSlice(bytes)],
    tail: '',
    headers: ['Vary', 'Accept'],
  }
}

/** A table's entry at /tables, flat as a row itself. */
const listed = ({ name, meaning, row, filters }: AnyTable) => ({
  table: name,
  path: `/tables/${name}`,
  meaning,
  columns: Object.keys(row.fields).join(', '),
  filters: Object.keys(filters).join(', '),
})

/** The same for every frame. */
export const tableListRepresentation: Representation = {
  name: 'tables',
  mediaType: jsonMediaType,
  head: () => '',
  slices: [wholeSlice(Buffer.from(JSON.stringify([...tables.values()].map(listed))))],
  tail: '',
}

/** Reads the histories in tables from the metric series. */
export const historyForTables =
  (reader: HistoryReader): ReadHistory =>
  async (path, atNs) => {
    const found = await reader.series(path, atNs)
    if (found === null) return null
    const { values, stepNs, lastNs, unit } = found
    const numbers =
      values instanceof Uint8Array
        ? (JSON.parse(Buffer.from(values).toString('utf8')) as readonly number[])
        : values
    return { values: numbers, stepNs, lastNs, unit }
  }
