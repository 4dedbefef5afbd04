import type { CustomerRecord } from '../../contract/collections.ts'
import { conversions } from '../declaration/base-units.ts'
import {
  CustomerSchema,
  CustomerServiceSchema,
  ProspectSchema,
  ServiceMarginSchema,
} from '../../contract/records/customers.ts'
import { lifecycles, serviceStateTags, tiers } from '../../contract/vocabularies.ts'
import { isKnown } from '../../contract/records/unknown.ts'
import { deriveFamily, familiesOf, infoFamily } from '../declaration/family.ts'
import { rowPerPart, rowPerRecord, relabel, derivedRows } from '../declaration/labeled-rows.ts'
import { summedFamily, summedRows } from '../declaration/summed-rows.ts'
import { unmetRequirementsText } from '../../words/requirements.ts'

const customers = rowPerRecord('customers', 'customers', {
  customer: (customer) => customer.id,
  tier: (customer) => customer.tier,
})
const customer = familiesOf(CustomerSchema, customers)
const customerInfo = relabel(customers, {
  customer: (customer) => customer.id,
  name: (customer) => customer.name,
  archetype: (customer) => customer.archetype,
  tier: (customer) => customer.tier,
  lifecycle: (customer) => customer.lifecycle,
  requirements_unmet: (customer) => unmetRequirementsText(customer) || null,
})
const byLifecycle = summedRows(
  'customers',
  'customers',
  { lifecycle: lifecycles, tier: tiers },
  (add, { collections }) => {
    for (const { lifecycle, tier } of collections.customers) add(1, lifecycle, tier)
  },
)
const underAttack = derivedRows(
  'customers',
  'customers',
  ({ collections }) => collections.customers.filter(({ under_attack: isAttacked }) => isAttacked),
  {
    customer: (customer) => customer.id,
    class: (customer) => customer.attack_class,
  },
)

/** A quantile of latency. */
interface Latency {
  readonly quantile: string
  readonly ms: number
}

const latencyRows = (quantiles: (customer: CustomerRecord) => readonly Latency[]) =>
  rowPerPart('customers', 'customers', quantiles, {
    customer: (_: Latency, customer: CustomerRecord) => customer.id,
    tier: (_: Latency, customer: CustomerRecord) => customer.tier,
    quantile: ({ quantile }: Latency) => quantile,
  })
const latencyNow = latencyRows(({ p50_latency_ms: p50, p99_recent_ms: p99 }) => [
  { quantile: '0.5', ms: p50 },
  { quantile: '0.99', ms: p99 },
])
const latencyOfPeriod = latencyRows(({ p99_latency_ms: ms }) => [{ quantile: '0.99', ms }])
const inSeconds = { unit: 'seconds', value: ({ ms }: Latency) => ms * conversions.ms.factor } as const

const money = familiesOf(
  CustomerSchema,
  rowPerRecord('money', 'customers', {
    customer: (customer) => customer.id,
    tier: (customer) => customer.tier,
  }),
)
const margin = familiesOf(
  ServiceMarginSchema,
  rowPerPart('money', 'customers', (customer) => customer.service_margins, {
    customer: (_, customer) => customer.id,
    service: (margin) => margin.service,
  }),
)

const services = rowPerPart('services', 'customers', (customer) => customer.services, {
  customer: (_, customer) => customer.id,
  service: (service) => service.class_tag,
})
const service = familiesOf(CustomerServiceSchema, services)
const byState = summedRows('services', 'customers', { state: serviceStateTags }, (add, { collections }) => {
  for (const { services } of collections.customers) {
    for (const { state_tag: state } of services) add(1, state)
  }
})
const unplaced = summedRows('services', 'customers', { lacking: [] }, (add, { collections }) => {
  for (const { services } of collections.customers) {
    for (const { placement, gap } of services) if (placement !== null) add(gap, placement.code)
  }
})

const prospects = rowPerRecord('prospects', 'prospects', {
  prospect: (prospect) => prospect.id,
  tier: (prospect) => prospect.tier,
})
const prospect = familiesOf(ProspectSchema, prospects)
const prospectInfo = relabel(prospects, {
  prospect: (prospect) => prospect.id,
  name: (prospect) => prospect.name,
  archetype: (prospect) => prospect.archetype,
  tier: (prospect) => prospect.tier,
  recommendation: (prospect) => prospect.fit_recommendation,
})

