import { beforeAll, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { QuestSchema } from '../../src/contract/records/operations.ts'
import { encodeBlock } from '../../src/recording/blocks.ts'
import { FrameCursor } from '../../src/recording/frame-cursor.ts'
import type { RecordingIndex } from '../../src/recording/recording-index.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { indexOf, MemorySession } from './recorded.ts'

/** The content of each frame, which differs from all others. */
function contentsOf(index: RecordingIndex): string[] {
  const cursor = new FrameCursor(index)
  return Array.from(index.frames, (_, position) => {
    const { simTimeNs, lists } = cursor.read(position)
    return `${simTimeNs} ${lists.map(({ bytes }) => Buffer.from(bytes).toString()).join('|')}`
  })
}

const worldAt = (second: number): Snapshot =>
  snapshotWith(
    {
      quests: [
        emptyRecord(QuestSchema, { id: 1, unlock_step: second * 1_000 }),
        emptyRecord(QuestSchema, { id: 2 + (second % 2) }),
      ],
    },
    { simTimeNs: BigInt(second) * 1_000_000_000n },
  )

let whole: Buffer
let contents: string[]
/** The end of each block. */
let ends: number[]

beforeAll(() => {
  const session = new MemorySession()
  const began = session.bytes.length
  for (let second = 0; second < 4; second++) session.record(worldAt(second))
  whole = session.bytes
  contents = contentsOf(indexOf(whole))
  ends = session.blocks.map(
    (_, i) => began + session.blocks.slice(0, i + 1).reduce((n, { bytes }) => n + bytes, 0),
  )
  ends.unshift(began)
})

test('a recording cut off anywhere holds every frame that was complete', () => {
  for (let length = 0; length <= whole.length; length++) {
    const index = indexOf(whole.subarray(0, length))
    const complete = ends.filter((end) => end <= length).length
    expect(contentsOf(index), `cut at ${length}`).toEqual(contents.slice(0, Math.max(0, complete - 1)))
    const isClean = ends.includes(length) || length === 25
    expect(index.ending?.is, `cut at ${length}`).toBe(isClean ? 'end' : 'unfinished')
  }
})

test('every changed byte is detected, and no frame before it is affected', () => {
  for (let at = 0; at < whole.length; at++) {
    for (const flip of [1 << (at % 8), 0xff]) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= flip
      const index = indexOf(damaged)
      const block = at < 25 ? -1 : ends.findIndex((end) => at < end)
      expect(index.ending, `byte ${at}`).toMatchObject({ is: 'damage' })
      expect(contentsOf(index), `byte ${at}`).toEqual(contents.slice(0, Math.max(0, block - 1)))
    }
  }
})

test('damage is reported with its offset, the expected and the found bytes', () => {
  const damagedAt = (at: number) => {
    const damaged = Buffer.from(whole)
    damaged[at] ^= 0xff
    return indexOf(damaged).ending
  }
  expect(damagedAt(0)).toEqual({
    is: 'damage',
    damage: { at: 0, reason: 'it does not begin with "dcsim-mirror recording 2"' },
  })
  const second = ends[1]
  expect(damagedAt(second)).toEqual({
    is: 'damage',
    damage: { at: second, reason: 'expected a block, which begins with 0x44635242, found 0xbb635242' },
  })
  expect(damagedAt(second + 100)).toMatchObject({
    damage: {
      at: second,
      reason: expect.stringMatching(/^expected content with checksum 0x\w{8}, found 0x\w{8}$/),
    },
  })
})

test('blocks that are missing, doubled or of another file are damage', () => {
  const [began, first, second] = ends
  const without = Buffer.concat([whole.subarray(0, first), whole.subarray(second)])
  expect(indexOf(without).ending).toMatchObject({
    damage: { at: first, reason: 'expected block 2, found block 3' },
  })
  const doubled = Buffer.concat([whole.subarray(0, first), whole.subarray(began)])
  expect(indexOf(doubled).ending).toMatchObject({
    damage: { at: first, reason: 'expected block 2, found block 1' },
  })
})

test('a recording of another version is distinguished from other files', () => {
  const other = Buffer.from(whole)
  other[23] = '1'.charCodeAt(0)
  expect(indexOf(other).ending).toMatchObject({
    damage: { reason: 'it is a recording of version 1, and this release reads version 2' },
  })
  expect(indexOf(Buffer.from('{"meta":{}}')).ending).toMatchObject({
    damage: { reason: 'it does not begin with "dcsim-mirror recording 2"' },
  })
  expect(indexOf(Buffer.alloc(0)).ending).toEqual({ is: 'unfinished', at: 0 })
})

test('blocks with valid checksums and nonsensical content are refused', () => {
  const [began] = ends
  const session = whole.subarray(0, began)
  const after = (kind: 'session' | 'key' | 'delta', content: string) =>
    indexOf(Buffer.concat([session, encodeBlock(kind, 1, Buffer.from(content))]))
  expect(after('delta', 'x'.repeat(60)).ending).toMatchObject({
    damage: { at: began, reason: 'found a session that does not begin with a key frame' },
  })
  for (const content of ['{}', 'null', '7', '[]'])
    expect(after('session', content).ending).toMatchObject({
      damage: { at: began, reason: 'found a session block with missing or invalid fields' },
    })
  expect(after('key', 'short').ending).toMatchObject({ damage: { at: began, reason: 'a frame of 5 bytes' } })
  const nonsense = after('key', 'x'.repeat(200))
  expect(nonsense.frames).toHaveLength(1)
  expect(() => new FrameCursor(nonsense).read(0)).toThrow(`The frame at byte ${began} cannot be read: `)
})
