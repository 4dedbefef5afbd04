import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { PublishMarkWriter, readPublishMark } from '../../src/state-file/publish-mark.ts'
import { readStateFile, setAside, writeStateFile } from '../../src/state-file/state-file.ts'
import type { StateHead } from '../../src/state-file/state-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-state-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'world.state')
const head: StateHead = {
  version: '1.0.0',
  seed: '7',
  scale: 'small',
  scenario: '',
  worldId: '0011223344556677',
  publishSeq: 12,
  simTimeNs: '604800000000000',
}
const sections = [Buffer.from('the world'), Buffer.alloc(0), Buffer.alloc(3_000_000, 5)]

beforeEach(async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  await writeStateFile(path, head, sections)
})

test('reads the written content, and leaves no other file behind', () => {
  expect(readStateFile(path)).toEqual({ head, sections })
  expect(readdirSync(folder)).toEqual(['world.state'])
})

test('there is nothing to read where there is no file', () => {
  expect(readStateFile(join(folder, 'other'))).toBeNull()
  expect(readStateFile(join(path, 'below a file'))).toBeNull()
})

test('a new file replaces the old one', async () => {
  await writeStateFile(path, { ...head, publishSeq: 13 }, [Buffer.from('later')])
  expect(readStateFile(path)).toEqual({
    head: { ...head, publishSeq: 13 },
    sections: [Buffer.from('later')],
  })
})

test('a file that cannot be written leaves the old one as it was', async () => {
  const nowhere = join(folder, 'missing', 'world.state')
  await expect(writeStateFile(nowhere, head, sections)).rejects.toThrow('ENOENT')
  expect(existsSync(nowhere)).toBe(false)
  expect(readStateFile(path)).toEqual({ head, sections })
})

describe('reports the found and the expected content where a file', () => {
  const headLength = (): number => readFileSync(path).readUInt32LE(8)

  test('is something else', () => {
    writeFileSync(path, 'PK\u0003\u0004 a zip file')
    expect(() => readStateFile(path)).toThrow(/^it begins with "PK.*", expected "DCSIMST2"$/)
  })

  test('is empty', () => {
    writeFileSync(path, '')
    expect(() => readStateFile(path)).toThrow('it begins with "", expected "DCSIMST2"')
  })

  test('is a folder', () => {
    expect(() => readStateFile(folder)).toThrow('is a directory')
  })

  test.each([10, 12, 40, 300, 1_000_000])('ends after %i bytes', (length) => {
    writeFileSync(path, readFileSync(path).subarray(0, length))
    expect(() => readStateFile(path)).toThrow(/^its? (?:head|has)/)
  })

  test('is a byte too long', () => {
    const bytes = readFileSync(path)
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('x')]))
    expect(() => readStateFile(path)).toThrow(`it has ${bytes.length + 1} bytes, expected ${bytes.length}`)
  })

  test('has a wrong byte anywhere after its head', () => {
    const bytes = readFileSync(path)
    const from = 12 + headLength()
    for (const at of [from, from + 500_000, bytes.length - 5]) {
      const damaged = Buffer.from(bytes)
      damaged[at] ^= 1
      writeFileSync(path, damaged)
      expect(() => readStateFile(path)).toThrow(/^its checksum is [0-9a-f]{8}, expected [0-9a-f]{8}$/)
    }
  })

  test('has a wrong byte in its head', () => {
    const bytes = readFileSync(path)
    for (let at = 0; at < 12 + headLength(); at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] ^= 4
      writeFileSync(path, damaged)
      expect(() => readStateFile(path)).toThrow(/^it/)
    }
  })
})

test('a file that is not regular is not moved', () => {
  const directory = join(folder, 'directory')
  mkdirSync(directory)
  expect(() => setAside(directory)).toThrow('it is not a regular file')
  expect(existsSync(directory)).toBe(true)
})

test('an existing file in place of the unfinished one is not overwritten', async () => {
  execFileSync('mkfifo', [`${path}.tmp`])
  await expect(writeStateFile(path, head, sections)).rejects.toThrow('is a named pipe')
  expect(readStateFile(path)).toEqual({ head, sections })
})

test('a number of the last publish that nothing can be counted on from is refused', async () => {
  await writeStateFile(path, { ...head, publishSeq: 1e15 }, sections)
  expect(readStateFile(path)?.head.publishSeq).toBe(1e15)
  await writeStateFile(path, { ...head, publishSeq: 1e15 + 1 }, sections)
  expect(() => readStateFile(path)).toThrow('its head is not one of a state file')
})

test('a file that is not continued is kept under a name with its date', () => {
  const kept = setAside(path)
  expect(kept).toMatch(/world\.state\.\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
  expect(existsSync(path)).toBe(false)
  expect(readStateFile(kept)).toEqual({ head, sections })
})

describe('the mark of the last publish', () => {
  const worldId = head.worldId
  const mark = (publishSeq: number) => ({ worldId, publishSeq, simTimeNs: BigInt(publishSeq) * 10n })
  const writeMarks = (...numbers: number[]): void => {
    const writer = new PublishMarkWriter(path)
    for (const number of numbers) writer.write(mark(number))
    writer.close()
  }

  test('is the newest one', () => {
    writeMarks(1, 2, 3)
    expect(readPublishMark(path, worldId)).toEqual(mark(3))
  })

  test('is the one before where the newest was written halfway', () => {
    writeMarks(1, 2, 3)
    const file = `${path}.published`
    const bytes = readFileSync(file)
    bytes.write('4', 80 + 17)
    writeFileSync(file, bytes)
    expect(readPublishMark(path, worldId)).toEqual(mark(2))
  })

  test('of another world counts for nothing', () => {
    writeMarks(1)
    expect(readPublishMark(path, 'ffffffffffffffff')).toBeNull()
    expect(readPublishMark(join(folder, 'other'), worldId)).toBeNull()
  })
})
