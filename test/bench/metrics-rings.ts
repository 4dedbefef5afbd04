import { historyMetrics } from '../../src/contract/history.ts'
import type { HistoryEntity } from '../../src/contract/history.ts'
import { createHistoryRings } from '../../src/metrics/history/history-rings.ts'
import { createSeriesReader } from '../../src/metrics/history/series-reader.ts'
import type { Subject } from './harness.ts'

const days = 40
const stepNs = 10_000_000_000n
const several = (subject: HistoryEntity['subject'], count: number): HistoryEntity[] =>
  Array.from({ length: count }, (_, index) => ({ subject, id: index + 1 }))

/** What a world of 120 hosts keeps a history of. */
const entities: readonly HistoryEntity[] = [
  { subject: 'fleet', id: null },
  ...several('azs', 3),
  ...several('host-pools', 6),
  ...several('gateways', 4),
  ...several('customers', 40),
  ...several('switches', 16),
  ...several('hosts', 120),
]

const ringMemory: Subject = {
  name: 'ring-memory',
  measure(progress) {
    const series = entities.reduce((sum, { subject }) => sum + Object.keys(historyMetrics[subject]).length, 0)
    progress(`${series} series after ${days} simulated days`)
    const history = { version: 1, entities, sample: (into: Float64Array) => into.fill(1) }
    const endNs = BigInt(days * 8_640) * stepNs
    const rings = createHistoryRings(history, endNs)
    for (let atNs = stepNs; atNs <= endNs; atNs += stepNs) rings.record(atNs)
    const reader = createSeriesReader(rings.memory)
    const values = ['10s', '1m', '1h', '1d']
      .map((step) => reader.series(`hosts/7/egress_gbps/${step}`)!.values.length)
      .reduce((sum, count) => sum + count, 0)
    const perSeries = rings.memory.byteLength / series
    return Promise.resolve({
      measured: `ring memory a series (4 steps, ${values} values)`,
      against: '—',
      value: perSeries / 1_024,
      unit: 'KiB',
      better: 'lower' as const,
      floor: 6,
      aim: 5.6,
      medians: `${rings.memory.byteLength} B, ${series} series`,
    })
  },
}

export const metricsRings: readonly Subject[] = [ringMemory]
