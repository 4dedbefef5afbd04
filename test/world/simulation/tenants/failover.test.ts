import { expect, test } from 'vitest'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { minute, second } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { countRequests } from '../../../../src/world/simulation/tenants/quality/requests.ts'
import { durabilityOf } from '../../../../src/world/simulation/tenants/service-table.ts'

/** The host of the general pool with the most units, none of which holds the only copy of its data. */
function busiestHost({ state, customers }: Simulation): number {
  const { units, services, capacity } = customers.state
  let best = -1
  for (let host = 0; host < state.topology.hosts.count; host++) {
    const { name } = state.topology.pools[capacity.pool[host]]
    if (name !== 'General x86' || state.load.unitCount[host] === 0) continue
    let single = false
    for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
      single ||= durabilityOf(services, units.service[unit]) === 'Single'
    }
    if (!single && (best === -1 || state.load.unitCount[host] > state.load.unitCount[best])) best = host
  }
  return best
}

const breakHost = ({ state }: Simulation, row: number) =>
  state.faults.inject({ kind: 'HostFailure', target: { kind: 'Host', row }, magnitude: 1, lasts: null })

test('units of a failed host are stranded, and stand elsewhere a few minutes later', () => {
  const sim = createRunningSimulation(3, 'medium')
  runFor(sim, 10 * minute)
  const { state, customers } = sim
  const host = busiestHost(sim)
  const before = state.load.unitCount[host]
  const total = customers.state.units.count
  expect(before).toBeGreaterThan(2)

  breakHost(sim, host)
  runFor(sim, 20 * second)
  expect(state.load.strandedUnits[host]).toBe(before)
  expect(state.load.unitCount[host]).toBe(before)
  expect(accountsOf(sim).reduce((sum, account) => sum + account.strandedUnits, 0)).toBe(before)

  runFor(sim, 6 * minute)
  expect(state.load.unitCount[host]).toBe(0)
  expect(state.load.strandedUnits[host]).toBe(0)
  expect(customers.state.units.count).toBe(total)
  expect(accountsOf(sim).every((account) => account.strandedUnits === 0)).toBe(true)
})

test('requests that were on their way to a lost unit fail; a minute later the others have taken over', () => {
  const sim = createRunningSimulation(3, 'medium')
  runFor(sim, 10 * minute)
  const host = busiestHost(sim)
  const hurt = accountsOf(sim).filter((account) => account.hosts.includes(host))
  breakHost(sim, host)
  runFor(sim, 20 * second)
  expect(hurt.some((account) => account.failing > 0)).toBe(true)
  const failedRequests = (): number[] =>
    hurt.map((account) => {
      countRequests(account, sim.state.tick)
      return account.failedRequests
    })
  const failed = failedRequests()
  runFor(sim, minute)
  const later = failedRequests()
  runFor(sim, minute)
  expect(failedRequests()).toEqual(later)
  expect(later.some((count, index) => count > failed[index])).toBe(true)
})

test('a promise of replicas is broken while one is lost, and kept again when it has moved', () => {
  const sim = createRunningSimulation(3, 'medium')
  runFor(sim, 10 * minute)
  const { units, services } = sim.customers.state
  const account = accountsOf(sim).find(
    ({ services: rows, dedicatedHosts }) =>
      !dedicatedHosts &&
      rows.some((row) => durabilityOf(services, row) === 'Replicated2' && services.placed[row] === 2),
  )
  if (account === undefined) throw new Error('no service of this world has two replicas')
  const service = account.services.find(
    (row) => durabilityOf(services, row) === 'Replicated2' && services.placed[row] === 2,
  ) as number
  expect(account.redundancyBroken).toBe(false)
  breakHost(sim, units.host[units.firstOfService[service]])
  runFor(sim, minute)
  expect(services.replicasHeld[service]).toBe(1)
  expect(account.redundancyBroken).toBe(true)
  runFor(sim, 6 * minute)
  expect(services.replicasHeld[service]).toBe(2)
  expect(account.redundancyBroken).toBe(false)
})

test('where there is no room, units stay stranded, and serve again when their host is repaired', () => {
  const sim = createRunningSimulation(3, 'medium')
  runFor(sim, 10 * minute)
  const { state, customers } = sim
  const { capacity, services, units } = customers.state
  const training = state.topology.pools.findIndex(({ name }) => name === 'GPU training')
  const hosts = [...capacity.pool.keys()].filter((host) => capacity.pool[host] === training)
  const faults = hosts.map((host) => breakHost(sim, host))
  runFor(sim, 10 * minute)
  const stranded = hosts.reduce((sum, host) => sum + state.load.strandedUnits[host], 0)
  expect(stranded).toBe(hosts.reduce((sum, host) => sum + state.load.unitCount[host], 0))
  expect(stranded).toBeGreaterThan(0)
  const service =
    units.service[units.firstOnHost[hosts.find((host) => state.load.unitCount[host] > 0) as number]]
  expect(services.successRatio[service]).toBe(0)
  for (const fault of faults) state.faults.repair(fault)
  runFor(sim, 10 * minute)
  expect(hosts.reduce((sum, host) => sum + state.load.strandedUnits[host], 0)).toBe(0)
  expect(services.successRatio[service]).toBeGreaterThan(0.99)
})

test('a host in maintenance is drained without failing requests', () => {
  const sim = createRunningSimulation(3, 'medium')
  runFor(sim, 10 * minute)
  const { state } = sim
  const host = busiestHost(sim)
  const failed = accountsOf(sim).map((account) => account.failedRequests)
  state.faults.setMaintenance(host, true)
  runFor(sim, minute)
  expect(state.load.unitCount[host]).toBe(0)
  expect(accountsOf(sim).map((account) => account.failedRequests)).toEqual(failed)
})
