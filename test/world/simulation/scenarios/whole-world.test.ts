import { describe, expect, test } from 'vitest'
import { bands } from '../../../../src/contract/vocabularies.ts'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import { day, hour, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { sweepSeeds } from '../../../fixtures/seeds.ts'

interface Seen {
  readonly opened: Micros
  worst: number
  kind: string
  ended: Micros | null
}

function worldOf(name: string, seed: bigint, warmUp: Micros): Simulation {
  const scenario = shippedScenario(name)!
  const world = createSimulation({ seed, scale: 'small', warmUp, scenario, speed: 60 })
  pass(world, warmUp)
  return world
}

function pass(world: Simulation, span: Micros, each = (): void => {}): void {
  for (let at = 0; at < span; at += stepLength) {
    world.step()
    each()
  }
}

/** All incidents of a span of time, by id. */
function incidentsWithin(world: Simulation, span: Micros): Map<number, Seen> {
  const seen = new Map<number, Seen>()
  pass(world, span, () => {
    const { incidents, now } = world.state
    for (const [id, view] of incidents) {
      const incident = seen.get(id) ?? { opened: view.opened, worst: 0, kind: '', ended: null }
      incident.worst = Math.max(incident.worst, bands.indexOf(view.band))
      incident.kind = view.rootKind
      seen.set(id, incident)
    }
    for (const [id, incident] of seen) if (!incidents.has(id)) incident.ended ??= now
  })
  return seen
}

describe('in a whole world', () => {
  test.each(sweepSeeds(1, 1, 3))('a quiet week has no incident above Watch (seed %s)', (seed) => {
    const seen = incidentsWithin(worldOf('quiet-week', seed, day), 2 * day)
    expect([...seen.values()].filter(({ worst }) => worst > 0)).toEqual([])
  })

  test.each(sweepSeeds(1, 1, 2))('a dead core switch is noticed, found and replaced (seed %s)', (seed) => {
    const warmUp = 20 * hour
    const seen = incidentsWithin(worldOf('core-switch-at-peak', seed, warmUp), 20 * hour)
    const incident = [...seen.values()].find(({ kind }) => kind === 'SwitchFailure')!
    expect(incident.opened - (warmUp + 10 * minute)).toBeLessThanOrEqual(10 * minute)
    expect(incident.ended! - incident.opened).toBeGreaterThan(20 * minute)
    expect(incident.ended! - incident.opened).toBeLessThan(12 * hour)
  })

  test('an attack stronger than the defenses hurts, and is over when it is filtered', () => {
    const warmUp = 12 * hour
    const world = worldOf('ddos-friday', 1n, warmUp)
    const failing: number[] = []
    pass(world, 9 * hour, () =>
      failing.push(Math.max(...world.state.tenants.active.map((one) => one.failing))),
    )
    const hours = (from: number, to: number): number[] => failing.slice(from * 360, to * 360)
    expect(Math.max(...hours(0, 1))).toBeLessThan(0.05)
    expect(Math.max(...hours(6, 7))).toBeGreaterThan(0.1)
  })

  test('the same scenario and seed give the same events', () => {
    const eventTexts = (): string => {
      const world = worldOf('power-feed-lost', 4n, 6 * hour)
      pass(world, 6 * hour)
      return JSON.stringify(world.state.events.state.window, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    }
    expect(eventTexts()).toBe(eventTexts())
  })
})
