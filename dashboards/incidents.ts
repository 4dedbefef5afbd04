import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { bandLevel, bandLevelTexts } from './house/bands.ts'
import { dashboard, row } from './house/layout.ts'
import { fromJsonRow, fromSeries } from './house/links.ts'
import { bandColours, colours, noneExpected, severityColours, units } from './house/look.ts'
import { lines, note, stat, states } from './house/panels.ts'
import { bandTexts, severityTexts } from './house/states.ts'
import { jsonTable } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { messageTemplateQuery, secondsBetween, secondsSince } from './house/mappings.ts'
import { by, matchesVariable, compare, gauge, increaseOver, perGameTime, quantile, total } from './promql.ts'
import { revenueAtRisk } from './queries.ts'
import { activeIncidents } from './shared-panels.ts'

const band = { band: matchesVariable('band') }
const incidentLink = [fromJsonRow('dcsim-incident', 'incident', 'id')]

const figures = [
  activeIncidents(total('dcsim_incidents_active', ['band'], band), { title: 'Active' }),
  stat({
    title: 'Revenue at risk an hour',
    description: 'Revenue an hour that hangs on active incidents.',
    unit: units.dollars,
    steps: noneExpected,
    targets: [rangeQuery(revenueAtRisk, '{{instance}}')],
  }),
  stat({
    title: 'Cause not confirmed',
    description: 'Active incidents of which nobody knows the cause for sure.',
    unit: units.count,
    steps: noneExpected,
    targets: [rangeQuery(total('dcsim_incidents_active', [], { root_kind: 'Unknown' }), '{{instance}}')],
  }),
  stat({
    title: 'Opened',
    description: 'In the time shown.',
    unit: units.count,
    decimals: 0,
    calm: true,
    targets: [instantQuery(by('sum', increaseOver('dcsim_incidents_opened_total', band)), '{{instance}}')],
  }),
  stat({
    title: 'Resolved',
    description: 'In the time shown.',
    unit: units.count,
    decimals: 0,
    calm: true,
    targets: [instantQuery(by('sum', increaseOver('dcsim_incidents_resolved_total', band)), '{{instance}}')],
  }),
]

const active = jsonTable({
  title: 'Active incidents',
  description: 'What was noticed, what is behind it, how sure we are and why, and what is done about it.',
  empty: 'All is well: no active incident. (Or there is no Infinity data source.)',
  query: {
    url: '/api/v1/incidents?limit=1000',
    root: messageTemplateQuery(
      'cause.',
      `items.{
        "id": id, "band": band,
        "symptom": timeline[0].detail,
        "cause": $count(causes) > 0 ? $say(causes[0].msg_key, causes[0].msg_args) : "not known yet",
        "confidence": $count(causes) > 0 ? causes[0].confidence / 100 : 0,
        "evidence": $count(evidence) > 0 ? evidence[0].label_plain & ": " & evidence[0].value_plain : "none yet",
        "work": $count(timeline[kind = "WorkStarted"]) > 0 ? timeline[kind = "WorkStarted"][-1].detail : "nobody",
        "risk": revenue_at_risk_per_hour_dollars,
        "customers": $count(affected_customer_ids),
        "lasts": ${secondsSince('started_at_ns')}
      }`,
    ),
  },
  columns: [
    { field: 'id', title: 'Incident', type: 'string', width: 80, links: incidentLink },
    { field: 'band', title: 'Band', type: 'string', width: 80, mappings: bandTexts },
    { field: 'symptom', title: 'What was noticed', type: 'string' },
    { field: 'cause', title: 'Most likely cause', type: 'string' },
    { field: 'confidence', title: 'Sure', type: 'number', width: 80, unit: units.share },
    { field: 'evidence', title: 'Strongest evidence', type: 'string' },
    { field: 'work', title: 'Who does what', type: 'string' },
    { field: 'risk', title: 'At risk an hour', type: 'number', unit: units.dollars, width: 110 },
    { field: 'customers', title: 'Customers', type: 'number', unit: units.count, width: 90 },
    { field: 'lasts', title: 'Lasts', type: 'number', unit: units.duration, width: 110 },
  ],
  sortBy: 'At risk an hour',
})

const resolved = jsonTable({
  title: 'Resolved incidents',
  description: 'Those of the last simulated day, the latest first.',
  empty: 'Nothing was resolved lately. (Or there is no Infinity data source.)',
  query: {
    url: '/api/v1/incidents/resolved?limit=1000',
    root: messageTemplateQuery(
      'cause.',
      `items.{
        "id": id, "band": band,
        "symptom": timeline[0].detail,
        "cause": $say(root_msg_key, root_msg_args),
        "risk": revenue_at_risk_per_hour_dollars,
        "customers": $count(affected_customer_ids),
        "took": ${secondsBetween('started_at_ns', 'resolved_at_ns')},
        "ago": ${secondsSince('resolved_at_ns')}
      }`,
    ),
  },
  columns: [
    { field: 'id', title: 'Incident', type: 'string', width: 80, links: incidentLink },
    { field: 'band', title: 'Worst band', type: 'string', width: 100, mappings: bandTexts },
    { field: 'symptom', title: 'What was noticed', type: 'string' },
    { field: 'cause', title: 'Cause', type: 'string' },
    { field: 'risk', title: 'At risk an hour', type: 'number', unit: units.dollars, width: 110 },
    { field: 'customers', title: 'Customers', type: 'number', unit: units.count, width: 90 },
    { field: 'took', title: 'Took', type: 'number', unit: units.duration, width: 110 },
    { field: 'ago', title: 'Ago', type: 'number', unit: units.duration, width: 110 },
  ],
})

