/** The wall clock of the process jumps. Its monotonic clock, its timers and all else are real. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { processClock } from '../../src/process-clock.ts'
import { noHistory } from '../../src/metrics/history/history-reader.ts'
import { createService } from '../../src/service.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { FakeSupply } from '../mirror/fake-supply.ts'
import { tablesHere } from '../tables/tables-here.ts'

const hourMs = 3_600_000
const beganMs = Date.UTC(2026, 0, 1, 12)
const cadenceMs = 100
/** A busy machine publishes late, by seconds and not by hours. */
const lateMs = 20_000

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

async function startService({ hasWorld = true } = {}) {
  const supply = new FakeSupply(snapshotWith({}), processClock)
  supply.prompt = hasWorld
  const service = createService({
    supply,
    clock: processClock,
    version: '1.2.3',
    cadenceMs,
    idleAfterMs: 60_000,
    collectors: [],
    allowedHosts: [],
    history: () => noHistory,
    tables: tablesHere(),
    log: () => {},
  })
  const { port } = await service.server.listen('127.0.0.1', 0)
  service.mirror.start()
  closing.push(() => service.server.close())
  return { origin: `http://127.0.0.1:${port}`, port, mirror: service.mirror }
}

async function look(origin: string) {
  const response = await fetch(`${origin}/health`)
  const health = (await response.json()) as { readonly status: string; readonly age_ms: number }
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const sample = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)![1])
  return {
    status: health.status,
    ageMs: health.age_ms,
    seq: Number(response.headers.get('x-sim-publish-seq')),
    ageSeconds: sample('dcsim_mirror_snapshot_age_seconds'),
    up: sample('dcsim_mirror_source_up'),
    paused: sample('dcsim_mirror_publishing_paused'),
    processStart: sample('process_start_time_seconds'),
  }
}

/** The Date header of the answer to what is no HTTP, which the service writes itself. */
async function dateOfRefusal(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.write('no HTTP\r\n\r\n')
  let answer = ''
  for await (const text of socket) answer += String(text)
  return /^Date: (.*)\r$/m.exec(answer)![1]
}

test.each([
  ['forward', 3 * hourMs, 'Thu, 01 Jan 2026 15:00:00 GMT'],
  ['back', -3 * hourMs, 'Thu, 01 Jan 2026 09:00:00 GMT'],
])('a wall clock that jumps 3 h %s changes dates alone', async (_, jumpMs, date) => {
  vi.useFakeTimers({ toFake: ['Date'], now: beganMs })
  const { origin, port, mirror } = await startService()
  const before = await look(origin)
  let revoked = 0
  const release = mirror.hold(mirror.frame!, () => revoked++)
  expect(await dateOfRefusal(port)).toBe('Thu, 01 Jan 2026 12:00:00 GMT')
  vi.setSystemTime(beganMs + jumpMs)
  expect(await dateOfRefusal(port)).toBe(date)
  for (let seq = before.seq; seq < before.seq + 5; ) {
    const now = await look(origin)
    expect(now).toMatchObject({ status: 'ok', up: 1, paused: 0, processStart: before.processStart })
    expect(now.seq).toBeGreaterThanOrEqual(seq)
    for (const ageMs of [now.ageMs, 1000 * now.ageSeconds]) {
      expect(ageMs).toBeGreaterThanOrEqual(0)
      expect(ageMs).toBeLessThan(lateMs)
    }
    seq = now.seq
    await pause(cadenceMs / 2)
  }
  expect(revoked).toBe(0)
  release()
})

test('before there is a world, clients are asked to return in a second, however the wall clock jumps', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: beganMs })
  const { origin } = await startService({ hasWorld: false })
  for (const jumpMs of [0, 3 * hourMs, -3 * hourMs]) {
    vi.setSystemTime(beganMs + jumpMs)
    const response = await fetch(`${origin}/api/v1/hosts`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await (await fetch(`${origin}/health`)).json()).toMatchObject({ status: 'starting', age_ms: 0 })
  }
})
