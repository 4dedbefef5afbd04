import type { CustomerRecord } from '../../../../src/contract/collections.ts'
import { tiers } from '../../../../src/contract/vocabularies.ts'
import type { Tier } from '../../../../src/contract/vocabularies.ts'
import { thresholds } from '../../../../src/contract/thresholds.ts'
import { availabilityPromised, lateShareAllowed } from '../../../../alerts/plan-terms.ts'
import { keyOf, ofRecords, where } from '../claim.ts'
import type { Claim, KeyedStrength, Sight } from '../claim.ts'
import { SampleWindow } from '../sample-window.ts'

const day = 86_400
/** Burn rates in both windows, by tier; customers that have left since are included. */
function burns(long: number, short: number, limit: number): Claim {
  const samples = new SampleWindow()
  const counted = new Map<CustomerRecord['id'], readonly [failed: number, all: number]>()
  const sums = new Map(
    tiers.map((tier): [Tier, { failed: number; all: number }] => [tier, { failed: 0, all: 0 }]),
  )
  const longRates: KeyedStrength[] = []
  const rate = (tier: Tier, at: number, seconds: number): number => {
    const all = samples.gained(`all ${tier}`, at, seconds)
    const share = all > 0 ? samples.gained(`failed ${tier}`, at, seconds) / all : 0
    return share / (1 - availabilityPromised[tier])
  }
  return {
    key: ['tier'],
    tolerance: 0.2,
    lingers: short,
    amount: { unit: 'times' as const, of: () => longRates, tolerance: 0.25 },
    *look({ at, snapshot }) {
      for (const record of snapshot.collections.customers) {
        const now = [Number(record.failed_requests_lifetime), Number(record.total_requests_lifetime)] as const
        const [failed, all] = counted.get(record.id) ?? now
        counted.set(record.id, now)
        const sum = sums.get(record.tier)!
        sum.failed += now[0] - failed
        sum.all += now[1] - all
      }
      longRates.length = 0
      for (const [tier, { failed, all }] of sums) {
        samples.note(`failed ${tier}`, at, failed)
        samples.note(`all ${tier}`, at, all)
        longRates.push([tier, rate(tier, at, long)])
        yield [tier, Math.min(rate(tier, at, long), rate(tier, at, short)) / limit]
      }
    },
  }
}

function creditsHigh(): Claim {
  const samples = new SampleWindow()
  return {
    key: [],
    tolerance: 0.3,
    lingers: 60,
    amount: { unit: 'percent' as const, scale: thresholds.creditsDailyShare, tolerance: 0.3 },
    *look({ at, state }): Generator<KeyedStrength> {
      samples.note('credits', at, state.money.credits)
      samples.note('revenue', at, state.money.revenue)
      const revenue = samples.gained('revenue', at, 1800)
      if (revenue > 0) {
        yield ['', samples.gained('credits', at, 1800) / revenue / thresholds.creditsDailyShare]
      }
    },
  }
}

function slides(): Claim {
  const samples = new SampleWindow()
  return {
    key: ['customer'],
    tolerance: 0.3,
    lingers: 60,
    *look({ at, snapshot }) {
      for (const { id, satisfaction } of snapshot.collections.customers) {
        samples.note(String(id), at, satisfaction)
        if (satisfaction >= thresholds.satisfactionUneasy) continue
        const fallPerDay = (-samples.slope(String(id), at, 1800) * day) / 60
        yield [String(id), fallPerDay / thresholds.satisfactionFallPerDay]
      }
    },
  }
}

const isLeaving = ({ lifecycle, satisfaction }: CustomerRecord): boolean =>
  lifecycle === 'Probation' || (lifecycle === 'Leaving' && satisfaction < thresholds.satisfactionUneasy)

const usesUpAllowance = ({ tier, sla_period_seconds_over_latency: late }: CustomerRecord): boolean =>
  late > thresholds.lateShareOfAllowance * lateShareAllowed[tier] * 30 * day

/** Latency above the promise in the world's own state. */
const slow = ({ state }: Sight): Iterable<KeyedStrength> =>
  where(
    state.tenants.active,
    ({ p99Ms, p99BudgetMs }) => p99Ms > p99BudgetMs,
    ({ id }) => String(id),
  )

export const slaClaims = () => ({
  DcsimSlaBudgetBurnsFast: burns(120, 60, thresholds.burnRateFast),
  DcsimSlaBudgetBurnsSlowly: burns(1800, 300, thresholds.burnRateSlow),
  DcsimSlaLatencyAllowanceUsed: ofRecords('customer', 'customers', usesUpAllowance),
  DcsimSlaCreditsHigh: creditsHigh(),
  DcsimCustomerLatencyOverPromise: { key: ['customer'], look: slow },
  DcsimCustomerSatisfactionSlides: slides(),
  DcsimCustomerAboutToLeave: {
    key: ['customer', 'lifecycle'],
    look: ({ snapshot }: Sight) =>
      where(snapshot.collections.customers, isLeaving, ({ id, lifecycle }) => keyOf(id, lifecycle)),
    amount: {
      unit: 'percent' as const,
      of: ({ snapshot }: Sight) =>
        snapshot.collections.customers
          .filter(isLeaving)
          .map(({ id, lifecycle, satisfaction }) => [keyOf(id, lifecycle), satisfaction] as const),
    },
  },
})
