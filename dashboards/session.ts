import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { thresholds } from '../alerts/thresholds.ts'
import { questMessages } from '../src/contract/messages/quests.ts'
import { dashboard, row } from './house/layout.ts'
import { fromRow, toDashboard } from './house/links.ts'
import { colours, noneExpected, risingSteps, units } from './house/look.ts'
import { bars, lines, note, stat } from './house/panels.ts'
import { bandTexts, pausedTexts, titlesOf } from './house/states.ts'
import { table } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { bytesToBits, by, gauge, share, total } from './promql.ts'
import {
  facilityCostHourly,
  failedShare,
  failing,
  failuresOfAllowance,
  incidentsByBand,
  revenueAtRisk,
  revenueHourly,
  since,
  wanCapacity,
  wanIn,
  wanOut,
} from './queries.ts'
import {
  activeIncidents,
  hostsOnline,
  incidentsOverTime,
  marginNow,
  promisesBroken,
  revenueNow,
  satisfactionNow,
  snapshotAge,
} from './shared-panels.ts'
import { linkSteps } from './threshold-steps.ts'

const incidents = activeIncidents(incidentsByBand, { links: [toDashboard('dcsim-incidents')] })

const atRisk = stat({
  title: 'Revenue at risk',
  description: 'Revenue an hour that hangs on active incidents, of all revenue an hour.',
  unit: units.share,
  decimals: 1,
  steps: risingSteps(0.001, thresholds.revenueAtRiskShare),
  targets: [rangeQuery(share(revenueAtRisk, revenueHourly), '{{instance}}')],
  links: [toDashboard('dcsim-incidents')],
})

const money = revenueNow({ links: [toDashboard('dcsim-business')] })
const marginStat = marginNow({ links: [toDashboard('dcsim-business')] })
const satisfaction = satisfactionNow({}, { links: [toDashboard('dcsim-customers')] })

const clock = stat({
  title: 'Game clock',
  description: 'Simulated time since the world began: days, then hours, minutes, seconds.',
  unit: units.gameClock,
  targets: [instantQuery(gauge('dcsim_sim_time_seconds'), '{{instance}}')],
  calm: true,
})

const broken = promisesBroken(
  'SLAs broken',
  'Customers with more failed requests in their SLA period than their plan allows.',
  failuresOfAllowance,
  { links: [toDashboard('dcsim-customers')] },
)

const failed = stat({
  title: 'Failing requests',
  description: 'Failed requests of the last simulated hour, of all requests at the present rate.',
  unit: units.share,
  decimals: 3,
  steps: risingSteps(0.001, 0.01),
  targets: [rangeQuery(failedShare, '{{instance}}')],
  links: [toDashboard('dcsim-customers')],
})

const wan = stat({
  title: 'WAN load',
  description: 'Traffic out of all zones, of what their WAN links carry. Replies are the larger part.',
  unit: units.share,
  decimals: 0,
  steps: linkSteps,
  targets: [rangeQuery(share(wanOut, wanCapacity), '{{instance}}')],
  links: [toDashboard('dcsim-network')],
})

const hosts = hostsOnline(total('dcsim_hosts_online'), total('dcsim_hosts'), {
  links: [toDashboard('dcsim-compute')],
})

const running = stat({
  title: 'World',
  description: 'Whether simulated time goes on.',
  unit: units.count,
  mappings: pausedTexts,
  steps: [{ value: null, color: colours.grey }],
  targets: [instantQuery(gauge('dcsim_sim_paused'), '{{instance}}')],
  links: [toDashboard('dcsim-mirror')],
  calm: true,
})

const freshness = snapshotAge({ title: 'Mirror age', links: [toDashboard('dcsim-mirror')] })

const moneyOverTime = lines({
  title: 'Money an hour',
  description:
    'Revenue of the last simulated hour, what zones cost an hour, and revenue that hangs on incidents.',
  unit: units.dollars,
  targets: [
    rangeQuery(revenueHourly, 'Revenue'),
    rangeQuery(facilityCostHourly, 'Cost of zones'),
    rangeQuery(revenueAtRisk, 'At risk'),
  ],
  colours: { Revenue: colours.green, 'Cost of zones': colours.grey, 'At risk': colours.vermilion },
  legend: 'list',
  min: 0,
})

