import { expect, test } from 'vitest'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Account } from '../../../../src/world/simulation/tenants/account.ts'
import { availabilityOf, periodP99 } from '../../../../src/world/simulation/tenants/quality/sla.ts'
import { day } from '../../../../src/world/simulation/time.ts'

test('on a calm day latency stays within its budget and almost no request fails', () => {
  const simulation = createSimulation({
    seed: 41n,
    scale: 'medium',
    warmUp: 0,
    scenario: null,
    speed: 60,
  })
  const { state, customers } = simulation
  state.faults.randomFaultRate = 0
  const late = new Set<Account>()
  const waiting = new Set<Account>()
  for (; state.now < day; simulation.step())
    for (const account of customers.state.accounts) {
      // A customer with unplaced units has more users than its units can serve.
      if (account.placedUnits < account.requestedUnits) waiting.add(account)
      else if (account.p99Ms > account.p99BudgetMs) late.add(account)
    }
  expect(waiting.size).toBeLessThan(5)
  const placed = customers.state.accounts.filter((account) => !waiting.has(account))
  expect([...late].filter((account) => !waiting.has(account))).toEqual([])
  expect(placed.filter(({ period }) => availabilityOf(period) < 0.9999)).toEqual([])
  expect(placed.filter((account) => periodP99(account) > account.p99BudgetMs)).toEqual([])
})
