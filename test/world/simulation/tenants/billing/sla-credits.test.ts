import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../../../src/contract/vocabularies.ts'
import { createSlaPeriod } from '../../../../../src/world/simulation/tenants/account.ts'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { createAccounting } from '../../../../../src/world/simulation/tenants/billing/accounting.ts'
import {
  creditDue,
  creditShare,
  settleSlaCredits,
} from '../../../../../src/world/simulation/tenants/billing/sla-credits.ts'
import { day, hour, minute } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

/** A period of 30 days has 2,592,000 s. */
describe('the share of a period that is credited', () => {
  const shareOf = (tier: Tier, failed: number, secondsOverLatency: number): number =>
    creditShare({ tier, period: { ...createSlaPeriod(0, 30 * day), total: 1e6, failed, secondsOverLatency } })

  test.each<[Tier, number, number, number]>([
    // At the promised availability: 99 %, 99.5 %, 99.9 % and 99.95 %.
    ['Bronze', 10_000, 0, 0],
    ['Silver', 5_000, 0, 0],
    ['Gold', 1_000, 0, 0],
    ['Platinum', 500, 0, 0],
    ['Bronze', 10_001, 0, 0.1],
    ['Silver', 5_001, 0, 0.1],
    ['Gold', 1_001, 0, 0.1],
    ['Platinum', 501, 0, 0.1],
    // Half a point short, and three points.
    ['Gold', 5_999, 0, 0.1],
    ['Gold', 6_001, 0, 0.25],
    ['Gold', 30_999, 0, 0.25],
    ['Gold', 31_001, 0, 0.5],
    ['Platinum', 1e6, 0, 0.5],
    // Slow for 5 %, 3 %, 2 % and 1 % of the period.
    ['Bronze', 0, 129_600, 0],
    ['Bronze', 0, 129_601, 0.05],
    ['Silver', 0, 77_760, 0],
    ['Silver', 0, 77_761, 0.05],
    ['Gold', 0, 51_840, 0],
    ['Gold', 0, 51_841, 0.05],
    ['Platinum', 0, 25_920, 0],
    ['Platinum', 0, 25_921, 0.05],
    ['Gold', 31_001, 51_841, 0.55],
  ])('of a %s customer: %i of a million failed, slow for %i s', (tier, failed, seconds, share) => {
    expect(shareOf(tier, failed, seconds)).toBeCloseTo(share, 9)
  })
})

const now = 40 * day

/** Settles with a customer of $10 an hour that has paid $10,000, and returns its credit. */
function settle(changes: Partial<Account>, period: Partial<Account['period']> = {}) {
  const { world, context, addCustomer, takeEvents } = createTenantsFixture()
  world.now = now
  const account = addCustomer({ tier: 'Gold', revenuePerHour: 10, revenueMicro: 10_000e6, ...changes })
  account.period = { ...createSlaPeriod(15 * day, 45 * day), total: 1e6, revenueMicro: 5_000e6, ...period }
  account.grievances.fill(0.08)
  const accounting = createAccounting(context)
  settleSlaCredits(context, accounting, account)
  expect(account.creditsMicro - (changes.creditsMicro ?? 0)).toBe(accounting.totals.credits)
  return { account, dollars: accounting.totals.credits / 1e6, events: takeEvents() }
}

describe('a long outage', () => {
  test.each<[Tier, number, number]>([
    ['Bronze', 7_190, 0],
    ['Bronze', 7_200, 60],
    ['Silver', 3_590, 0],
    ['Silver', 3_600, 120],
    ['Gold', 1_790, 0],
    ['Gold', 1_800, 240],
    ['Platinum', 710, 0],
    ['Platinum', 720, 480],
  ])('of a %s customer, after %i s, earns $%i', (tier, outageSeconds, dollars) => {
    expect(settle({ tier, outageSeconds }).dollars).toBe(dollars)
  })

  test.each<[string, Partial<Account>, number]>([
    ['once a day', { lastOutageCredit: now - day + 1 }, 0],
    ['again a day later', { lastOutageCredit: now - day }, 240],
    ['at most what was paid', { revenueMicro: 150e6 }, 150],
    ['at most what was paid and not credited', { revenueMicro: 150e6, creditsMicro: 90e6 }, 60],
    ['nothing where everything was credited', { revenueMicro: 150e6, creditsMicro: 150e6 }, 0],
  ])('is credited %s', (_, changes, dollars) => {
    expect(settle({ outageSeconds: 1_800, ...changes }).dollars).toBe(dollars)
  })

  test('is noted, softens failures and latency by a quarter, and is announced', () => {
    const { account, events } = settle({ outageSeconds: 1_800 })
    expect(account.lastOutageCredit).toBe(now)
    expect([...account.grievances]).toEqual([0.06, 0.06, 0.08, 0.08, 0.08, 0.08, 0.08])
    expect(events).toEqual(['Amber Mill Shoes was credited $240 for an outage of over 30 min.'])
  })

  test.each([
    [9_999, []],
    [10_000, ['Amber Mill Shoes was credited $0.01 for an outage of over 30 min.']],
  ])('that earns %i µ$ is announced from a cent on', (revenueMicro, texts) => {
    const { account, events } = settle({ outageSeconds: 1_800, revenueMicro })
    expect(events).toEqual(texts)
    expect(account.grievances[0]).toBe(texts.length === 0 ? 0.08 : 0.06)
  })
})

describe('a period', () => {
  const failed = { failed: 1_001 }
  test.each<[string, Partial<Account['period']>, number, number]>([
    ['is not settled before its last five minutes', { ...failed, ends: now + 5 * minute + 1 }, 0, 15],
    ['is settled in its last five minutes', { ...failed, ends: now + 5 * minute }, 500, 40],
    ['without shortfall costs nothing', { ends: now }, 0, 40],
  ])('%s', (_, period, dollars, began) => {
    const { account, dollars: credited, events } = settle({}, period)
    expect(credited).toBe(dollars)
    expect(Math.floor(account.period.began / day)).toBe(began)
    expect(events).toEqual(
      dollars === 0
        ? []
        : [
            'Amber Mill Shoes was credited $500 for a period at 99.899 % availability, below the promised 99.9 %.',
          ],
    )
  })

  test.each([
    // Halfway, of two million requests by its end: 2,000 may fail.
    [30 * day, 2_000, 0, 0],
    [30 * day, 2_001, 0, 1_000],
    [45 * day, 1_001, 0, 500],
    [30 * day, 0, 51_841, 500],
    [15 * day, 2_001, 0, 0],
  ])('at %i, with %i failed and slow for %i s, owes $%i at its end', (at, failedCount, slow, dollars) => {
    const { addCustomer } = createTenantsFixture()
    const account = addCustomer({ tier: 'Gold' })
    const counts = { total: 1e6, failed: failedCount, secondsOverLatency: slow, revenueMicro: 5_000e6 }
    account.period = { ...createSlaPeriod(15 * day, 45 * day), ...counts }
    expect(creditDue(account, at)).toBeCloseTo(dollars, 9)
  })

  test('is followed by one of 30 days, empty', () => {
    const { account } = settle({}, { ...failed, secondsOverLatency: 1, ends: now - hour })
    expect(account.period).toEqual(createSlaPeriod(now - hour, now - hour + 30 * day))
    expect(account.period.total).toBe(0)
  })
})
