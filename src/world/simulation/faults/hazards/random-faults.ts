import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import { stepsPerHour } from '../../schedule.ts'
import type { HazardWorld } from '../../state.ts'
import type { FaultKind } from '../fault-kind.ts'
import type { WeakBatch } from './batches.ts'
import { batchFactor } from './batches.ts'
import type { FirmwareCampaign } from './firmware-campaign.ts'
import { campaignFactor } from './firmware-campaign.ts'
import type { Hazard } from './hazards.ts'
import { sizeFactor, strainMax } from './hazards.ts'
import type { FaultSpec } from '../model.ts'
import type { RepairTimes } from './repaired.ts'
import { repairedFactor } from './repaired.ts'

/** Bound of a part's failure probability per hour. */
const probabilityMax = 0.2

/** A hazard with the quantities derived from the topology. */
interface Trial {
  readonly kind: CauseKind
  readonly hazard: Hazard
  /** Failure probability of each part per hour, in average condition. */
  readonly perHour: Float64Array
  readonly occurrence: RandomStream
  readonly severity: RandomStream
}

/** Draws the parts that fail in this step, at a factor on the usual rate. */
type RandomFaults = (rate: number) => readonly FaultSpec[]

export function createRandomFaults(
  world: HazardWorld,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  flaws: Flaws,
): RandomFaults {
  const trialsNow = (): Trial[] =>
    Object.entries(kinds)
      .flatMap(([kind, { origin }]) =>
        origin.type === 'hazard'
          ? origin.hazardsIn(world).map((hazard) => trialOf(world, kind as CauseKind, hazard))
          : [],
      )
      .toSorted((a, b) => a.hazard.turn - b.hazard.turn)
  let trials = trialsNow()
  let { version } = world.topology
  return (rate) => {
    if (version !== world.topology.version) {
      version = world.topology.version
      trials = trialsNow()
    }
    const specs: FaultSpec[] = []
    for (const trial of trials) {
      const { hazard, perHour, occurrence } = trial
      for (let row = firstRow(world.tick, hazard.turn); row < hazard.partCount; row += stepsPerHour) {
        // Each part consumes exactly one draw, so that one fault does not affect the following draws.
        const draw = occurrence.fraction()
        const probability = perHour[row] * rate
        if (draw >= probability * strainMax || draw >= probabilityMax) continue
        const strain = hazard.strain(row) * flawFactor(world, flaws, trial, row)
        if (draw < probability * strain) specs.push(specOf(trial, row))
      }
    }
    return specs
  }
}

/** Factors on a part's failure probability beyond its age and wear. */
interface Flaws {
  readonly weakBatches: readonly WeakBatch[]
  readonly campaign: FirmwareCampaign
  readonly repaired: RepairTimes
}

function flawFactor(
  world: HazardWorld,
  { weakBatches, campaign, repaired }: Flaws,
  { kind, hazard }: Trial,
  row: number,
) {
  const fresh = repairedFactor(repaired, { kind, target: { kind: hazard.target, row } }, world.now)
  const batch = batchFactor(world, weakBatches, kind, hazard.target, row) * fresh
  return kind === 'FirmwareFault' ? batch * campaignFactor(world, campaign, row) : batch
}

/** Coprime to the number of steps per hour: each part is examined once an hour, in a different minute each hour. */
const stepStride = 97
const hourStride = 131

/** The first row examined in this step. */
const firstRow = (tick: number, turn: number): number =>
  ((tick % stepsPerHour) * stepStride + Math.floor(tick / stepsPerHour) * hourStride + turn * hourStride) %
  stepsPerHour

const specOf = ({ kind, hazard, severity }: Trial, row: number): FaultSpec => ({
  kind,
  target: { kind: hazard.target, row },
  ...hazard.draw(severity),
})

function trialOf(world: HazardWorld, kind: CauseKind, hazard: Hazard): Trial {
  const weights = Float64Array.from({ length: hazard.partCount }, (_, row) => hazard.weight(row))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const faultsPerHour = (hazard.faultsPerDay / 24) * sizeFactor(world.topology.hosts.rows.length)
  const stream = `faults.${hazard.target}.${kind}`
  return {
    kind,
    hazard,
    perHour: sum === 0 ? weights : weights.map((weight) => (weight / sum) * faultsPerHour),
    occurrence: world.random.stream(stream),
    severity: world.random.stream(`${stream}.how`),
  }
}
