import type { IncidentRecord } from '../../contract/collections.ts'
import { messageText } from '../../contract/messages/catalog.ts'
import { IncidentSchema, WorkOrderSchema } from '../../contract/records/operations.ts'
import { timeToResolveBuckets } from '../../contract/totals.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import {
  bands,
  blockings,
  eventKinds,
  rootKinds,
  severities,
  symptomKinds,
  workOrderKinds,
} from '../../contract/vocabularies.ts'
import { lengthOf } from '../../contract/records/unknown.ts'
import { deriveFamily, familiesOf, infoFamily } from '../declaration/family.ts'
import type { LabeledRows } from '../declaration/family.ts'
import { rowPerRecord, derivedRows } from '../declaration/labeled-rows.ts'
import { summedFamily, summedRows } from '../declaration/summed-rows.ts'
import { incidentInfo, incidentScope } from './incident-rows.ts'

const sumBy = (read: (incident: IncidentRecord) => number) =>
  summedRows('incidents', 'incidents', { band: bands, root_kind: ['Unknown'] }, (add, { collections }) => {
    for (const incident of collections.incidents) add(read(incident), incident.band, incident.root_kind)
  })

const activeIncidents = sumBy(() => 1)
const atRisk = sumBy((incident) => incident.revenue_at_risk_per_hour_dollars)

const incidents = rowPerRecord('incidents', 'incidents', {
  incident: (incident) => incident.id,
  band: (incident) => incident.band,
  root_kind: (incident) => incident.root_kind,
})
const incident = familiesOf(IncidentSchema, incidents)

const opened = summedRows(
  'incidents',
  'incidents',
  { band: bands, symptom_kind: symptomKinds },
  (add, { totals }) => {
    for (const { band, symptom_kind, count } of totals.incidentsOpened) add(count, band, symptom_kind)
  },
)
const resolved = summedRows(
  'incidents',
  'resolvedIncidents',
  { band: bands, root_kind: rootKinds },
  (add, { totals }) => {
    for (const { band, root_kind, count } of totals.incidentsResolved) add(count, band, root_kind)
  },
)

interface HistogramRow {
  readonly band: string
  readonly suffix: '_bucket' | '_sum' | '_count'
  readonly le: string | null
  readonly value: number
}

/** The samples of a histogram, band by band: buckets in ascending order, the sum, the count. */
function timesToResolve({ timeToResolve }: WorldTotals): HistogramRow[] {
  const known = new Map(timeToResolve.map((time) => [time.band, time]))
  const all = [...bands, ...[...known.keys()].filter((band) => !(bands as readonly string[]).includes(band))]
  const rows: HistogramRow[] = []
  for (const band of all) {
    const time = known.get(band)
    let count = 0
    for (const [index, bound] of [...timeToResolveBuckets, '+Inf'].entries()) {
      count += time?.counts[index] ?? 0
      rows.push({ band, suffix: '_bucket', le: String(bound), value: count })
    }
    rows.push({ band, suffix: '_sum', le: null, value: time?.seconds ?? 0 })
    rows.push({ band, suffix: '_count', le: null, value: count })
  }
  return rows
}

const timeToResolve: LabeledRows<HistogramRow, undefined, 'band' | 'le'> = {
  ...derivedRows('incidents', 'resolvedIncidents', ({ totals }) => timesToResolve(totals), {
    band: ({ band }) => band,
    le: ({ le }) => le,
  }),
  suffix: ({ suffix }) => suffix,
}

const events = summedRows(
  'events',
  'events',
  { kind: eventKinds, severity: severities },
  (add, { totals }) => {
    for (const { kind, severity, count } of totals.events) add(count, kind, severity)
  },
)

