import { readFileSync } from 'node:fs'
import { parseScenario } from '../../../src/world/scenarios/parse-scenario.ts'
import type { Scenario } from '../../../src/world/simulation/scenarios/scenario.ts'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'

/** One simulated world, scraped by Prometheus. */
export interface Run {
  readonly name: string
  readonly seed: number
  readonly scale: number | ScaleName
  readonly scenario: Scenario | null
  /** Simulated time before the first scrape. */
  readonly before: Micros
  /** The origin of times in the scenario. */
  readonly warmUp: Micros
  readonly lasts: Micros
  /** Alterations of the exposition, or of the world; null for none. */
  readonly altered: 'watching' | 'foreign' | 'workless' | null
}

/** The warm-up of the service, which precedes the evaluation. */
const usualWarmUp: Micros = 7 * day

const ordinaryWeek = (seed: number, scale: ScaleName = 'small', lasts: Micros = 7 * day): Run => ({
  name: `week-${seed}`,
  seed,
  scale,
  scenario: null,
  before: usualWarmUp,
  warmUp: usualWarmUp,
  lasts,
  altered: null,
})

/** Simulated time in which windows fill before a scenario begins. */
const lead: Micros = 6 * hour

/** From some hours before a scenario begins until its consequences are over. */
export function scenarioRun(
  scenario: Scenario,
  seed: number,
  lasts: Micros,
  scale: ScaleName = 'small',
): Run {
  const warmUp = scenario.warmup ?? usualWarmUp
  const { name } = scenario
  return { name, seed, scale, scenario, before: warmUp - lead, warmUp, lasts: lead + lasts, altered: null }
}

const folder = new URL('scenarios/', import.meta.url)

/** A scenario of the proof, for conditions that no shipped scenario causes. */
export function ownScenario(name: string): Scenario {
  const reading = parseScenario(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
  if ('scenario' in reading) return reading.scenario
  throw new Error(`${name}.json: ${reading.problem.message}`)
}

const shipped = (name: string): Scenario => shippedScenario(name)!

export const quietWeek = (scale: ScaleName = 'small', lasts: Micros = 7 * day): Run => ({
  ...ordinaryWeek(1, scale, lasts),
  name: 'quiet-week',
  scenario: shipped('quiet-week'),
})

/** Conditions that no shipped scenario causes. */
const ownRuns = (): Run[] => [
  scenarioRun(ownScenario('no-room'), 12, 40 * hour),
  scenarioRun(ownScenario('dark-zone'), 1, 60 * hour),
  scenarioRun(ownScenario('full-house'), 1, 18 * hour, 'medium'),
  scenarioRun(ownScenario('failing-fans'), 1, 72 * hour),
  scenarioRun(ownScenario('hot-racks'), 13, 36 * hour),
  // A topology in which the other feed can hardly carry the load.
  { ...scenarioRun(shipped('power-feed-lost'), 850_691, 36 * hour), name: 'other-feed-nearly-full' },
  // The evaluation is hardly longer than the minimum of a trend, so that a change within an hour is one.
  { ...scenarioRun(ownScenario('lost-hosts'), 1, 12 * hour), before: 6 * day - 3 * hour },
]

/** Small worlds, at times at which a customer takes most of the remaining capacity. */
const fillingRuns = (): Run[] => [
  filling('gpus-run-out', 3, 8, 8 * day, 56 * hour),
  filling('pool-disks-run-out', 14, 5, 2 * day, 2 * day),
  filling('zone-disks-run-out', 2, 14, 5 * day, 2 * day),
]

const filling = (name: string, seed: number, scale: number, before: Micros, lasts: Micros): Run => ({
  ...ordinaryWeek(seed),
  name,
  scale,
  before,
  lasts,
})

/** Runs without faults, or with irrelevant ones, whose exposition is altered, and one without work orders. */
const alteredRuns = (): Run[] => [
  { ...quietWeek(), name: 'troubled-watching', lasts: 130 * hour, altered: 'watching' },
  { ...scenarioRun(shipped('core-switch-at-peak'), 2, 12 * hour), name: 'foreign-world', altered: 'foreign' },
  { ...scenarioRun(ownScenario('dark-zone'), 1, 20 * hour), name: 'workless-world', altered: 'workless' },
]

/** All runs of the whole proof. */
export function allRuns(seeds: number, first: number): Run[] {
  const weeks = Array.from({ length: seeds }, (_, index) => ordinaryWeek(first + index))
  const scenarioRuns = listScenarios()
    .filter(({ name }) => name !== 'quiet-week')
    // Zones have several gateways from medium on.
    .map(({ name }) =>
      scenarioRun(shipped(name), first, 36 * hour, name === 'misconfigured-gateway' ? 'medium' : 'small'),
    )
  return [...weeks, quietWeek(), ...scenarioRuns, ...ownRuns(), ...fillingRuns(), ...alteredRuns()]
}
