import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { incidentPanel } from '../panels/drawings/pictures.ts'
import { atEnd, by, calculate, isNot, share } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import { gauge, highest, hostNamed, largestOver, lowest, matchesVariable } from '../queries/series.ts'
import { firingAlerts } from '../panels/alerts.ts'
import { bandLevelTexts, gravest } from '../style/bands.ts'
import { dashboard, row } from '../layout/layout.ts'
import { fromJsonRow } from '../layout/links.ts'
import { palette, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { states } from '../visualizations/panels.ts'
import { texts } from '../style/states.ts'
import { customerWidth, momentWidth, wordTable } from '../visualizations/tables.ts'
import { rangeQuery } from '../queries/targets.ts'
import { customerNamed } from '../queries/shared.ts'

const one = { incident: matchesVariable('incident') }
const itsHosts = { host: matchesVariable('incident_hosts') }
const itsCustomers = { customer: matchesVariable('incident_customers') }
const query = 'incident=${incident}'

const story = wordTable({
  title: 'Incident ${incident:raw}',
  description: 'Symptom, cause, place, customers, cost, work and the next step, in words.',
  empty: 'No such incident: none is chosen, or the archive no longer keeps it. Graphs remain below.',
  table: 'incident',
  query,
  tinted: true,
  untitled: true,
  lines: 'any',
  columns: [
    { field: 'fact', title: 'Subject', width: 96 },
    { field: 'value', title: 'In words' },
  ],
})

const timeline = wordTable({
  title: 'Timeline',
  description: 'What happened to the incident, the latest first. Times are simulated.',
  empty: 'No such incident.',
  table: 'timeline',
  query,
  lines: 5,
  numbered: true,
  columns: [
    { field: 'what', title: 'What' },
    { field: 'when', title: 'When', width: momentWidth },
  ],
})

const causeStates = texts({
  confirmed: ['confirmed', palette.green],
  possible: ['possible', palette.orange],
  'ruled out': ['ruled out', palette.gray],
})

const causes = wordTable({
  title: 'Suspected causes',
  description:
    'Most likely first. Evidence raises or lowers the confidence; diagnosis confirms or rules out.',
  empty: 'No such incident.',
  table: 'causes',
  query,
  lines: 2,
  columns: [
    { field: 'confidence_pct', title: 'Confidence', unit: unit.percent, width: 86, evens: true },
    { field: 'cause', title: 'Cause' },
    { field: 'state', title: 'State', width: 82, mappings: causeStates },
  ],
})

const evidence = wordTable({
  title: 'Evidence',
  description: 'What was observed, strongest first.',
  empty: 'No such incident.',
  table: 'evidence',
  query,
  lines: 2,
  numbered: true,
  columns: [
    { field: 'observed', title: 'Observed' },
    { field: 'reading', title: 'Reading', width: 172, wraps: true },
  ],
})

const work = wordTable({
  title: 'Work',
  description: 'Work orders for this incident, step by step.',
  empty: 'No work order belongs to it.',
  table: 'work-steps',
  query,
  lines: 3,
  numbered: true,
  columns: [
    { field: 'work', title: 'Order' },
    { field: 'what', title: 'What is done' },
    {
      field: 'state',
      title: 'State',
      width: 86,
      mappings: texts({
        done: ['done', palette.green],
        'called off': ['called off', palette.gray],
        'under way': ['under way', palette.sky],
        'to do': ['to do', palette.gray],
      }),
    },
    { field: 'estimate', title: 'Estimate', width: 72 },
    { field: 'took', title: 'Took', width: 86 },
  ],
})

const affectedCustomers = wordTable({
  title: 'Who is hit',
  description: 'Affected customers, with how they are doing now. After resolution: those at its worst.',
  empty: 'No customer is affected.',
  table: 'customers',
  query,
  tinted: true,
  columns: [
    {
      field: 'customer',
      title: 'Customer',
      width: customerWidth,
      links: [fromJsonRow('dcsim-customer', 'customer', 'customer_id')],
    },
    { field: 'state', title: 'State' },
    {
      field: 'revenue_dollars_per_hour',
      title: '$/h',
      unit: unit.dollars,
      decimals: 0,
      width: 56,
    },
    { field: 'customer_id', title: 'Id', hidden: true },
  ],
})

const affectedHosts = wordTable({
  title: 'Affected hosts',
  description: 'The first 50.',
  empty: 'No host is affected.',
  table: 'hosts',
  query,
  tinted: true,
  columns: [
    { field: 'host', title: 'Host', links: [fromJsonRow('dcsim-host', 'host', 'host_id')] },
    { field: 'rack', title: 'Rack', width: 80 },
    { field: 'state', title: 'State' },
    { field: 'host_id', title: 'Id', hidden: true },
  ],
})

/** The entities of a kind that the incident concerned at any time in the displayed range. */
function involved<L extends string>(series: Expr<L>, key: 'host' | 'customer'): Expr<L> {
  const concerned = largestOver('dcsim_incident_scope_info', '$__range', { ...one, [key]: isNot('') })
  const scope = concerned.text.replace(/\)$/, ' @ end())')
  const labels = [...targetLabels, key].join(', ')
  return { text: `(${series.text}) and on (${labels}) (${scope})`, simple: false }
}

