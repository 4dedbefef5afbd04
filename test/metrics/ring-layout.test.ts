import { expect, test } from 'vitest'
import type { HistoryEntity } from '../../src/contract/history.ts'
import { HistoryRings } from '../../src/metrics/history/history-rings.ts'
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
const seriesOf = (rings: HistoryRings, step: number): unknown[] =>
  steps.map((name) => rings.series(`hosts/2/egress_gbps/${name}`, BigInt(step) * tenSecondsNs))

test.each([
  [0, 1],
  [60, 60],
  [100_000, 360],
])(
  'at speed %i a reader sees a whole hour while the world is ten seconds ahead, at most an hour',
  (speed, rows) => {
    const history = scriptedHosts()
    const rings = new HistoryRings(history, { speed })
    live(history, rings, 1_000)
    const [before] = seriesOf(rings, 1_000)
    live(history, rings, 1_000 + rows)
    expect(seriesOf(rings, 1_000)[0]).toStrictEqual(before)
    live(history, rings, 1_001 + rows)
    expect(seriesOf(rings, 1_000)[0]).not.toStrictEqual(before)
  },
)

test.each([
  [60, 3_600],
  [3_600, 60],
  [60, 60],
])('a history that was saved at speed %i is continued at speed %i', (before, after) => {
  const [history, other] = [scriptedHosts(), scriptedHosts()]
  const rings = new HistoryRings(history, { speed: before })
  live(history, rings, 20_000)
  const continued = new HistoryRings(other, { saved: rings.saved(), speed: after })
  expect(seriesOf(continued, 20_000)).toStrictEqual(seriesOf(rings, 20_000))
  other.step = history.step
  live(history, rings, 20_500)
  live(other, continued, 20_500)
  expect(seriesOf(continued, 20_500)).toStrictEqual(seriesOf(rings, 20_500))
})
