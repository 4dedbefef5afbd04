import type { CustomerRecord } from '../../../contract/collections.ts'
import { relativeTime } from '../../../words/moments.ts'
import { capitalized, dollarsText, plain, wholePercent } from '../../../words/phrases.ts'
import { requirementsText, unmetRequirementsText } from '../../../words/requirements.ts'
import {
  businessWords,
  lifecycleWords,
  plainWords,
  serviceWords,
  threatWords,
} from '../../../words/vocabulary.ts'
import { idColumn } from '../../engine/columns.ts'
import { defineFactTable, fact, incidentFact } from '../../engine/facts.ts'
import { idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column } from '../../engine/table.ts'
import { customerCondition, customerFilters } from './customers.ts'

function lifecycleText(
  { lifecycle, pending_until_ns }: CustomerRecord,
  { nowNs }: TableWorld,
): string | null {
  const words = capitalized(lifecycleWords(lifecycle))
  if (pending_until_ns === null) return lifecycle === 'Active' ? null : words
  return `${words}; that ends ${relativeTime(pending_until_ns, nowNs)}`
}

function latencyText(customer: CustomerRecord): string {
  const { p99_recent_ms: p99, sla_p99_budget_ms: promised, latency_top_term: term } = customer
  const because = term === null || p99 <= promised ? '' : `, most of it ${plainWords(term)}`
  return `p99 is ${plain(p99)} ms, ${plain(promised)} ms are promised${because}`
}

const securityText = ({ breached, attack_class }: CustomerRecord): string | null => {
  if (breached) return 'Intruders are in its systems'
  return attack_class === null ? null : `Under attack: ${threatWords(attack_class)}`
}

const unitsText = ({ provisioned_total, requested_total, distinct_hosts }: CustomerRecord): string =>
  `${plain(provisioned_total)} of ${plain(requested_total)} units placed, on ${plain(distinct_hosts)} hosts`

const moneyText = (customer: CustomerRecord): string =>
  `${dollarsText(customer.revenue_last_hour_dollars)} an hour; margin of 30 days ${dollarsText(customer.margin_dollars)}`

export const customer = defineFactTable<CustomerRecord>({
  name: 'customer',
  meaning: 'Customers fact by fact: state, incident, satisfaction, SLA, units, requirements, money.',
  row: ['CustomerFactRow', 'A fact about a customer.'],
  worldParts: ['customers'],
  entities: ({ records }) => records.all('customers'),
  identity: { customer_id: column(idColumn('customer'), ({ id }) => idText(id)) },
  filters: customerFilters,
  facts: [
    fact('Customer', ({ name, archetype, tier }) => `${name}, ${businessWords(archetype)}, ${tier} plan`),
    fact(
      'State',
      (one) => capitalized(customerCondition(one).state),
      (one) => customerCondition(one).severity,
    ),
    fact('Lifecycle', lifecycleText),
    incidentFact((one, world) => world.activeIncidentsOf('customer', one.id)[0]),
    fact('Security', securityText, ({ breached }) => (breached ? 4 : 3)),
    fact(
      'Satisfaction',
      ({ satisfaction, satisfaction_label }) =>
        `${wholePercent(satisfaction * 100)}, ${plainWords(satisfaction_label)}`,
    ),
    fact(
      'Availability',
      ({ availability_pct }) => `${plain(availability_pct)} % of requests answered in the SLA period`,
    ),
    fact('Latency', latencyText, ({ p99_recent_ms, sla_p99_budget_ms }) =>
      p99_recent_ms > sla_p99_budget_ms ? 2 : 0,
    ),
    fact('Services', ({ service_kinds }) => service_kinds.map(serviceWords).join(', ')),
    fact('Units', unitsText, ({ provisioned_total, requested_total }) =>
      provisioned_total < requested_total ? 2 : 0,
    ),
    fact('Requires', requirementsText),
    fact('Not met', unmetRequirementsText, () => 3),
    fact('Money', moneyText),
  ],
})
