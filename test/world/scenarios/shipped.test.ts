import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchingTargets } from '../../../src/world/simulation/scenarios/target-selection.ts'
import { parseScenario } from '../../../src/world/scenarios/parse-scenario.ts'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'
import { minute } from '../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../simulation/quiet-world.ts'

const folder = new URL('../../../src/world/scenarios/shipped/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const names = listScenarios().map(({ name }) => name)

test('every file is shipped under its own name', () => {
  expect(names.map((name) => `${name}.json`).toSorted()).toEqual(files.toSorted())
})

test.each(files)('%s is right', (file) => {
  const reading = parseScenario(readFileSync(new URL(file, folder), 'utf8'))
  expect(reading).toHaveProperty('scenario')
})

test.each([
  ['quiet-week', ''],
  ['core-switch-at-peak', '10 SwitchFailure, 25 TransceiverFailure'],
  ['ddos-friday', '70 Attack, 180 Attack, 360 Attack, 385 Attack, 450 Attack, 540 Attack'],
  ['power-feed-lost', '105 PowerSupplyFailure, 120 PowerFeedLoss'],
  ['cable-cut-breaks-redundancy', '60 CableCut, 150 CableCut, 180 CableCut, 270 CableCut'],
  ['hot-afternoon', '120 CoolingFailure, 180 CoolingFailure, 220 FanFailure'],
  ['broadcast-storm', '90 BroadcastStorm, 360 FirmwareFault'],
  ['misconfigured-gateway', '80 Misconfiguration, 300 Misconfiguration'],
  ['capacity-squeeze', '120 Drain, 180 DemandSurge, 360 Drain, 420 DemandSurge, 660 DemandSurge, 720 Drain'],
])('the minutes of %s', (name, steps) => {
  const told = shippedScenario(name)!.steps.map(({ at, action }) => `${at / minute} ${action}`)
  expect(told.join(', ')).toBe(steps)
})

test('a name that is not shipped is none', () => {
  expect(shippedScenario('nothing-of-the-kind')).toBeNull()
})

describe.each(['small', 'medium', 'large'] as const)('at scale %s', (scale) => {
  const world = createQuietWorld(3n, scale)
  for (const tier of ['Bronze', 'Silver', 'Gold'] as const) world.addTenant({ tier })

  test.each(names)('%s finds all that it is aimed at', (name) => {
    for (const { at, action, target } of shippedScenario(name)!.steps) {
      const found = matchingTargets(world.state, target).length
      const needed = typeof target.pick === 'number' ? target.pick : target.count
      expect({ action, at, enough: found >= needed }).toEqual({ action, at, enough: true })
    }
  })
})