export const customerFamilies = {
  dcsim_customer_info: infoFamily(customerInfo, 'Name and kind of a customer.'),
  dcsim_customers_by_lifecycle: summedFamily(
    byLifecycle,
    'gauge',
    'Customers by where they stand with us, and by plan.',
  ),
  dcsim_customer_health_ratio: customer.gauge('health'),
  dcsim_customer_satisfaction_ratio: customer.gauge('satisfaction'),
  dcsim_customer_block_quality_ratio: customer.gauge('block_quality'),
  dcsim_customer_availability_ratio: customer.gauge('sla_period_availability_frac'),
  dcsim_customer_requests_per_second: customer.gaugeIn({ unit: 'requests_per_second', factor: 1 }, 'rps'),
  dcsim_customer_requests_total: customer.counter('total_requests_lifetime'),
  dcsim_customer_failed_requests_total: customer.counter('failed_requests_lifetime'),
  dcsim_customer_failed_requests_last_hour: customer.gauge('failed_last_hour'),
  dcsim_customer_latency_seconds: deriveFamily(latencyNow, 'summary', {
    ...inSeconds,
    help: 'Latency in the last simulated minute.',
  }),
  dcsim_customer_sla_period_latency_seconds: deriveFamily(latencyOfPeriod, 'summary', {
    ...inSeconds,
    help: 'Latency in the SLA period.',
  }),
  dcsim_customer_latency_budget_seconds: customer.gauge(
    'sla_p99_budget_ms',
    'The 99th percentile of latency that was promised.',
  ),
  dcsim_customer_latency_spike: customer.gauge('in_latency_spike'),
  dcsim_customer_sla_period_seconds: customer.gauge('sla_period_elapsed_seconds'),
  dcsim_customer_sla_period_over_latency_seconds: customer.gauge('sla_period_seconds_over_latency'),
  dcsim_customer_cpu_load_ratio: customer.gauge('cpu_load_pct'),
  dcsim_customer_receive_bytes_per_second: customer.gauge('ingress_gbps'),
  dcsim_customer_transmit_bytes_per_second: customer.gauge('egress_gbps'),
  dcsim_customer_units: customer.gauge('unit_count'),
  dcsim_customer_units_requested: customer.gauge('requested_total'),
  dcsim_customer_units_stranded: customer.gauge('stranded_unit_count'),
  dcsim_customer_hosts: customer.gauge('distinct_hosts'),
  dcsim_customer_units_on_one_host_max: customer.gauge('max_units_on_host'),
  dcsim_customer_on_probation: customer.gauge('on_probation'),
  dcsim_customer_under_attack: customer.gauge('under_attack'),
  dcsim_customer_attack_info: infoFamily(
    underAttack,
    'A customer at whom hostile traffic aims, by its class.',
  ),
  dcsim_customer_breached: customer.gauge('breached'),
  dcsim_customer_requirements_unmet: customer.derivedGauge({
    help: 'Requirements that are not met.',
    value: ({ requirements_unmet_mask: mask }) =>
      Number.isNaN(mask) ? null : mask.toString(2).replaceAll('0', '').length,
  }),
}

export const serviceFamilies = {
  dcsim_services: summedFamily(byState, 'gauge', 'Services of all customers by state.'),
  dcsim_units_unplaced_by_lack: summedFamily(
    unplaced,
    'gauge',
    'Units that no host could take, by what is lacking.',
  ),
  dcsim_service_replicas_held: service.gauge('replicas_held'),
  dcsim_service_replicas_target: service.gauge('replicas_target'),
  dcsim_service_up: service.derivedGauge({
    help: 'Whether the service runs, impaired or not.',
    value: ({ state_tag: state }) => (isKnown(state) ? state !== 'down' : null),
  }),
  dcsim_service_impaired: service.derivedGauge({
    help: 'Whether the service runs, but only in part, degraded, or without all its units placed.',
    value: ({ state_tag: state }) => (isKnown(state) ? state !== 'down' && state !== 'running' : null),
  }),
}

export const moneyFamilies = {
  dcsim_customer_revenue_dollars_total: money.counter('revenue_total_dollars'),
  dcsim_customer_revenue_last_hour_dollars: money.gauge('revenue_last_hour_dollars'),
  dcsim_customer_sla_credits_dollars_total: money.counter('sla_credits_dollars'),
  dcsim_customer_margin_revenue_dollars: money.gauge('margin_revenue_dollars'),
  dcsim_customer_margin_dollars: money.gauge(
    'margin_dollars',
    'Revenue less cost of the last 30 simulated days.',
  ),
  dcsim_customer_cost_infrastructure_dollars: money.gauge('cost_infrastructure_dollars'),
  dcsim_customer_cost_transit_dollars: money.gauge('cost_transit_dollars'),
  dcsim_service_margin_revenue_dollars: margin.gauge('revenue_dollars'),
  dcsim_service_margin_dollars: margin.gauge('margin_dollars'),
}

export const prospectFamilies = {
  dcsim_prospect_info: infoFamily(prospectInfo, 'Name of a prospect, and what we would do with it.'),
  dcsim_prospect_revenue_dollars_per_month: prospect.gauge('estimated_monthly_revenue_dollars'),
  dcsim_prospect_signup_bonus_dollars: prospect.gauge('signup_bonus_dollars'),
  dcsim_prospect_expires_sim_timestamp_seconds: prospect.gauge('expires_at_ns'),
  dcsim_prospect_can_serve_now: prospect.gauge('fit_can_serve_now'),
  dcsim_prospect_over_capacity: prospect.gauge('fit_over_capacity'),
  dcsim_prospect_cpu_after_ratio: prospect.gauge('fit_vcpu_after_pct'),
  dcsim_prospect_memory_after_ratio: prospect.gauge('fit_mem_after_pct'),
  dcsim_prospect_disk_after_ratio: prospect.gauge('fit_ssd_after_pct'),
}
