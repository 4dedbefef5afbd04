/** Customers, their services, what they pay; prospects. */
import { unmetRequirementsText } from '../../../src/words/requirements.ts'
import { each, gbps, milliseconds, nanoseconds, percent, sums } from './expected-family.ts'
import type { ExpectedFamilies, WorldJson } from './expected-family.ts'

const customers = ({ collections }: WorldJson) => collections.customers
const services = (world: WorldJson) =>
  customers(world).flatMap(({ id: customer, services }) =>
    services.map((service) => ({ ...service, customer })),
  )
const margins = (world: WorldJson) =>
  customers(world).flatMap(({ id: customer, service_margins: margins }) =>
    margins.map((margin) => ({ ...margin, customer })),
  )
const prospects = ({ collections }: WorldJson) => collections.prospects

export const expectedCustomers: ExpectedFamilies = {
  ...each(
    customers,
    {
      customer: 'id',
      name: 'name',
      archetype: 'archetype',
      tier: 'tier',
      requirements_unmet: (customer) => unmetRequirementsText(customer) || null,
      lifecycle: 'lifecycle',
    },
    { dcsim_customer_info: () => 1 },
  ),
  ...sums('dcsim_customers_by_lifecycle', customers, { lifecycle: 'lifecycle', tier: 'tier' }),
  ...each(
    customers,
    { customer: 'id', tier: 'tier' },
    {
      dcsim_customer_health_ratio: 'health',
      dcsim_customer_satisfaction_ratio: 'satisfaction',
      dcsim_customer_block_quality_ratio: 'block_quality',
      dcsim_customer_availability_ratio: 'sla_period_availability_frac',
      dcsim_customer_requests_per_second: 'rps',
      dcsim_customer_requests_total: 'total_requests_lifetime',
      dcsim_customer_failed_requests_total: 'failed_requests_lifetime',
      dcsim_customer_failed_requests_last_hour: 'failed_last_hour',
      dcsim_customer_latency_p50_seconds: ['p50_latency_ms', milliseconds],
      dcsim_customer_latency_p99_seconds: ['p99_recent_ms', milliseconds],
      dcsim_customer_latency_p99_period_seconds: ['p99_latency_ms', milliseconds],
      dcsim_customer_latency_p99_budget_seconds: ['sla_p99_budget_ms', milliseconds],
      dcsim_customer_latency_spike: 'in_latency_spike',
      dcsim_customer_sla_period_seconds: 'sla_period_elapsed_seconds',
      dcsim_customer_sla_period_over_latency_seconds: 'sla_period_seconds_over_latency',
      dcsim_customer_cpu_load_ratio: ['cpu_load_pct', percent],
      dcsim_customer_receive_bytes_per_second: ['ingress_gbps', gbps],
      dcsim_customer_transmit_bytes_per_second: ['egress_gbps', gbps],
      dcsim_customer_units: 'unit_count',
      dcsim_customer_units_requested: 'requested_total',
      dcsim_customer_units_stranded: 'stranded_unit_count',
      dcsim_customer_hosts: 'distinct_hosts',
      dcsim_customer_units_on_one_host_max: 'max_units_on_host',
      dcsim_customer_on_probation: 'on_probation',
      dcsim_customer_under_attack: 'under_attack',
      dcsim_customer_breached: 'breached',
      dcsim_customer_requirements_unmet: ({ requirements_unmet_mask: mask }) =>
        mask.toString(2).match(/1/g)?.length ?? 0,
    },
  ),
  ...each(
    (world) => customers(world).filter((customer) => customer.under_attack),
    { customer: 'id', class: 'attack_class' },
    { dcsim_customer_attack: () => 1 },
  ),
}

export const expectedServices: ExpectedFamilies = {
  ...sums('dcsim_services', services, { state: 'state_tag' }),
  ...sums(
    'dcsim_units_unplaced_by_lack',
    (world) => services(world).filter(({ placement }) => placement !== null),
    { lacking: ({ placement }) => placement!.code },
    ({ gap }) => gap,
  ),
  ...each(
    services,
    { customer: 'customer', service: 'class_tag' },
    {
      dcsim_service_units: 'provisioned_count',
      dcsim_service_units_requested: 'requested_count',
      dcsim_service_units_unplaced: 'gap',
      dcsim_service_replicas_held: 'replicas_held',
      dcsim_service_replicas_target: 'replicas_target',
      dcsim_service_up: ({ state_tag: state }) => ({ running: 1, down: 0 })[state as string] ?? 0.5,
    },
  ),
}

export const expectedMoney: ExpectedFamilies = {
  ...each(
    customers,
    { customer: 'id', tier: 'tier' },
    {
      dcsim_customer_revenue_dollars_total: 'revenue_total_dollars',
      dcsim_customer_revenue_last_hour_dollars: 'revenue_last_hour_dollars',
      dcsim_customer_sla_credits_dollars_total: 'sla_credits_dollars',
      dcsim_customer_margin_revenue_dollars: 'margin_revenue_dollars',
      dcsim_customer_margin_cost_dollars: 'margin_cost_dollars',
      dcsim_customer_margin_dollars: 'margin_dollars',
      dcsim_customer_cost_infrastructure_dollars: 'cost_infrastructure_dollars',
      dcsim_customer_cost_transit_dollars: 'cost_transit_dollars',
      dcsim_customer_eviction_fee_dollars: 'eviction_fee_dollars',
    },
  ),
  ...each(
    margins,
    { customer: 'customer', service: 'service' },
    {
      dcsim_service_margin_revenue_dollars: 'revenue_dollars',
      dcsim_service_margin_cost_dollars: 'cost_dollars',
      dcsim_service_margin_dollars: 'margin_dollars',
    },
  ),
}

export const expectedProspects: ExpectedFamilies = {
  ...each(
    prospects,
    {
      prospect: 'id',
      name: 'name',
      archetype: 'archetype',
      tier: 'tier',
      recommendation: 'fit_recommendation',
    },
    { dcsim_prospect_info: () => 1 },
  ),
  ...each(
    prospects,
    { prospect: 'id', tier: 'tier' },
    {
      dcsim_prospect_revenue_monthly_dollars: 'estimated_monthly_revenue_dollars',
      dcsim_prospect_signup_bonus_dollars: 'signup_bonus_dollars',
      dcsim_prospect_expires_seconds: ['expires_at_ns', nanoseconds],
      dcsim_prospect_units: 'initial_vm_count',
      dcsim_prospect_can_serve_now: 'fit_can_serve_now',
      dcsim_prospect_over_capacity: 'fit_over_capacity',
      dcsim_prospect_cpu_after_ratio: ['fit_vcpu_after_pct', percent],
      dcsim_prospect_memory_after_ratio: ['fit_mem_after_pct', percent],
      dcsim_prospect_disk_after_ratio: ['fit_ssd_after_pct', percent],
    },
  ),
}
