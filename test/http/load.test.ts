import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ReadingReport, ReadingTask } from './load-reader.ts'
import { promptlyMs } from '../fixtures/promptly.ts'

/** The full test has 10000 hosts for 60 seconds. */
const hosts = process.env['DCSIM_TEST_LOAD_HOSTS'] ?? '120'
const seconds = Number(process.env['DCSIM_TEST_LOAD_SECONDS'] ?? '5')
const seed = Number(process.env['DCSIM_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const cadenceMs = 1_000
const connections = 8
const longestStartMs = 300_000

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

async function startedService(): Promise<{ port: number; stop: () => Promise<void> }> {
  const words = [
    '--listen',
    '127.0.0.1:0',
    '--scale',
    hosts,
    '--warmup',
    '30m',
    '--cadence-ms',
    String(cadenceMs),
  ]
  const child = spawn(process.execPath, [path('../../src/main.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = Promise.withResolvers<number>()
  child.on('exit', () => ready.reject(new Error(`The service ended: ${output}`)))
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
    const port = /listens on http:\/\/127\.0\.0\.1:([0-9]+)[^]*Ready after/.exec(output)?.[1]
    if (port !== undefined) ready.resolve(Number(port))
  })
  const port = await ready.promise
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function readHard(port: number): Promise<ReadingReport> {
  const reader = fork(path('load-reader.ts'), { execArgv: [] })
  reader.send({ port, seconds, connections, seed } satisfies ReadingTask)
  const [report] = (await once(reader, 'message')) as [ReadingReport]
  return report
}

/** A busy machine delays some snapshots; a slow service delays all of them. */
const readings = 3

test(`${hosts} hosts read hard for ${seconds} s: nothing torn, nothing stale (seed ${seed})`, {
  timeout: longestStartMs + readings * seconds * 2_000,
}, async () => {
  const service = await startedService()
  let bestP99Ms = Infinity
  for (let reading = 0; reading < readings && bestP99Ms > 1.1 * cadenceMs; reading++) {
    const report = await readHard(service.port)
    expect(report.faults).toEqual([])
    expect(report.publishes).toBeGreaterThan(seconds / 2)
    expect(report.compared).toBeGreaterThan(report.responses / 20)
    bestP99Ms = Math.min(bestP99Ms, report.p99AgeMs)
  }
  await service.stop()
  expect(bestP99Ms).toBeLessThan(promptlyMs)
})
