import { expect, test } from 'vitest'
import type { HistoryEntity } from '../../src/contract/history.ts'
import { ringLayoutAt } from '../../src/metrics/history/history-memory.ts'
import { createHistoryRings } from '../../src/metrics/history/history-rings.ts'
import type { HistoryRings } from '../../src/metrics/history/history-rings.ts'
import { createSeriesReader } from '../../src/metrics/history/series-reader.ts'
import { ScriptedHistory, tenSecondsNs } from './scripted-history.ts'

const hosts: readonly HistoryEntity[] = [1, 2, 3].map((id) => ({ subject: 'hosts', id }))
const scriptedHosts = (): ScriptedHistory =>
  new ScriptedHistory(hosts, (entity, _metric, step) => (Number(entity.id) * 7 + step) % 90)

function live(history: ScriptedHistory, rings: HistoryRings, untilStep: number): void {
  while (history.step < untilStep) {
    history.step++
    rings.record(BigInt(history.step) * tenSecondsNs)
  }
}

const steps = ['10s', '1m', '1h', '1d']
const seriesOf = ({ memory }: HistoryRings, step: number): unknown[] => {
  const reader = createSeriesReader(memory)
  return steps.map((name) => reader.series(`hosts/2/egress_gbps/${name}`, BigInt(step) * tenSecondsNs))
}

test.each([
  [0, [1, 1, 1, 1]],
  [1, [1, 1, 1, 1]],
  [60, [60, 10, 1, 1]],
  [3_600, [360, 60, 1, 1]],
  [100_000, [360, 60, 1, 1]],
])('at speed %i a world may be ten seconds ahead, at most a simulated hour', (speed, rows) => {
  expect(ringLayoutAt(speed).leadRows).toStrictEqual(rows)
})

test('a reader of the usual world sees a whole hour while the world is ten seconds ahead', () => {
  const history = scriptedHosts()
  const rings = createHistoryRings(history, 0n, null, ringLayoutAt(60))
  live(history, rings, 1_000)
  const [before] = seriesOf(rings, 1_000)
  live(history, rings, 1_060)
  expect(seriesOf(rings, 1_000)[0]).toStrictEqual(before)
  live(history, rings, 1_061)
  expect(seriesOf(rings, 1_000)[0]).not.toStrictEqual(before)
})

test.each([
  [60, 3_600],
  [3_600, 60],
  [60, 60],
])('a history that was saved at speed %i is continued at speed %i', (before, after) => {
  const [history, other] = [scriptedHosts(), scriptedHosts()]
  const rings = createHistoryRings(history, 0n, null, ringLayoutAt(before))
  live(history, rings, 20_000)
  const continued = createHistoryRings(other, 0n, rings.saved(), ringLayoutAt(after))
  expect(seriesOf(continued, 20_000)).toStrictEqual(seriesOf(rings, 20_000))
  other.step = history.step
  live(history, rings, 20_500)
  live(other, continued, 20_500)
  expect(seriesOf(continued, 20_500)).toStrictEqual(seriesOf(rings, 20_500))
})
