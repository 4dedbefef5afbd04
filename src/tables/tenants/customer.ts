import type { CustomerRecord } from '../../contract/collections.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { relativeTime } from '../../words/moments.ts'
import { capitalized, dollarsText } from '../../words/phrases.ts'
import { requirementsText, unmetRequirementsText } from '../../words/requirements.ts'
import {
  businessWords,
  lifecycleWords,
  plainWords,
  serviceWords,
  threatWords,
} from '../../words/vocabulary.ts'
import { factOf, factRow, factsOf } from '../facts.ts'
import type { Fact } from '../facts.ts'
import { bandRank, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import { customerCondition, customerFilters } from './customers.ts'

function lifecycleText({ lifecycle, pending_until_ns }: CustomerRecord, nowNs: bigint): string {
  const words = capitalized(lifecycleWords(lifecycle))
  return pending_until_ns === null ? words : `${words}; that ends ${relativeTime(pending_until_ns, nowNs)}`
}

function latencyText(customer: CustomerRecord): string {
  const { p99_recent_ms: p99, sla_p99_budget_ms: promised, latency_top_term: term } = customer
  const because = term === null || p99 <= promised ? '' : `, most of it ${plainWords(term)}`
  return `p99 is ${p99} ms, promised are ${promised} ms${because}`
}

const securityText = ({ breached, attack_class }: CustomerRecord): string | null => {
  if (breached) return 'Intruders are in its systems'
  return attack_class === null ? null : `Under attack: ${threatWords(attack_class)}`
}

const unitsText = ({ provisioned_total, requested_total, distinct_hosts }: CustomerRecord): string =>
  `${provisioned_total} of ${requested_total} units placed, on ${distinct_hosts} hosts`

const moneyText = (customer: CustomerRecord): string =>
  `${dollarsText(customer.revenue_last_hour_dollars)} an hour; margin of 30 days ${dollarsText(customer.margin_dollars)}`

function factsOfCustomer(customer: CustomerRecord, world: TableWorld): readonly (Fact | null)[] {
  const { state, severity } = customerCondition(customer)
  const [gravest] = world.activeIncidentsOf('customer', customer.id)
  const slow = customer.p99_recent_ms > customer.sla_p99_budget_ms
  const missing = customer.provisioned_total < customer.requested_total
  const unmet = unmetRequirementsText(customer)
  return [
    factOf('Customer', `${customer.name}, ${businessWords(customer.archetype)}, ${customer.tier} plan`),
    factOf('State', capitalized(state), severity),
    factOf('Lifecycle', lifecycleText(customer, world.nowNs)),
    factOf(
      'Incident',
      gravest === undefined ? null : incidentHeadline(gravest),
      bandRank(gravest?.band ?? ''),
    ),
    factOf('Security', securityText(customer), customer.breached ? 4 : 3),
    factOf(
      'Satisfaction',
      `${Math.round(customer.satisfaction * 100)} %, ${plainWords(customer.satisfaction_label)}`,
    ),
    factOf('Availability', `${customer.availability_pct} % of requests answered in the SLA period`),
    factOf('Latency', latencyText(customer), slow ? 2 : 0),
    factOf('Services', customer.service_kinds.map(serviceWords).join(', ')),
    factOf('Units', unitsText(customer), missing ? 2 : 0),
    factOf('Requires', requirementsText(customer)),
    factOf('Not met', unmet, 3),
    factOf('Money', moneyText(customer)),
  ]
}

export const customer = defineTable({
  name: 'customer',
  meaning: 'Customers fact by fact: state, incident, satisfaction, SLA, units, requirements, money.',
  row: factRow('CustomerFactRow', 'a customer', 'customer_id'),
  reads: ['customers', 'incidents', 'resolvedIncidents'],
  items: (world: TableWorld) => factsOf(world.records.all('customers'), world, factsOfCustomer),
  filters: filtersVia(customerFilters, ({ thing }: { readonly thing: CustomerRecord }) => thing),
  toRow: ({ thing, rank, fact }) => ({ customer_id: idText(thing.id), rank, ...fact }),
})
