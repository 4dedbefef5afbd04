import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { bandLevel, bandLevelTexts } from './house/bands.ts'
import { dashboard, row } from './house/layout.ts'
import { fromJsonRow } from './house/links.ts'
import { noneExpected, units } from './house/look.ts'
import { lines, stat, states } from './house/panels.ts'
import { bandTexts } from './house/states.ts'
import { jsonTable } from './house/tables.ts'
import { instantQuery, rangeQuery } from './house/targets.ts'
import { messageTemplateQuery, secondsBetween, secondsSince } from './house/mappings.ts'
import { infinityNote } from './incidents.ts'
import { by, matchesVariable, gauge } from './promql.ts'
import { since } from './queries.ts'

const one = { incident: matchesVariable('incident') }
const url = '/api/v1/incidents/${incident}'
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

const told = jsonTable({
  title: 'What it is',
  description: 'The incident in words.',
  empty: gone,
  query: {
    url,
    root: messageTemplateQuery(
      'cause.',
      `{
        "band": band,
        "symptom": timeline[0].detail,
        "cause": root_kind = "Unknown" ? "not confirmed yet" : $say(root_msg_key, root_msg_args),
        "hint": hint ? hint : "none yet",
        "lasts": resolved_at_ns ? ${secondsBetween('started_at_ns', 'resolved_at_ns')} : ${secondsSince('started_at_ns')}
      }`,
    ),
  },
  columns: [
    { field: 'band', title: 'Band', type: 'string', width: 90, mappings: bandTexts },
    { field: 'symptom', title: 'What was noticed', type: 'string' },
    { field: 'cause', title: 'Cause', type: 'string' },
    { field: 'hint', title: 'What to look at next', type: 'string' },
    { field: 'lasts', title: 'Lasts', type: 'number', unit: units.duration, width: 120 },
  ],
})

const causes = jsonTable({
  title: 'Causes considered',
  description: 'Most likely first. Evidence moves how sure we are; diagnosis confirms or rules out.',
  empty: gone,
  query: {
    url,
    root: messageTemplateQuery(
      'cause.',
      `causes.{
        "cause": $say(msg_key, msg_args),
        "confidence": confidence / 100,
        "state": confirmed ? "confirmed" : cleared ? "ruled out" : "possible"
      }`,
    ),
  },
  columns: [
    { field: 'cause', title: 'Cause', type: 'string' },
    { field: 'confidence', title: 'Sure', type: 'number', unit: units.share, bar: true, width: 160 },
    { field: 'state', title: 'State', type: 'string', width: 110 },
  ],
})

const evidence = jsonTable({
  title: 'Evidence',
  description: 'What was observed, strongest first.',
  empty: gone,
  query: { url, root: '([evidence.{"what": label_plain, "reading": value_plain, "meaning": detail_plain}])' },
  columns: [
    { field: 'what', title: 'Observed', type: 'string' },
    { field: 'reading', title: 'Reading', type: 'string', width: 160 },
    { field: 'meaning', title: 'What it means', type: 'string' },
  ],
})

const story = jsonTable({
  title: 'What happened',
  description: 'The incident’s timeline, the latest first.',
  empty: gone,
  query: {
    url,
    root: `([$reverse(timeline).{"ago": ${secondsSince('at_ns')}, "kind": kind, "what": detail}])`,
  },
  columns: [
    { field: 'ago', title: 'Ago', type: 'number', unit: units.duration, width: 120 },
    { field: 'kind', title: 'Kind', type: 'string', width: 150 },
    { field: 'what', title: 'What', type: 'string' },
  ],
})

const work = jsonTable({
  title: 'Work',
  description: 'What is done about it, who does it, and what it waits for.',
  empty: 'Nobody works on it.',
  query: {
    url: '/api/v1/work-orders?limit=1000',
    root: `([items[incident_id = \${incident}].{
      "order": id, "what": kind_label, "by": actor,
      "step": $count(steps[completed_at_ns ? false : true]) > 0 ? steps[completed_at_ns ? false : true][0].detail : "done",
      "progress": current_step / $count(steps),
      "waits": blocking ? blocking : "nothing"
    }])`,
  },
  columns: [
    { field: 'order', title: 'Order', type: 'string', width: 80 },
    { field: 'what', title: 'What', type: 'string' },
    { field: 'by', title: 'By', type: 'string', width: 110 },
    { field: 'step', title: 'Now', type: 'string' },
    { field: 'progress', title: 'Progress', type: 'number', unit: units.share, bar: true, width: 160 },
    { field: 'waits', title: 'Waits for', type: 'string', width: 140 },
  ],
})

const reachedCustomers = jsonTable({
  title: 'Customers that feel it',
  description: 'By id. Once it is resolved, those at its worst.',
  empty: 'No customer feels it.',
  query: { url, root: '([affected_customer_ids.{"customer": $}])' },
  columns: [
    {
      field: 'customer',
      title: 'Customer',
      type: 'string',
      links: [fromJsonRow('dcsim-customer', 'customer', 'customer')],
    },
  ],
})

const concernedHosts = jsonTable({
  title: 'Hosts concerned',
  description: 'By id, the first 50.',
  empty: 'No host is concerned.',
  query: { url, root: '([affected_host_ids.{"host": $}])' },
  columns: [
    { field: 'host', title: 'Host', type: 'string', links: [fromJsonRow('dcsim-host', 'host', 'host')] },
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
          row(4, [24, told]),
          row(8, [12, causes], [12, evidence]),
          row(7, [16, work], [4, reachedCustomers], [4, concernedHosts]),
        ],
      },
      {
        title: 'How it went',
        shelves: [row(9, [24, story]), row(7, [12, gravity], [12, stakes]), row(3, [24, infinityNote])],
      },
    ],
  })
