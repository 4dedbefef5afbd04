import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defaultSpeed } from '../../../src/contract/thresholds.ts'
import { worldSettings } from '../../../src/options/world-settings.ts'
import { parseActionLine } from '../../../src/world/scenarios/action-line.ts'
import { actionLineOf } from '../../../src/world/scenarios/action-words.ts'
import { day, hour, minute, second } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'
import { root } from '../../containers/stack-file.ts'
import { firstLookAt, isPresentable } from './first-look.ts'

/** To find another seed: `npm run node test/world/statistics/main.ts -- --rank-seeds 1..60`. */
const timeout = 600_000

const readme = readFileSync(new URL('README.md', root), 'utf8')
const defaultSeed = BigInt(worldSettings.seed.defaultText)

test('the first ten minutes of the default world show one thing at a time, of which the Critical is lived through', {
  timeout,
}, () => {
  const look = firstLookAt(defaultSeed)
  expect(look).toSatisfy(isPresentable)
  expect([look.openAtStart, look.opened]).toEqual([[], ['Minor', 'Critical']])
  let last = 0
  for (const [from, until] of look.shown) {
    expect(from).toBeGreaterThan(last)
    expect(until - from).toBeGreaterThan(90)
    last = until
  }
  expect(last).toBeLessThan(600)
  expect(look.revenueAtRiskPerHour).toBeGreaterThan(50)
})

test('and in the first forty minutes of a small world of another seed', { timeout }, () => {
  expect(firstLookAt(3n, 'small', 40)).toSatisfy(isPresentable)
})

describe('step 2 of the README in the default world', { timeout }, () => {
  const commands = [...readme.matchAll(/^bin\/dcsim-mirror act "(.+)"$/gm)].map(([, words]) => words)
  const actionOf = (words: string) => {
    const line = actionLineOf(words)
    if ('problem' in line) throw new Error(line.problem)
    const parsed = parseActionLine(line.json)
    if ('problem' in parsed) throw new Error(parsed.problem.message)
    return parsed.line.action
  }

  /** The Critical incident that the command causes at a time after the warm-up, until its end. */
  function struckAt(after: Micros, repairAfter: Micros | null) {
    const world = createWorld({ seed: defaultSeed, scale: 'medium', scenario: null, warmUp: 7 * day })
    const { state, parts, injected } = world
    const { open, resolved } = parts.incidents.state
    const began = 7 * day + after
    while (state.now < began) world.step()
    const before = new Set(open.keys())
    injected.inject({ action: actionOf(commands[0]), at: began, label: '' })
    if (repairAfter !== null)
      injected.inject({ action: actionOf(commands[1]), at: began + repairAfter, label: '' })
    while (state.now < began + 30 * defaultSpeed * second) world.step()
    const incident = [...open.values()].find(({ id, band }) => !before.has(id) && band === 'Critical')
    if (incident === undefined) throw new Error('nothing Critical within half a minute')
    const felt = { ...incident.impact }
    while (!resolved.includes(incident)) world.step()
    return { incident, felt, wallMinutes: (state.now - began) / minute / defaultSpeed }
  }

  test.each([0, 4, 14, 20])('makes, %i hours after the start, a Critical that one can follow', (hours) => {
    const { incident, felt, wallMinutes } = struckAt(hours * hour, null)
    expect(felt.customers.length).toBeGreaterThan(10)
    expect(felt.revenueAtRiskPerHour).toBeGreaterThan(100)
    expect(wallMinutes).toBeGreaterThan(3)
    expect(incident.root).toMatchObject({ kind: 'SwitchFailure', target: { kind: 'Switch' } })
  })

  test('and its repair ends it within a minute', () => {
    const { wallMinutes } = struckAt(2 * minute, 12 * minute)
    expect(wallMinutes).toBeGreaterThan(1)
    expect(wallMinutes).toBeLessThan(2)
  })
})
