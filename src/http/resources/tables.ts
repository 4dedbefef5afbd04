import type { UnknownParts } from '../../contract/collections.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import { tables } from '../../tables/catalog.ts'
import { sessionParameter } from '../../contract/session.ts'
import { choiceOf, refusedValue } from '../../tables/engine/query.ts'
import type { PathHistory } from '../../tables/engine/history.ts'
import { xmlText } from '../../pictures/svg.ts'
import { closestMatch } from '../../text/closest-match.ts'
import { tableFormats } from '../../tables/engine/formats.ts'
import type { TableFormat } from '../../tables/engine/formats.ts'
import { sessionQuery } from '../../tables/engine/own-links.ts'
import { everything, archiveParameters } from '../../tables/engine/archive-range.ts'
import type { ArchiveRange } from '../../tables/engine/archive-range.ts'
import type { AnyTable } from '../../tables/engine/table.ts'
import { TableRefused } from '../../tables/engine/refused.ts'
import type { RefusalReason } from '../../tables/engine/refused.ts'
import type { TableRequest } from '../../tables/thread/table-maker.ts'
import { requestKey } from '../../tables/thread/publish-answers.ts'
import type { TablesClient } from '../../tables/thread/tables-client.ts'
import type { HistoryReader } from '../../metrics/history/history-reader.ts'
import type { ParametersOf } from '../requests/parameters.ts'
import { htmlPage } from '../landing/page-head.ts'
import { csvMediaType, htmlMediaType, jsonMediaType } from '../responses/media-types.ts'
import { isOwnSession, noSuchSession } from '../requests/requested-session.ts'
import { quoted, shortened } from '../../text/quoted.ts'
import { Problem } from '../responses/problems.ts'
import type { ProblemKind } from '../responses/problems.ts'
import { ignoredParametersHeader, unknownHeaders, unknownText } from '../responses/unknown-parts.ts'
import { digestOf, wholeBody, wholeSlice } from '../responses/representation.ts'
import type { Representation } from '../responses/representation.ts'
import { preferredType } from '../requests/accepted-types.ts'
import { unlessUnavailable } from './metric-history.ts'

const mediaTypes: Readonly<Record<TableFormat, string>> = {
  json: jsonMediaType,
  csv: csvMediaType,
  html: htmlMediaType,
}

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
  throw new Problem('MalformedParameter', `sort: got ${quoted(text)}, ${expected}.`)
}

export function filtersOf(
  given: ParametersOf<'table'>['filters'],
  table: AnyTable,
): ReadonlyMap<string, readonly string[]> {
  const filters = new Map<string, readonly string[]>()
  for (const [name, values] of given) {
    if (!Object.hasOwn(table.filters, name)) continue
    if (values instanceof Problem) throw values
    const choice = choiceOf(table, name, values)
    if (choice === null) continue
    const refused = refusedValue(table, name, choice)
    if (refused !== null) throw refusal(name, refused, table.filters[name].allowed)
    filters.set(name, choice)
  }
  return filters
}

type ArchiveParameter = keyof typeof archiveParameters

/** The only value of a parameter; empty if there is none. */
function soleValue(
  given: ParametersOf<'table'>['filters'],
  name: ArchiveParameter | typeof sessionParameter,
): string {
  const values = given.get(name) ?? []
  if (values instanceof Problem) throw values
  if (values.length > 1)
    throw new Problem('MalformedParameter', `${name}: given ${values.length} times, expected once.`)
  return values[0] ?? ''
}

const isoPattern = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/
/** A time that a Date can hold, in ms. */
const msPattern = /^\d{1,15}$/

function wallTimeOf(text: string, name: ArchiveParameter): number | null {
  if (text === '') return null
  const ms = msPattern.test(text) ? Number(text) : isoPattern.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isFinite(ms)) return ms
  const expected = 'expected a time in ISO 8601, or milliseconds since 1970'
  throw new Problem('MalformedParameter', `${name}: got ${quoted(text)}, ${expected}.`)
}

function worldOf(text: string): number | null {
  if (text === '') return null
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Problem('MalformedParameter', `world: got ${quoted(text)}, expected the number of a world.`)
}

