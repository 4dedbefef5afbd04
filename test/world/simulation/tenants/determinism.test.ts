import { expect, test } from 'vitest'
import { createTenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))

function recordsOf(sim: Simulation): string {
  const records = createTenantRecords(sim.state, sim.customers, () => [])
  records.update()
  const { customers, prospects, hostPools, hosts, segments, subnets } = records
  return text({ customers, prospects, hostPools, hosts, segments, subnets })
}

test('the same seed gives the same customers, to the last digit', () => {
  const [one, other] = [createRunningSimulation(31, 60, 'usual'), createRunningSimulation(31, 60, 'usual')]
  runFor(one, 5 * hour)
  runFor(other, 5 * hour)
  expect(recordsOf(one)).toBe(recordsOf(other))
})

test('looking at the world does not change it', () => {
  const [watched, alone] = [
    createRunningSimulation(32, 'small', 'usual'),
    createRunningSimulation(32, 'small', 'usual'),
  ]
  const records = createTenantRecords(watched.state, watched.customers, () => [])
  runFor(watched, 3 * hour, () => records.update())
  runFor(alone, 3 * hour)
  expect(recordsOf(watched)).toBe(recordsOf(alone))
})

test('another seed gives other customers', () => {
  const names = (seed: number) => accountsOf(createRunningSimulation(seed, 'medium')).map(({ name }) => name)
  const first = names(33)
  expect(new Set(first).size).toBe(first.length)
  expect(names(34).filter((name) => first.includes(name)).length).toBeLessThan(3)
})

test('faults elsewhere do not reshuffle what customers want', () => {
  const [calm, usual] = [createRunningSimulation(35, 60), createRunningSimulation(35, 60)]
  const host = usual.state.topology.hosts.count - 1
  usual.state.faults.inject({
    kind: 'HostFailure',
    target: { kind: 'Host', row: host },
    magnitude: 1,
    lasts: null,
  })
  runFor(calm, 3 * hour)
  runFor(usual, 3 * hour)
  const wishes = (sim: Simulation) =>
    accountsOf(sim).map(({ id, demandDrift: wander, demandLevel }) => [id, wander, demandLevel])
  expect(wishes(usual)).toEqual(wishes(calm))
})
