import { expect, test } from 'vitest'
import { createShaping } from '../../../../src/world/simulation/faults/shaping.ts'
import { createQuietWorld } from '../quiet-world.ts'

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
