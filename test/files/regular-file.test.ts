import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  appendToFile,
  irregularTypeAt,
  openRegularFile,
  readRegularFile,
  readTextFile,
} from '../../src/files/regular-file.ts'
import { isPosix } from '../fixtures/tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-files-'))
const at = (name: string): string => join(folder, name)
const socket = createServer()

beforeAll(async () => {
  mkdirSync(at('directory'))
  writeFileSync(at('regular'), 'abc')
  if (!isPosix) return
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync(at('regular'), at('link'))
  symlinkSync(at('pipe'), at('link-to-pipe'))
  symlinkSync(at('nothing'), at('link-to-nothing'))
  await new Promise<void>((resolve) => socket.listen(at('socket'), resolve))
})
afterAll(() => {
  socket.close()
  rmSync(folder, { recursive: true })
})

const irregular = [
  ['directory', 'a directory'],
  ['pipe', 'a named pipe'],
  ['link-to-pipe', 'a named pipe'],
  ['socket', 'a socket'],
] as const

describe('anything but a regular file is refused without waiting', () => {
  test.each(irregular.filter(([name]) => isPosix || name === 'directory'))('%s', (name, type) => {
    expect(irregularTypeAt(at(name))).toBe(type)
    for (const use of ['read', 'update', 'append', 'replace'] as const)
      expect(() => openRegularFile(at(name), use)).toThrow(`is ${type}`)
    expect(() => readTextFile(at(name), 10)).toThrow(`is ${type}`)
    expect(() => appendToFile(at(name), 'x')).toThrow(`is ${type}`)
  })

  test.runIf(isPosix)('a device', () => {
    expect(() => readTextFile('/dev/zero', 10)).toThrow('is a device')
    expect(() => appendToFile('/dev/null', 'x')).toThrow('is a device')
  })

  test.runIf(isPosix)('but not a file, a link to one, or nothing', () => {
    for (const name of ['regular', 'link', 'nothing', 'link-to-nothing', 'regular/below'])
      expect(irregularTypeAt(at(name))).toBeNull()
    expect(() => openRegularFile(at('nothing'), 'read')).toThrow('ENOENT')
  })
})

test('a file is read up to its bound', () => {
  expect(readTextFile(at(isPosix ? 'link' : 'regular'), 3)).toBe('abc')
  expect(() => readTextFile(at('regular'), 2)).toThrow('is larger than')
  writeFileSync(at('large'), Buffer.alloc(2 ** 20, 7))
  expect(readRegularFile(at('large'), 2 ** 20).equals(Buffer.alloc(2 ** 20, 7))).toBe(true)
  expect(() => readRegularFile(at('large'), 2 ** 20 - 1)).toThrow(/^is larger than 0\.99/)
  writeFileSync(at('too-large'), Buffer.alloc(2 ** 20 + 1))
  expect(() => readRegularFile(at('too-large'), 2 ** 20)).toThrow('is larger than 1 MiB')
})

test('each use of a file preserves or replaces its content as documented', () => {
  appendToFile(at('grown'), 'one')
  appendToFile(at('grown'), ' two')
  expect(readFileSync(at('grown'), 'utf8')).toBe('one two')
  closeSync(openRegularFile(at('grown'), 'update'))
  expect(readFileSync(at('grown'), 'utf8')).toBe('one two')
  closeSync(openRegularFile(at('grown'), 'replace'))
  expect(readFileSync(at('grown'), 'utf8')).toBe('')
})
