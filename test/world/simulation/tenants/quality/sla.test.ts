import { describe, expect, test } from 'vitest'
import { createSlaPeriod } from '../../../../../src/world/simulation/tenants/account.ts'
import {
  availabilityOf,
  countLatency,
  periodP99,
} from '../../../../../src/world/simulation/tenants/quality/sla.ts'
import { customer } from '../tenants-fixture.ts'

test.each([
  [0, 0, 1],
  [1_000, 0, 1],
  [1_000, 1, 0.999],
  [4, 4, 0],
])('of %i requests %i failed: an availability of %f', (total, failed, availability) => {
  expect(availabilityOf({ ...createSlaPeriod(0, 1), total, failed })).toBe(availability)
})

/** The nonempty buckets of a customer's period. */
const counted = (p50Ms: number, p99Ms: number): Record<number, number> => {
  const account = customer({ p50Ms, p99Ms, turnTotal: 1_000 })
  countLatency(account)
  return Object.fromEntries([...account.period.latency.entries()].filter(([, count]) => count > 0))
}

/** Upper bounds in ms: bucket 0 ends at 0.25, 1 at 0.2925, 29 at 23.7, 33 at 44.5, 36 at 71.2, 38 at 97.5, 40 at 133. */
describe('a minute of 1000 requests', () => {
  test('is spread from below the median to beyond the 99th percentile', () => {
    // 500 at −5 ms, 250 at 21, 150 at 43, 50 at 62, 30 at 84, and 20 at 115 ms.
    expect(counted(10, 110)).toEqual({ 0: 500, 29: 250, 33: 150, 36: 50, 38: 30, 40: 20 })
  })

  test.each([
    [0.25, 0],
    [0.2926, 2],
    [0.2925, 1],
    [1e9, 79],
  ])('of %f ms each is in bucket %i', (ms, bucket) => {
    expect(counted(ms, ms)).toEqual({ [bucket]: 1_000 })
  })
})

describe('the 99th percentile of a period', () => {
  const p99Of = (latency: Record<number, number>): number => {
    const account = customer({ p99Ms: 7 })
    for (const [bucket, count] of Object.entries(latency)) account.period.latency[Number(bucket)] = count
    return periodP99(account)
  }

  test.each([
    ['without requests, that of now', {}, 7],
    ['of the fastest requests, the first bound', { 0: 1_000 }, 0.25],
    // Bucket 10 ends at 1.2017 ms, 19 at 4.937 ms and 20 at 5.776 ms.
    ['at the hundredth from the end of the bucket', { 20: 10_000 }, 5.768],
    ['a slow percent is above it', { 10: 990, 20: 10 }, 1.2017],
    ['of a slow percent and a tenth, the slow ones', { 10: 989, 20: 11 }, 5.0133],
    ['half of the bucket below it', { 10: 9_800, 20: 200 }, 5.3567],
    ['the slowest requests', { 79: 100 }, 60_812.3],
  ])('is %s', (_, latency, ms) => {
    expect(p99Of(latency)).toBeCloseTo(ms, ms > 1_000 ? 0 : 3)
  })
})
