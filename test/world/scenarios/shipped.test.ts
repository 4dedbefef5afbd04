import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matchingTargets } from '../../../src/world/simulation/scenarios/target-selection.ts'
import { parseScenario } from '../../../src/world/scenarios/parse-scenario.ts'
import { listScenarios, shippedScenario } from '../../../src/world/scenarios/shipped.ts'
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
