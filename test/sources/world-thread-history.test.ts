import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { HistoryUnavailable } from '../../src/metrics/history/history-reader.ts'
import type { HistoryReader } from '../../src/metrics/history/history-reader.ts'
import { historyTimeoutMs, WorldThreadHistory, serveHistory } from '../../src/sources/world-thread-history.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'

const largest = 9223372036854775807n
const series = { scale: 'linear', unit: 'count', stepNs: largest, lastNs: 20n, values: [1, 2.5] } as const

function connect(reader: HistoryReader | null) {
  const { port1, port2 } = new MessageChannel()
  const clock = new FakeClock()
  if (reader !== null) serveHistory(port2, reader)
  return { history: new WorldThreadHistory(port1, clock), clock, remote: port2 }
}

const reader: HistoryReader = {
  paths: async (prefix, atNs) => ({ paths: [`${prefix}/${atNs}`], total: 7 }),
  series: async (path) => {
    if (path === 'gone') throw new HistoryUnavailable('The upstream is gone.')
    return path === 'none' ? null : series
  },
}

test('passes on paths and series as of a time', async () => {
  const { history, remote } = connect(reader)
  expect(await history.paths('azs', largest)).toEqual({ paths: [`azs/${largest}`], total: 7 })
  expect(await history.series('none', 0n)).toBeNull()
  expect(await history.series('azs/1', 0n)).toEqual(series)
  remote.close()
})

test('passes on why the history is unavailable', async () => {
  const { history, remote } = connect(reader)
  await expect(history.series('gone', 0n)).rejects.toEqual(new HistoryUnavailable('The upstream is gone.'))
  remote.close()
})

test('is unavailable once the thread at the other end has ended', async () => {
  const { history, remote } = connect(null)
  const pending = history.series('azs/1', 0n)
  remote.close()
  await expect(pending).rejects.toThrow(new HistoryUnavailable('The world thread ended.'))
})

test('is unavailable if the other end does not respond', async () => {
  const { history, clock, remote } = connect(null)
  const pending = history.paths('', 0n)
  clock.advanceTo(historyTimeoutMs)
  await expect(pending).rejects.toThrow(new HistoryUnavailable('The world thread did not respond.'))
  remote.close()
})
