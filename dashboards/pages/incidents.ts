import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { by, calculate, compare, either, filter, inNumericOrder, isNot } from '../../promql/expressions.ts'
import type { Expr } from '../../promql/expressions.ts'
import { targetLabels } from '../../promql/metrics.ts'
import type { TargetLabel } from '../../promql/metrics.ts'
import { gauge, increaseOver, matchesVariable, perGameTime, quantile, gaugeSum } from '../queries/series.ts'
import { firingAlerts } from '../panels/alerts.ts'
import { bandLevel, bandLevelTexts, gravest } from '../style/bands.ts'
import { eventFeed } from '../panels/events.ts'
import { dashboard, row, tiles } from '../layout/layout.ts'
import { fromIncidentRow, fromSeries, toDashboard } from '../layout/links.ts'
import { bandColors, palette, noneExpected, severityColors, unit } from '../style/look.ts'
import { lines } from '../visualizations/lines.ts'
import { states } from '../visualizations/panels.ts'
import { stat } from '../visualizations/stat.ts'
import { momentWidth, wordTable } from '../visualizations/tables.ts'
import { instantQuery, rangeQuery, searched } from '../queries/targets.ts'
import { revenueAtRisk } from '../queries/shared.ts'
import { bandAndCost, hiddenGraphFrom } from '../panels/entity-incidents.ts'
import { activeIncidents } from '../panels/shared.ts'

const band = { band: matchesVariable('band') }
const incidentLink = [fromIncidentRow()]

const figures = [
  activeIncidents(band, { title: 'Active' }),
  stat({
    title: 'At risk an hour',
    links: [toDashboard('dcsim-business')],
    description: 'Revenue an hour that active incidents put at risk.',
    unit: unit.dollars,
    steps: noneExpected,
    targets: [instantQuery(revenueAtRisk, '{{instance}}')],
  }),
  stat({
    title: 'Cause not confirmed',
    description: 'Active incidents of which the cause is only suspected.',
    unit: unit.count,
    targets: [instantQuery(gaugeSum('dcsim_incidents_active', [], { root_kind: 'Unknown' }), '{{instance}}')],
  }),
  stat({
    title: 'Opened',
    description: 'In the time shown.',
    unit: unit.count,
    decimals: 0,
    targets: [instantQuery(by('sum', increaseOver('dcsim_incidents_opened_total')), '{{instance}}')],
  }),
  stat({
    title: 'Resolved',
    description: 'In the time shown.',
    unit: unit.count,
    decimals: 0,
    targets: [instantQuery(by('sum', increaseOver('dcsim_incidents_resolved_total')), '{{instance}}')],
  }),
]

const active = wordTable({
  title: 'What is wrong',
  tinted: true,
  description: 'Symptom, presumed cause with its confidence, and the work that is under way.',
  empty: 'Nothing is wrong.',
  table: 'incidents',
  query: 'state=active',
  lines: 3,
  columns: [
    ...bandAndCost,
    { field: 'symptom', title: 'Symptom', links: incidentLink },
    { field: 'cause_kind', title: 'Most likely cause', width: 130, wraps: true },
    { field: 'confidence_pct', title: 'Sure', width: 58, unit: unit.percent },
    { field: 'work', title: 'Assigned work', width: 370, wraps: true },
    { field: 'incident_id', title: 'Id', hidden: true },
    hiddenGraphFrom,
  ],
})

const earlier = wordTable({
  title: 'Incidents of the time shown',
  description:
    'Incidents that were open in it and have the words of the search box, the active ones first. The archive keeps them.',
  empty: 'No such incident was open in the time shown.',
  table: 'incidents',
  query: `limit=50&${searched}`,
  tinted: true,
  lines: 3,
  columns: [
    ...bandAndCost,
    { field: 'symptom', title: 'Symptom', links: incidentLink },
    { field: 'cause_kind', title: 'Cause', width: 130, wraps: true },
    { field: 'hit', title: 'Who was hit', width: 144, wraps: true },
    { field: 'opened', title: 'Opened', width: momentWidth },
    { field: 'resolved', title: 'Resolved', width: momentWidth },
    { field: 'incident_id', title: 'Id', hidden: true },
    hiddenGraphFrom,
  ],
})

