import { expect, test } from 'vitest'
import { faultKinds } from '../../../../src/world/simulation/faults/kinds.ts'
import { createShaping } from '../../../../src/world/simulation/faults/shaping.ts'
import { createShortages } from '../../../../src/world/simulation/faults/shortages.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import { minute } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

test('a pool stays short until its customers are well within their limits', () => {
  const world = createQuietWorld(1n)
  const { state } = world
  const tenant = world.addTenant({ p99Ms: 220, p99BudgetMs: 200 })
  const active: Fault[] = []
  const shortages = createShortages(state, faultKinds, new Map(), {
    active,
    begin(spec) {
      active.push(world.faults.inject(spec))
      return active[0]
    },
    end: (fault) => active.splice(active.indexOf(fault), 1),
  })
  const run = (minutes: number): void => {
    for (let past = 0; past < minutes; past++) {
      state.now += minute
      shortages.step()
    }
  }
  state.facility.hostRunning.fill(1)
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

test('relieving a shortage that persists shapes further customers, until all are shaped', () => {
  const world = createQuietWorld(1n)
  const { state, blastRadius } = world
  const host = 0
  for (let usage = 7; usage > 0; usage--)
    world.addTenant({ hosts: Int32Array.of(host), servedOutGbps: usage })
  const shaping = createShaping(state, blastRadius, new Map())
  const shaped = (): number[] =>
    state.tenants.active.map(({ id }) => id).filter((id) => shaping.factor(id) < 1)
  const relieve = (): number[] => {
    shaping.reduceDemand({ kind: 'Host', row: host })
    return shaped()
  }
  expect(relieve()).toEqual([1, 2, 3])
  expect(relieve()).toEqual([1, 2, 3, 4, 5, 6])
  expect(relieve()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(relieve()).toEqual([1, 2, 3, 4, 5, 6, 7])
})
