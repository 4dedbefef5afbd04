import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import { failure, type FaultKind } from '../../fault-kind.ts'
import { drawBreakage, hostAgeing, hostHeat, hostParts } from '../../hazards/hazards.ts'
import { replacePart, step } from '../../repair.ts'

export const fanFailure: FaultKind = {
  origin: {
    type: 'hazard',
    hazardsIn: (world) => [
      {
        ...hostParts(world),
        turn: 3,
        faultsPerDay: 0.8,
        strain: (row) =>
          world.condition.hostFanBroken[row] > 0 ? 0 : hostAgeing(world, row) * hostHeat(world, row),
        draw: drawBreakage,
      },
    ],
  },
  effects: { Host: countFaults('hostFanBroken') },
  diagnosis: {
    message: 'cause.fan-failure',
    article: article('fan', '**Fans**, dust and heat'),
    lookAt: 'Read fan speeds and temperatures',
    suspicions: [suspicion(subjectItself, { 'host-silent': 0.08, 'host-hot': 0.6, 'host-fan': 0.7 })],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Fan speed of ${name}`,
        read: ({ condition }, row) => (condition.hostFanBroken[row] > 0 ? '0 rpm' : null),
        abnormal: ['A fan is not turning although it is driven.', 8],
        normal: ['7,200 rpm', 'All fans turn at the speed set.', 0.08],
      }),
    ],
    isShortage: false,
  },
  planRepair: replacePart(
    'hardware',
    'fan',
    step('Swap', 'Replace the fan tray while the host runs', 8),
    () => [step('Test', 'Watch the temperatures fall', 6)],
  ),
  repairRenews: 'nothing',
  reach: 'local',
  explainsShortages: false,
  action: failure('Host'),
}
