import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FileLock } from '../../src/commands/files/file-lock.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-lock-'))
const file = join(folder, 'a.rec')
const lockFile = `${file}.lock`

afterAll(() => rmSync(folder, { recursive: true }))

const elsewhere = JSON.stringify({ pid: 7, host: 'elsewhere' })
let clock = new FakeClock()
beforeEach(() => {
  clock = new FakeClock()
})

/** Leaves a lock behind, last refreshed that many minutes ago. */
function leaveLock(content: string, minutesAgo: number): void {
  writeFileSync(lockFile, content)
  refreshLock(minutesAgo)
}

function refreshLock(minutesAgo = 0): void {
  const seconds = clock.wallMs() / 1000 - 60 * minutesAgo
  utimesSync(lockFile, seconds, seconds)
}

/** The outcome of another process that acquires the lock now, and the messages that it logs. */
function acquireLock(path = file) {
  const messages: string[] = []
  const acquired = FileLock.acquire(path, { clock, log: (line) => messages.push(line) })
  return { messages, acquired }
}

test.each([
  ['of another host that was refreshed a minute ago', elsewhere, 1],
  ['of a live process of this host', JSON.stringify({ pid: process.ppid, host: hostname() }), 1],
  ['that its owner has not filled in yet', '', 0],
])('a lock %s is respected', async (_, content, minutesAgo) => {
  leaveLock(content, minutesAgo)
  await expect(acquireLock().acquired).rejects.toThrow(/is recording to it/)
  expect(readFileSync(lockFile, 'utf8')).toBe(content)
})

test.each([
  ['of another host without a recent refresh', elsewhere, 3],
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), 0],
  ['with the id of this process', JSON.stringify({ pid: process.pid, host: hostname() }), 0],
  [
    'without a recent refresh whose id belongs to another process now',
    JSON.stringify({ pid: 1, host: hostname() }),
    3,
  ],
  ['that holds nonsense and was not refreshed', '{', 3],
])('a lock %s is replaced', async (_, content, minutesAgo) => {
  leaveLock(content, minutesAgo)
  const { acquired } = acquireLock()
  clock.advanceTo(20_000)
  const lock = await acquired
  expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual({ pid: process.pid, host: hostname() })
  lock.release()
  expect(existsSync(lockFile)).toBe(false)
})

test.each([3 * 60, -3 * 60])(
  'a lock that was refreshed %i minutes ago, as the wall clock jumped, is respected if it is refreshed again',
  async (minutesAgo) => {
    leaveLock(elsewhere, minutesAgo)
    const { acquired, messages } = acquireLock()
    clock.advanceTo(15_000)
    refreshLock()
    clock.advanceTo(20_000)
    await expect(acquired).rejects.toThrow(/process 7 on "elsewhere" is recording to it/)
    expect(messages).toEqual([`Waiting 20 s, whether process 7 on "elsewhere" still refreshes ${lockFile}.`])
  },
)

test('a lock that seems to be refreshed three hours from now, and was left behind, is replaced', async () => {
  leaveLock(elsewhere, -3 * 60)
  const { acquired } = acquireLock()
  clock.advanceTo(20_000)
  const lock = await acquired
  lock.release()
  expect(existsSync(lockFile)).toBe(false)
})

test('a symbolic link shares the lock of its target', async () => {
  writeFileSync(file, '')
  const link = join(folder, 'link.rec')
  symlinkSync(file, link)
  const lock = await acquireLock(link).acquired
  expect(existsSync(lockFile)).toBe(true)
  lock.release()
})

test('a lock that another process has taken over is not released', async () => {
  const lock = await acquireLock().acquired
  writeFileSync(lockFile, elsewhere)
  lock.release()
  expect(existsSync(lockFile)).toBe(true)
})
