import { expect, test } from 'vitest'
import { historyMetrics } from '../../src/contract/history.ts'
import type { HistoryMetric } from '../../src/contract/history.ts'
import { codecOf } from '../../src/metrics/history/value-codec.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'

function kept(metric: HistoryMetric, value: number): number {
  const codec = codecOf(metric)
  return codec.decode(codec.encode(value))
}

const percent = historyMetrics.hosts.cpu_used_pct
const traffic = historyMetrics.hosts.egress_gbps
const count = historyMetrics.azs.hosts_online

test('a linear value is kept to half a part of its range', () => {
  const chance = new SeededRandom(1)
  for (let round = 0; round < 5_000; round++) {
    const value = chance.next() * 100
    expect(Math.abs(kept(percent, value) - value)).toBeLessThanOrEqual(100 / 65_534 / 2 + 1e-12)
  }
})

test('a logarithmic value is kept to a part in 4096', () => {
  const chance = new SeededRandom(2)
  for (let round = 0; round < 5_000; round++) {
    const value = 2 ** (chance.next() * 30.9 - 14)
    expect(Math.abs(kept(traffic, value) - value)).toBeLessThanOrEqual(value / 4_096)
  }
})

test.each([
  [percent, 0, 0],
  [percent, 100, 100],
  [percent, -3, 0],
  [percent, 250, 100],
  [count, 65_534, 65_534],
  [count, 17, 17],
  [traffic, 0, 0],
  [traffic, -1, 0],
  [traffic, 2 ** -15, 0],
  [traffic, 2 ** -14, 2 ** -14],
  [traffic, 1, 1],
  [traffic, 2 ** 17, 2 ** 17],
  [historyMetrics.azs.active_incident_count, 0.4375, 0.4375],
  [historyMetrics.azs.unit_count, 4_095, 4_095],
])('of %o, %d is kept as %d', (metric, value, as) => {
  expect(kept(metric, value)).toBe(as)
})
