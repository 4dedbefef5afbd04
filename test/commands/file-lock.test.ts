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
import { afterAll, expect, test } from 'vitest'
import { FileLock } from '../../src/commands/files/file-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-lock-'))
const file = join(folder, 'a.rec')
const lockFile = `${file}.lock`

afterAll(() => rmSync(folder, { recursive: true }))

/** Leaves a lock whose last refresh was that many minutes ago. */
function leaveLock(content: string, minutesAgo: number): void {
  writeFileSync(lockFile, content)
  const seconds = Date.now() / 1000 - 60 * minutesAgo
  utimesSync(lockFile, seconds, seconds)
}

test.each([
  ['of another host that was refreshed a minute ago', JSON.stringify({ pid: 7, host: 'elsewhere' }), 1],
  ['of a live process of this host', JSON.stringify({ pid: process.ppid, host: hostname() }), 1],
  ['that its owner has not filled in yet', '', 0],
])('a lock %s is respected', (_, content, minutesAgo) => {
  leaveLock(content, minutesAgo)
  expect(() => FileLock.acquire(file)).toThrow(/is recording to it/)
  expect(readFileSync(lockFile, 'utf8')).toBe(content)
})

test.each([
  ['of another host without a recent refresh', JSON.stringify({ pid: 7, host: 'elsewhere' }), 3],
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), 0],
  ['with the id of this process', JSON.stringify({ pid: process.pid, host: hostname() }), 0],
  [
    'without a recent refresh whose id belongs to another process now',
    JSON.stringify({ pid: 1, host: hostname() }),
    3,
  ],
  ['that holds nonsense and was not refreshed', '{', 3],
])('a lock %s is replaced', (_, content, minutesAgo) => {
  leaveLock(content, minutesAgo)
  const lock = FileLock.acquire(file)
  expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toEqual({ pid: process.pid, host: hostname() })
  lock.release()
  expect(existsSync(lockFile)).toBe(false)
})

test('a symbolic link shares the lock of its target', () => {
  writeFileSync(file, '')
  const link = join(folder, 'link.rec')
  symlinkSync(file, link)
  const lock = FileLock.acquire(link)
  expect(existsSync(lockFile)).toBe(true)
  lock.release()
})

test('a lock that another process has taken over is not released', () => {
  const lock = FileLock.acquire(file)
  writeFileSync(lockFile, JSON.stringify({ pid: 7, host: 'elsewhere' }))
  lock.release()
  expect(existsSync(lockFile)).toBe(true)
})