const events = jsonTable({
  title: 'What happened',
  description: 'The newest events of the world, told by the mirror. Times are simulated.',
  empty: 'Nothing has happened yet. (Or there is no Infinity data source.)',
  query: {
    url: '/api/v1/events?limit=1000',
    root: messageTemplateQuery(
      'event.',
      `$reverse(items).{
        "ago": ${secondsSince('at_ns')},
        "severity": severity,
        "text": $say(msg_key, msg_args)
      }`,
    ),
  },
  columns: [
    { field: 'ago', title: 'Ago', type: 'number', unit: units.duration, width: 120 },
    { field: 'severity', title: 'Severity', type: 'string', width: 90, mappings: severityTexts },
    { field: 'text', title: 'What', type: 'string' },
  ],
})

const timeline = states({
  title: 'Incidents over time',
  description: 'Each incident as long as it was active, by its gravity at the time.',
  unit: units.count,
  mappings: bandLevelTexts,
  empty: 'No incident was active in the time shown.',
  links: [fromSeries('dcsim-incident', 'incident', 'incident')],
  targets: [rangeQuery(by('max', bandLevel(band), ['incident']), 'Incident {{incident}}')],
})

const flow = lines({
  title: 'Opened and resolved',
  description: 'Incidents an hour of simulated time.',
  unit: units.count,
  min: 0,
  legend: 'list',
  colours: { Opened: colours.vermilion, Resolved: colours.green },
  targets: [
    rangeQuery(perGameTime('dcsim_incidents_opened_total', [], { where: band }), 'Opened'),
    rangeQuery(perGameTime('dcsim_incidents_resolved_total', [], { where: band }), 'Resolved'),
  ],
})

const toResolve = lines({
  title: 'Time to resolve',
  description:
    'Simulated time that half of the incidents took at most, of those resolved lately, by worst band.',
  unit: units.duration,
  min: 0,
  colours: bandColours,
  empty: 'Nothing was resolved in the time shown.',
  targets: [
    rangeQuery(quantile(0.5, 'dcsim_incidents_time_to_resolve_seconds', ['band'], '$__range'), '{{band}}'),
  ],
})

const causes = lines({
  title: 'Active by kind of fault',
  description: 'What is behind active incidents. Unknown until a cause is confirmed.',
  unit: units.count,
  min: 0,
  stacked: true,
  stepped: true,
  targets: [
    rangeQuery(compare(total('dcsim_incidents_active', ['root_kind'], band), '>', 0), '{{root_kind}}'),
  ],
  empty: 'No incident is active.',
})

const eventRate = lines({
  title: 'Events by severity',
  description: 'Events an hour of simulated time.',
  unit: units.count,
  min: 0,
  stacked: true,
  legend: 'list',
  colours: severityColours,
  targets: [rangeQuery(perGameTime('dcsim_events_total', ['severity']), '{{severity}}')],
})

const unattended = stat({
  title: 'Customers affected',
  description: 'By the incident that affects most.',
  unit: units.count,
  steps: noneExpected,
  empty: '0',
  targets: [rangeQuery(by('max', gauge('dcsim_incident_customers_affected', band)), '{{instance}}')],
})

export const infinityNote = note(
  'Texts',
  'Tables with sentences are read from the mirror’s JSON API by the Infinity data source: of the session that it points at. Where they stay empty, see that the plugin is installed and that a data source is chosen above. Without it, *Session* lists active incidents too, by kinds instead of sentences, and all graphs work.',
)

/** What is wrong, why, who works on it, and what was wrong. */
export const incidents = (): Dashboard =>
  dashboard({
    uid: 'dcsim-incidents',
    description:
      'What is wrong, why, how sure we are, who works on it, what hangs on it; and what was wrong.',
    variables: ['band'],
    infinity: true,
    sections: [
      {
        shelves: [
          row(
            4,
            [6, figures[0]],
            ...[...figures.slice(1), unattended].map((panel, at) => [at < 3 ? 4 : 3, panel] as const),
          ),
          row(10, [24, active]),
          row(9, [16, timeline], [8, events]),
        ],
      },
      { title: 'How it goes', shelves: [row(8, [6, flow], [6, toResolve], [6, causes], [6, eventRate])] },
      { title: 'Resolved', shelves: [row(10, [24, resolved]), row(3, [24, infinityNote])] },
    ],
  })