/** The part of the archive that is asked for; null if none is, or the table does not reach into it. */
function rangeOf(given: ParametersOf<'table'>['filters'], { archived }: AnyTable): ArchiveRange | null {
  if (archived === undefined || !Object.keys(archiveParameters).some((name) => given.has(name))) return null
  return {
    ...everything,
    fromMs: wallTimeOf(soleValue(given, 'from'), 'from'),
    toMs: wallTimeOf(soleValue(given, 'to'), 'to'),
    text: soleValue(given, 'text'),
    world: worldOf(soleValue(given, 'world')),
  }
}

/** The range of a request. Another session may be one that this mirror had earlier. */
function archiveRangeOf(
  given: ParametersOf<'table'>['filters'],
  table: AnyTable,
  own: string,
): ArchiveRange | null {
  const range = rangeOf(given, table)
  const session = soleValue(given, sessionParameter)
  if (isOwnSession(session, own)) return range
  if (table.archived === undefined) throw noSuchSession(session, [own])
  return { ...everything, ...range, session }
}

function refusal(name: string, value: string, allowed: readonly string[] | undefined): Problem {
  if (allowed === undefined)
    return new Problem(
      'MalformedParameter',
      `${name}: got ${quoted(value)}, expected a time in ISO 8601, as a column of moments has it.`,
    )
  const similar = closestMatch(
    value.toLowerCase(),
    allowed.map((each) => each.toLowerCase()),
  )
  const meant = similar === null ? '' : `; did you mean ${similar}?`
  const expected = `expected one of ${allowed.join(', ')}`
  return new Problem('MalformedParameter', `${name}: got ${quoted(value)}, ${expected}${meant || '.'}`)
}

const namedMax = 5

/** Parameters that the table lacks, as a header; they have no effect. */
function ignoredHeader(given: ParametersOf<'table'>['filters'], table: AnyTable): readonly string[] {
  const known = {
    ...table.filters,
    ...(table.archived !== undefined && archiveParameters),
    [sessionParameter]: true,
  }
  const names = [...given.keys()].filter((name) => !Object.hasOwn(known, name))
  if (names.length === 0) return []
  const named = names.slice(0, namedMax).map((name) => encodeURIComponent(shortened(name).toWellFormed()))
  return [ignoredParametersHeader, named.join(', ')]
}

function missingTable(name: string): string {
  const similar = closestMatch(name, [...tables.keys()])
  return similar === null
    ? `There is no table ${quoted(name)}, expected one that /tables lists.`
    : `There is no table ${quoted(name)}; did you mean /tables/${similar}? /tables lists all.`
}

const problemOf: Readonly<
  Record<Exclude<RefusalReason, 'session'>, readonly [kind: ProblemKind, opening: string]>
> = {
  busy: ['TooManyTables', 'Too many tables are being made: '],
  large: ['MalformedParameter', 'limit: '],
  stopped: ['TablesUnavailable', ''],
  archive: ['ArchiveUnavailable', ''],
}

/** The result, or the problem for a refusal. `session` is that of a request for another session than `own`. */
export async function unlessRefused<T>(
  making: Promise<T>,
  session: string | null = null,
  own = '',
): Promise<T> {
  try {
    return await making
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error
    if (error.reason === 'session') throw noSuchSession(session ?? '', [own])
    const [kind, opening] = problemOf[error.reason]
    throw new Problem(kind, opening + error.message)
  }
}

export interface TableContext {
  readonly tables: Pick<TablesClient, 'ask'>
  readonly session: string
  readonly series: HistoryReader
}

