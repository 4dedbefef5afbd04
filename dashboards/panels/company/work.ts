import { toDashboard } from '../../layout/links.ts'
import { palette, noneExpected, unit } from '../../style/look.ts'
import { lines } from '../../visualizations/lines.ts'
import { table, wordTable } from '../../visualizations/tables.ts'
import { rangeQuery } from '../../queries/targets.ts'
import { compare } from '../../../promql/expressions.ts'
import { gaugeSum } from '../../queries/series.ts'

/** Work orders, staff and parts. */

export const workOrders = wordTable({
  title: 'Work orders',
  description: 'What is being done, by whom, and what it waits for. Times are simulated.',
  empty: 'Nothing is to be done.',
  table: 'work',
  query: 'state=waiting,under%20way,ordered&limit=40',
  tinted: true,
  lines: 4,
  numbered: true,
  columns: [
    { field: 'what', title: 'What' },
    { field: 'state', title: 'State', width: 86 },
    { field: 'by', title: 'By', width: 90, wraps: true },
    { field: 'step', title: 'Step' },
    {
      field: 'progress_pct',
      title: 'Progress',
      unit: unit.percent,
      bar: true,
      barMax: 100,
      decimals: 0,
      width: 84,
    },
    { field: 'waits_for', title: 'Waits for', width: 110, wraps: true },
    { field: 'started', title: 'Started', width: 96, wraps: true },
  ],
})

export const byKind = table({
  title: 'Work by kind',
  description: 'Work orders that are not finished, by kind.',
  empty: 'No work is open.',
  labels: [{ label: 'kind', title: 'Kind', links: [toDashboard('dcsim-incidents')] }],
  values: [
    {
      expr: compare(gaugeSum('dcsim_work_orders', ['kind']), '>', 0),
      title: 'Orders',
      unit: unit.number,
      width: 70,
    },
  ],
  sortBy: 'Orders',
})

export const blockedWork = table({
  title: 'Work blocked',
  description: 'Work orders that cannot go on, by what they lack.',
  empty: 'No work is blocked.',
  labels: [{ label: 'blocking', title: 'What it lacks' }],
  values: [
    {
      expr: compare(gaugeSum('dcsim_work_orders_blocked', ['blocking']), '>', 0),
      title: 'Orders',
      unit: unit.number,
      width: 70,
      steps: noneExpected,
    },
  ],
  sortBy: 'Orders',
})

export const staff = lines({
  title: 'Staff on shift and open work',
  description: 'People on shift, and work orders that are not finished.',
  unit: unit.count,
  min: 0,
  stepped: true,
  legend: 'list',
  colors: { 'On shift': palette.green, 'Work orders': palette.orange },
  targets: [
    rangeQuery(gaugeSum('dcsim_staff_on_shift'), 'On shift'),
    rangeQuery(gaugeSum('dcsim_work_orders_open'), 'Work orders'),
  ],
})
