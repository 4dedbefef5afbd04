import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { createSeriesReader } from '../../src/metrics/history/series-reader.ts'

/** Writes rows as fast as possible, all of whose values are the row's number; customers join and leave. */
const writer = `
  import { parentPort } from 'node:worker_threads'
  import { createHistoryRings } from '${new URL('../../src/metrics/history/history-rings.ts', import.meta.url).href}'
  import { ScriptedHistory, tenSecondsNs } from '${new URL('scripted-history.ts', import.meta.url).href}'
  const customers = (first) => [{ subject: 'fleet', id: null }, ...Array.from({ length: 20 }, (_, i) => ({ subject: 'customers', id: first + i }))]
  const history = new ScriptedHistory(customers(1), ({ id }, metric, step) => (id === null ? step % 60_000 : id))
  const rings = createHistoryRings(history)
  parentPort.postMessage(rings.memory)
  for (let step = 1; step <= 30_000; step++) {
    history.step = step
    if (step % 50 === 0) history.become(customers(step / 50))
    rings.record(BigInt(step) * tenSecondsNs)
  }
  parentPort.postMessage('done')
`

/** Adjacent pairs whose second value is not one more than the first. */
const breaks = (values: readonly number[]): number[][] =>
  values.flatMap((value, index) =>
    index > 0 && value !== values[index - 1] + 1 ? [[values[index - 1], value]] : [],
  )

test('a reader in another thread never sees a row of two steps, nor an entity with the values of another', async () => {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(writer)}`))
  const memory = await new Promise<SharedArrayBuffer>((resolve) => worker.once('message', resolve))
  const state = { isDone: false }
  worker.once('message', () => (state.isDone = true))
  const reader = createSeriesReader(memory)
  const wrong: unknown[] = []
  let read = 0
  while (!state.isDone) {
    wrong.push(...breaks(reader.series('fleet/hosts_online/10s')?.values ?? []))
    for (const path of reader.paths('customers/').paths.filter((name) => name.endsWith('/rps/10s'))) {
      const id = Number(path.split('/')[1])
      wrong.push(...(reader.series(path)?.values.filter((value) => value !== id) ?? []))
      read++
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await worker.terminate()
  expect(wrong).toStrictEqual([])
  expect(read).toBeGreaterThan(100)
  expect(reader.series('fleet/hosts_online/10s')!.values.at(-1)).toBe(30_000)
})
