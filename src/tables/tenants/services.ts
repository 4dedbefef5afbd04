import type { CustomerRecord } from '../../contract/collections.ts'
import { defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { numberText } from '../../contract/messages/catalog.ts'
import { acceleratorWords, amountWords, plainWords, serviceWords } from '../../words/vocabulary.ts'
import { amount, amountOrNone, idColumn, percentOf, severityColumn } from '../columns.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { customerFilters } from './customers.ts'

type ServiceRecord = CustomerRecord['services'][number]

interface Service {
  readonly customer: CustomerRecord
  readonly service: ServiceRecord
}

const severities: Readonly<Record<string, number>> = {
  running: 0,
  placing: 1,
  degraded: 2,
  partial: 2,
  down: 4,
}

/** `pool General x86: 12 vCPU short`. */
function lackText({ placement }: ServiceRecord): string | null {
  if (placement === null) return null
  const { subject, shortfall, unit } = placement
  const short = shortfall > 0 ? `${numberText(shortfall)} ${amountWords(unit)} short` : 'none that fits'
  return subject === '' ? short : `${subject}: ${short}`
}

export const services = defineTable({
  name: 'services',
  meaning: 'Services of customers, customer by customer.',
  row: defineRecord('ServiceRow', 'A service that a customer runs.', {
    customer_id: idColumn('customer'),
    customer: str('Name of the customer.'),
    plan: str('Plan of the customer.'),
    service: str('Name of the service.'),
    class: str('Service class, in words.'),
    severity: severityColumn,
    state: str('running, partial, degraded, placing or down.'),
    reason: nullable(str('Why it is not simply running, as a sentence.')),
    lacking: nullable(str('What placement lacks, and where.')),
    requested: int('Units that the customer wants.'),
    placed: int('Units placed.'),
    missing: int('Units not placed.'),
    placed_pct: amountOrNone('Units placed, of those wanted.', 'pct'),
    vcpu: int('Virtual CPUs a unit.', 'vcpu'),
    memory_mb: int('Memory a unit.', 'mb'),
    accelerator: nullable(str('Accelerator that a unit needs, in words.')),
    durability: str('How its data are kept, in words.'),
    replication: str('How replicas follow, in words.'),
    replicas: str('Replicas alive, of those promised.'),
    replicas_held: int('Replicas alive.'),
    replicas_promised: int('Replicas promised.'),
  }),
  reads: ['customers'],
  items: ({ records }: TableWorld): readonly Service[] =>
    records
      .all('customers')
      .flatMap((customer) => customer.services.map((service) => ({ customer, service }))),
  filters: {
    ...filtersVia(customerFilters, ({ customer }: Service) => customer),
    class: {
      meaning: 'Service class.',
      values: ({ service }) => [service.class_tag, serviceWords(service.class_tag)],
    },
    state: {
      meaning: 'running, partial, degraded, placing or down.',
      values: ({ service }) => [service.state_tag],
    },
    severity: {
      meaning: 'Its severity, 0 to 4.',
      values: ({ service }) => [severities[service.state_tag] ?? 1],
    },
  },
  toRow: ({ customer, service }) => ({
    customer_id: idText(customer.id),
    customer: customer.name,
    plan: customer.tier,
    service: service.label,
    class: serviceWords(service.class_tag),
    severity: severities[service.state_tag] ?? 1,
    state: plainWords(service.state_tag),
    reason: service.reason,
    lacking: lackText(service),
    requested: service.requested_count,
    placed: service.provisioned_count,
    missing: service.gap,
    placed_pct: percentOf(service.provisioned_count, service.requested_count),
    vcpu: service.vcpu,
    memory_mb: service.memory_mb,
    accelerator: service.accelerator === null ? null : acceleratorWords(service.accelerator),
    durability: durabilityWords[service.durability] ?? plainWords(service.durability),
    replication: plainWords(service.replication_tag),
    replicas: `${service.replicas_held} of ${service.replicas_target}`,
    replicas_held: service.replicas_held,
    replicas_promised: service.replicas_target,
  }),
})

const durabilityWords: Readonly<Record<string, string>> = {
  Ephemeral: 'not kept',
  Single: 'one copy',
  Replicated2: 'two copies',
  Replicated3: 'three copies',
  ErasureCoded: 'erasure coded',
}

interface Margin {
  readonly customer: CustomerRecord
  readonly margin: CustomerRecord['service_margins'][number]
}

export const serviceMargins = defineTable({
  name: 'service-margins',
  meaning: 'What services earned and cost in the last 30 simulated days, customer by customer.',
  row: defineRecord('ServiceMarginRow', 'Revenue and cost of a service.', {
    customer_id: idColumn('customer'),
    customer: str('Name of the customer.'),
    plan: str('Plan of the customer.'),
    class: str('Service class, in words.'),
    revenue_dollars: amount('Revenue.', 'dollars'),
    cost_dollars: amount('Cost.', 'dollars'),
    margin_dollars: amount('Revenue less cost.', 'dollars'),
    margin_pct: amountOrNone('Margin, of the revenue.', 'pct'),
  }),
  reads: ['customers'],
  items: ({ records }: TableWorld): readonly Margin[] =>
    records
      .all('customers')
      .flatMap((customer) => customer.service_margins.map((margin) => ({ customer, margin }))),
  filters: {
    ...filtersVia(customerFilters, ({ customer }: Margin) => customer),
    class: {
      meaning: 'Service class.',
      values: ({ margin }) => [margin.service, serviceWords(margin.service)],
    },
  },
  toRow: ({ customer, margin }) => ({
    customer_id: idText(customer.id),
    customer: customer.name,
    plan: customer.tier,
    class: serviceWords(margin.service),
    revenue_dollars: margin.revenue_dollars,
    cost_dollars: margin.cost_dollars,
    margin_dollars: margin.margin_dollars,
    margin_pct: percentOf(margin.margin_dollars, margin.revenue_dollars),
  }),
})
