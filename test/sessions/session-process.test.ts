import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionProcess } from '../../src/sessions/session-process.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { isPosix } from '../fixtures/tools.ts'

let session: SessionProcess | null = null
let clock = new FakeClock()
beforeEach(() => {
  clock = new FakeClock()
})
afterEach(async () => {
  const stopped = session?.stop()
  clock.advanceTo(clock.nowMs() + 10_000)
  await stopped
})

const until = (condition: () => boolean) => vi.waitUntil(condition, 60_000)

/** A session whose mirror hangs as soon as it listens, and the lines of its log. */
function sessionOf(environment: NodeJS.ProcessEnv): { session: SessionProcess; lines: string[] } {
  const lines: string[] = []
  session = new SessionProcess({
    name: 'a',
    entry: new URL('hanging-mirror.ts', import.meta.url),
    words: [],
    environment,
    clock,
    log: (line) => lines.push(line),
    onRefused: () => {},
  })
  return { session, lines }
}

const { execPath } = process
afterEach(() => {
  process.execPath = execPath
})

/** Longer than the limit of Linux for one variable: `fork` throws. */
const longVariable = 'x'.repeat(200_000)

test.each(
  [
    {
      name: 'the system refuses the call',
      break: (environment: NodeJS.ProcessEnv) => (environment['LONG'] = longVariable),
      mend: (environment: NodeJS.ProcessEnv) => delete environment['LONG'],
      message: 'spawn E2BIG',
    },
    {
      name: 'Node is not where it was',
      break: () => (process.execPath = '/nowhere/node'),
      mend: () => (process.execPath = execPath),
      message: 'spawn /nowhere/node ENOENT',
    },
  ].slice(isPosix ? 0 : 1),
)('a failed start is tried again later: $name', async (fault) => {
  const environment = { ...process.env }
  const { session, lines } = sessionOf(environment)
  fault.break(environment)
  session.start()
  await until(() => lines.length === 1)
  expect(lines[0]).toBe(`a: the mirror could not be started: ${fault.message}; it starts again in 1 s.`)
  clock.advanceTo(1_000)
  await until(() => lines.length === 2)
  expect(lines[1]).toBe(`a: the mirror could not be started: ${fault.message}; it starts again in 2 s.`)
  fault.mend(environment)
  clock.advanceTo(3_000)
  await until(() => session.port === 4711)
})
