import { toDashboard } from './house/links.ts'
import { colors, noneExpected, units } from './house/look.ts'
import { bars } from './house/panels.ts'
import { lines } from './house/lines.ts'
import { wordTable } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { compare, total } from './promql.ts'

/** Who does the work, and what it waits for. */

export const orders = wordTable({
  title: 'Work orders',
  description: 'What is being done, by whom, and what it waits for. Times are simulated.',
  empty: 'Nothing is to be done.',
  table: 'work',
  query: 'state=waiting,under%20way,ordered&limit=40',
  tinted: true,
  columns: [
    { field: 'what', title: 'What' },
    { field: 'state', title: 'State', width: 90 },
    { field: 'by', title: 'By', width: 100 },
    { field: 'step', title: 'Step' },
    {
      field: 'progress_pct',
      title: 'Progress',
      unit: units.percent,
      bar: true,
      barMax: 100,
      decimals: 0,
      width: 120,
    },
    { field: 'waits_for', title: 'Waits for', width: 150 },
    { field: 'started', title: 'Started', width: 110 },
  ],
})

export const byKind = bars({
  title: 'Work by kind',
  description: 'Work orders that are not finished, by kind.',
  links: [toDashboard('dcsim-incidents')],
  unit: units.count,
  min: 0,
  empty: 'No work is open.',
  targets: [
    instantQuery(
      { text: `sort_desc(${compare(total('dcsim_work_orders', ['kind']), '>', 0).text})`, simple: true },
      '{{kind}}',
    ),
  ],
})

export const blocked = bars({
  title: 'Work blocked',
  description: 'Work orders that cannot go on, by what they lack.',
  unit: units.count,
  min: 0,
  steps: noneExpected,
  targets: [instantQuery(total('dcsim_work_orders_blocked', ['blocking']), '{{blocking}}')],
})

export const staff = lines({
  title: 'Staff on shift and open work',
  description: 'People on shift, and work orders that are not finished.',
  unit: units.count,
  min: 0,
  stepped: true,
  legend: 'list',
  colors: { 'On shift': colors.green, 'Work orders': colors.orange },
  targets: [
    rangeQuery(total('dcsim_staff_on_shift'), 'On shift'),
    rangeQuery(total('dcsim_work_orders_open'), 'Work orders'),
  ],
})
