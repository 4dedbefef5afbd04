import { expect, test } from 'vitest'
import { createAccount } from '../../../../src/world/simulation/tenants/account.ts'
import { day } from '../../../../src/world/simulation/time.ts'
import { createTenantsFixture } from './tenants-fixture.ts'

test('a new account has served and owed nothing, and a good opinion', () => {
  const { addCustomer } = createTenantsFixture()
  const account = createAccount(addCustomer())
  const origin = new Set(['id', 'signed'])
  const set = Object.entries(account).filter(([name, value]) => !origin.has(name) && Boolean(value))
  const numbers = set.filter(([, value]) => typeof value === 'number')
  expect(Object.fromEntries(numbers)).toEqual({
    segmentId: 1,
    temper: 1,
    p99BudgetMs: 100,
    satisfaction: 0.8,
    usualSatisfaction: 0.8,
    health: 1,
    blockQuality: 1,
    surgeFactor: 1,
    priceLevel: 1,
    topTerm: -1,
    requirementsVersion: -1,
    lastComplaint: -10 * day,
    lastOutageCredit: -day,
  })
  const flags = set.flatMap(([name, value]) => (value === true ? [name] : []))
  expect(flags).toEqual(['needsQualityUpdate', 'hostsOutdated'])
})
