import { expect, test } from 'vitest'
import { withReadableColumns } from '../../dashboards/visualizations/column-widths.ts'

const column = (name: string, ...others: readonly object[]) => ({
  matcher: { id: 'byName', options: name },
  properties: [{ id: 'displayName', value: name }, ...others],
})
const wide = (value: number) => ({ id: 'custom.width', value })

const wraps = { id: 'custom.wrapText', value: true }

/** The widths of the columns of a table that is some columns of the grid wide, or the least. */
function leastWidths(columns: number, overrides: readonly object[]): unknown[] {
  const panel = { type: 'table', fieldConfig: { defaults: {}, overrides } }
  const { fieldConfig } = withReadableColumns(panel as never, { columns, rows: 6, isBelowHeading: false })
  return fieldConfig!.overrides.map(
    ({ properties }) =>
      properties.findLast(({ id }) => id === 'custom.minWidth' || id === 'custom.width')?.value,
  )
}

test.each<[string, number, object[], unknown[]]>([
  ['two share a half screen', 12, [column('a', wide(262)), column('b'), column('c')], [262, 100, 100]],
  ['a text wraps', 12, [column('a', wide(428)), column('b', wraps), column('c')], [428, 100, 60]],
  ['no word of a title is cut', 6, [column('a', wide(230)), column('Infrastructure cost')], [230, 115]],
  [
    'a column that needs more leaves less to the others',
    8,
    [column('Infrastructure cost'), column('b'), column('c')],
    [115, 92, 92],
  ],
  ['no more than is readable', 24, [column('a', wide(100)), column('b')], [100, 140]],
  ['no less than a few letters', 6, [column('a', wide(250)), column('b')], [250, 60]],
  [
    'hidden ones take no room',
    12,
    [column('a', wide(322)), column('b'), column('c', { id: 'custom.hidden', value: true })],
    [322, 140, undefined],
  ],
  ['the link of a label is no column', 12, [{ matcher: {}, properties: [wide(50)] }], [50]],
])('%s', (_, columns, overrides, widths) => {
  expect(leastWidths(columns, overrides)).toEqual(widths)
})

test('a graph stays as it is', () => {
  const graph = { type: 'timeseries', fieldConfig: { defaults: {}, overrides: [column('a')] } } as never
  expect(withReadableColumns(graph, { columns: 12, rows: 6, isBelowHeading: false })).toBe(graph)
})
