import { inletSpecifiedCelsius } from '../../../facility/limits.ts'
import { abnormal, article, normal, percent } from '../../../incidents/diagnosis/cause-diagnosis.ts'
import { coolingUnitsOfZone, subjectItself, suspicion } from '../../../incidents/diagnosis/suspicion.ts'
import type { Observation } from '../../../incidents/model.ts'
import type { ObservedWorld } from '../../../state.ts'
import type { PlannedStep } from '../../../work/plans.ts'
import { minute } from '../../../time.ts'
import { nameOf, rowOf } from '../../../topology/entities.ts'
import { combine, combinePartialShares, countTotal } from '../../effects.ts'
import type { FaultKind } from '../../fault-kind.ts'
import { failure, hazard } from '../../fault-kind.ts'
import { overloadPeer } from '../../hazards/aftereffects.ts'
import { coolingParts, drawBreakage, untilRepaired } from '../../hazards/hazards.ts'
import { access, step } from '../../../work/plans.ts'
import { repairFacility } from '../../repair.ts'
import type { Condition } from '../../condition.ts'
import { coolingConditionPct } from '../../hazards/wear.ts'

/** Share of failed cooling units that need a new compressor. */
const compressorShare = 0.4

const compressorSteps: readonly PlannedStep[] = [
  step('FetchSpare', 'Fetch a compressor', 10, { kind: 'Spare', part: 'compressor' }),
  step('Swap', 'Replace the compressor and refill the coolant', 75),
]
const cleaningSteps: readonly PlannedStep[] = [step('Clean', 'Clear the condenser and restart the pump', 35)]

/** Share of coolant leaks: the unit runs on with less capacity, without an alarm. */
const leakShare = 0.35

function compressorState(
  { coolingBroken, coolingLeaking, coolingFrozen, coolingLost }: Condition,
  row: number,
): string | null {
  if (coolingBroken[row] > coolingLeaking[row] + coolingFrozen[row]) return 'stopped'
  return coolingLost[row] > 0 ? `${percent(1 - coolingLost[row])} of its capacity` : null
}

/** The warmest inlet air of a zone. */
function warmestInlet({ topology, facility }: ObservedWorld, zone: number): number {
  let warmest = facility.zoneCelsius[zone]
  for (const rack of topology.zones[zone].racks) warmest = Math.max(warmest, facility.rackInletCelsius[rack])
  return warmest
}

const observeSoundCompressor = ({ condition }: ObservedWorld, row: number, label: string): Observation =>
  condition.coolingLeaking[row] > 0
    ? normal(label, 'shut off by its leak sensor', 'The compressor itself is sound.', 0.2)
    : normal(label, 'running', 'It removes heat as expected.', 0.08)

/** Interprets the state of a unit: a running unit is not suspicious while the zone stays cool. */
function observeCompressor(world: ObservedWorld, row: number, label: string): Observation {
  const state = compressorState(world.condition, row)
  if (state === null) return observeSoundCompressor(world, row, label)
  const inlet = warmestInlet(world, world.topology.coolingUnits.zone[row])
  if (inlet > inletSpecifiedCelsius) return abnormal(label, state, 'It removes too little heat.', 8)
  const detail = `The others make up for it: inlet air is at ${Math.round(inlet)} °C at most.`
  return world.condition.coolingBroken[row] > 0
    ? abnormal(label, state, detail, 3.5)
    : normal(label, state, detail, 0.3)
}

/** The magnitude is 1 for a stopped unit, otherwise the lost share of its capacity. */
export const coolingFailure: FaultKind = {
  origin: hazard((world) => ({
    ...coolingParts(world, 0.5),
    strain: (row) => 1.6 - coolingConditionPct(world, row) / 100,
    draw: (stream) => (stream.chance(leakShare) ? untilRepaired(stream.uniform(0.4, 0.85)) : drawBreakage()),
  })),
  effects: { CoolingUnit: combine(countTotal('coolingBroken'), combinePartialShares('coolingLost')) },
  // The remaining units run at their limit.
  aftereffects: [overloadPeer(0.15, [10, 90], { kind: 'CoolingFailure' })],
  upkeepEnds: ({ magnitude }) => magnitude < 1,
  diagnosis: {
    article: article('cooling', 'A **cooling unit** stops: how long have we got?'),
    lookAt: 'Check the cooling units',
    suspicions: [
      suspicion(subjectItself, { 'cooling-stopped': 0.8 }),
      suspicion(coolingUnitsOfZone, { 'zone-hot': 0.6, 'host-hot': 0.3 }),
    ],
    checks: [
      {
        delay: 2 * minute,
        observe: (world, target) =>
          observeCompressor(world, rowOf(target), `Compressor of **${nameOf(world, target)}**`),
      },
    ],
  },
  remedy: 'repair cooling',
  planRepair: (context, random) =>
    repairFacility(
      'Repair',
      step('Inspect', 'Read pressures and temperatures', 8, access),
      ...(random.chance(compressorShare) ? compressorSteps : cleaningSteps),
      step('Test', 'Wait until the cold aisle is back at its set point', 12),
    )(context, random),
  repairRenews: 'device',
  hasWideReach: true,
  explainsShortages: true,
  action: failure('CoolingUnit'),
}
