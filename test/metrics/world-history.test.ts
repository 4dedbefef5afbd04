import { expect, test } from 'vitest'
import { units } from '../../src/contract/fields.ts'
import { historyMetrics, historyStepNames } from '../../src/contract/history.ts'
import type { HistoryMetric, HistorySubject } from '../../src/contract/history.ts'
import type { SeriesUnit } from '../../src/contract/vocabularies.ts'
import { HistoryRings } from '../../src/metrics/history/history-rings.ts'
import { createRecordHistory } from '../../src/metrics/history/record-history.ts'
import { worldAfter } from './small-world.ts'

const stepsRun = 720

/** The rounding error of a record's number: half of its last digit. Latencies are whole. */
const rounding = (unit: SeriesUnit): number => (unit === 'ms' ? 0.5 : 0.5 * 10 ** -units[unit])

/** The maximum error of a stored value against the reported one, which is a sum of `parts` values. */
function error({ scale, min, max, unit }: HistoryMetric, value: number, parts: number): number {
  const kept = scale === 'linear' ? (max - min) / 65_534 / 2 : Math.max(value / 4_096, min)
  return kept + rounding(unit) * parts * 1.001
}

/** Records of pools sum up rounded hosts, so their CPU may differ by half a thousandth of a CPU each. */
const hostsRounding = (subject: HistorySubject, { unit }: HistoryMetric): number =>
  subject === 'host-pools' && unit === 'pct' ? 0.01 : 0

test('series contain the values that the records of the world had at every step', () => {
  const world = worldAfter(24, 5n)
  const rings = new HistoryRings(world.history)
  const reported = new Map<string, number[]>()
  const records = createRecordHistory()
  const values = new Float64Array(10_000)
  for (let step = 0; step < stepsRun; step++) {
    world.step()
    rings.record(world.nowNs)
    records.observe(world.snapshot())
    records.sample(values)
    let at = 0
    for (const { subject, id } of records.entities) {
      for (const metric of Object.keys(historyMetrics[subject])) {
        const base = id === null ? `${subject}/${metric}` : `${subject}/${id}/${metric}`
        const seen = reported.get(base) ?? []
        seen.push(values[at++])
        reported.set(base, seen)
      }
    }
  }
  const wrong: string[] = []
  const parts = world.snapshot().collections.customers.length + 10
  for (const [base, seen] of reported) {
    const series = rings.series(`${base}/10s`)
    if (series === null) continue
    const [subject] = base.split('/') as [HistorySubject]
    const metric: HistoryMetric = historyMetrics[subject][base.split('/').at(-1) as never]
    const expected = seen.slice(-series.values.length)
    for (const [index, value] of series.values.entries()) {
      const most =
        error(metric, expected[index], subject === 'fleet' ? parts : 1) + hostsRounding(subject, metric)
      if (Math.abs(value - expected[index]) > most)
        wrong.push(`${base}[${index}]: ${value} for ${expected[index]}`)
    }
  }
  expect(wrong.slice(0, 20)).toStrictEqual([])
  const paths = new Set(rings.paths('').paths)
  const missing = [...reported.keys()].filter((base) => !paths.has(`${base}/10s`))
  expect(missing.filter((base) => !base.startsWith('customers/'))).toStrictEqual([])
  expect(rings.paths('').total % historyStepNames.length).toBe(0)
})
