import { article, percent, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { gatewaysOfCustomer, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { step } from '../../../work/plans.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { mistakeFactor, networkDevices, temporary } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'

/**
 * A gateway announces the routes of one carrier to another, and carries the traffic of strangers. The magnitude is
 * the share of its forwarding that they take.
 */
export const routeLeak: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Gateway'),
    faultsPerDay: 0.03,
    strain: () => mistakeFactor(world.now),
    draw: (stream) => temporary(stream.uniform(0.25, 0.75), stream.between(40, 240) * minute),
  })),
  effects: { Gateway: combineShares('gatewayForeign') },
  diagnosis: {
    article: article('route-leak', 'Carrying the traffic of **strangers**'),
    lookAt: 'Compare the announced prefixes with your own',
    suspicions: [
      suspicion(subjectItself, { 'gateway-throttled': 0.3, 'gateway-dropping': 0.2 }),
      suspicion(gatewaysOfCustomer, { 'customer-failing': 0.06, 'customer-slow': 0.06 }),
    ],
    checks: [
      readingCheck({
        delay: 3 * minute,
        label: (name) => `Prefixes announced by ${name}`,
        read({ condition }, row) {
          const share = condition.gatewayForeign[row]
          return share > 0 ? `those of a carrier too, ${percent(share)} of forwarding` : null
        },
        abnormal: ['An export filter is missing: traffic between two carriers takes this way.', 8],
        normal: ['your own only', 'No traffic of strangers.', 0.1],
      }),
    ],
  },
  planRepair: reconfigure('network', 'Stop the route leak of', () => [
    step('Inspect', 'Find the session without an export filter', 7),
    step('Filter', 'Announce your own prefixes only', 4),
    step('Test', 'Ask the carriers what they receive', 8),
  ]),
  remedy: 'stop route leak',
  explainsShortages: true,
  action: degradation(0.05, 0.95, 0.6, 'Gateway'),
}
