import type { CustomerRecord } from '../../contract/collections.ts'
import { int, nullable, str } from '../../contract/fields.ts'
import { numberText } from '../../contract/messages/catalog.ts'
import { finite, plain } from '../../words/phrases.ts'
import { acceleratorWords, amountWords, knownOr, plainWords, serviceWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  percentOf,
  severityFilter,
  stateColumns,
  wordsOrNone,
} from '../columns.ts'
import type { RowState } from '../columns.ts'
import { idText } from '../table-world.ts'
import { column, defineTable, oneOfFilter } from '../table.ts'
import type { Columns } from '../table.ts'
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
  const short =
    shortfall > 0 ? `${numberText(finite(shortfall))} ${amountWords(unit)} short` : 'none that fits'
  return subject === '' ? short : `${subject}: ${short}`
}

/** A state that the contract does not know deserves attention. */
export const serviceCondition = ({ service }: Pick<Service, 'service'>): RowState => ({
  state: plainWords(service.state_tag),
  severity: knownOr(severities, service.state_tag, 1),
})

const durabilityWords: Readonly<Record<string, string>> = {
  Ephemeral: 'not kept',
  Single: 'one copy',
  Replicated2: 'two copies',
  Replicated3: 'three copies',
  ErasureCoded: 'erasure coded',
}

const customerColumns: Columns<{ readonly customer: CustomerRecord }> = {
  customer_id: column(idColumn('customer'), ({ customer }) => idText(customer.id)),
  customer: column(str('Name of the customer.'), ({ customer }) => customer.name),
  plan: column(str('Plan of the customer.'), ({ customer }) => customer.tier),
}

export const services = defineTable<Service, CustomerRecord>({
  name: 'services',
  meaning: 'Services of customers, customer by customer.',
  row: ['ServiceRow', 'A service that a customer runs.'],
  things: ({ records }) => records.all('customers'),
  itemsOf: (customer) => customer.services.map((service) => ({ customer, service })),
  thingFilters: customerFilters,
  filters: {
    class: {
      meaning: 'Service class.',
      values: ({ service }) => [service.class_tag, serviceWords(service.class_tag)],
    },
    state: oneOfFilter(['running', 'partial', 'degraded', 'placing', 'down'], ({ service }) => [
      service.state_tag,
    ]),
    ...severityFilter(serviceCondition),
  },
  columns: {
    ...customerColumns,
    service: column(str('Name of the service.'), ({ service }) => service.label),
    class: column(str('Service class, in words.'), ({ service }) => serviceWords(service.class_tag)),
    ...stateColumns(serviceCondition, 'running, partial, degraded, placing or down.'),
    reason: column(
      nullable(str('Why it is not simply running, as a sentence.')),
      ({ service }) => service.reason,
    ),
    lacking: column(nullable(str('What placement lacks, and where.')), ({ service }) => lackText(service)),
    requested: column(int('Units that the customer wants.'), ({ service }) => service.requested_count),
    placed: column(int('Units placed.'), ({ service }) => service.provisioned_count),
    missing: column(int('Units not placed.'), ({ service }) => service.gap),
    placed_pct: column(amountOrNone('Units placed, of those wanted.', 'pct'), ({ service }) =>
      percentOf(service.provisioned_count, service.requested_count),
    ),
    vcpu: column(int('Virtual CPUs a unit.', 'vcpu'), ({ service }) => service.vcpu),
    memory_mb: column(int('Memory a unit.', 'mb'), ({ service }) => service.memory_mb),
    accelerator: column(nullable(str('Accelerator that a unit needs, in words.')), ({ service }) =>
      wordsOrNone(service.accelerator, acceleratorWords),
    ),
    durability: column(str('How its data are kept, in words.'), ({ service: { durability } }) =>
      knownOr(durabilityWords, durability, plainWords(durability)),
    ),
    replication: column(str('How replicas follow, in words.'), ({ service }) =>
      plainWords(service.replication_tag),
    ),
    replicas: column(
      str('Replicas alive, of those promised.'),
      ({ service }) => `${plain(service.replicas_held)} of ${plain(service.replicas_target)}`,
    ),
    replicas_held: column(int('Replicas alive.'), ({ service }) => service.replicas_held),
    replicas_promised: column(int('Replicas promised.'), ({ service }) => service.replicas_target),
  },
})

interface Margin {
  readonly customer: CustomerRecord
  readonly margin: CustomerRecord['service_margins'][number]
}

export const serviceMargins = defineTable<Margin, CustomerRecord>({
  name: 'service-margins',
  meaning: 'What services earned and cost in the last 30 simulated days, customer by customer.',
  row: ['ServiceMarginRow', 'Revenue and cost of a service.'],
  things: ({ records }) => records.all('customers'),
  itemsOf: (customer) => customer.service_margins.map((margin) => ({ customer, margin })),
  thingFilters: customerFilters,
  filters: {
    class: {
      meaning: 'Service class.',
      values: ({ margin }) => [margin.service, serviceWords(margin.service)],
    },
  },
  columns: {
    ...customerColumns,
    class: column(str('Service class, in words.'), ({ margin }) => serviceWords(margin.service)),
    revenue_dollars: column(amount('Revenue.', 'dollars'), ({ margin }) => margin.revenue_dollars),
    cost_dollars: column(amount('Cost.', 'dollars'), ({ margin }) => margin.cost_dollars),
    margin_dollars: column(amount('Revenue less cost.', 'dollars'), ({ margin }) => margin.margin_dollars),
    margin_pct: column(amountOrNone('Margin, of the revenue.', 'pct'), ({ margin }) =>
      percentOf(margin.margin_dollars, margin.revenue_dollars),
    ),
  },
})
