import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { parseScenario } from '../../../../src/world/scenarios/parse-scenario.ts'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'

const failures = { do: 'HostFailure', target: { kind: 'Host', pick: 'random' }, for: '20m' }
const outage = { do: 'SwitchFailure', target: { kind: 'Switch', role: 'core', share: 1 } }
const usual = { every: '2h', hours: [9, 17], gravest: 'Critical', at_once: 5, actions: [failures] }

function problemOf(schedule: object): string {
  const parsed = parseScenario(
    JSON.stringify({ name: 'a', title: 'A', description: 'B', steps: [], schedule }),
  )
  return 'problem' in parsed ? parsed.problem.message : 'none'
}

function worldWith(schedule: object, scale = 8): Simulation {
  const head = { name: 'a', title: 'Drill', description: 'B', spontaneity: 0, steps: [] }
  const parsed = parseScenario(JSON.stringify({ ...head, schedule }))
  if ('problem' in parsed) throw new Error(parsed.problem.message)
  return createSimulation({ seed: 1n, scale, speed: 60, warmUp: 0, scenario: parsed.scenario })
}

/** Start times of the schedule's faults, in hours. */
function beginnings(schedule: object, days: number): number[] {
  const world = worldWith(schedule)
  while (world.state.now < days * day) world.step()
  const { active, ended } = world.parts.faults
  return [...ended, ...active]
    .filter(({ kind }) => kind === 'HostFailure')
    .map(({ began }) => began / hour)
    .toSorted((a, b) => a - b)
}

describe('a schedule', () => {
  test('begins actions in its hours, about as often as it says, and the same ones again', () => {
    const times = beginnings(usual, 6)
    // 6 days of 8 hours are 48 hours: 24 actions on average.
    expect(times.length).toBeGreaterThan(12)
    expect(times.length).toBeLessThan(36)
    for (const time of times) {
      expect(time % 24).toBeGreaterThanOrEqual(9)
      expect(time % 24).toBeLessThan(17.01)
    }
    expect(beginnings(usual, 2)).toEqual(times.filter((time) => time < 48))
    expect(beginnings({ ...usual, seed: 2 }, 2)).not.toEqual(times.filter((time) => time < 48))
  })

  test('has no more faults at once than it allows', () => {
    const world = worldWith({ ...usual, every: '5m', hours: [0, 24], at_once: 2 })
    let most = 0
    while (world.state.now < day) {
      world.step()
      const lasting = world.parts.faults.active.filter(({ kind }) => kind === 'HostFailure')
      most = Math.max(most, lasting.length)
    }
    expect(most).toBe(2)
  })

  test('ends what becomes graver than it allows, and says so', () => {
    const world = worldWith({ ...usual, every: '1h', hours: [0, 24], gravest: 'Watch', actions: [outage] })
    while (world.state.now < day) world.step()
    const stops = world.snapshot().events.filter(({ msg_key: key }) => key === 'event.schedule-stopped')
    expect(stops.length).toBeGreaterThan(0)
    expect(messageText(stops[0].msg_key, stops[0].msg_args)).toMatch(
      /^Drill: SwitchFailure at .* ends early, as its incident is graver than Watch\.$/,
    )
  })

  test.each([
    [
      { ...usual, every: undefined },
      'missing "every": expected the mean time between two actions, such as "4h"',
    ],
    [{ ...usual, every: '30s' }, 'at least 60 seconds, got "30s"'],
    [{ ...usual, hours: [17, 9] }, 'expected an integer from 18 to 24, got 9'],
    [{ ...usual, hours: 9 }, 'expected two hours of the day, such as [9, 17], got 9'],
    [
      { ...usual, gravest: undefined },
      'missing "gravest": expected the band of the gravest incident allowed',
    ],
    [{ ...usual, gravest: 'Majr' }, 'unknown band "Majr"; did you mean "Major"?'],
    [{ ...usual, at_once: 0 }, 'expected an integer from 1 to 100, got 0'],
    [{ ...usual, actions: [] }, 'expected at least one action, got a list'],
    [{ ...usual, actions: [{ ...failures, weight: 0 }] }, 'expected a number from 0.001 to 1000, got 0'],
    [{ ...usual, actions: [{ ...failures, at: '1h' }] }, 'unknown key of a scheduled action "at"'],
    [{ ...usual, kinds: [] }, 'unknown key of a schedule "kinds"'],
  ])('%j is refused', (schedule, problem) => {
    expect(problemOf(schedule)).toContain(problem)
  })
})

test('a game day has a quiet start and five incidents within two hours, the last of which is grave', () => {
  const scenario = shippedScenario('game-day')!
  const world = createSimulation({ seed: 1n, scale: 'small', speed: 1, warmUp: 9 * hour, scenario })
  const openAt = new Map<number, number>()
  const begins = 9 * hour
  while (world.state.now < begins + 2 * hour) {
    world.step()
    for (const id of world.parts.incidents.view.keys()) if (!openAt.has(id)) openAt.set(id, world.state.now)
  }
  expect(openAt.size).toBeGreaterThanOrEqual(5)
  expect(Math.min(...openAt.values())).toBeGreaterThan(begins + hour / 4)
  const { open, resolved } = world.parts.incidents.state
  const bands = [...open.values(), ...resolved].map(({ peakBand }) => peakBand)
  expect(bands).toContain('Critical')
})
