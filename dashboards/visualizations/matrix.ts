import {
  FieldTextAlignment,
  TableCellBackgroundDisplayMode,
  TableCellDisplayMode,
  TableCellHeight,
} from '@grafana/grafana-foundation-sdk/common'
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard'
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard'
import { PanelBuilder as Table } from '@grafana/grafana-foundation-sdk/table'
import { withFrozenColumns } from './newer-grafana.ts'
import { gap, withDefaults } from './panels.ts'
import type { PanelOptions } from './panels.ts'

interface MatrixShown extends Omit<PanelOptions, 'targets'> {
  /** The fields with the column and the row of a cell, and its value. */
  readonly column: string
  readonly row: string
  readonly cell: string
  readonly firstTitle: string
  readonly firstWidth: number
  /** Sorts rows and columns; by default they are in the order of the query. */
  readonly sorted?: boolean
  /** Hides the titles of columns. */
  readonly untitled?: boolean
}

/**
 * A drawing in a table: cells are colored by their mappings, and each is a link. The query returns one frame with a row
 * for each cell.
 */
export function matrix(shown: MatrixShown): Panel {
  const { column, row, cell, firstTitle, firstWidth } = shown
  const first = `${row}\\${column}`
  const sortedBy = (field: string) => ({ id: 'sortBy', options: { fields: {}, sort: [{ field }] } })
  const panel = withDefaults(new Table(), {
    ...shown,
    mappings: [...(shown.mappings ?? []), gap],
    targets: [],
  })
    .cellHeight(TableCellHeight.Sm)
    .showHeader(shown.untitled !== true)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor('transparent'))
    .align(FieldTextAlignment.Center)
    .minWidth(90)
    .filterable(false)
    .cellOptions({ type: TableCellDisplayMode.ColorBackground, mode: TableCellBackgroundDisplayMode.Basic })
    .overrideByName(first, [
      { id: 'displayName', value: firstTitle },
      { id: 'noValue', value: '–' },
      { id: 'custom.width', value: firstWidth },
      { id: 'custom.cellOptions', value: { type: 'auto' } },
      { id: 'custom.align', value: 'left' },
      { id: 'mappings', value: [] },
      { id: 'links', value: [] },
    ])
  const steps = [
    ...(shown.sorted === true ? [sortedBy(column)] : []),
    {
      id: 'groupingToMatrix',
      options: { columnField: column, rowField: row, valueField: cell, emptyValue: 'null' },
    },
    ...(shown.sorted === true ? [sortedBy(first)] : []),
  ]
  for (const step of steps) panel.withTransformation(step)
  return withFrozenColumns(panel.build(), 1)
}
