import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { createExposition } from '../../../src/metrics/exposition/exposition.ts'
import { collectorNames } from '../../../src/metrics/declaration/collectors.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import type { Simulation, SimulationOptions } from '../../../src/world/records/simulation.ts'
import { shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { day, hour } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { SavedWorld } from '../../../src/world/simulation/world.ts'
import { isNight } from '../../fixtures/seeds.ts'
import { divergence } from '../properties/lives.ts'
import type { Life } from '../properties/lives.ts'

const runUntil = (sim: Simulation, until: Micros): void => {
  while (sim.state.now < until) sim.step()
}

function runWhile(sim: Simulation, waits: (sim: Simulation) => boolean): void {
  while (waits(sim)) sim.step()
}

/** A copy of the saved world, as read back from a file. */
const copyOf = (saved: SavedWorld): SavedWorld => deserialize(serialize(saved)) as SavedWorld

/** All output of a world that clients can read. */
function readable(sim: Simulation) {
  const snapshot = sim.snapshot()
  const exposition = createExposition({ collectors: collectorNames })
  const decoder = new TextDecoder()
  const { collections, events, diagnostics, totals } = snapshot
  const { publish: _, ...world } = diagnostics
  return structuredClone({
    collections,
    events,
    diagnostics: world,
    totals: { ...totals, state: null, event: null, incidentOpened: null, incidentResolved: null },
    exposition: exposition.render(snapshot).map(({ bytes }) => decoder.decode(bytes)),
  })
}

interface Course {
  readonly name: string
  readonly seed: bigint
  readonly scale: SimulationOptions['scale']
  readonly scenario?: string
  /** Earliest time of the save, which also waits for `isDue`. */
  readonly from: Micros
  readonly isDue?: (sim: Simulation) => boolean
  /** Duration of both worlds after the save by night; a quarter of it by day. */
  readonly span: Micros
}

const hasConfirmedIncident = ({ parts }: Simulation): boolean =>
  parts.incidents.state.open.values().some(({ root }) => root !== null)
const hasRepairUnderWay = ({ parts }: Simulation): boolean =>
  parts.operations.dispatcher.open.some(({ fault, stepEnds }) => fault !== null && stepEnds !== null)
const isUnderAttack = ({ state }: Simulation): boolean => state.threats.remainders.size > 0

const courses: readonly Course[] = [
  { name: 'after days', seed: 1n, scale: 'small', from: isNight ? 3 * day : day, span: 2 * day },
  { name: 'a tiny one', seed: 2n, scale: 8, from: isNight ? 9 * day : 2 * day, span: 2 * day },
  { name: 'a larger one', seed: 3n, scale: 'medium', from: isNight ? 8 * hour : 2 * hour, span: 4 * hour },
  { name: 'in a scenario', seed: 4n, scale: 'small', scenario: 'ddos-friday', from: 20 * hour, span: day },
  {
    name: 'amid a scenario',
    seed: 5n,
    scale: 'small',
    scenario: 'power-feed-lost',
    from: 3 * hour,
    span: day,
  },
  { name: 'amid an incident', seed: 6n, scale: 'small', from: day, isDue: hasConfirmedIncident, span: day },
  { name: 'amid a repair', seed: 7n, scale: 'small', from: day, isDue: hasRepairUnderWay, span: day },
  { name: 'under attack', seed: 8n, scale: 'small', from: day, isDue: isUnderAttack, span: day },
]

describe('a world that was saved, loaded and continued equals one that was never stopped', () => {
  test.each(courses)('$name: seed $seed, scale $scale', (course) => {
    const { seed, scale, from, isDue, span } = course
    const scenario = course.scenario === undefined ? null : shippedScenario(course.scenario)
    const options: SimulationOptions = { seed, scale, scenario, warmUp: 0, speed: 60 }
    let lives: readonly Life[] = []
    const begin = (): readonly Life[] => {
      const whole = createSimulation(options)
      runUntil(whole, from)
      runWhile(whole, (sim) => isDue?.(sim) === false)
      const continued = createSimulation(options, copyOf(whole.savedWorld()))
      expect(readable(continued)).toEqual(readable(whole))
      lives = [{ sim: whole }, { sim: continued }]
      return lives
    }
    expect(divergence(begin, isNight ? span : span / 4)).toBe(null)
    const [whole, continued] = lives.map(({ sim }) => readable(sim))
    expect(continued).toEqual(whole)
  })
})

test('every part of the world has a state that is saved, but those that only read', () => {
  const { parts } = createSimulation({ seed: 1n, scale: 8, scenario: null, warmUp: 0, speed: 60 })
  const withoutState = Object.entries(parts).filter(([, part]) => !('state' in part))
  expect(withoutState.map(([name]) => name)).toEqual(['blastRadius', 'construct', 'step'])
})

test('a state of another shape is refused by what is missing', () => {
  const options: SimulationOptions = { seed: 1n, scale: 8, scenario: null, warmUp: 0, speed: 60 }
  const saved = copyOf(createSimulation(options).savedWorld())
  delete (saved.parts['faults'] as Record<string, unknown>)['shaping']
  expect(() => createSimulation(options, saved)).toThrow('it has no world.parts.faults.shaping')
})