const trafficOverTime = lines({
  title: 'Traffic against capacity',
  description:
    'What goes out to users, what comes in from them, and what the WAN links that are up could carry.',
  unit: units.traffic,
  targets: [
    rangeQuery(bytesToBits(wanOut), 'Out'),
    rangeQuery(bytesToBits(wanIn), 'In'),
    rangeQuery(bytesToBits(wanCapacity), 'Capacity'),
  ],
  colours: { Out: colours.blue, In: colours.sky, Capacity: colours.grey },
  legend: 'list',
  min: 0,
})

const whatFails = bars({
  title: 'What fails',
  description: 'How many things of each kind do not work now.',
  unit: units.count,
  steps: noneExpected,
  min: 0,
  targets: Object.entries(failing).map(([name, expr]) => instantQuery(expr, name)),
})

const worst = table({
  title: 'Incidents by revenue at risk',
  description:
    'What is wrong now, what hangs on it, and for how long in simulated time. The text is in Incident.',
  empty: 'All is well: no active incident.',
  labels: [
    {
      label: 'incident',
      title: 'Incident',
      width: 80,
      links: [fromRow('dcsim-incident', 'incident', 'incident')],
    },
    { label: 'band', title: 'Band', width: 80, mappings: bandTexts },
    { label: 'symptom_kind', title: 'Symptom' },
    { label: 'root_kind', title: 'Cause' },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_incident_info'), ['incident', 'band', 'symptom_kind', 'root_kind']),
      title: 'Active',
      hidden: true,
    },
    {
      expr: by('max', gauge('dcsim_incident_revenue_at_risk_hourly_dollars'), [
        'incident',
        'band',
        'root_kind',
      ]),
      title: 'At risk an hour',
      unit: units.dollars,
      decimals: 0,
    },
    {
      expr: by('max', gauge('dcsim_incident_customers_affected'), ['incident', 'band', 'root_kind']),
      title: 'Customers',
    },
    {
      expr: by('max', since(gauge('dcsim_incident_started_seconds')), ['incident', 'band', 'root_kind']),
      title: 'Lasts',
      unit: units.duration,
    },
  ],
  sortBy: 'At risk an hour',
})

const quest = table({
  title: 'Next quest',
  description: 'The goal to go for now, and what reaching it brings.',
  empty: 'No quest is left: all are done.',
  labels: [
    { label: 'title', title: 'Goal', mappings: titlesOf(questMessages) },
    { label: 'reward', title: 'Reward' },
  ],
  values: [
    {
      expr: by('max', gauge('dcsim_quest_info', { state: 'Next' }), ['title', 'reward']),
      title: 'Next',
      hidden: true,
    },
  ],
  sortBy: 'Goal',
})

const guide = note(
  'Where to look next',
  [
    '**Something is wrong?** *Incidents* says what, why and who works on it.',
    '**Customers unhappy?** *Customers and SLA* ranks them.',
    '**Slow or full?** *Network* and *Compute* show what is near its limit.',
    'All dashboards are in the menu above; numbers and bars open the one that tells more.',
  ].join('\n\n'),
)

/** How is it going right now, in one screen. */
export const session = (): Dashboard =>
  dashboard({
    uid: 'dcsim-session',
    description: 'How is it going right now: trouble, money, promises, traffic, the clock. Begin here.',
    sections: [
      {
        shelves: [
          row(4, [8, incidents], [4, atRisk], [3, money], [3, marginStat], [3, satisfaction], [3, clock]),
          row(4, [4, broken], [4, failed], [4, wan], [4, hosts], [4, running], [4, freshness]),
          row(7, [8, incidentsOverTime(incidentsByBand)], [8, moneyOverTime], [8, trafficOverTime]),
          row(9, [12, worst], [5, whatFails], [7, quest]),
          row(5, [24, guide]),
        ],
      },
    ],
  })
