import type { CustomerRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { displayThresholds } from '../../contract/thresholds.ts'
import { relativeTime } from '../../words/moments.ts'
import { requirementsText, unmetRequirementsText } from '../../words/requirements.ts'
import {
  businessWords,
  lifecycleWords,
  plainWords,
  serviceWords,
  threatWords,
} from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  asPercent,
  percentOf,
  relativeColumn,
  severityColumn,
  someText,
} from '../columns.ts'
import type { RowState } from '../equipment/hosts.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { Filters } from '../table.ts'

const failingPct = ({ failed_last_hour, rps }: CustomerRecord): number | null => {
  const share = percentOf(failed_last_hour, rps * 3600)
  return share === null ? null : Math.min(100, share)
}

/** The worst thing that can be said of a customer. */
export function customerCondition(customer: CustomerRecord): RowState {
  if (customer.breached) return { state: 'breached', severity: 4 }
  if (customer.services.some(({ state_tag }) => state_tag === 'down') && customer.lifecycle === 'Active')
    return { state: 'a service is down', severity: 4 }
  if (customer.lifecycle === 'Leaving') return { state: 'leaving', severity: 3 }
  if (customer.lifecycle === 'Probation' || customer.on_probation)
    return { state: 'about to leave', severity: 3 }
  if (customer.under_attack) return { state: 'under attack', severity: 3 }
  if ((failingPct(customer) ?? 0) >= asPercent(displayThresholds.failedRequestsHigh))
    return { state: 'requests fail', severity: 3 }
  if (customer.stranded_unit_count > 0) return { state: 'stranded units', severity: 3 }
  if (customer.in_latency_spike) return { state: 'slow', severity: 2 }
  if (customer.requirements_unmet_mask !== 0) return { state: 'a requirement is not met', severity: 2 }
  if (customer.provisioned_total < customer.requested_total) return { state: 'units missing', severity: 2 }
  if (customer.lifecycle !== 'Active') return { state: lifecycleWords(customer.lifecycle), severity: 1 }
  return { state: 'in order', severity: 0 }
}

export const customerFilters: Filters<CustomerRecord> = {
  customer: { meaning: 'Id or name of a customer.', values: ({ id, name }) => [id, name] },
  plan: { meaning: 'Bronze, Silver, Gold or Platinum.', values: ({ tier }) => [tier] },
  business: {
    meaning: 'Line of business.',
    values: ({ archetype }) => [archetype, businessWords(archetype)],
  },
  lifecycle: {
    meaning: 'Lifecycle state, such as active.',
    values: ({ lifecycle }) => [lifecycle, lifecycleWords(lifecycle)],
  },
  severity: {
    meaning: 'Its severity, 0 to 4.',
    values: (customer) => [customerCondition(customer).severity],
  },
  incident: {
    meaning: 'Id of an incident that affects it, active or resolved.',
    values: ({ id }, world) => world.incidentsOf('customer', id).map((incident) => incident.id),
  },
  attacked: { meaning: 'yes or no.', values: ({ under_attack }) => [under_attack ? 'yes' : 'no'] },
  host: {
    meaning: 'Id or name of a host that carries units of it.',
    values: ({ id }, world) =>
      world.hostsOfCustomer(id).flatMap((host) => [host.id, host.display_name_plain]),
  },
}

