import { abnormal, article, normal, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { gatewaysOfCustomer, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { throttledShareMin } from '../../../network/capabilities.ts'
import { hour, minute } from '../../../time.ts'
import { nameOf, rowOf } from '../../../topology/entities.ts'
import { combineShares } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { networkDevices, temporary } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

/** Share of faults that leave a gateway less capacity than its usual load. */
const graveShare = 0.35

/** The magnitude is the share of the forwarding ceiling consumed by an add-on. */
export const addonThrottling: FaultKind = {
  origin: hazard((world) => ({
    ...networkDevices(world, 'Gateway'),
    faultsPerDay: 0.08,
    draw: (stream) =>
      temporary(
        stream.chance(graveShare) ? stream.uniform(0.55, 0.85) : stream.uniform(0.25, 0.55),
        stream.between(3, 20) * hour,
      ),
  })),
  effects: { Gateway: combineShares('gatewayThrottle') },
  diagnosis: {
    article: article('addon-throttling', 'What **add-ons** cost'),
    lookAt: 'Check the CPU of the add-ons',
    suspicions: [
      suspicion(subjectItself, { 'gateway-throttled': 0.6, 'gateway-dropping': 0.3 }),
      suspicion(gatewaysOfCustomer, { 'customer-failing': 0.15, 'customer-slow': 0.15 }),
    ],
    checks: [
      {
        delay: 4 * minute,
        observe(world, target) {
          const { condition, network } = world
          const label = `CPU of the add-ons of **${nameOf(world, target)}**`
          const row = rowOf(target)
          const share = network.gatewayThrottle[row]
          if (condition.gatewayThrottle[row] > 0) {
            const detail = 'A rule costs far more than it should, and packets wait for it.'
            return abnormal(label, 'all cores busy', detail, 7)
          }
          if (share < throttledShareMin) return normal(label, 'mostly idle', 'The add-ons keep up.', 0.12)
          const detail = 'They filter hostile traffic, as they should.'
          return normal(label, `busy, ${percent(share)} of forwarding`, detail, 0.12)
        },
      },
    ],
  },
  remedy: 'tune add-ons',
  planRepair: reconfigure('security', 'Tune the add-ons of', () => [
    step('Inspect', 'Find the most expensive rule', 8),
    step('Configure', 'Rewrite it and restart the add-on', 7),
    step('Test', 'Check that the gateway forwards at full rate', 4),
  ]),
  explainsShortages: true,
  action: degradation(0.05, 1, 0.6, 'Gateway'),
}
