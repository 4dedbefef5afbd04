import { deserialize, serialize } from 'node:v8'
import { beforeAll, describe, expect, test } from 'vitest'
import { stepsPerHour } from '../../../src/world/simulation/schedule.ts'
import { createWorld } from '../../../src/world/simulation/world.ts'
import type { RunningWorld } from '../../../src/world/simulation/world.ts'

let world: RunningWorld
beforeAll(() => {
  world = createWorld({ seed: 5n, scale: 'small', scenario: null, warmUp: 0 })
  for (let step = 0; step < 12 * stepsPerHour; step++) world.step()
})

describe('the state of a part is plain data that can be written and read back', () => {
  test.each([
    ['tenants', () => world.parts.customers.state],
    ['operations', () => world.parts.operations.state],
    ['quests', () => world.quests.state],
  ])('%s', (_, stateOf) => {
    const state: unknown = stateOf()
    expect(deserialize(serialize(state))).toStrictEqual(state)
  })
})
