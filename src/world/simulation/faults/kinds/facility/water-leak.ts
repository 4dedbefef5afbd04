import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { coolingUnitsOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import { minute } from '../../../time.ts'
import { access, step } from '../../../work/plans.ts'
import { repairFacility } from '../../repair.ts'
import { countFaults } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { tripFeedByWater } from '../../hazards/aftereffects.ts'
import { coolingParts, drawBreakage } from '../../hazards/hazards.ts'

/** Water under a cooling unit: it shuts off its supply and stops. */
export const waterLeak: FaultKind = {
  origin: hazard((world) => ({
    ...coolingParts(world, 0.15),
    draw: drawBreakage,
  })),
  effects: { CoolingUnit: countFaults('coolingBroken', 'coolingLeaking') },
  // Water that is not stopped reaches the junction boxes under the floor.
  aftereffects: [tripFeedByWater(0.35, [35, 90])],
  diagnosis: {
    article: article('leak', '**Water** under the raised floor'),
    lookAt: 'Read the leak detection under the floor',
    suspicions: [
      suspicion(subjectItself, { 'cooling-stopped': 0.35 }),
      suspicion(coolingUnitsOfZone, { 'zone-hot': 0.15 }),
    ],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Leak sensor under ${name}`,
        read: ({ condition }, row) => (condition.coolingLeaking[row] > 0 ? 'wet' : null),
        abnormal: ['Water runs from a pipe joint, and the unit has shut off its supply.', 9],
        normal: ['dry', 'No water under the floor.', 0.08],
      }),
    ],
  },
  planRepair: repairFacility(
    'Stop the leak at',
    step('Inspect', 'Lift the tiles and find the leak', 9, access),
    step('Swap', 'Replace the joint and its seal', 26),
    step('Clean', 'Vacuum the water and dry the cable trays', 30),
    step('Test', 'Fill, vent and watch the pressure', 12),
  ),
  remedy: 'stop leak',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('CoolingUnit'),
}
