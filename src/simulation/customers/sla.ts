import { clamp } from '../numeric.ts'
import { day, hour } from '../time.ts'
import { type Account, latencyBuckets, newPeriod, slaPeriod, type SlaPeriod } from './account.ts'
import type { Books } from './books.ts'
import type { Business } from './business.ts'
import { plans } from './prices.ts'

/** Latency is counted in buckets, each so much wider than the one before. */
const firstBucketMs = 0.25
const growth = 1.17

const ceilings = new Float64Array(latencyBuckets)
for (let bucket = 0, ceiling = firstBucketMs; bucket < latencyBuckets; bucket++, ceiling *= growth) {
  ceilings[bucket] = ceiling
}

/** The lowest bucket whose ceiling is not passed, by halving. */
function bucketOf(ms: number): number {
  let low = 0
  let high = latencyBuckets - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (ceilings[middle] < ms) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Where so many of a minute's requests lie between the median and the 99th percentile, when latency thins out by
 * the same factor for every millisecond more: share of requests, and place on that way.
 */
const spread: readonly (readonly [share: number, place: number])[] = [
  [0.5, -0.15],
  [0.25, 0.11],
  [0.15, 0.33],
  [0.05, 0.52],
  [0.03, 0.74],
  [0.02, 1.05],
]

/** Counts a minute's requests by how long they took. */
export function countLatency(account: Account): void {
  const { latency } = account.period
  const width = account.p99Ms - account.p50Ms
  for (const [share, place] of spread) {
    latency[bucketOf(account.p50Ms + width * place)] += account.minuteTotal * share
  }
}

/** The 99th percentile over the period so far, in milliseconds. */
export function periodP99(account: Account): number {
  const { latency } = account.period
  let all = 0
  for (const count of latency) all += count
  if (all === 0) return account.p99Ms
  let above = all * 0.01
  for (let bucket = latencyBuckets - 1; bucket > 0; bucket--) {
    above -= latency[bucket]
    if (above < 0) {
      const place = clamp(1 + above / latency[bucket], 0, 1)
      return ceilings[bucket - 1] * place + ceilings[bucket] * (1 - place)
    }
  }
  return firstBucketMs
}

/** Share of the period's requests that were answered; 1 before the first. */
export const availabilityOf = ({ total, failed }: SlaPeriod): number => (total === 0 ? 1 : 1 - failed / total)

/** Once a minute: pays for outages at once and for the rest when the period ends. */
export function settle(business: Business, books: Books, account: Account): void {
  const { state } = business
  const plan = plans[account.tier]
  const outage = account.outageSeconds >= plan.outageMinutes * 60
  if (outage && state.now - account.lastOutageCredit >= day) {
    account.lastOutageCredit = state.now
    const dollars = account.revenuePerHour * 24 * plan.outageShare
    pay(business, books, account, dollars, `an outage of over ${plan.outageMinutes} minutes`)
  }
  const { period } = account
  if (state.now + hour / 60 < period.ends) return
  const owed = shareOwed(account)
  if (owed > 0) {
    const reached = (availabilityOf(period) * 100).toFixed(2)
    pay(business, books, account, (period.revenueMicro / 1e6) * owed, `a period at ${reached} % availability`)
  }
  account.period = newPeriod(period.ends, period.ends + slaPeriod)
}

/** Share of a period's revenue that is paid back. */
function shareOwed({ period, tier }: Account): number {
  const plan = plans[tier]
  const short = plan.availability - availabilityOf(period)
  const byAvailability = short <= 0 ? 0 : short < 0.005 ? 0.1 : short < 0.03 ? 0.25 : 0.5
  const elapsedSeconds = (period.ends - period.began) / 1_000_000
  const late = period.secondsOverLatency > plan.secondsOverLatencyShare * elapsedSeconds
  return byAvailability + (late ? 0.05 : 0)
}

function pay(business: Business, books: Books, account: Account, dollars: number, reason: string): void {
  const { state } = business
  const paid = books.credit(account, dollars)
  if (paid < 0.01) return
  const entity = { kind: 'Customer', id: account.id } as const
  state.events.emit(state.now, 'SlaCredited', 'Warning', entity, 'event.sla-credited', {
    customer: account.name,
    dollars: Math.round(paid * 100) / 100,
    reason,
  })
}
