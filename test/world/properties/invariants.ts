import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { dayNumber, minute, timeOfDay } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { cablingViolations } from './cabling.ts'
import { watchCountersAndMoney, watchEveryStep } from './counters-and-money.ts'
import { watchIdsAndReferences } from './ids-and-references.ts'
import { incidentRecordViolations } from './incident-records.ts'
import { quietWorldViolations, watchIncidents } from './incidents.ts'
import { checkedWorldOf } from './checked-world.ts'
import type { Check } from './checked-world.ts'
import { powerViolations } from './power.ts'
import { rangeViolations } from './ranges.ts'
import { watchRates } from './rates.ts'
import { sumViolations } from './sums.ts'
import { threatAndCapacityViolations } from './threats-and-capacity.ts'
import { watchTimes } from './times.ts'
import { trafficViolations } from './traffic.ts'
import { workAndQuestViolations } from './work-and-quests.ts'

/** A world, with the durations of its unobserved and its observed run. */
interface WorldToCheck {
  readonly seed: bigint
  readonly scale: ScaleName
  /** Name of a shipped scenario. */
  readonly scenario?: string
  /** Factor on the rate of random faults, 1 by default. */
  readonly spontaneity?: number
  readonly warmUp: Micros
  readonly span: Micros
  /** Interval between checks of all records. */
  readonly lookEvery: Micros
}

/** Bound of the reported violations. */
const reportedMax = 25

/** Runs a world once and checks all invariants on its way; returns violations, and then the way to reproduce them. */
export function violationsIn(world: WorldToCheck): string[] {
  const sim = createSimulation({
    seed: world.seed,
    scale: world.scale,
    scenario: world.scenario === undefined ? null : shippedScenario(world.scenario),
    warmUp: world.warmUp,
    speed: 60,
  })
  if (world.spontaneity !== undefined) sim.state.faults.randomFaultRate = world.spontaneity
  while (sim.state.now < world.warmUp) sim.step()
  const incidents = watchIncidents()
  const everyStep = watchEveryStep()
  const checks: readonly Check[] = [
    watchIdsAndReferences(),
    cablingViolations,
    trafficViolations,
    threatAndCapacityViolations,
    watchCountersAndMoney(),
    watchTimes(),
    rangeViolations,
    incidents.look,
    incidentRecordViolations,
    sumViolations,
    powerViolations,
    watchRates(),
    workAndQuestViolations,
    ...(isCalm(world) ? [quietWorldViolations] : []),
  ]
  const end = world.warmUp + world.span
  for (let next = sim.state.now; ; sim.step()) {
    const { now } = sim.state
    const wrong = everyStep(sim)
    if (now % minute === 0) incidents.everyMinute(sim)
    if (now >= next || now >= end) {
      next = now + world.lookEvery
      const look = checkedWorldOf(sim)
      for (const check of checks) wrong.push(...check(look))
    }
    if (wrong.length > 0) return reproduction(world, sim, wrong)
    if (now >= end) return []
  }
}

/** Whether there are neither random nor scripted faults. */
function isCalm({ scenario }: WorldToCheck): boolean {
  const script = scenario === undefined ? null : shippedScenario(scenario)
  return script !== null && script.spontaneity === 0 && script.steps.length === 0
}

/** Code that reproduces the world, with its violations. */
function reproduction(world: WorldToCheck, { state }: Simulation, wrong: readonly string[]): string[] {
  const { seed, scale, scenario, spontaneity, warmUp } = world
  const chosen = scenario === undefined ? 'null' : `shippedScenario('${scenario}')`
  const options = `{ seed: ${seed}n, scale: '${scale}', scenario: ${chosen}, warmUp: ${warmUp}, speed: 60 }`
  const more = wrong.length > reportedMax ? [`… and ${wrong.length - reportedMax} more`] : []
  return [
    `createSimulation(${options})${spontaneity === undefined ? '' : `, faults.spontaneity = ${spontaneity}`}`,
    `after ${state.tick} steps, on day ${dayNumber(state.now)} at ${timeOfDay(state.now)}:`,
    ...wrong.slice(0, reportedMax).map((violation) => `- ${violation}`),
    ...more,
  ]
}
