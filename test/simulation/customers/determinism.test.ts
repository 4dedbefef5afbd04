import { expect, test } from 'vitest'
import { createCustomerRecords } from '../../../src/simulation/records/tenancy.ts'
import { hour } from '../../../src/simulation/time.ts'
import type { Simulation } from '../../../src/simulation/world.ts'
import { accountsOf, livingWorld, run } from './living.ts'

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))

function recordsOf(sim: Simulation): string {
  const records = createCustomerRecords(sim.state, sim.customers, () => [])
  records.update()
  const { customers, prospects, hostPools, hosts, segments, subnets } = records
  return text({ customers, prospects, hostPools, hosts, segments, subnets })
}

test('the same seed gives the same customers, to the last digit', () => {
  const [one, other] = [livingWorld(31, 60, 'usual'), livingWorld(31, 60, 'usual')]
  run(one, 5 * hour)
  run(other, 5 * hour)
  expect(recordsOf(one)).toBe(recordsOf(other))
})

test('looking at the world does not change it', () => {
  const [watched, alone] = [livingWorld(32, 'small', 'usual'), livingWorld(32, 'small', 'usual')]
  const records = createCustomerRecords(watched.state, watched.customers, () => [])
  run(watched, 3 * hour, () => records.update())
  run(alone, 3 * hour)
  expect(recordsOf(watched)).toBe(recordsOf(alone))
})

test('another seed gives other customers', () => {
  const names = (seed: number) => accountsOf(livingWorld(seed, 'medium')).map(({ name }) => name)
  const first = names(33)
  expect(new Set(first).size).toBe(first.length)
  expect(names(34).filter((name) => first.includes(name)).length).toBeLessThan(3)
})

test('faults elsewhere do not reshuffle what customers want', () => {
  const [calm, usual] = [livingWorld(35, 60), livingWorld(35, 60)]
  const host = usual.state.plant.hosts.count - 1
  usual.state.faults.inject({
    kind: 'HostFailure',
    target: { kind: 'Host', row: host },
    magnitude: 1,
    lasts: null,
  })
  run(calm, 3 * hour)
  run(usual, 3 * hour)
  const wishes = (sim: Simulation) =>
    accountsOf(sim).map(({ id, wander, demandLevel }) => [id, wander, demandLevel])
  expect(wishes(usual)).toEqual(wishes(calm))
})
