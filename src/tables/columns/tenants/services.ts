import type { CustomerRecord } from '../../../contract/collections.ts'
import { int, nullable, str } from '../../../contract/fields.ts'
import { numberText } from '../../../contract/messages/catalog.ts'
import { finite } from '../../../words/phrases.ts'
import { amountWords, knownOr, plainWords, serviceWords } from '../../../words/vocabulary.ts'
import { idColumn, severityFilter, stateColumns } from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import { column, defineTable, oneOfFilter } from '../../engine/table.ts'
import type { Columns } from '../../engine/table.ts'
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

const customerColumns: Columns<{ readonly customer: CustomerRecord }> = {
  customer_id: column(idColumn('customer'), ({ customer }) => idText(customer.id)),
  customer: column(str('Name of the customer.'), ({ customer }) => customer.name),
}

export const services = defineTable<Service, CustomerRecord>({
  name: 'services',
  meaning: 'Services of customers, customer by customer.',
  row: ['ServiceRow', 'A service that a customer runs.'],
  worldParts: ['customers'],
  entities: ({ records }) => records.all('customers'),
  itemsOf: (customer) => customer.services.map((service) => ({ customer, service })),
  entityFilters: customerFilters,
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
    ...stateColumns(serviceCondition, 'running, partial, degraded, placing or down.'),
    reason: column(
      nullable(str('Why it is not simply running, as a sentence.')),
      ({ service }) => service.reason,
    ),
    lacking: column(nullable(str('What placement lacks, and where.')), ({ service }) => lackText(service)),
    missing: column(int('Units not placed.'), ({ service }) => service.gap),
  },
})