/** More incidents could not be distinguished. */
const latest: Expr<'incident' | TargetLabel> = {
  text: `topk(15, max by (${targetLabels.join(', ')}, incident) (last_over_time(${gauge('dcsim_incident_started_sim_timestamp_seconds', band).text}[$__range] @ end())))`,
  simple: true,
}

const timeline = states({
  title: 'Incidents over time',
  description:
    'The gravest at each moment, and the latest 15, each as long as it was active, by its gravity at the time.',
  unit: unit.count,
  mappings: bandLevelTexts,
  links: [fromSeries('dcsim-incident', 'incident', 'incident')],
  targets: [
    rangeQuery(gravest(band), 'Gravest'),
    rangeQuery(
      inNumericOrder(
        filter(by('max', bandLevel(band), ['incident', 'symptom']), 'and', latest, ['incident']),
        'incident',
      ),
      '{{incident}} {{symptom}}',
    ),
  ],
})

const flow = lines({
  title: 'Opened',
  description: 'Incidents an hour of simulated time.',
  unit: unit.count,
  min: 0,
  legend: 'list',
  colors: { Opened: palette.vermilion, Resolved: palette.green },
  targets: [
    rangeQuery(perGameTime('dcsim_incidents_opened_total'), 'Opened'),
    rangeQuery(perGameTime('dcsim_incidents_resolved_total'), 'Resolved'),
  ],
})

const toResolve = lines({
  title: 'Time to resolve',
  description: 'Median simulated time from opening to resolution of the latest incidents, by highest band.',
  unit: unit.hours,
  min: 0,
  colors: bandColors,
  empty: 'Nothing was resolved in the time shown.',
  targets: [
    rangeQuery(
      calculate(quantile(0.5, 'dcsim_incidents_time_to_resolve_seconds', ['band'], '$__range'), '/', 3600),
      '{{band}}',
    ),
  ],
})

const causes = lines({
  title: 'Active by cause',
  description: 'What is behind active incidents. Unknown until a cause is confirmed.',
  unit: unit.count,
  min: 0,
  stacked: true,
  stepped: true,
  targets: [
    rangeQuery(compare(gaugeSum('dcsim_incidents_active', ['root_kind'], band), '>', 0), '{{root_kind}}'),
  ],
  empty: 'No incident is active.',
})

const eventRate = lines({
  title: 'Events',
  description: 'Events an hour of simulated time.',
  unit: unit.count,
  min: 0,
  stacked: true,
  legend: 'list',
  colors: severityColors,
  targets: [rangeQuery(perGameTime('dcsim_events_total', ['severity']), '{{severity}}')],
})

const unattended = stat({
  title: 'Customers hit',
  links: [toDashboard('dcsim-customers')],
  description: 'By the incident that affects most.',
  unit: unit.count,
  steps: noneExpected,
  targets: [
    instantQuery(
      either(
        by('max', gauge('dcsim_incident_customers_affected', band)),
        calculate(by('max', gauge('dcsim_sim_info')), '*', 0),
      ),
      '{{instance}}',
    ),
  ],
})

/** Active incidents with cause and work, and those of the time shown. */
export const incidentsPage = (): Dashboard =>
  dashboard({
    uid: 'dcsim-incidents',
    description:
      'What is wrong, why, how sure we are, who works on it, what is at stake, and what was wrong before.',
    variables: ['band'],
    infinity: true,
    refresh: '10s',
    search: true,
    sections: [
      {
        rows: [
          row(9, [24, active]),
          ...tiles([...figures, unattended]),
          row(
            9,
            [12, timeline],
            [
              12,
              firingAlerts({
                where: { incident: isNot('') },
                empty: 'No alert about an incident fires.',
              }),
            ],
          ),
        ],
      },
      {
        title: 'Opened and resolved',
        rows: [row(8, [6, flow], [6, toResolve], [6, causes], [6, eventRate])],
      },
      {
        title: 'In the time shown',
        rows: [row(10, [24, earlier]), row(7, [24, eventFeed({ range: searched })])],
      },
    ],
  })
