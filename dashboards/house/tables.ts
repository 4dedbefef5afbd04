import type { Builder } from '@grafana/grafana-foundation-sdk/cog'
import { TableCellHeight, TableSortByFieldStateBuilder } from '@grafana/grafana-foundation-sdk/common'
import type { DashboardLink, Panel, Threshold, ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table'
import type { Expr } from '../promql.ts'
import { units } from './look.ts'
import type { Unit } from './look.ts'
import { withDefaults, withTargets } from './panels.ts'
import type { PanelOptions } from './panels.ts'
import { json, rows } from './targets.ts'
import type { JsonQuery } from './targets.ts'

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
  readonly links?: readonly Builder<DashboardLink>[]
}

type Properties = { id: string; value?: unknown }[]

function properties(look: ColumnLook): Properties {
  const told: Properties = [{ id: 'displayName', value: look.title }]
  if (look.unit !== undefined) told.push({ id: 'unit', value: look.unit })
  if (look.decimals !== undefined) told.push({ id: 'decimals', value: look.decimals })
  if (look.width !== undefined) told.push({ id: 'custom.width', value: look.width })
  if (look.mappings !== undefined) told.push({ id: 'mappings', value: look.mappings })
  if (look.steps !== undefined)
    told.push({ id: 'thresholds', value: { mode: 'absolute', steps: look.steps } })
  if (look.bar === true) {
    told.push({ id: 'min', value: 0 }, { id: 'max', value: 1 })
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
  return withTargets(
    panel.build(),
    shown.values.map(({ expr }) => rows(expr)),
  )
}

export interface JsonTableShown extends Omit<PanelOptions, 'targets' | 'unit'> {
  readonly query: Omit<JsonQuery, 'columns'>
  readonly columns: readonly (ColumnLook & {
    readonly field: string
    readonly type: 'string' | 'number' | 'boolean'
  })[]
  readonly sortBy?: string
}

/** Rows of what the JSON API tells. */
export function jsonTable(shown: JsonTableShown): Panel {
  const panel = withDefaults(new Table(), { ...shown, unit: units.text, targets: [], infinity: true })
    .cellHeight(TableCellHeight.Sm)
    .filterable(true)
  if (shown.sortBy !== undefined) sorted(panel, shown.sortBy)
  for (const look of shown.columns) panel.overrideByName(look.field, properties(look))
  const columns = shown.columns.map(({ field, type }) => ({ selector: field, text: field, type }))
  return withTargets(panel.build(), [json({ ...shown.query, columns })])
}
