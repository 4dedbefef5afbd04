import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { candidates } from '../../../src/simulation/scenarios/choose.ts'
import { parseScenario } from '../../../src/simulation/scenarios/parse-scenario.ts'
import { listScenarios, shippedScenario } from '../../../src/simulation/scenarios/shipped.ts'
import { stillWorld } from '../still-world.ts'

const folder = new URL('../../../src/simulation/scenarios/', import.meta.url)
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
  const world = stillWorld(3n, scale)
  for (const tier of ['Bronze', 'Silver', 'Gold'] as const) world.serve({ tier })

  test.each(names)('%s finds all that it is aimed at', (name) => {
    for (const { at, deed, target } of shippedScenario(name)!.steps) {
      const found = candidates(world.state, target).length
      const needed = typeof target.pick === 'number' ? target.pick : target.count
      expect({ deed, at, enough: found >= needed }).toEqual({ deed, at, enough: true })
    }
  })
})