const hostCpu = share(
  involved(gauge('dcsim_host_cpu_used_vcpus', itsHosts), 'host'),
  involved(atEnd(gauge('dcsim_host_cpu_physical_vcpus', itsHosts)), 'host'),
)
const failedOfThose = share(
  calculate(
    by('max', involved(gauge('dcsim_customer_failed_requests_last_hour', itsCustomers), 'customer'), [
      'customer',
    ]),
    '/',
    3600,
  ),
  by('max', involved(gauge('dcsim_customer_requests_per_second', itsCustomers), 'customer'), ['customer']),
)
const noDevice = 'No host is part of it.'
const noCustomer = 'No customer is affected.'

const band = states({
  title: 'Band',
  description: 'Its band at each moment.',
  unit: unit.count,
  mappings: bandLevelTexts,
  empty: 'Nothing was scraped in the time shown.',
  targets: [rangeQuery(gravest(one), 'Band')],
})

const stakes = lines({
  title: 'Revenue at risk',
  description: 'Revenue an hour at risk.',
  unit: unit.dollars,
  min: 0,
  legend: 'none',
  empty: 'It was not active in the time shown: look further back.',
  targets: [
    rangeQuery(by('max', gauge('dcsim_incident_revenue_at_risk_dollars_per_hour', one)), '{{instance}}'),
  ],
})

/** More lines could not be distinguished. */
const shownMax = 8

const reach = lines({
  title: 'Customers and hosts hit',
  description: 'Customers and hosts that it affected at each moment.',
  unit: unit.count,
  min: 0,
  stepped: true,
  legend: 'list',
  empty: 'It was not active in the time shown: look further back.',
  colors: { Customers: palette.orange, Hosts: palette.blue },
  targets: [
    rangeQuery(by('max', gauge('dcsim_incident_customers_affected', one)), 'Customers'),
    rangeQuery(by('max', gauge('dcsim_incident_hosts_affected', one)), 'Hosts'),
  ],
})

const hosts = lines({
  title: 'CPU of its hosts',
  description: 'CPU used by the eight busiest hosts of the incident, before, during and after.',
  unit: unit.share,
  min: 0,
  legend: 'list',
  empty: noDevice,
  targets: [rangeQuery(hostNamed(highest(shownMax, hostCpu, ['host']), itsHosts), '{{name}}')],
})

const failing = lines({
  title: 'Failing requests',
  description:
    'Failed requests of the last simulated hour, of all: the eight customers that it hits hardest.',
  unit: unit.share,
  min: 0,
  legend: 'list',
  empty: noCustomer,
  targets: [
    rangeQuery(customerNamed(highest(shownMax, failedOfThose, ['customer']), itsCustomers), '{{name}}'),
  ],
})

const satisfaction = lines({
  title: 'Satisfaction',
  description: 'From furious to delighted: the eight least satisfied.',
  unit: unit.share,
  min: 0,
  max: 1,
  legend: 'list',
  empty: noCustomer,
  targets: [
    rangeQuery(
      customerNamed(
        lowest(shownMax, involved(gauge('dcsim_customer_satisfaction_ratio', itsCustomers), 'customer'), [
          'customer',
        ]),
        itsCustomers,
      ),
      '{{name}}',
    ),
  ],
})

/** One incident: state, diagnosis, work. */
export const incidentPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-incident',
    description: 'One incident as a story: what, where, why, who is hit, what it costs, what is being done.',
    variables: ['incident', 'incident_hosts', 'incident_customers'],
    infinity: true,
    sections: [
      {
        rows: [row(16, [11, story], [13, timeline]), row(8, [12, causes], [12, evidence])],
      },
      {
        title: 'Where it is, who is hit, and the work',
        rows: [
          row(
            18,
            [12, incidentPanel],
            [
              12,
              [
                [10, affectedCustomers],
                [8, affectedHosts],
              ],
            ],
          ),
          row(9, [24, work]),
        ],
      },
      {
        title: 'Before, during and after',
        rows: [
          row(5, [12, band], [12, stakes]),
          row(8, [8, hosts], [8, failing], [8, satisfaction]),
          row(
            7,
            [8, reach],
            [16, firingAlerts({ title: 'Alerts about it', where: one, empty: 'No alert about it fires.' })],
          ),
        ],
      },
    ],
  })
