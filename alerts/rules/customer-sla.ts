import { tiers } from '../../src/contract/vocabularies.ts'
import { serviceClasses } from '../../src/contract/vocabularies.ts'
import { serviceWords } from '../../src/words/vocabulary.ts'
import { compare, either, metric, withLabels } from '../../promql/expressions.ts'
import type { Alert, DefineAlert } from '../rule.ts'
import { availabilityPromised } from '../plan-terms.ts'
import { inWords, lookup } from '../annotation-text.ts'
import { customerName } from './names.ts'

const opens = ['instance', 'customer'] as const
const dashboard = 'customer'
const customers = metric('dcsim_customer_info')
const service = inWords('service', serviceClasses, serviceWords)
const ofPromised = lookup(
  'dcsim_service_replicas_target',
  ['customer', 'service'],
  ' of {{ . | value | printf "%.0f" }}',
)

/** Broken promises to single customers. */
export function customerSla(make: DefineAlert): Alert[] {
  const broken = tiers.map((tier) =>
    compare(metric('dcsim_customer_availability_ratio', { tier }), '<', availabilityPromised[tier]),
  )
  return [
    make('DcsimServiceDown', {
      severity: 'warning',
      expr: customerName(compare(metric('dcsim_service_up'), '==', 0)),
      forSeconds: 20,
      keepFiringSeconds: 30,
      key: ['customer', 'service'],
      subject: '{name}',
      summary: `The ${service} service of {name} ({tier}) is down`,
      description:
        `Users of {name} get errors from its ${service} service, and its SLA budget burns.` +
        ' Its dashboard shows which hosts and links the service depends on.',
      dashboard,
      opens,
    }),
    make('DcsimReplicasLost', {
      severity: 'info',
      expr: customerName(
        compare(metric('dcsim_service_replicas_held'), '<', metric('dcsim_service_replicas_target')),
      ),
      forSeconds: 60,
      keepFiringSeconds: 30,
      key: ['customer', 'service'],
      subject: '{name}',
      summary: `The ${service} service of {name} ({tier}) has lost replicas`,
      description:
        `It has {{ $value | printf "%.0f" }}${ofPromised} promised replicas: further faults may lose data.` +
        ' Bring hosts back, or make room for new replicas.',
      dashboard,
      opens,
    }),
    make('DcsimSlaBroken', {
      severity: 'info',
      expr: withLabels(either(broken[0], ...broken.slice(1)), customers, ['customer'], ['name']),
      forSeconds: 60,
      keepFiringSeconds: 60,
      key: ['customer'],
      subject: '{name}',
      summary: 'Availability of {name} ({tier}) is below its SLA',
      description:
        '{{ $value | humanizePercentage }} of the requests to {name} were answered in this SLA period, less than its plan' +
        ' promises: credits are owed when the period ends. Its dashboard shows what failed the requests.',
      dashboard,
      opens,
    }),
    make('DcsimRequirementsUnmet', {
      severity: 'info',
      expr: withLabels(
        compare(metric('dcsim_customer_requirements_unmet'), '>', 0),
        customers,
        ['customer'],
        ['name', 'requirements_unmet'],
      ),
      forSeconds: 60,
      key: ['customer'],
      subject: '{name}',
      summary: 'Requirements of {name} ({tier}) are not met: {requirements_unmet}',
      description:
        'The satisfaction of {name} falls every day until they are.' +
        ' Add what is missing, or move its units to where it is available.',
      dashboard,
      opens,
    }),
  ]
}
