import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import { TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common'
import { MappingType, SpecialValueMatch } from '@grafana/grafana-foundation-sdk/dashboard'
import type { DashboardLink, Panel, Threshold, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table'
import type { Field, Fields } from '../../src/contract/fields.ts'
import { tables } from '../../src/tables/catalog.ts'
import type { Expr } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { withRowLimit, wrapHeader, wrapCells } from './newer-grafana.ts'
import { evenNumber, evening, lineHeight } from './row-heights.ts'
import { calmMappings, calmSteps, unit, plainText } from '../style/look.ts'
import type { GrafanaUnit } from '../style/look.ts'
import { emptyCell, noAnswerOfMirror, withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'
import { json, tableQuery } from '../queries/targets.ts'
import type { JsonColumn } from '../queries/targets.ts'
import { labelWords } from '../style/words.ts'

/** The appearance of a column. */
interface ColumnLook {
  readonly title: string
  readonly unit?: GrafanaUnit
  readonly decimals?: number
  readonly width?: number
  readonly steps?: readonly Threshold[]
  readonly mappings?: readonly ValueMapping[]
  /** Draws a bar, from 0 to 1. */
  readonly bar?: boolean
  /** The value of a full bar, if it is not 1. */
  readonly barMax?: number
  readonly links?: readonly Builder<DashboardLink>[]
  /** Whether a text with a width has as many lines as the row, as one without has. */
  readonly wraps?: boolean
  /** The cell has the color of its state. */
  readonly filled?: boolean
  /** Hidden: links of other columns need its values. */
  readonly hidden?: boolean
  /** A number, or one in words behind a text that does not wrap, by which all rows are equally high: no column before it wraps. */
  readonly evens?: boolean
}

type Properties = { id: string; value?: unknown }[]

const empty = { id: 'noValue', value: emptyCell }

/** Properties for Grafana before 12 and since. */
const hidden: Properties = [
  { id: 'custom.hidden', value: true },
  { id: 'custom.hideFrom', value: { viz: true, legend: false, tooltip: false } },
]

/** Mappings to words without a color do not color a cell: a link in it keeps its appearance. */
const areColored = (mappings: readonly ValueMapping[] = []): boolean =>
  JSON.stringify(mappings).replaceAll(`"color":"${plainText}"`, '').includes('"color":')

/**
 * Grafana draws a number in a cell for Markdown as text, without the styles of wrapped texts. These come after those of the
 * limit of rows then, so that a text with more lines than its row ends in an ellipsis; before them, it would be centered, and
 * cut above and below.
 */
const firstInRow = { id: 'custom.cellOptions', value: { type: 'markdown' } }

function cell({ bar, filled, steps, mappings, barMax, evens }: ColumnLook): Properties {
  if (evens === true) return [firstInRow]
  if (bar === true)
    return [
      { id: 'min', value: 0 },
      { id: 'max', value: barMax ?? 1 },
      { id: 'custom.cellOptions', value: { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' } },
    ]
  if (filled === true)
    return [{ id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic' } }]
  return steps === undefined && !areColored(mappings)
    ? []
    : [{ id: 'custom.cellOptions', value: { type: 'color-text' } }]
}

/** Without this, an empty cell has the color of the lowest step, which may be that of an alarm. */
const uncolored: ValueMapping = {
  type: MappingType.SpecialValue,
  options: { match: SpecialValueMatch.NullAndNan, result: { text: emptyCell, color: plainText, index: 0 } },
}

function mapped({ mappings, steps, filled, evens }: ColumnLook): Properties {
  const calm = mappings !== undefined && filled !== true ? calmMappings(mappings) : mappings
  const texts = evens === true ? calm?.map(evening) : calm
  const all = texts ?? (steps === undefined ? undefined : [uncolored])
  return all === undefined ? [] : [{ id: 'mappings', value: all }]
}

/** A number without words has its lines in the unit. */
const unitOf = ({ unit: own, evens, mappings }: ColumnLook): string | undefined =>
  evens === true && mappings === undefined ? evenNumber(own === unit.percent ? '%' : '') : own

function properties(look: ColumnLook): Properties {
  const steps = look.bar === true ? look.steps : look.steps && calmSteps(look.steps)
  return [
    { id: 'displayName', value: look.title },
    empty,
    wrapHeader,
    ...(unitOf(look) === undefined ? [] : [{ id: 'unit', value: unitOf(look) }]),
    ...(look.decimals === undefined ? [] : [{ id: 'decimals', value: look.decimals }]),
    ...(look.width === undefined ? [] : [{ id: 'custom.width', value: look.width }]),
    ...mapped(look),
    ...(steps === undefined ? [] : [{ id: 'thresholds', value: { mode: 'absolute', steps } }]),
    ...cell(look),
    ...(look.links === undefined ? [] : [{ id: 'links', value: look.links.map((link) => link.build()) }]),
    ...(look.hidden === true ? hidden : []),
    ...(look.evens === true ? [wrapCells] : []),
    ...(look.evens === true || look.filled === true ? [{ id: 'custom.align', value: 'left' }] : []),
  ]
}

interface LabelColumn extends ColumnLook {
  readonly label: string
}
export interface ValueColumn extends ColumnLook {
  readonly expr: Expr<never>
  /** Places the column before the labels. */
  readonly first?: boolean
}

interface RowLines {
  /**
   * Lines of text in a row; a longer text ends in an ellipsis, and is whole while the cell is chosen. By default one: nothing
   * wraps. Facts have any: each row is as high as its text.
   */
  readonly lines?: number | 'any'
}

interface TableShown extends Omit<PanelOptions, 'targets' | 'unit'>, RowLines {
  /** Columns from labels. The first values have all of them; the others share at least one. */
  readonly labels: readonly LabelColumn[]
  readonly values: readonly ValueColumn[]
  /** The entities of the first values without their names, which every other column would look up again. */
  readonly rows?: Expr<never>
  /** Title of the column by which rows are sorted, highest first. */
  readonly sortBy: string
  /** Rows are sessions: the column with the session's name is shown. */
  readonly showsSession?: boolean
  /** Sorts lowest first. */
  readonly ascending?: boolean
}

/** Columns with a width may be narrower than Grafana's default. */
const columnWidthMin = 60
/** Of the longest moment: 22 h 24 min ago. */
export const momentWidth = 124
/** Of the longest name of a customer. */
export const customerWidth = 214

const sorted = (panel: Table, title: string, ascending = false): Table =>
  panel
    .minWidth(columnWidthMin)
    .filterable(false)
    .sortBy([new TableSortByFieldStateBuilder().displayName(title).desc(!ascending)])

/** Texts wrap. */
const wholeText: Properties = [
  { id: 'custom.cellOptions', value: { type: 'auto', wrapText: true } },
  wrapCells,
]

/** A label is displayed in words, which do not color it. */
function labelProperties(look: LabelColumn, lines: number | 'any'): Properties {
  const words = look.mappings === undefined ? labelWords(look.label) : undefined
  const plain = properties(look)
  const isText = lines !== 1 && look.hidden !== true && plain.every(({ id }) => id !== 'custom.cellOptions')
  const all = [...plain, ...(isText ? wholeText : [])]
  return words === undefined ? all : [...all, { id: 'mappings', value: [words] }]
}

const withLines = (panel: Panel, { lines = 1 }: RowLines): Panel =>
  lines === 1 || lines === 'any' ? panel : withRowLimit(panel, lineHeight * lines)

/** The labels of an aggregation; all values of a table are aggregations. */
const labelsOf = ({ text }: Expr<never>): string[] => /\bby \(([^)]*)\)/.exec(text)![1].split(', ')

/** The first values determine the displayed entities: without this, Grafana adds a row for each other entity. */
function ofSameThings([first, ...others]: readonly Expr<never>[], rows = first): Expr<never>[] {
  const common = [first, ...others]
    .map(labelsOf)
    .reduce((kept, labels) => kept.filter((label) => labels.includes(label)))
  return [
    first,
    ...others.map(({ text }) => ({
      text: `(${text})\nand on (${common.join(', ')})\n(${rows.text})`,
      simple: false,
    })),
  ]
}

/** Entities in rows, with their names and current values. */
export function table(shown: TableShown): Panel {
  const panel = sorted(
    withDefaults(new Table(), { ...shown, unit: unit.count, targets: [] }),
    shown.sortBy,
    shown.ascending,
  )
  for (const look of shown.labels) panel.overrideByName(look.label, labelProperties(look, shown.lines ?? 1))
  const letters = shown.values.map((_, at) => String.fromCodePoint(65 + at))
  const columns = letters.map((letter) => (letters.length === 1 ? 'Value' : `Value #${letter}`))
  shown.values.forEach((look, at) => panel.overrideByName(columns[at], properties(look)))
  // Links need the instance. One session is selected, so that the column is the same in every row.
  panel.overrideByName('instance', [empty, ...hidden])
  const visible = new Set<string>([...targetLabels, ...shown.labels.map(({ label }) => label)])
  const unlisted = [...new Set(shown.values.flatMap(({ expr }) => labelsOf(expr)))].filter(
    (label) => !visible.has(label),
  )
  // Links need the other labels.
  for (const label of unlisted) panel.overrideByName(label, [empty, ...hidden])
  const isFirst = (_: string, at: number): boolean => shown.values[at].first === true
  const order = [
    ...columns.filter(isFirst),
    ...shown.labels.map(({ label }) => label),
    ...columns.filter((column, at) => !isFirst(column, at)),
    'instance',
  ]
  const aside = shown.showsSession === true ? ['Time', 'job'] : ['Time', 'job', 'session']
  if (letters.length > 1) panel.withTransformation({ id: 'merge', options: {} })
  panel.withTransformation({
    id: 'organize',
    options: {
      excludeByName: Object.fromEntries(aside.map((name) => [name, true])),
      indexByName: Object.fromEntries(order.map((name, at) => [name, at])),
      renameByName: {},
    },
  })
  const queries = ofSameThings(
    shown.values.map(({ expr }) => expr),
    shown.rows,
  )
  return withTargets(withLines(panel.build(), shown), queries.map(tableQuery))
}

interface WordColumn extends ColumnLook {
  readonly field: string
}

interface WordTableShown extends Omit<PanelOptions, 'targets' | 'unit'>, RowLines {
  /** The name of a table of the mirror. */
  readonly table: string
  /** Filters, order and limit, as in a URL. */
  readonly query?: string
  /** Columns in order. */
  readonly columns: readonly WordColumn[]
  readonly sortBy?: string
  /** Tints rows by their severity, from warnings on. */
  readonly tinted?: boolean
  /** Hides the titles of columns. */
  readonly untitled?: boolean
  /** The first column has the number of the row, by which all rows are equally high. */
  readonly numbered?: boolean
}

const columnTypes: Readonly<Partial<Record<Field['kind'], JsonColumn['type']>>> = {
  str: 'string',
  bool: 'boolean',
}

function fieldOf(table: string, name: string): Field {
  const fields: Fields = tables.get(table)?.row.fields ?? {}
  if (!Object.hasOwn(fields, name)) throw new Error(`The table ${table} has no column ${name}.`)
  return fields[name]
}

/** A column of texts without a width gets the remaining space. */
function wordProperties(look: WordColumn, { kind }: Field, lines: number | 'any'): Properties {
  const isText =
    lines !== 1 && kind === 'str' && look.mappings === undefined && (look.wraps ?? look.width === undefined)
  return [...properties(look), ...(isText ? wholeText : [])]
}

/** Faint enough for the theme's own text color: Grafana chooses another one from an alpha of 0.3 on. */
const tints: ValueMapping[] = [
  {
    type: MappingType.ValueToText,
    options: {
      0: { color: 'transparent', index: 0 },
      1: { color: 'transparent', index: 1 },
      2: { color: 'rgba(230, 159, 0, 0.10)', index: 2 },
      3: { color: 'rgba(230, 159, 0, 0.22)', index: 3 },
      4: { color: 'rgba(213, 94, 0, 0.28)', index: 4 },
    },
  },
]

const tint: Properties = [
  { id: 'mappings', value: tints },
  { id: 'custom.cellOptions', value: { type: 'color-background', mode: 'basic', applyToRow: true } },
  empty,
  ...hidden,
]

/** The severity may be in words besides, where it tints rows. */
const nameOf = ({ field }: WordColumn): string => (field === 'severity' ? 'level' : field)

const rowNumber = 'No.'

/** Numbers rows from one. */
const rowNumbers = [
  { id: 'calculateField', options: { mode: 'index', alias: 'index', replaceFields: false } },
  {
    id: 'calculateField',
    options: {
      mode: 'binary',
      alias: rowNumber,
      replaceFields: false,
      binary: { left: { matcher: { id: 'byName', options: 'index' } }, operator: '+', right: { fixed: '1' } },
    },
  },
] as const

/** Rows of a table of the mirror, in words. */
export function wordTable(shown: WordTableShown): Panel {
  const panel = withDefaults(new Table(), {
    ...shown,
    empty: shown.empty ?? noAnswerOfMirror,
    unit: unit.text,
    targets: [],
    infinity: true,
  })
    .minWidth(columnWidthMin)
    .filterable(false)
    .showHeader(shown.untitled !== true)
  if (shown.sortBy !== undefined) sorted(panel, shown.sortBy)
  const columns = shown.columns.map((look): JsonColumn => {
    const field = fieldOf(shown.table, look.field)
    const text = nameOf(look)
    panel.overrideByName(text, wordProperties(look, field, shown.lines ?? 1))
    return { selector: look.field, text, type: columnTypes[field.kind] ?? 'number' }
  })
  if (shown.tinted === true) {
    fieldOf(shown.table, 'severity')
    panel.overrideByName('severity', tint)
    columns.push({ selector: 'severity', text: 'severity', type: 'number' })
  }
  const order = shown.columns.map(nameOf)
  if (shown.numbered === true) {
    for (const numbering of rowNumbers) panel.withTransformation(numbering)
    panel.overrideByName(rowNumber, properties({ title: rowNumber, decimals: 0, width: 50, evens: true }))
    order.unshift(rowNumber)
  }
  panel.withTransformation({
    id: 'organize',
    options: {
      excludeByName: shown.numbered === true ? { index: true } : {},
      indexByName: Object.fromEntries(order.map((name, at) => [name, at])),
      renameByName: {},
    },
  })
  const query = shown.query === undefined ? '' : `?${shown.query}`
  return withTargets(withLines(panel.build(), shown), [
    json({ url: `/tables/${shown.table}${query}`, columns }),
  ])
}
