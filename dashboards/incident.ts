import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { bandLevel, bandLevelTexts } from './house/bands.ts'
import { dashboard, row } from './house/layout.ts'
import { fromJsonRow } from './house/links.ts'
import { noneExpected, units } from './house/look.ts'
import { lines, stat, states } from './house/panels.ts'
import { wordTable } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { infinityNote } from './incidents.ts'
import { by, matchesVariable, gauge } from './promql.ts'
import { since } from './queries.ts'

const one = { incident: matchesVariable('incident') }
const query = 'incident=${incident}'
const gone = 'Nothing: choose an incident above.'

const figures = [
  stat({
    title: 'Lasts',
    description: 'Simulated time since it was opened.',
    unit: units.duration,
    empty: gone,
    calm: true,
    targets: [instantQuery(by('max', since(gauge('dcsim_incident_started_seconds', one))), '{{instance}}')],
  }),
  stat({
    title: 'At risk an hour',
    description: 'Revenue an hour that hangs on it.',
    unit: units.dollars,
    empty: gone,
    steps: noneExpected,
    targets: [
      rangeQuery(by('max', gauge('dcsim_incident_revenue_at_risk_hourly_dollars', one)), '{{instance}}'),
    ],
  }),
  stat({
    title: 'Customers affected',
    description: 'Customers that feel it.',
    unit: units.count,
    empty: gone,
    steps: noneExpected,
    targets: [rangeQuery(by('max', gauge('dcsim_incident_customers_affected', one)), '{{instance}}')],
  }),
  stat({
    title: 'Hosts concerned',
    description: 'Hosts that are part of it.',
    unit: units.count,
    empty: gone,
    targets: [rangeQuery(by('max', gauge('dcsim_incident_hosts_affected', one)), '{{instance}}')],
  }),
  stat({
    title: 'Cause confirmed',
    description: 'Whether diagnosis has found the cause.',
    unit: units.yesNo,
    empty: gone,
    calm: true,
    targets: [instantQuery(by('max', gauge('dcsim_incident_confirmed', one)), '{{instance}}')],
  }),
  stat({
    title: 'Redundancy broken',
    description: 'Whether something that was promised to be redundant is not.',
    unit: units.yesNo,
    empty: gone,
    steps: noneExpected,
    calm: true,
    targets: [
      instantQuery(by('max', gauge('dcsim_incident_redundancy_promise_broken', one)), '{{instance}}'),
    ],
  }),
]

const story = wordTable({
  title: 'In short',
  description: 'Symptom, cause, place, customers, cost and work, in words.',
  empty: gone,
  table: 'incident',
  query,
  columns: [
    { field: 'fact', title: 'Subject', width: 120 },
    { field: 'value', title: 'In words' },
  ],
})

const causes = wordTable({
  title: 'Suspected causes',
  description:
    'Most likely first. Evidence raises or lowers the confidence; diagnosis confirms or rules out.',
  empty: gone,
  table: 'causes',
  query,
  columns: [
    { field: 'cause', title: 'Cause' },
    { field: 'confidence_pct', title: 'Confidence', unit: units.percent, bar: true, barMax: 100, width: 160 },
    { field: 'state', title: 'State', width: 110 },
  ],
})

const evidence = wordTable({
  title: 'Evidence',
  description: 'What was observed, strongest first.',
  empty: gone,
  table: 'evidence',
  query,
  columns: [
    { field: 'observed', title: 'Observed' },
    { field: 'reading', title: 'Reading', width: 160 },
    { field: 'meaning', title: 'Meaning' },
  ],
})

const timeline = wordTable({
  title: 'Timeline',
  description: 'What happened to the incident, the latest first.',
  empty: gone,
  table: 'timeline',
  query,
  columns: [
    { field: 'when', title: 'When', width: 130 },
    { field: 'kind', title: 'Kind', width: 150 },
    { field: 'what', title: 'What' },
  ],
})

const work = wordTable({
  title: 'Work',
  description: 'Work orders for this incident, who does them, and what they wait for.',
  empty: 'No work order belongs to it.',
  table: 'work',
  query,
  columns: [
    { field: 'order_id', title: 'Order', width: 70 },
    { field: 'what', title: 'What' },
    { field: 'by', title: 'By', width: 100 },
    { field: 'state', title: 'State', width: 90 },
    { field: 'step', title: 'Step' },
    { field: 'progress_pct', title: 'Progress', unit: units.percent, bar: true, barMax: 100, width: 140 },
    { field: 'waits_for', title: 'Waits for', width: 150 },
  ],
})

const affectedCustomers = wordTable({
  title: 'Affected customers',
  description: 'After resolution: those at its worst.',
  empty: 'No customer is affected.',
  table: 'customers',
  query,
  columns: [
    {
      field: 'customer',
      title: 'Customer',
      links: [fromJsonRow('dcsim-customer', 'customer', 'customer_id')],
    },
    { field: 'plan', title: 'Plan', width: 80 },
    { field: 'customer_id', title: 'Id', hidden: true },
  ],
})

const affectedHosts = wordTable({
  title: 'Affected hosts',
  description: 'The first 50.',
  empty: 'No host is affected.',
  table: 'hosts',
  query,
  columns: [
    { field: 'host', title: 'Host', links: [fromJsonRow('dcsim-host', 'host', 'host_id')] },
    { field: 'state', title: 'State', width: 100 },
    { field: 'host_id', title: 'Id', hidden: true },
  ],
})

const gravity = states({
  title: 'Gravity',
  description: 'How grave it was at a time.',
  unit: units.count,
  mappings: bandLevelTexts,
  empty: gone,
  targets: [rangeQuery(by('max', bandLevel(one), ['incident']), 'Incident {{incident}}')],
})

const stakes = lines({
  title: 'What hangs on it',
  description: 'Revenue an hour at risk.',
  unit: units.dollars,
  min: 0,
  legend: 'none',
  empty: gone,
  targets: [
    rangeQuery(by('max', gauge('dcsim_incident_revenue_at_risk_hourly_dollars', one)), '{{instance}}'),
  ],
})

/** One incident: what it is, why we think so, what is done. */
export const incident = (): Dashboard =>
  dashboard({
    uid: 'dcsim-incident',
    description:
      'One incident: what was noticed, what is behind it and why we think so, what is done about it.',
    variables: ['incident'],
    infinity: true,
    sections: [
      {
        shelves: [
          row(4, ...figures.map((panel) => [4, panel] as const)),
          row(7, [14, story], [10, timeline]),
          row(7, [12, causes], [12, evidence]),
          row(6, [16, work], [4, affectedCustomers], [4, affectedHosts]),
        ],
      },
      {
        title: 'How it went',
        shelves: [row(7, [12, gravity], [12, stakes]), row(3, [24, infinityNote])],
      },
    ],
  })