const workOrders = summedRows(
  'work',
  'workOrders',
  { kind: workOrderKinds, actor: ['Staff', 'Automation'] },
  (add, { collections }) => {
    for (const { kind, actor, resolved_at_ns: resolved } of collections.workOrders) {
      if (resolved === null) add(1, kind, actor)
    }
  },
)
const blocked = summedRows('work', 'workOrders', { blocking: blockings }, (add, { collections }) => {
  for (const { blocking, resolved_at_ns: resolved } of collections.workOrders) {
    if (blocking !== null && resolved === null) add(1, blocking)
  }
})
const openOrders = derivedRows(
  'work',
  'workOrders',
  ({ collections }) => collections.workOrders.filter(({ resolved_at_ns: resolved }) => resolved === null),
  {
    work_order: (order) => order.id,
    kind: (order) => order.kind,
    actor: (order) => order.actor,
    incident: (order) => order.incident_id,
  },
)
const order = familiesOf(WorkOrderSchema, openOrders)

const questInfo = derivedRows('quests', 'quests', ({ collections }) => collections.quests, {
  quest: (quest) => quest.id,
  title: (quest) => messageText(quest.title, quest.title_args),
  state: (quest) => quest.state,
  reward: (quest) => quest.reward_label,
})

export const incidentFamilies = {
  dcsim_incidents_active: summedFamily(
    activeIncidents,
    'gauge',
    'Active incidents by gravity and kind of fault.',
  ),
  dcsim_incidents_revenue_at_risk_dollars_per_hour: summedFamily(
    atRisk,
    'gauge',
    'Revenue an hour at risk in active incidents, by band and kind of fault.',
    'dollars_per_hour',
  ),
  dcsim_incidents_opened_total: summedFamily(
    opened,
    'counter',
    'Incidents opened since the world began, by gravity then and by symptom.',
  ),
  dcsim_incidents_resolved_total: summedFamily(
    resolved,
    'counter',
    'Incidents resolved since the world began, by the highest gravity that they had and by kind of fault.',
  ),
  dcsim_incidents_time_to_resolve_seconds: deriveFamily(timeToResolve, 'histogram', {
    unit: 'seconds',
    help: 'Simulated time from opening to resolution, by the highest gravity that the incidents had.',
    value: ({ value }) => value,
  }),
  dcsim_incident_info: infoFamily(incidentInfo, 'What an active incident is about.'),
  dcsim_incident_scope_info: infoFamily(
    incidentScope,
    'What an active incident concerns: one thing a series, at most 50 customers and 50 hosts of an incident.',
  ),
  dcsim_incident_started_sim_timestamp_seconds: incident.gauge(
    'started_at_ns',
    'Simulated time at which it was opened.',
  ),
  dcsim_incident_revenue_at_risk_dollars_per_hour: incident.gauge('revenue_at_risk_per_hour_dollars'),
  dcsim_incident_customers_affected: incident.derivedGauge({
    help: 'Customers that feel it.',
    value: (incident) => lengthOf(incident.affected_customer_ids),
  }),
  dcsim_incident_hosts_affected: incident.gauge('affected_host_total'),
  dcsim_incident_redundancy_promise_broken: incident.gauge('redundancy_promise_broken'),
}

export const eventFamilies = {
  dcsim_events_total: summedFamily(events, 'counter', 'Events since the world began, by kind and severity.'),
}

export const workFamilies = {
  dcsim_work_orders: summedFamily(
    workOrders,
    'gauge',
    'Work orders that are not finished, by kind and by who does them.',
  ),
  dcsim_work_orders_blocked: summedFamily(blocked, 'gauge', 'Work orders that wait, by what they wait for.'),
  dcsim_work_order_started_sim_timestamp_seconds: order.gauge(
    'started_at_ns',
    'Simulated time at which the first step of an unfinished work order was begun.',
  ),
  dcsim_work_order_progress_ratio: order.derivedGauge({
    unit: 'ratio',
    help: 'Steps done of an unfinished work order, of all its steps.',
    value: ({ current_step: done, steps }) =>
      steps.length === 0 ? Math.min(0, lengthOf(steps)) : done / steps.length,
  }),
}

export const questFamilies = {
  dcsim_quest_info: infoFamily(questInfo, 'Title and state of a quest.'),
}
