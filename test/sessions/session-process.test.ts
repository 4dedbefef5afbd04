import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { SessionProcess } from '../../src/sessions/session-process.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'

let session: SessionProcess | null = null
const clock = new FakeClock()
afterEach(async () => {
  const stopped = session?.stop()
  clock.advanceTo(clock.nowMs() + 10_000)
  await stopped
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(5)
}

test('a mirror that hangs gets no requests after 5 looks, and is killed and started again after 20', async () => {
  const lines: string[] = []
  const started = () => lines.filter((line) => line.includes('started')).length
  session = new SessionProcess({
    name: 'a',
    entry: new URL('hanging-mirror.ts', import.meta.url),
    words: [],
    environment: process.env,
    clock,
    log: (line) => lines.push(line),
    onRefused: () => {},
  })
  session.start()
  expect(session.port).toBeNull()
  await until(() => session!.port === 4711)
  clock.advanceTo(4_000)
  expect(session.port).toBe(4711)
  clock.advanceTo(5_000)
  expect(session.port).toBeNull()
  clock.advanceTo(19_000)
  expect(lines).toHaveLength(1)
  clock.advanceTo(20_000)
  expect(lines[1]).toBe('a: the mirror has not responded for 20 s.')
  await until(() => lines.length === 3)
  expect(lines[2]).toBe('a: the mirror exited; it starts again in 1 s.')
  clock.advanceTo(21_000)
  expect(started()).toBe(2)
  await until(() => session!.port === 4711)
})
