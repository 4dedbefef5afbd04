import { expect, test } from 'vitest'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { availabilityOf, periodP99 } from '../../../../src/world/simulation/tenants/quality/sla.ts'
import { hour } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'

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