export const customers = defineTable({
  name: 'customers',
  meaning: 'Customers in the order of their ids.',
  row: defineRecord('CustomerRow', 'A customer.', {
    customer_id: idColumn('customer'),
    customer: str('Name.'),
    plan: str('Plan.'),
    business: str('Line of business, in words.'),
    severity: severityColumn,
    state: str('The worst that can be said of it, in words.'),
    lifecycle: str('Lifecycle state, in words.'),
    waits: nullable(relativeColumn('When the state that it waits in ends.')),
    satisfaction_pct: amountOrNone('0 furious … 100 delighted.', 'pct'),
    satisfaction: str('The same in a word.'),
    incidents: int('Active incidents that affect it.'),
    incident_id: idOrNone('gravest active incident that affects it'),
    band: nullable(str('Band of that incident.')),
    requests_per_second: amount('Requests.', 'per_second'),
    failing_pct: amountOrNone('Failed requests of the last simulated hour, at the present rate.', 'pct'),
    availability_pct: amount('Requests answered, of all in the SLA period.', 'pct'),
    p99_ms: int('99th percentile of latency in the last simulated minute.', 'ms'),
    p99_promised_ms: int('What was promised.', 'ms'),
    p50_ms: int('Median latency in the last simulated minute.', 'ms'),
    slow_because_of: nullable(str('What adds most to its latency, in words.')),
    attack: nullable(str('Class of the attack against it, in words.')),
    breached: bool('Whether intruders are in its systems.'),
    requirements: nullable(str('What it requires, in words.')),
    requirements_unmet: nullable(str('What of that is not met; empty if all is.')),
    services: nullable(str('Classes that it runs, in words.')),
    units: int('Units placed.'),
    units_requested: int('Units that it wants.'),
    stranded_units: int('Units on hosts that cannot serve them.'),
    hosts: int('Hosts that carry its units.'),
    sent_gbps: amount('Traffic to its users.', 'gbps'),
    received_gbps: amount('Traffic from its users.', 'gbps'),
    revenue_dollars_per_hour: amount('Revenue of the last simulated hour.', 'dollars_per_hour'),
    revenue_dollars: amount('Revenue of the last 30 simulated days.', 'dollars'),
    cost_dollars: amount('Cost of the same.', 'dollars'),
    margin_dollars: amount('Revenue less cost.', 'dollars'),
    margin_pct: amountOrNone('Margin, of the revenue.', 'pct'),
    credits_dollars: amount('SLA credits since it signed.', 'dollars'),
    eviction_fee_dollars: amount('What it costs to end the contract.', 'dollars'),
  }),
  reads: ['customers', 'incidents', 'resolvedIncidents'],
  items: ({ records }: TableWorld) => records.all('customers'),
  filters: customerFilters,
  toRow(customer, world) {
    const { state, severity } = customerCondition(customer)
    const active = world.activeIncidentsOf('customer', customer.id)
    return {
      customer_id: idText(customer.id),
      customer: customer.name,
      plan: customer.tier,
      business: businessWords(customer.archetype),
      severity,
      state,
      lifecycle: lifecycleWords(customer.lifecycle),
      waits: customer.pending_until_ns === null ? null : relativeTime(customer.pending_until_ns, world.nowNs),
      satisfaction_pct: percentOf(customer.satisfaction, 1),
      satisfaction: plainWords(customer.satisfaction_label),
      incidents: active.length,
      incident_id: idOrNull(active[0]?.id),
      band: active[0]?.band ?? null,
      ...qualityOf(customer),
      attack: customer.attack_class === null ? null : threatWords(customer.attack_class),
      breached: customer.breached,
      requirements: someText(requirementsText(customer)),
      requirements_unmet: someText(unmetRequirementsText(customer)),
      services: someText(customer.service_kinds.map(serviceWords).join(', ')),
      units: customer.provisioned_total,
      units_requested: customer.requested_total,
      stranded_units: customer.stranded_unit_count,
      hosts: customer.distinct_hosts,
      sent_gbps: customer.egress_gbps,
      received_gbps: customer.ingress_gbps,
      ...moneyOf(customer),
    }
  },
})

const qualityOf = (customer: CustomerRecord) => ({
  requests_per_second: customer.rps,
  failing_pct: failingPct(customer),
  availability_pct: customer.availability_pct,
  p99_ms: customer.p99_recent_ms,
  p99_promised_ms: customer.sla_p99_budget_ms,
  p50_ms: customer.p50_latency_ms,
  slow_because_of: customer.latency_top_term === null ? null : plainWords(customer.latency_top_term),
})

const moneyOf = (customer: CustomerRecord) => ({
  revenue_dollars_per_hour: customer.revenue_last_hour_dollars,
  revenue_dollars: customer.margin_revenue_dollars,
  cost_dollars: customer.margin_cost_dollars,
  margin_dollars: customer.margin_dollars,
  margin_pct: percentOf(customer.margin_dollars, customer.margin_revenue_dollars),
  credits_dollars: customer.sla_credits_dollars,
  eviction_fee_dollars: customer.eviction_fee_dollars,
})
