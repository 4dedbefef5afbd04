import { article, readingCheck } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { coolingUnitsOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { PlannedStep } from '../../../operations/work-order.ts'
import { minute } from '../../../time.ts'
import { countFaults } from '../../effects.ts'
import { failure, type FaultKind } from '../../fault-kind.ts'
import { drawBreakage } from '../../hazards/hazards.ts'
import { access, readTicket, step, travelTo } from '../../repair.ts'
import { coolingConditionPct } from '../../hazards/wear.ts'

/** Share of failed cooling units that need a new compressor. */
const compressorShare = 0.4

const compressorSteps: readonly PlannedStep[] = [
  { ...step('FetchSpare', 'Fetch a compressor', 10), needs: { kind: 'Spare', part: 'compressor' } },
  step('Swap', 'Replace the compressor and refill the coolant', 75),
]
const cleaningSteps: readonly PlannedStep[] = [step('Clean', 'Clear the condenser and restart the pump', 35)]

export const coolingFailure: FaultKind = {
  origin: {
    type: 'hazard',
    hazardsIn: (world) => [
      {
        target: 'CoolingUnit',
        turn: 17,
        faultsPerDay: 0.25,
        partCount: world.topology.coolingUnits.count,
        weight: () => 1,
        strain: (row) =>
          world.condition.coolingBroken[row] > 0 ? 0 : 1.6 - coolingConditionPct(world, row) / 100,
        draw: drawBreakage,
      },
    ],
  },
  effects: { CoolingUnit: countFaults('coolingBroken') },
  diagnosis: {
    message: 'cause.cooling-failure',
    article: article('cooling', 'A **cooling unit** stops: how long have we got?'),
    lookAt: 'Check the cooling units',
    suspicions: [
      suspicion(subjectItself, { 'cooling-stopped': 0.8 }),
      suspicion(coolingUnitsOfZone, { 'zone-hot': 0.6, 'host-hot': 0.3 }),
    ],
    checks: [
      readingCheck({
        delay: 2 * minute,
        label: (name) => `Compressor of ${name}`,
        read: ({ condition }, row) => (condition.coolingBroken[row] > 0 ? 'stopped' : null),
        abnormal: ['It removes no heat.', 8],
        normal: ['running', 'It removes heat as expected.', 0.08],
      }),
    ],
    isShortage: false,
  },
  planRepair({ name }, random) {
    const steps = random.chance(compressorShare) ? compressorSteps : cleaningSteps
    return {
      kind: 'Repair',
      label: `Repair ${name}`,
      skill: 'power',
      onSite: true,
      steps: [
        readTicket(2),
        travelTo(name),
        { ...step('Inspect', 'Read pressures and temperatures', 8), needs: access },
        ...steps,
        step('Test', 'Wait until the cold aisle is back at its set point', 12),
      ],
    }
  },
  repairRenews: 'device',
  reach: 'wide',
  explainsShortages: true,
  action: failure('CoolingUnit'),
}
