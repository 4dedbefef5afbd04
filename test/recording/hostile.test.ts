import { crc32, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { FrameDecoder, frameHeaderBytes } from '../../src/store/recording/codec/frame-codec.ts'
import { ByteWriter } from '../../src/store/recording/codec/varint.ts'

const gigabyte = 1 << 30

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
  header.writeUInt32LE(checksum, 0)
  header.writeUInt32LE(numbers.length, 4)
  header.writeUInt32LE(numbersLength, 8)
  header.writeUInt32LE(textLength, 12)
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
/** Frames of Zstandard that follow each other, as making it would take a gigabyte otherwise. */
const bomb = Buffer.concat(Array(64).fill(zstdCompressSync(Buffer.alloc(gigabyte / 64))))

const cases: Record<string, { readonly frames: readonly Buffer[]; readonly reason: string | RegExp }> = {
  'numbers that decompress to more than they claim': {
    frames: [frameOf({ numbers: bomb, numbersLength: 65_536 })],
    reason: /./,
  },
  'a list of 2^52 records': {
    frames: [frameOf(numbersOf([otherRecords, 2 ** 52], []))],
    reason: 'a list of 4503599627370496 records',
  },
  'a change of record 2^52': {
    frames: [frameOf(numbersOf([sameRecords, 0], [2 ** 52, 0]))],
    reason: 'no record 4503599627370495',
  },
  'streams that are longer than the frame': {
    frames: [frameOf({ numbers: zstdCompressSync(Buffer.of(127, 127)), numbersLength: 2 })],
    reason: 'a frame that ends early',
  },
  'a list that repeats one long text': {
    frames: [
      frameOf({
        ...numbersOf(oneRecord(longText.length), [0]),
        text: longText,
        textLength: longText.length,
        checksum: crc32(longText),
      }),
      frameOf(numbersOf([otherRecords, 100_000, 1, ...Array(99_999).fill(2), 0], [0], [], true)),
    ],
    reason: 'a list of 10000300000 bytes of text',
  },
  'a frame without a header': { frames: [Buffer.alloc(5)], reason: 'a frame of 5 bytes' },
}

test.each(Object.entries(cases))('%s is refused at little cost', (_, { frames, reason }) => {
  const decoder = new FrameDecoder(1)
  const before = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  expect(() => {
    for (const [number, frame] of frames.entries()) decoder.decode(frame, number === 0 ? 'key' : 'delta')
  }).toThrow(reason)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(5)
  expect(process.resourceUsage().maxRSS - maxRSS).toBeLessThan(200 * 1024)
})

test('a sound frame made in the same way is read', () => {
  const decoder = new FrameDecoder(1)
  const [first, second] = ['[1,"x"]', '[4,"x"]'].map((text) => Buffer.from(text))
  const key = { ...numbersOf(oneRecord(first.length), [0]), text: first, textLength: first.length }
  expect(decoder.decode(frameOf({ ...key, checksum: crc32(first) }), 'key')[0].bytes).toEqual(first)
  // The delta of 3, which is not predicted, is 1 + 2 · 3.
  const delta = numbersOf([sameRecords, 0], [1, 1, 0, 0], [7])
  expect(decoder.decode(frameOf({ ...delta, checksum: crc32(second) }), 'delta')[0].bytes).toEqual(second)
})
