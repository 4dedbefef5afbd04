import type { SimulationOptions } from '../../../src/world/records/simulation.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { minute, stepLength } from '../../../src/world/simulation/time.ts'
import type { Snapshot } from '../../../src/contract/collections.ts'
import { AmountNotes } from './amounts.ts'
import type { Amounts } from './amounts.ts'
import { criticalName, incidentsOf } from './causes.ts'
import { ChangeFeed } from './chronicle.ts'
import type { Chronicle } from './chronicle.ts'
import type { Claim, KeyedStrength, Sight } from './claim.ts'
import { claimsOfRun } from './claims.ts'
import type { Run } from './runs.ts'

/** A world publishes once a second; at speed 60 that is a simulated minute. */
const stepsAPublish = minute / stepLength
const wallSecond = minute

/** The snapshot as the world of the run has it: another program may have no work orders. */
function shownBy({ altered }: Run, snapshot: Snapshot): Snapshot {
  if (altered !== 'workless') return snapshot
  return { ...snapshot, collections: { ...snapshot.collections, workOrders: [] } }
}

/** The ground truth of a run, in wall seconds. */
export interface Truths {
  /** Spans in which a claim held with certainty, by alert and key. */
  readonly surely: Chronicle
  /** The same with the tolerance of windows. */
  readonly nearly: Chronicle
  /** Faults that justify critical alerts. */
  readonly caused: Chronicle
  /** Amounts that texts may state. */
  readonly amounts: Amounts
}

const world = ({ seed, scale, scenario, warmUp }: Run) => {
  const options: SimulationOptions = { seed: BigInt(seed), scale, warmUp, scenario, speed: 60 }
  return createSimulation(options)
}

/** Simulates a run, publish by publish, and records the truth; calls `publish` with each state. */
export function witness(
  run: Run,
  publish: (sight: Sight) => void,
  standsStill: (at: number) => boolean = () => false,
): Truths {
  const simulation = world(run)
  const claims = Object.entries(claimsOfRun())
  const surely = new ChangeFeed()
  const nearly = new ChangeFeed()
  const caused = new ChangeFeed()
  const amounts = new AmountNotes()
  while (simulation.state.now < run.before) simulation.step()
  for (let at = 0; at <= run.lasts / wallSecond; at++) {
    if (at > 0 && !standsStill(at)) for (let step = 0; step < stepsAPublish; step++) simulation.step()
    const truths = simulation.truth()
    const sight: Sight = {
      at,
      state: simulation.state,
      snapshot: shownBy(run, simulation.snapshot()),
      truths,
    }
    for (const [alert, claim] of claims) {
      const holdings = [...claim.look(sight)]
      amounts.note(alert, claim, sight, holdings)
      noteClaim(alert, claim, sight.at, holdings, surely, nearly)
    }
    for (const fault of truths) {
      for (const key of incidentsOf(fault, sight)) caused.note(criticalName, key, at)
    }
    publish(sight)
  }
  return {
    surely: surely.chronicle,
    nearly: nearly.chronicle,
    caused: caused.chronicle,
    amounts: amounts.amounts,
  }
}

function noteClaim(
  alert: string,
  { tolerance = 0 }: Claim,
  at: number,
  holdings: readonly KeyedStrength[],
  surely: ChangeFeed,
  nearly: ChangeFeed,
): void {
  for (const [key, strength] of holdings) {
    if (strength > 1 + tolerance) surely.note(alert, key, at)
    if (strength > 1 - tolerance) nearly.note(alert, key, at)
  }
}
