import { historyMetrics, historyStepNames } from '../../../src/contract/history.ts'
import type { HistoryEntity } from '../../../src/contract/history.ts'
import { HistoryRings } from '../../../src/metrics/history/history-rings.ts'
import { atMost, finding } from '../harness/finding.ts'
import type { Finding, Row } from '../harness/finding.ts'
import { estimateOf, takeTurns } from '../harness/turns.ts'

const days = 40
const defaultSpeed = 60
const stepNs = 10_000_000_000n
const several = (subject: HistoryEntity['subject'], count: number): HistoryEntity[] =>
  Array.from({ length: count }, (_, index) => ({ subject, id: index + 1 }))

/** The entities with a history in a world of 120 hosts. */
const entities: readonly HistoryEntity[] = [
  { subject: 'fleet', id: null },
  ...several('azs', 3),
  ...several('host-pools', 6),
  ...several('gateways', 4),
  ...several('customers', 40),
  ...several('switches', 16),
  ...several('hosts', 120),
]
const seriesCount = entities.reduce(
  (sum, { subject }) => sum + Object.keys(historyMetrics[subject]).length,
  0,
)

function filledRings(): HistoryRings {
  let moment = 0
  const sample = (into: Float64Array): void => {
    moment++
    for (let index = 0; index < into.length; index++) into[index] = (moment * 7 + index) % 97
  }
  const endNs = BigInt(days * 8_640) * stepNs
  const history = { version: 1, entities, sample }
  const rings = new HistoryRings(history, { readFromNs: endNs, speed: defaultSpeed })
  for (let atNs = stepNs; atNs <= endNs; atNs += stepNs) rings.record(atNs)
  return rings
}

const valuesOf = (reader: HistoryRings, path: string): readonly number[] => reader.series(path)!.values

function memoryOf(reader: HistoryRings): Finding {
  const values = historyStepNames
    .map((step) => valuesOf(reader, `hosts/7/egress_gbps/${step}`).length)
    .reduce((sum, count) => sum + count, 0)
  const perSeries = reader.saved().memory.length / seriesCount
  const measured = `ring memory a series (${values} values), against the values as 8-byte floats`
  const estimate = estimateOf([perSeries / (values * Float64Array.BYTES_PER_ELEMENT)])
  return finding('history-memory', measured, atMost(0.275), estimate, `${(perSeries / 1_024).toFixed(2)} KiB`)
}

const readCount = 1_000

export const history: Row = {
  name: 'history',
  async measure() {
    const reader = filledRings()
    const hostPaths = several('hosts', 120).flatMap(({ id }) =>
      Object.keys(historyMetrics.hosts).map((metric) => `hosts/${id}/${metric}/10s`),
    )
    const many = Array.from({ length: readCount }, (_, index) => hostPaths[index % hostPaths.length])
    const plain = new Map(hostPaths.map((path) => [path, Float64Array.from(valuesOf(reader, path))]))
    let length = 0
    const turns = await takeTurns(
      {
        read: { run: () => many.forEach((path) => (length += valuesOf(reader, path).length)) },
        copied: { run: () => many.forEach((path) => (length += Array.from(plain.get(path)!).length)) },
      },
      { warmUps: 3 },
    )
    if (length === 0) throw new Error('Nothing was read.')
    const measured = `${readCount} series out of the rings, against Array.from of as many 8-byte floats`
    const [ratio, sides] = [turns.ratio('read', 'copied'), turns.sides('read', 'copied')]
    return [memoryOf(reader), finding('history-thousand', measured, atMost(1.4), ratio, sides)]
  },
}
