import { expect, test } from 'vitest'
import { createEmergent } from '../../../src/simulation/faults/emergent.ts'
import type { Fault } from '../../../src/simulation/state.ts'
import { minute } from '../../../src/simulation/time.ts'
import { stillWorld } from '../still-world.ts'

test('a pool is short for as long as its customers are told to wait', () => {
  const world = stillWorld(1n)
  const { state } = world
  const tenant = world.serve({ p99Ms: 220, p99BudgetMs: 200 })
  const emergent = createEmergent(state)
  const active: Fault[] = []
  const run = (minutes: number): void => {
    for (let past = 0; past < minutes; past++) {
      state.now += minute
      emergent.step(
        active,
        (order) => {
          active.push(world.faults.inject(order))
          return active[0]
        },
        (fault) => active.splice(active.indexOf(fault), 1),
      )
    }
  }
  state.physical.hostRunning.fill(1)
  state.load.contention[0] = 1.1
  run(10)
  expect(active.map(({ kind }) => kind)).toEqual(['CapacityExhaustion'])
  tenant.p99Ms = 170
  state.load.contention[0] = 1.03
  run(30)
  expect(active).toHaveLength(1)
  tenant.p99Ms = 120
  run(12)
  expect(active).toEqual([])
})
