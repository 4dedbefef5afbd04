import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, isNot } from '../../promql/expressions.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromLeadingRow, toDashboard } from '../layout/links.ts'
import { bandAndCost, hiddenGraphFrom } from '../panels/entity-incidents.ts'
import {
  facilityCostHourly,
  failedShare,
  revenueAtRisk,
  revenueHourly,
  wanCapacity,
  wanIn,
  wanOut,
} from '../queries/shared.ts'
import { activeIncidents } from '../panels/shared.ts'
import { failedRequestsSteps, satisfactionSteps } from '../style/threshold-steps.ts'
import { firingAlerts } from '../panels/alerts.ts'
import { daysTable } from '../panels/days.ts'
import { floorPanel } from '../panels/drawings/pictures.ts'
import { eventFeed } from '../panels/events.ts'
import { bytesToBits, gauge } from '../queries/series.ts'
import { instantQuery, rangeQuery } from '../queries/targets.ts'
import { palette, noneExpected, quiet, unit } from '../style/look.ts'
import { texts } from '../style/states.ts'
import { lines } from '../visualizations/lines.ts'
import { stat } from '../visualizations/stat.ts'
import { wordTable } from '../visualizations/tables.ts'

const toIncidents = [toDashboard('dcsim-incidents')]
const toCustomers = [toDashboard('dcsim-customers')]

const verdict = wordTable({
  title: 'Is all well?',
  description:
    'Incidents, revenue at risk, and promises to customers, in the color of the worst of them; and what to do first.',
  empty: 'No answer from the mirror.',
  table: 'world',
  tinted: true,
  untitled: true,
  lines: 'any',
  columns: [
    { field: 'state', title: 'State', width: 290, wraps: true, links: toIncidents },
    { field: 'next', title: 'What to do' },
  ],
})

const incidents = activeIncidents({}, { links: toIncidents })

const atRisk = stat({
  title: 'At risk / h',
  description:
    'Revenue an hour that active incidents put at risk, as of the last scrape, as are all figures of this row: the floor and the table may be a few seconds ahead.',
  unit: unit.dollars,
  decimals: 0,
  steps: noneExpected,
  targets: [instantQuery(revenueAtRisk, '{{instance}}')],
  links: toIncidents,
})

const failed = stat({
  title: 'Failing (1 h)',
  description: 'Requests that fail: of the last simulated hour, of all requests at the present rate.',
  unit: unit.share,
  decimals: 2,
  steps: [{ value: null, color: quiet }, ...failedRequestsSteps.slice(1)],
  targets: [instantQuery(failedShare, '{{instance}}')],
  links: toCustomers,
})

const satisfaction = stat({
  title: 'Satisfaction',
  description: 'Mean over customers, from furious to delighted.',
  unit: unit.share,
  decimals: 0,
  min: 0,
  max: 1,
  steps: satisfactionSteps,
  targets: [instantQuery(by('avg', gauge('dcsim_customer_satisfaction_ratio')), '{{instance}}')],
  links: toCustomers,
})

const problems = wordTable({
  title: 'What is wrong, and what it costs',
  description:
    'Active incidents, the gravest first, alike ones of a zone in one row: what it costs an hour, what was noticed, how many customers are hit. As of the moment in the corner of the floor. The suspected cause stands in “What to do next”.',
  empty: 'Nothing is wrong.',
  table: 'incident-groups',
  query: 'limit=20',
  lines: 3,
  columns: [
    ...bandAndCost,
    { field: 'what', title: 'What was noticed', links: [fromLeadingRow()] },
    { field: 'customers', title: 'Hit', unit: unit.number, width: 50 },
    { field: 'leads_to', title: 'Leads to', hidden: true },
    { field: 'incident_id', title: 'Id', hidden: true },
    hiddenGraphFrom,
  ],
})

const money = lines({
  title: 'Money an hour',
  description: 'Revenue of the last simulated hour, what zones cost an hour, and revenue at risk.',
  unit: unit.dollars,
  targets: [
    rangeQuery(revenueHourly, 'Revenue'),
    rangeQuery(facilityCostHourly, 'Cost'),
    rangeQuery(revenueAtRisk, 'At risk'),
  ],
  colors: { Revenue: palette.green, Cost: palette.gray, 'At risk': palette.vermilion },
  legend: 'list',
  min: 0,
  links: [toDashboard('dcsim-business')],
})

const load = lines({
  title: 'Network load',
  description: 'Traffic to users and from them, and what the WAN links that are up could carry.',
  unit: unit.traffic,
  targets: [
    rangeQuery(bytesToBits(wanOut), 'To users'),
    rangeQuery(bytesToBits(wanIn), 'From users'),
    rangeQuery(bytesToBits(wanCapacity), 'Capacity'),
  ],
  colors: { 'To users': palette.blue, 'From users': palette.sky, Capacity: palette.gray },
  legend: 'list',
  min: 0,
  links: [toDashboard('dcsim-network')],
})

const sinceAway = daysTable({
  title: 'Since you were away',
  description: 'The simulated days of the time shown, the latest first, each with its gravest incident.',
  columns: ['day', 'worst'],
  untitled: true,
  links: [toDashboard('dcsim-chronicle')],
})

const urgency = texts({
  0: ['★', palette.green],
  1: ['☺', palette.sky],
  2: ['⚒', palette.orange],
  3: ['⚠', palette.vermilion],
  4: ['⚠', palette.vermilion],
})

const tasks = wordTable({
  title: 'What to do next',
  description:
    'Incidents, work that waits, prospects and the next quest, the most urgent first: ⚠ at once, ⚒ soon, ☺ and ★ when there is time.',
  empty: 'Nothing waits.',
  table: 'tasks',
  untitled: true,
  query: 'limit=20',
  tinted: true,
  lines: 3,
  columns: [
    { field: 'severity', title: 'Urgency', width: 50, mappings: urgency, evens: true },
    { field: 'task', title: 'What waits', width: 264, wraps: true, links: [fromLeadingRow()] },
    { field: 'advice', title: 'Advice' },
    { field: 'leads_to', title: 'Leads to', hidden: true },
    { field: 'incident_id', title: 'Id', hidden: true },
    hiddenGraphFrom,
  ],
})

/** Alerts about incidents fire on for minutes after them: beside a verdict that is fine again they would puzzle. */
const otherAlerts = firingAlerts({
  title: 'Other firing alerts',
  grouped: true,
  where: { category: isNot('incidents') },
  note: 'Those about incidents are left out: incidents themselves are above. ',
})

/** The session on one screen: state, problems, next steps, recent history. */
export const sessionPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-session',
    description:
      'Is all well? What is wrong and what does it cost, what to do next, how did the last hour go.',
    infinity: true,
    refresh: '10s',
    sections: [
      {
        rows: [
          row(4, [24, verdict]),
          row(9, [12, floorPanel], [12, problems]),
          ...tiles([incidents, atRisk, failed, satisfaction]),
          row(8, [24, tasks]),
        ],
      },
      {
        title: 'How the last hour went',
        rows: [
          row(7, [12, money], [12, load]),
          row(6, [24, sinceAway]),
          row(7, [24, eventFeed({ untitled: true })]),
        ],
      },
      { title: 'Alerts', rows: [row(5, [24, otherAlerts])] },
    ],
  })
