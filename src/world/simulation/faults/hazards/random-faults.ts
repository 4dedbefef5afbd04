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

/** A hazard with the quantities derived from the topology. */
interface Trial {
  readonly kind: CauseKind
  readonly hazard: Hazard
  /** Failure probability of each part per hour, in average condition. */
  readonly perHour: Float64Array
  readonly severity: RandomStream
}

export interface CandidateState {
  /** Expected number of candidates until the next one. */
  untilCandidate: number
}

const candidateStream = ({ random }: Pick<HazardWorld, 'random'>): RandomStream =>
  random.stream('faults.candidates')

export const firstCandidate = (world: Pick<HazardWorld, 'random'>): CandidateState => ({
  untilCandidate: candidateStream(world).exponential(1),
})

/** Draws the parts that fail in this step, at a factor on the usual rate. */
type RandomFaults = (rate: number) => readonly FaultSpec[]

/**
 * Parts become candidates as often as they would fail in the worst condition, and most of them do not fail. When one
 * does, and which, takes draws from a stream that depends on the topology alone, so that one fault does not affect others.
 */
export function createRandomFaults(
  world: HazardWorld,
  kinds: Readonly<Record<CauseKind, FaultKind>>,
  state: Flaws & CandidateState,
): RandomFaults {
  const candidates = candidateStream(world)
  let trials = trialsOf(world, kinds)
  let ends = endsOf(trials)
  let { version } = world.topology
  const draw = (): FaultSpec | null => {
    let row = indexAbove(ends, candidates.fraction() * (ends.at(-1) ?? 0))
    const accepted = candidates.fraction() * strainMax
    let turn = 0
    while (row >= trials[turn].perHour.length) row -= trials[turn++].perHour.length
    const trial = trials[turn]
    const strain = strainOf(world, kinds[trial.kind], trial.hazard, row)
    if (accepted >= strain * flawFactor(world, state, trial, row)) return null
    return specOf(trial, row)
  }
  return (rate) => {
    if (version !== world.topology.version) {
      version = world.topology.version
      trials = trialsOf(world, kinds)
      ends = endsOf(trials)
    }
    const specs: FaultSpec[] = []
    state.untilCandidate -= ((ends.at(-1) ?? 0) * rate * strainMax) / stepsPerHour
    while (state.untilCandidate <= 0) {
      state.untilCandidate += candidates.exponential(1)
      const spec = draw()
      if (spec !== null) specs.push(spec)
    }
    return specs
  }
}

/** Factor on the likelihood that a part fails in its current condition; 0 for one that has failed so already. */
export function strainOf(
  { condition }: HazardWorld,
  { effects }: Pick<FaultKind, 'effects'>,
  hazard: Hazard,
  row: number,
): number {
  const broken = effects[hazard.target]?.columns[0]
  return broken !== undefined && condition[broken][row] > 0 ? 0 : (hazard.strain?.(row) ?? 1)
}

/** Sums of the probabilities up to each part of each trial. */
function endsOf(trials: readonly Trial[]): Float64Array {
  let sum = 0
  return Float64Array.from(
    trials.flatMap(({ perHour }) => Array.from(perHour)),
    (probability) => (sum += probability),
  )
}

/** The first index with a sum above a value, by binary search. */
function indexAbove(ends: Float64Array, value: number): number {
  let low = 0
  let high = ends.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle] > value) high = middle
    else low = middle + 1
  }
  return low
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

const specOf = ({ kind, hazard, severity }: Trial, row: number): FaultSpec => ({
  kind,
  target: { kind: hazard.target, row },
  ...hazard.draw(severity),
})

const trialsOf = (world: HazardWorld, kinds: Readonly<Record<CauseKind, FaultKind>>): readonly Trial[] =>
  Object.entries(kinds).flatMap(([kind, { origin }]) =>
    origin.type === 'hazard'
      ? origin.hazardsIn(world).map((hazard) => trialOf(world, kind as CauseKind, hazard))
      : [],
  )

function trialOf(world: HazardWorld, kind: CauseKind, hazard: Hazard): Trial {
  const weights = Float64Array.from({ length: hazard.partCount }, (_, row) => hazard.weight(row))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const faultsPerHour = (hazard.faultsPerDay / 24) * sizeFactor(world.topology.hosts.rows.length)
  return {
    kind,
    hazard,
    perHour: sum === 0 ? weights : weights.map((weight) => (weight / sum) * faultsPerHour),
    severity: world.random.stream(`faults.${hazard.target}.${kind}.how`),
  }
}
