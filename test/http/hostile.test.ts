import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { hostileBytes } from './hostile-requests.ts'
import { TestService } from './test-service.ts'
import { rawResponses, sendRaw } from './raw-connection.ts'

const requestCount = 10_000
const atOnce = 64
const silenceMs = 10_000
const seed = Number(process.env['DCSIM_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function settledHeapMb(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await pause(50)
    collectGarbage()
  }
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}

const openSockets = () =>
  process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket')).length

/** The response to a HEAD has no body, so the next one may begin where a body would be. */
function responsesIn(bytes: Buffer) {
  const text = bytes.toString('latin1')
  const heads = [...text.matchAll(/HTTP\/1\.1 ([0-9]{3}) [^\r]*\r\n((?:[^\r]+\r\n)+)\r\n/g)]
  return heads.map(([, status, headers]) => ({ status: Number(status), headers: headers.toLowerCase() }))
}

async function attack(
  service: TestService,
  chance: SeededRandom,
  count: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let sent = 0
  const one = async (): Promise<void> => {
    while (sent < count) {
      const { bytes, requests } = hostileBytes(chance)
      sent += requests
      for (const { status, headers } of responsesIn(
        await sendRaw(service.port, bytes, silenceMs, { thenEnd: true }),
      )) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(headers).toMatch(/^x-sim-age-ms: [0-9]+\r$/m)
        expect(headers).toMatch(/^x-sim-publish-seq: [0-9]+\r$/m)
        expect(headers).toContain('\r\nx-content-type-options: nosniff\r\n')
        expect(headers).toContain('\r\ncross-origin-resource-policy: same-origin\r\n')
        expect(headers).not.toContain('x-evil')
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return statuses
}

test(`${requestCount} hostile requests, seed ${seed}`, { timeout: 120_000 }, async () => {
  const chance = new SeededRandom(seed)
  const ready = await TestService.start({ cadenceMs: 200 })
  const starting = await TestService.start({ world: null })
  await attack(ready, new SeededRandom(1), 500)
  const socketsBefore = openSockets()
  const heapBefore = await settledHeapMb()

  const statuses = await attack(ready, chance, requestCount - 2_000)
  const early = await attack(starting, chance, 2_000)

  expect([...ready.faults, ...starting.faults]).toEqual([])
  // 503: this service has no archive, and one that starts has no snapshot.
  const known = new Set([200, 304, 400, 403, 404, 405, 408, 414, 431, 503])
  expect([...statuses.keys()].filter((status) => !known.has(status))).toEqual([])
  expect([...early.keys()].filter((status) => !known.has(status))).toEqual([])
  for (const status of [200, 400, 403, 404, 405]) expect(statuses.get(status)).toBeGreaterThan(100)

  const after = await sendRaw(
    ready.port,
    'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  )
  expect(rawResponses(after).map(({ status }) => status)).toEqual([200])
  await pause(1_000)
  expect(openSockets()).toBeLessThanOrEqual(socketsBefore)
  expect((await settledHeapMb()) - heapBefore).toBeLessThan(8)
  await Promise.all([ready.stop(), starting.stop()])
})
