import { abnormal, article, normal, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { appliancesOfCustomer, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { hour, minute } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultTarget } from '../../../topology/fault-target.ts'
import { combineShares, countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { drawBreakage, mistakeFactor, networkDevices, temporary } from '../../hazards/hazards.ts'
import { reconfigure } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

function wrongSetting({ condition, facility }: ObservedWorld, target: FaultTarget): string | null {
  if (target.kind === 'Appliance') {
    const share = condition.applianceMisrule[target.row]
    return share > 0 ? `${percent(share)} of sessions denied` : null
  }
  if (target.kind !== 'Gateway') return null
  return facility.gatewayUp[target.row] > 0 && condition.gatewayWithdrawn[target.row] > 0
    ? 'routes withdrawn'
    : null
}

/** Share of wrong rules that deny much more than a few sessions. */
const graveShare = 0.3

/** A gateway withdraws its routes; an appliance drops a share of legitimate traffic, the magnitude. */
export const misconfiguration: FaultKind = {
  origin: hazard(
    (world) => ({
      ...networkDevices(world, 'Gateway'),
      faultsPerDay: 0.05,
      strain: () => mistakeFactor(world.now),
      draw: drawBreakage,
    }),
    (world) => ({
      ...networkDevices(world, 'Appliance'),
      faultsPerDay: 0.08,
      strain: () => mistakeFactor(world.now),
      draw: (stream) =>
        temporary(
          stream.chance(graveShare) ? stream.uniform(0.1, 0.35) : stream.uniform(0.01, 0.06),
          stream.between(4, 14) * hour,
        ),
    }),
  ),
  effects: { Gateway: countFaults('gatewayWithdrawn'), Appliance: combineShares('applianceMisrule') },
  diagnosis: {
    article: article('misconfiguration', 'Tracking down a bad **change**'),
    lookAt: 'Compare the configuration with the approved one',
    suspicions: [
      suspicion(subjectItself, {
        'gateway-silent': 0.2,
        'gateway-withdrawn': 0.55,
        'gateway-throttled': 0.12,
        'appliance-silent': 0.2,
        'appliance-dropping': 0.25,
      }),
      suspicion(appliancesOfCustomer, {
        'customer-probed': 0.2,
        'customer-breached': 0.2,
        'customer-failing': 0.3,
        'customer-slow': 0.15,
      }),
    ],
    checks: [
      {
        delay: 6 * minute,
        observe(world, target) {
          const label = `Running configuration of **${nameOf(world, target)}**`
          const value = wrongSetting(world, target)
          return value === null
            ? normal(label, 'as approved', 'It matches the last approved version.', 0.2)
            : abnormal(label, value, 'It differs from the last approved version.', 6)
        },
      },
    ],
  },
  remedy: 'restore configuration',
  planRepair: reconfigure('network', 'Correct the configuration of', () => [
    step('Inspect', 'Compare with the last good configuration', 9),
    step('Configure', 'Roll back the bad change', 4),
    step('Test', 'Check routes and rules from outside', 5),
  ]),
  explainsShortages: true,
  action: degradation(0.001, 1, 0.3, 'Gateway', 'Appliance'),
}
