import { clamp } from '../../numeric.ts'
import type { Account, SlaPeriod } from '../account.ts'
import { latencyBuckets } from '../account.ts'

/** Bounds of the latency buckets grow by a constant factor. */
const firstBucketMs = 0.25
const growth = 1.17

const ceilings = new Float64Array(latencyBuckets)
for (let bucket = 0, ceiling = firstBucketMs; bucket < latencyBuckets; bucket++, ceiling *= growth) {
  ceilings[bucket] = ceiling
}

/** The first bucket with an upper bound of at least `ms`, by binary search. */
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
 * Exponential distribution of a turn's requests: shares of the requests, and their latency as a position between
 * the median (0) and the 99th percentile (1).
 */
const distribution = [
  { share: 0.5, position: -0.15 },
  { share: 0.25, position: 0.11 },
  { share: 0.15, position: 0.33 },
  { share: 0.05, position: 0.52 },
  { share: 0.03, position: 0.74 },
  { share: 0.02, position: 1.05 },
] as const

/** Counts the requests of a customer's turn by latency. */
export function countLatency(account: Account): void {
  const { latency } = account.period
  const width = account.p99Ms - account.p50Ms
  for (const { share, position } of distribution) {
    latency[bucketOf(account.p50Ms + width * position)] += account.turnTotal * share
  }
}

/** The 99th percentile of the period to date, in milliseconds. */
export function periodP99(account: Account): number {
  const { latency } = account.period
  let total = 0
  for (const count of latency) total += count
  if (total === 0) return account.p99Ms
  let above = total * 0.01
  for (let bucket = latencyBuckets - 1; bucket > 0; bucket--) {
    above -= latency[bucket]
    if (above < 0) {
      const position = clamp(1 + above / latency[bucket], 0, 1)
      return ceilings[bucket - 1] * position + ceilings[bucket] * (1 - position)
    }
  }
  return firstBucketMs
}

/** Success ratio of the period; 1 without requests. */
export const availabilityOf = ({ total, failed }: SlaPeriod): number => (total === 0 ? 1 : 1 - failed / total)
