import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import { TableCellHeight, TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common'
import type { DashboardLink, Panel, Threshold, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table'
import type { Field, Fields } from '../../src/contract/fields.ts'
import { tables } from '../../src/tables/catalog.ts'
import type { Expr } from '../promql.ts'
import { units } from './look.ts'
import type { Unit } from './look.ts'
import { withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'
import { json, rows } from './targets.ts'
import type { JsonColumn } from './targets.ts'

/** How a column looks. */
export interface ColumnLook {
  readonly title: string
  readonly unit?: Unit
  readonly decimals?: number
  readonly width?: number
  readonly steps?: readonly Threshold[]
  readonly mappings?: readonly ValueMapping[]
  /** A bar as long as the value is high, from 0 to 1. */
  readonly bar?: boolean
  /** The value at which the bar is full, if it is not 1. */
  readonly barMax?: number
  readonly links?: readonly Builder<DashboardLink>[]
}

type Properties = { id: string; value?: unknown }[]

/** Shown in a cell that has no value: not the text that stands for a whole panel without rows. */
const emptyCell = '–'

function properties(look: ColumnLook): Properties {
  const told: Properties = [
    { id: 'displayName', value: look.title },
    { id: 'noValue', value: emptyCell },
  ]
  if (look.unit !== undefined) told.push({ id: 'unit', value: look.unit })
  if (look.decimals !== undefined) told.push({ id: 'decimals', value: look.decimals })
  if (look.width !== undefined) told.push({ id: 'custom.width', value: look.width })
  if (look.mappings !== undefined) told.push({ id: 'mappings', value: look.mappings })
  if (look.steps !== undefined)
    told.push({ id: 'thresholds', value: { mode: 'absolute', steps: look.steps } })
  if (look.bar === true) {
    told.push({ id: 'min', value: 0 }, { id: 'max', value: look.barMax ?? 1 })
    told.push({ id: 'custom.cellOptions', value: { type: 'gauge', mode: 'basic', valueDisplayMode: 'text' } })
  } else if (look.steps !== undefined || look.mappings !== undefined) {
    told.push({ id: 'custom.cellOptions', value: { type: 'color-text' } })
  }
  if (look.links !== undefined) told.push({ id: 'links', value: look.links.map((link) => link.build()) })
  return told
}

export interface LabelColumn extends ColumnLook {
  readonly label: string
}
export interface ValueColumn extends ColumnLook {
  readonly expr: Expr<never>
  /** Brings rows and labels, while its value says nothing. */
  readonly hidden?: boolean
}

export interface TableShown extends Omit<PanelOptions, 'targets' | 'unit'> {
  /** Columns read off labels. The first values have all of them; the others share at least one. */
  readonly labels: readonly LabelColumn[]
  readonly values: readonly ValueColumn[]
  /** Title of the column that rows are sorted by, highest first. */
  readonly sortBy: string
}

const sorted = (panel: Table, title: string): Table =>
  panel
    .cellHeight(TableCellHeight.Sm)
    .filterable(true)
    .sortBy([new TableSortByFieldStateBuilder().displayName(title).desc(true)])

/** The labels of an aggregation, which all values of a table are. */
const labelsOf = ({ text }: Expr<never>): string[] => /\bby \(([^)]*)\)/.exec(text)![1].split(', ')

/** The first values say which things are shown: without this, Grafana adds a row for each other thing. */
function ofSameThings([first, ...others]: readonly Expr<never>[]): Expr<never>[] {
  const common = [first, ...others]
    .map(labelsOf)
    .reduce((kept, labels) => kept.filter((label) => labels.includes(label)))
  return [
    first,
    ...others.map(({ text }) => ({
      text: `(${text})\nand on (${common.join(', ')})\n(${first.text})`,
      simple: false,
    })),
  ]
}

/** Things in rows: what they are called, and their values as they are now. */
export function table(shown: TableShown): Panel {
  const panel = sorted(withDefaults(new Table(), { ...shown, unit: units.count, targets: [] }), shown.sortBy)
  for (const look of shown.labels) panel.overrideByName(look.label, properties(look))
  const letters = shown.values.map((_, at) => String.fromCodePoint(65 + at))
  const columns = letters.map((letter) => (letters.length === 1 ? 'Value' : `Value #${letter}`))
  shown.values.forEach((look, at) => panel.overrideByName(columns[at], properties(look)))
  panel.overrideByName('instance', properties({ title: 'Instance', width: 140 }))
  const hidden = columns.filter((_, at) => shown.values[at].hidden === true)
  const order = [...shown.labels.map(({ label }) => label), ...columns, 'instance']
  if (letters.length > 1) panel.withTransformation({ id: 'merge', options: {} })
  panel.withTransformation({
    id: 'organize',
    options: {
      excludeByName: Object.fromEntries(['Time', 'job', 'session', ...hidden].map((name) => [name, true])),
      indexByName: Object.fromEntries(order.map((name, at) => [name, at])),
      renameByName: {},
    },
  })
  return withTargets(panel.build(), ofSameThings(shown.values.map(({ expr }) => expr)).map(rows))
}

interface WordColumn extends ColumnLook {
  readonly field: string
  /** Not shown: links of other columns need it. */
  readonly hidden?: boolean
}

export interface WordTableShown extends Omit<PanelOptions, 'targets' | 'unit'> {
  /** Name of a table of the mirror. */
  readonly table: string
  /** Filters, order and limit, as in a URL. */
  readonly query?: string
  /** Columns in their order. */
  readonly columns: readonly WordColumn[]
  readonly sortBy?: string
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

/** A text column takes the room that is left, and shows its sentences whole. */
function wordProperties(look: WordColumn, { kind }: Field): Properties {
  const isText = kind === 'str' && look.width === undefined && look.mappings === undefined
  return [
    ...properties(look),
    // The first for Grafana before 12, the second since.
    ...(look.hidden === true
      ? [
          { id: 'custom.hidden', value: true },
          { id: 'custom.hideFrom', value: { viz: true, legend: false, tooltip: false } },
        ]
      : []),
    ...(isText ? [{ id: 'custom.cellOptions', value: { type: 'auto', wrapText: true } }] : []),
  ]
}

/** Rows of a table of the mirror, which speaks in words. */
export function wordTable(shown: WordTableShown): Panel {
  const panel = withDefaults(new Table(), { ...shown, unit: units.text, targets: [], infinity: true })
    .cellHeight(TableCellHeight.Sm)
    .filterable(true)
  if (shown.sortBy !== undefined) sorted(panel, shown.sortBy)
  const columns = shown.columns.map((look) => {
    const field = fieldOf(shown.table, look.field)
    panel.overrideByName(look.field, wordProperties(look, field))
    return { selector: look.field, text: look.field, type: columnTypes[field.kind] ?? 'number' }
  })
  panel.withTransformation({
    id: 'organize',
    options: {
      excludeByName: {},
      indexByName: Object.fromEntries(shown.columns.map(({ field }, at) => [field, at])),
      renameByName: {},
    },
  })
  const query = shown.query === undefined ? '' : `?${shown.query}`
  return withTargets(panel.build(), [json({ url: `/tables/${shown.table}${query}`, columns })])
}