/** The requested rows, made in another thread: the frame must be leased until they are ready. */
export async function tableRepresentation(
  frame: Frame,
  { table: path, offset, tableLimit: limit, sort, filters }: ParametersOf<'table'>,
  context: TableContext,
  accept: string | undefined,
): Promise<Representation> {
  const { name, format: ending } = namedTable(path)
  const table = tables.get(name)
  if (table === undefined) throw new Problem('NoSuchTable', missingTable(name))
  const format =
    ending ?? preferredType(accept, { json: 'application/json', csv: 'text/csv', html: 'text/html' })
  const range = archiveRangeOf(filters, table, context.session)
  const request: TableRequest = {
    table: name,
    format,
    filters: filtersOf(filters, table),
    sort: sortOf(sort, table),
    offset,
    limit,
    range,
    linkQuery: format === 'html' ? sessionQuery(range?.session ?? context.session, range?.world) : '',
  }
  const paths = table.paths?.(request.filters) ?? []
  const histories = paths.length === 0 ? null : () => historiesOf(paths, context.series, frame.simTimeNs)
  const digest = digestOf(requestKey(request))
  const made = context.tables.ask(frame, request, histories)
  const bytes = await unlessUnavailable(unlessRefused(made, range?.session, context.session))
  const headers = [
    'Vary',
    'Accept',
    ...ignoredHeader(filters, table),
    ...unknownHeaders(frame.unknown, table.worldParts),
  ]
  if (format === 'html') {
    const opening = tableOpening(table, unknownText(frame.unknown, table.worldParts))
    const { session } = context
    return htmlPage({ name: `table.${digest}`, title: name, opening, content: bytes, session, headers })
  }
  return wholeBody(`table.${digest}`, mediaTypes[format], [wholeSlice(bytes)], headers)
}

const tableOpening = ({ name, meaning }: AnyTable, unknown: string): string =>
  `<p><a href="../">World</a> · <a href="../tables">Tables</a> · <a href="${name}.csv">CSV</a> · <a href="${name}.json">JSON</a></p>
<h1>${name}</h1><p>${xmlText(meaning)}</p>${unknown === '' ? '' : `<p class="stale">Not reported: ${xmlText(unknown)}</p>`}`

/** A table's entry at /tables, flat as a row itself. */
const listed = ({ name, meaning, row, filters, archived, worldParts }: AnyTable, unknown: UnknownParts) => ({
  table: name,
  path: `/tables/${name}`,
  meaning,
  columns: Object.keys(row.fields).join(', '),
  filters: Object.keys({ ...filters, ...(archived === undefined ? {} : archiveParameters) }).join(', '),
  unknown: unknownText(unknown, worldParts) || null,
})

interface Listed {
  readonly path: string
  readonly meaning: string
}

/** A list at a path of one segment: data, or a page for those who prefer one. */
export function listRepresentation(
  name: 'tables' | 'pictures',
  list: readonly Listed[],
  accept: string | undefined,
  session: string,
): Representation {
  const headers = ['Vary', 'Accept']
  if (preferredType(accept, { json: 'application/json', html: 'text/html' }) === 'html') {
    const items = list.map(({ path, meaning }) => {
      const address = path.slice(1)
      const shown = name === 'pictures' ? `<img src="${address}" alt="" loading="lazy">` : ''
      const [label] = path.slice(name.length + 2).split('.')
      return `<li><a href="${address}">${label}${shown}</a><small>${xmlText(meaning)}</small></li>`
    })
    const title = name === 'tables' ? 'Tables' : 'Pictures'
    const opening = `<p><a href="./">World</a></p>\n<h1>${title}</h1>`
    const content = `<ul class="routes ${name}">${items.join('\n')}</ul>`
    return htmlPage({ name: `${name}.html`, title, opening, content, session, headers })
  }
  return wholeBody(name, jsonMediaType, [wholeSlice(Buffer.from(JSON.stringify(list)))], headers)
}

export const tableListRepresentation = (
  { unknown }: Frame,
  { session }: Pick<TableContext, 'session'>,
  accept: string | undefined,
): Representation =>
  listRepresentation(
    'tables',
    [...tables.values()].map((table) => listed(table, unknown)),
    accept,
    session,
  )

/** The histories of the paths that there are, as of a simulated time. */
async function historiesOf(
  paths: readonly string[],
  series: HistoryReader,
  atNs: bigint,
): Promise<PathHistory[]> {
  const histories: PathHistory[] = []
  for (const path of paths) {
    const found = await series.series(path, atNs)
    if (found !== null) histories.push({ path, ...found })
  }
  return histories
}
