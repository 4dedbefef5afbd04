import { expect, test } from 'vitest'
import { serviceClasses } from '../../../../src/contract/vocabularies.ts'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor, sum } from './running-simulation.ts'

test('a customer copies a data set between its hosts for a while, unless it is rate-limited', () => {
  const sim = createRunningSimulation(5, 24)
  sim.state.faults.randomFaultRate = 1
  const { services } = sim.customers.state
  const hasDatabase = (account: Account): boolean =>
    account.services.some((row) => serviceClasses[services.class[row]] === 'database')
  runFor(sim, hour)
  for (const account of accountsOf(sim)) account.nextCopy = 100 * day
  const account = accountsOf(sim).find(hasDatabase)!
  const { load } = sim.state
  const before = sum(load.wantedEastWestGbps)
  account.nextCopy = sim.state.now
  runFor(sim, 2 * minute)
  expect(account.copyGbps).toBeGreaterThanOrEqual(3)
  expect(sum(load.copyGbps)).toBeCloseTo(account.copyGbps, 9)
  expect(sum(load.wantedEastWestGbps)).toBeGreaterThan(before + 0.9 * account.copyGbps)

  account.surgeFactor = 0.7
  sim.state.faults.demandFactor = () => 0.7
  runFor(sim, 2 * minute)
  expect(account.copyGbps).toBe(0)
  sim.state.faults.demandFactor = () => 1
  runFor(sim, 2 * minute)
  expect(account.copyGbps).toBeGreaterThan(0)
  account.nextCopy = 100 * day
  runFor(sim, 2 * hour)
  expect([account.copy, account.copyGbps, sum(load.copyGbps)]).toEqual([null, 0, 0])
})
