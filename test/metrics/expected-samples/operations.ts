/** Incidents, events, work orders and quests. */
import { messageText } from '../../../src/contract/messages/catalog.ts'
import type { IncidentRecord } from '../../../src/contract/collections.ts'
import { each, nanoseconds, sums } from './expected-family.ts'
import { concerns, describedIncidents } from './incident-places.ts'
import type { ExpectedSample, ExpectedFamilies, WorldJson } from './expected-family.ts'

const active = ({ collections }: WorldJson) => collections.incidents
const resolved = ({ collections }: WorldJson) => collections.resolvedIncidents
const openOrders = ({ collections }: WorldJson) =>
  collections.workOrders.filter(({ resolved_at_ns: at }) => at === null)
const quests = ({ collections }: WorldJson) => collections.quests

export const expectedIncidents: ExpectedFamilies = {
  ...sums('dcsim_incidents_active', active, { band: 'band', root_kind: 'root_kind' }),
  ...sums(
    'dcsim_incidents_revenue_at_risk_hourly_dollars',
    active,
    { band: 'band', root_kind: 'root_kind' },
    (incident) => incident.revenue_at_risk_per_hour_dollars,
  ),
  ...each((world) => [resolved(world)], {}, { dcsim_incidents_resolved_kept: 'length' }),
  ...each(
    describedIncidents,
    {
      az: 'az',
      symptom: 'symptom',
      subject: 'subject',
      place: 'place',
      cause: 'cause',
      cause_state: 'cause_state',
      incident: 'id',
      band: 'band',
      root_kind: 'root_kind',
      symptom_kind: 'symptom_kind',
      customer: 'symptom_customer_id',
      rack: 'rack_id',
      max_sla_tier: 'max_sla_tier',
      compliance_at_risk: 'compliance_at_risk',
    },
    { dcsim_incident_info: () => 1 },
  ),
  ...each(
    concerns,
    {
      incident: 'incident',
      band: 'band',
      az: 'az',
      subject: 'subject',
      customer: 'customer',
      tier: 'tier',
      class: 'class',
      host: 'host',
    },
    { dcsim_incident_scope: () => 1 },
  ),
  ...each(
    active,
    { incident: 'id', band: 'band', root_kind: 'root_kind' },
    {
      dcsim_incident_started_seconds: ['started_at_ns', nanoseconds],
      dcsim_incident_last_changed_seconds: ['last_changed_at_ns', nanoseconds],
      dcsim_incident_confirmed: 'confirmed',
      dcsim_incident_revenue_at_risk_hourly_dollars: 'revenue_at_risk_per_hour_dollars',
      dcsim_incident_customers_affected: (incident) => incident.affected_customer_ids.length,
      dcsim_incident_hosts_affected: 'affected_host_total',
      dcsim_incident_redundancy_promise_broken: 'redundancy_promise_broken',
    },
  ),
}

/** The gravity that an incident was opened with: what its first change of gravity came from. */
function firstBand({ band, timeline }: IncidentRecord): string {
  const change = timeline.find(({ kind }) => kind === 'BandRaised' || kind === 'BandLowered')
  return change === undefined ? band : /^From (?<band>\w+)/.exec(change.detail)!.groups!['band']
}

const buckets = [300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 604_800, '+Inf']

function timesToResolve(world: WorldJson): ExpectedSample[] {
  return ['Watch', 'Minor', 'Major', 'Critical'].flatMap((band) => {
    const seconds = resolved(world)
      .filter((incident) => incident.band === band)
      .map(({ started_at_ns: from, resolved_at_ns: to }) => (Number(to) - Number(from)) / 1e9)
    const counts: ExpectedSample[] = buckets.map((le) => ({
      suffix: '_bucket',
      labels: { band, le },
      value: seconds.filter((one) => le === '+Inf' || one <= Number(le)).length,
    }))
    const sum = seconds.reduce((sum, one) => sum + one, 0)
    return counts.concat(
      { suffix: '_sum', labels: { band }, value: sum },
      { suffix: '_count', labels: { band }, value: seconds.length },
    )
  })
}

/**
 * What was counted since the world began. The API lists what happened lately, so it says the same only of a world
 * so young that everything is still listed.
 */
export const expectedTotals: ExpectedFamilies = {
  ...sums('dcsim_events_total', ({ events }) => events, { kind: 'kind', severity: 'severity' }),
  ...sums('dcsim_incidents_opened_total', (world) => [...active(world), ...resolved(world)], {
    band: firstBand,
    symptom_kind: 'symptom_kind',
  }),
  ...sums('dcsim_incidents_resolved_total', resolved, { band: 'band', root_kind: 'root_kind' }),
  dcsim_incidents_time_to_resolve_seconds: { zerosBeside: false, samples: timesToResolve },
}

export const expectedWork: ExpectedFamilies = {
  ...sums('dcsim_work_orders', openOrders, { kind: 'kind', actor: 'actor' }),
  ...sums(
    'dcsim_work_orders_blocked',
    (world) => openOrders(world).filter(({ blocking }) => blocking !== null),
    { blocking: 'blocking' },
  ),
  ...each(
    openOrders,
    { work_order: 'id', kind: 'kind', actor: 'actor', incident: 'incident_id' },
    {
      dcsim_work_order_started_seconds: ['started_at_ns', nanoseconds],
      dcsim_work_order_progress_ratio: ({ current_step: done, steps }) =>
        steps.length === 0 ? 0 : done / steps.length,
    },
  ),
  ...sums('dcsim_quests', quests, { state: 'state' }),
  ...each(
    quests,
    {
      quest: 'id',
      title: ({ title, title_args: given }) => messageText(title, given),
      state: 'state',
      reward: 'reward_label',
    },
    { dcsim_quest_info: () => 1 },
  ),
}
