import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, zstdCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { encodeBlock, fileSignature } from '../../src/recording/blocks.ts'
import { frameHeaderBytes } from '../../src/recording/codec/frame-codec.ts'
import { ByteWriter } from '../../src/recording/codec/varint.ts'
import { encodeSession } from '../../src/recording/session.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { sessionOf } from './recorded.ts'

const script = fileURLToPath(new URL('inspect-usage.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'dcsim-hostile-'))
const path = join(folder, 'hostile.rec')
const gigabyte = 1 << 30

afterAll(() => rmSync(folder, { recursive: true }))

const sessionBlock = (lists: readonly string[], number = 0): Buffer =>
  encodeBlock('session', number, encodeSession({ lists, ...sessionOf('a test') }))

const recordingOf = (...contents: readonly Buffer[]): Buffer =>
  Buffer.concat([
    fileSignature,
    sessionBlock(['hosts']),
    ...contents.map((content, i) => encodeBlock(i === 0 ? 'key' : 'delta', i + 1, content)),
  ])

interface Frame {
  readonly numbers: Buffer
  readonly numbersLength: number
  readonly text?: Buffer
  readonly textLength?: number
  readonly checksum?: number
}

function frameOf({
  numbers,
  numbersLength,
  text = Buffer.alloc(0),
  textLength = 0,
  checksum = 0,
}: Frame): Buffer {
  const header = Buffer.alloc(frameHeaderBytes)
  header.writeUInt32LE(checksum, 36)
  header.writeUInt32LE(numbers.length, 40)
  header.writeUInt32LE(numbersLength, 44)
  header.writeUInt32LE(textLength, 48)
  return Buffer.concat([header, numbers, text])
}

/** Streams of varints. */
function numbersOf(
  records: readonly number[],
  changes: readonly number[],
  deltas: readonly number[] = [],
  isStored = false,
) {
  const streams = [records, changes, deltas].map((values) => {
    const stream = new ByteWriter()
    for (const value of values) stream.varint(value)
    return stream.written
  })
  const lengths = new ByteWriter()
  lengths.varint(streams[0].length)
  lengths.varint(streams[1].length)
  const bytes = Buffer.concat([lengths.written, ...streams])
  return { numbers: isStored ? bytes : zstdCompressSync(bytes), numbersLength: bytes.length }
}

/** The states of a list in the stream of records. */
const [sameRecords, otherRecords] = [1, 2]
/** A list of one new record with id 0, whose text has a given length. */
const oneRecord = (length: number): number[] => [otherRecords, 1, 0, ...Array(8).fill(0), length, 0]

const longText = Buffer.from(JSON.stringify('x'.repeat(100_000)))
const bomb = zstdCompressSync(Buffer.alloc(gigabyte))

/** A text of a megabyte in which one number changes. */
function soundRecording(): Buffer {
  const random = new SeededRandom(1)
  const words = Array.from({ length: 200_000 }, () => random.below(100_000).toString(36)).join(' ')
  const textAt = (frame: number): Buffer => Buffer.from(`[${3 * frame},"${words}"]`)
  const key = textAt(0)
  const frames: Frame[] = [
    { ...numbersOf(oneRecord(key.length), [0]), text: key, textLength: key.length, checksum: crc32(key) },
  ]
  for (let frame = 1; frame < 10; frame++) {
    // Two steps of 3 are not predicted (7 = 1 + 2 · 3), the later ones are (1).
    frames.push({
      ...numbersOf([sameRecords, 0], [1, 1, 0, 0], [frame < 3 ? 7 : 1]),
      checksum: crc32(textAt(frame)),
    })
  }
  return recordingOf(...frames.map((frame) => frameOf(frame)))
}

const cases: Record<string, { readonly bytes: Buffer; readonly size?: number; readonly reason: RegExp }> = {
  'numbers that decompress to a gigabyte': {
    bytes: recordingOf(frameOf({ numbers: bomb, numbersLength: gigabyte })),
    reason: /cannot be read: \d+ bytes that claim to hold 1073741824\./,
  },
  'numbers that decompress to more than they claim': {
    bytes: recordingOf(frameOf({ numbers: bomb, numbersLength: 65_536 })),
    reason: /cannot be read: /,
  },
  'text that decompresses to a gigabyte': {
    bytes: recordingOf(frameOf({ ...numbersOf(oneRecord(gigabyte), [0]), text: bomb, textLength: gigabyte })),
    reason: /cannot be read: \d+ bytes that claim to hold 1073741824\./,
  },
  'a list of 2^52 records': {
    bytes: recordingOf(frameOf(numbersOf([otherRecords, 2 ** 52], []))),
    reason: /cannot be read: a list of 4503599627370496 records\./,
  },
  'a text of 2^52 bytes': {
    bytes: recordingOf(frameOf(numbersOf(oneRecord(2 ** 52), [0]))),
    reason: /cannot be read: a text of 4503599627370496 bytes\./,
  },
  'a text of 2 GB that is not there': {
    bytes: recordingOf(frameOf(numbersOf(oneRecord(2 ** 31 - 1), [0]))),
    reason: /cannot be read: a list of 2147483647 bytes of text\./,
  },
  'a change of record 2^52': {
    bytes: recordingOf(frameOf(numbersOf([sameRecords, 0], [2 ** 52, 0]))),
    reason: /cannot be read: no record 4503599627370495\./,
  },
  'streams that are longer than the frame': {
    bytes: recordingOf(frameOf({ numbers: zstdCompressSync(Buffer.of(127, 127)), numbersLength: 2 })),
    reason: /cannot be read: a frame that ends early\./,
  },
  'a frame that consists of zeros': {
    bytes: recordingOf(Buffer.alloc(frameHeaderBytes)),
    reason: /cannot be read: a frame that ends early\./,
  },
  'a list that repeats one long text': {
    bytes: recordingOf(
      frameOf({
        ...numbersOf(oneRecord(longText.length), [0]),
        text: longText,
        textLength: longText.length,
        checksum: crc32(longText),
      }),
      frameOf(numbersOf([otherRecords, 100_000, 1, ...Array(99_999).fill(2), 0], [0], [], true)),
    ),
    reason: /cannot be read: a list of 10000300000 bytes of text\./,
  },
  'more sessions than a recorder ever starts': {
    bytes: Buffer.concat([
      fileSignature,
      ...Array.from({ length: 3_661 }, (_, number) => sessionBlock(['hosts'], number)),
    ]),
    reason: /is damaged at byte \d+: found more than 3660 sessions\./,
  },
  'a session block of a gigabyte of nothing': {
    bytes: Buffer.concat([fileSignature, sessionBlock([]).fill(0, 12, 24)]),
    size: gigabyte,
    reason: /is damaged at byte 25: /,
  },
  'a session block of a megabyte': {
    bytes: Buffer.concat([fileSignature, encodeBlock('session', 0, Buffer.alloc(1 << 20, ' '))]),
    reason: /is damaged at byte 25: found a session block of 1048576 bytes\./,
  },
  'a session without content': {
    bytes: Buffer.concat([fileSignature, encodeBlock('session', 0, Buffer.from('null'))]),
    reason: /is damaged at byte 25: found a session block with missing or invalid fields\./,
  },
}

function inspectHostile(bytes: Buffer, size = bytes.length) {
  writeFileSync(path, bytes)
  truncateSync(path, size)
  return inspectFile()
}

function inspectFile(frames: 'check' | 'read' = 'read') {
  const words = [script, path, '--frames', frames]
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  return { usage: JSON.parse(stdout.trim().split('\n').at(-1)!), stderr }
}

test.each(Object.entries(cases))('%s is refused at little cost', (_, { bytes, size, reason }) => {
  const { usage, stderr } = inspectHostile(bytes, size)
  expect(stderr).toMatch(reason)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(usage).toMatchObject({ exitCode: 1 })
  expect(usage.maxRssMb).toBeLessThan(256)
  expect(usage.cpuSeconds).toBeLessThan(5)
})

test('a sound recording made in the same way is read, within the same bounds', () => {
  const { usage, stderr } = inspectHostile(soundRecording())
  expect(stderr).toBe('')
  expect(usage).toMatchObject({ exitCode: 0 })
  expect(usage.maxRssMb).toBeLessThan(256)
})

/** Processor time of the checksums of a million headers and contents. */
function checksumSeconds(frame: Buffer): number {
  const block = encodeBlock('delta', 2, frame)
  const [header, content] = [block.subarray(0, 20), block.subarray(24)]
  const before = process.cpuUsage()
  for (let index = 0; index < 1_000_000; index++) {
    crc32(header)
    crc32(content)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

test('a million frames that hold nothing are inspected, within the same bounds', () => {
  const frame = frameOf({ numbers: Buffer.of(1, 1, 0, 0, 0), numbersLength: 5 })
  writeFileSync(path, recordingOf(frame))
  // In parts: the memory of this process counts towards the peak of its child processes.
  for (let part = 0; part < 100; part++) {
    const first = 2 + part * 10_000
    const blocks = Array.from({ length: 10_000 }, (_, i) => encodeBlock('delta', first + i, frame))
    appendFileSync(path, Buffer.concat(blocks))
  }
  const read = inspectFile('read')
  // Work of some seconds shows its progress, and nothing else.
  expect(read.stderr).toMatch(/^(?:(?:Scanning|Reading) .*\n)*$/)
  expect(read.usage).toMatchObject({ exitCode: 0 })
  expect(read.usage.maxRssMb).toBeLessThan(256)
  // 81 MB. On a machine that takes 0.15 s for the checksums alone, checking takes 1.4 s.
  const checked = inspectFile('check')
  expect(checked.usage).toMatchObject({ exitCode: 0 })
  expect(checked.usage.maxRssMb).toBeLessThan(256)
  expect(checked.usage.cpuSeconds).toBeLessThan(16 * checksumSeconds(frame))
})
