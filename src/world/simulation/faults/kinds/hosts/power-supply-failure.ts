import { abnormal, article, normal } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { isUnpowered } from '../../../incidents/correlation/path.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { ObservedWorld } from '../../../state.ts'
import { minute } from '../../../time.ts'
import { nameOf } from '../../../topology/entities.ts'
import type { FaultTarget } from '../../../topology/fault-target.ts'
import { combineSupplies } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { degradation, hazard } from '../../fault-kind.ts'
import { loseOtherSupply } from '../../hazards/aftereffects.ts'
import { drawSupplies, hostAgeing, hostParts, networkDevices } from '../../hazards/hazards.ts'
import { replacePart } from '../../repair.ts'
import { step } from '../../../work/plans.ts'

function brokenSupplies({ condition }: ObservedWorld, target: FaultTarget): number {
  if (target.kind === 'Host') return condition.hostSupplyBroken[target.row]
  return target.kind === 'Switch' ? condition.switchSupplyBroken[target.row] : 0
}

const replaceSupply = replacePart('hardware', 'psu', step('Swap', 'Replace the power supply', 9), () => [
  step('Test', 'Check that both supplies share the load', 4),
])

/** The magnitude is the bit mask of feeds with a broken supply: 1 for A, 2 for B. */
export const powerSupplyFailure: FaultKind = {
  origin: hazard(
    (world) => ({
      ...hostParts(world),
      faultsPerDay: 0.5,
      strain: (row) => hostAgeing(world, row),
      draw: drawSupplies,
    }),
    (world) => ({
      ...networkDevices(world, 'Switch'),
      faultsPerDay: 0.1,
      draw: drawSupplies,
    }),
  ),
  effects: { Host: combineSupplies('hostSupplyBroken'), Switch: combineSupplies('switchSupplyBroken') },
  aftereffects: [loseOtherSupply(0.13, [5, 60])],
  diagnosis: {
    article: article('power-supply', '**Power supplies** and their feeds'),
    lookAt: 'Check both power supplies',
    suspicions: [
      suspicion(subjectItself, {
        'host-silent': 0.2,
        'host-fan': 0.12,
        'host-supply': 0.65,
        'switch-silent': 0.2,
        'switch-supply': 0.65,
      }),
    ],
    checks: [
      {
        delay: 2 * minute,
        isOnSite: true,
        observe(world, target) {
          const label = `Power supplies of **${nameOf(world, target)}**`
          const broken = brokenSupplies(world, target)
          if (broken === 0 && isUnpowered(world, target))
            return normal(label, 'none has input voltage', 'The supplies themselves are sound.', 0.08)
          if (broken === 0) return normal(label, 'none reports a fault', 'They are sound.', 0.08)
          if (broken < 3 && isUnpowered(world, target))
            return abnormal(label, '1 of 2 broken', 'The other one has no input voltage.', 7)
          return broken === 3
            ? abnormal(label, 'none of 2 delivers', 'Neither supply delivers voltage.', 9)
            : abnormal(label, '1 of 2 delivers', 'A supply delivers no voltage.', 7)
        },
      },
    ],
  },
  remedy: 'replace power supply',
  planRepair: (context) => ({
    ...replaceSupply(context),
    label: `Replace power supply ${context.fault.magnitude === 2 ? 'B' : 'A'} in ${context.name}`,
  }),
  action: degradation(1, 3, 1, 'Host', 'Switch'),
}
