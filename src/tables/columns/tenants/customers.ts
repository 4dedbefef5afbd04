import { num } from '../../../contract/fields.ts'
import type { CustomerRecord } from '../../../contract/collections.ts'
import { CustomerSchema } from '../../../contract/records/customers.ts'
import { isFalse } from '../../../contract/records/unknown.ts'
import { slaTerms } from '../../../contract/sla.ts'
import { displayThresholds } from '../../../contract/thresholds.ts'
import { businessWords, lifecycleWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  idColumn,
  inOrder,
  asPercent,
  percentOf,
  severityFilter,
  stateColumns,
} from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { idText } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each } from '../../engine/table.ts'
import type { Filters } from '../../engine/table.ts'

const failingPct = ({ failed_last_hour, rps }: CustomerRecord): number | null => {
  const share = percentOf(failed_last_hour, rps * 3600)
  return share === null ? null : Math.min(100, share)
}

/** Whether fewer requests were answered in the SLA period than the plan promises. */
export const isBelowSla = ({ tier, sla_period_availability_frac: answered }: CustomerRecord): boolean =>
  answered < slaTerms[tier]?.availability

/** The worst condition of a customer. */
export function customerCondition(customer: CustomerRecord): RowState {
  if (customer.breached) return { state: 'breached', severity: 4 }
  if (customer.services.some(({ state_tag }) => state_tag === 'down') && customer.lifecycle === 'Active')
    return { state: 'a service is down', severity: 4 }
  if (customer.lifecycle === 'Leaving') return { state: 'leaving', severity: 3 }
  if (customer.lifecycle === 'Probation' || customer.on_probation)
    return { state: 'about to leave', severity: 3 }
  if (customer.under_attack) return { state: 'under attack', severity: 3 }
  const hasFailed = (failingPct(customer) ?? 0) >= asPercent(displayThresholds.failedRequestsHigh)
  // The count is of an hour, the states of services are of now.
  const { services } = customer
  const areAllWell = services.length > 0 && services.every(({ state_tag }) => state_tag === 'running')
  if (hasFailed && !areAllWell) return { state: 'requests fail', severity: 3 }
  if (customer.stranded_unit_count > 0) return { state: 'stranded units', severity: 3 }
  if (customer.in_latency_spike) return { state: 'slow', severity: 2 }
  if (services.some(({ state_tag }) => state_tag === 'degraded'))
    return { state: 'a service is degraded', severity: 2 }
  if (customer.requirements_unmet_mask > 0) return { state: 'a requirement is not met', severity: 2 }
  if (customer.provisioned_total < customer.requested_total) return { state: 'units missing', severity: 2 }
  if (isBelowSla(customer)) return { state: 'below its SLA this period', severity: 2 }
  if (hasFailed) return { state: 'requests failed lately', severity: 1 }
  if (!['Active', ''].includes(customer.lifecycle))
    return { state: lifecycleWords(customer.lifecycle), severity: 1 }
  return inOrder
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
  ...severityFilter(customerCondition),
  incident: {
    meaning: 'Id of an incident that affects it, active or resolved.',
    values: ({ id }, world) => world.incidentsOf('customer', id).map((incident) => incident.id),
  },
  attacked: {
    meaning: 'yes or no.',
    values: ({ under_attack: is }) => [isFalse(is) ? 'no' : is ? 'yes' : null],
  },
  host: {
    meaning: 'Id or name of a host that carries units of it.',
    values: ({ id }, world) =>
      world.hostsOfCustomer(id).flatMap((host) => [host.id, host.display_name_plain]),
  },
}

const customer = columnsOf(CustomerSchema)

export const customers = defineTable<CustomerRecord>({
  name: 'customers',
  meaning: 'Customers in the order of their ids.',
  row: ['CustomerRow', 'A customer.'],
  worldParts: ['customers'],
  ...each(({ records }) => records.all('customers')),
  filters: customerFilters,
  columns: {
    customer_id: column(idColumn('customer'), ({ id }) => idText(id)),
    customer: customer('name'),
    plan: customer('tier'),
    ...stateColumns(customerCondition),
    failing_pct: column(
      amountOrNone('Failed requests of the last simulated hour, at the present rate.', 'pct'),
      failingPct,
    ),
    availability_pct: customer('availability_pct'),
    revenue_dollars_per_hour: column(
      num('Revenue of the last simulated hour.', 'dollars_per_hour'),
      'revenue_last_hour_dollars',
    ),
    margin_dollars: customer('margin_dollars'),
    credits_dollars: customer('sla_credits_dollars'),
  },
})
