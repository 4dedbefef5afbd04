import { expect, test } from 'vitest'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { availabilityOf, periodP99 } from '../../../../src/world/simulation/tenants/quality/sla.ts'
import { term } from '../../../../src/world/simulation/tenants/service-table.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { classOf } from '../../../../src/world/simulation/tenants/service-table.ts'

test('on a calm day latency stays within its budget and almost no request fails', () => {
  const sim = createRunningSimulation(41, 'medium')
  const late = new Set<Account>()
  const waiting = new Set<Account>()
  runFor(sim, 24 * hour, () => {
    for (const account of accountsOf(sim)) {
      // A customer with unplaced units has more users than its units can serve.
      if (account.placedUnits < account.requestedUnits) waiting.add(account)
      else if (account.p99Ms > account.p99BudgetMs) late.add(account)
    }
  })
  expect(waiting.size).toBeLessThan(5)
  const placed = accountsOf(sim).filter((account) => !waiting.has(account))
  expect([...late].filter((account) => !waiting.has(account))).toEqual([])
  expect(placed.filter(({ period }) => availabilityOf(period) < 0.9999)).toEqual([])
  expect(placed.filter((account) => periodP99(account) > account.p99BudgetMs)).toEqual([])
})

test('a broken disk slows down the services on it, and their records show it', () => {
  const sim = createRunningSimulation(42, 'medium')
  runFor(sim, hour)
  const { services } = sim.customers.state
  const account = accountsOf(sim).find(({ services: rows }) =>
    rows.some((row) => classOf(services, row) === 'block-storage' || classOf(services, row) === 'database'),
  )
  if (account === undefined) throw new Error('no service of this world keeps data')
  const [before, quality] = [account.p99Ms, account.blockQuality]
  for (const host of account.hosts) sim.state.condition.hostDiskBroken[host] = 1
  sim.state.condition.version++
  runFor(sim, 2 * minute)
  expect(account.p99Ms).toBeGreaterThan(before * 1.2)
  expect(account.topTerm).toBe(term.Storage)
  expect(account.blockQuality).toBeLessThan(quality)
  for (const host of account.hosts) sim.state.condition.hostDiskBroken[host] = 0
  sim.state.condition.version++
  runFor(sim, 2 * minute)
  expect(account.p99Ms).toBeLessThan(before * 1.15)
})

test('a customer whose demand outgrows its units fails what they cannot work through', () => {
  const sim = createRunningSimulation(43, 'medium')
  runFor(sim, 11 * hour)
  const [account] = accountsOf(sim)
  expect(account.failing).toBeLessThan(0.001)
  sim.state.faults.inject({
    kind: 'DemandSurge',
    target: { kind: 'Customer', id: account.id },
    magnitude: 12,
    lasts: hour,
  })
  runFor(sim, 14 * minute)
  expect(account.failing).toBeGreaterThan(0.3)
  expect(account.cpuLoad).toBeGreaterThan(0.8)
  expect(account.p99Ms).toBeGreaterThan(account.p99BudgetMs)
  expect(account.unservedGbps).toBeGreaterThan(0)
})
