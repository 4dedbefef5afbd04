import { beforeAll, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { Quest } from '../../src/contract/records/operations.ts'
import { sealBlock } from '../../src/recording/blocks.ts'
import { FrameCursor } from '../../src/recording/frame-cursor.ts'
import type { RecordingIndex } from '../../src/recording/recording-index.ts'
import { blank, literalSnapshot } from '../literal-world.ts'
import { indexOf, MemorySession } from './recorded.ts'

/** What each frame holds, so that it can be told from any other. */
function allSaid(index: RecordingIndex): string[] {
  const cursor = new FrameCursor(index)
  return index.frames.map((_, position) => {
    const { simTimeNs, lists } = cursor.read(position)
    return `${simTimeNs} ${lists.map(({ bytes }) => Buffer.from(bytes).toString()).join('|')}`
  })
}

const worldAt = (second: number): Snapshot =>
  literalSnapshot(
    {
      quests: [blank(Quest, { id: 1, unlock_step: second * 1_000 }), blank(Quest, { id: 2 + (second % 2) })],
    },
    { simTimeNs: BigInt(second) * 1_000_000_000n },
  )

let whole: Buffer
let told: string[]
/** Where each block ends. */
let ends: number[]

beforeAll(() => {
  const session = new MemorySession()
  const began = session.bytes.length
  for (let second = 0; second < 4; second++) session.record(worldAt(second))
  whole = session.bytes
  told = allSaid(indexOf(whole))
  ends = session.blocks.map(
    (_, i) => began + session.blocks.slice(0, i + 1).reduce((n, { bytes }) => n + bytes, 0),
  )
  ends.unshift(began)
})

test('a recording cut off anywhere holds every frame that was complete', () => {
  for (let length = 0; length <= whole.length; length++) {
    const index = indexOf(whole.subarray(0, length))
    const complete = ends.filter((end) => end <= length).length
    expect(allSaid(index), `cut at ${length}`).toEqual(told.slice(0, Math.max(0, complete - 1)))
    const isClean = ends.includes(length) || length === 25
    expect(index.ending?.is, `cut at ${length}`).toBe(isClean ? 'end' : 'unfinished')
  }
})

test('no changed byte goes unnoticed, and none makes a wrong record', () => {
  for (let at = 0; at < whole.length; at++) {
    for (const flip of [1 << (at % 8), 0xff]) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= flip
      const index = indexOf(damaged)
      const block = at < 25 ? -1 : ends.findIndex((end) => at < end)
      expect(index.ending, `byte ${at}`).toMatchObject({ is: 'damage' })
      expect(allSaid(index), `byte ${at}`).toEqual(told.slice(0, Math.max(0, block - 1)))
    }
  }
})

test('says where the damage is, what was found there and what was expected', () => {
  const damagedAt = (at: number) => {
    const damaged = Buffer.from(whole)
    damaged[at] ^= 0xff
    return indexOf(damaged).ending
  }
  expect(damagedAt(0)).toEqual({
    is: 'damage',
    damage: { at: 0, found: 'it does not begin with "dcsim-mirror recording 1"' },
  })
  const second = ends[1]
  expect(damagedAt(second)).toEqual({
    is: 'damage',
    damage: { at: second, found: 'bb635242 where a block should begin with 44635242' },
  })
  expect(damagedAt(second + 100)).toMatchObject({
    damage: {
      at: second,
      found: expect.stringMatching(/^content with the checksum 0x\w{8} where 0x\w{8} was written$/),
    },
  })
})

test('blocks that are missing, doubled or of another file are damage', () => {
  const [began, first, second] = ends
  const without = Buffer.concat([whole.subarray(0, first), whole.subarray(second)])
  expect(indexOf(without).ending).toMatchObject({
    damage: { at: first, found: 'block 3 where block 2 was expected' },
  })
  const doubled = Buffer.concat([whole.subarray(0, first), whole.subarray(began)])
  expect(indexOf(doubled).ending).toMatchObject({
    damage: { at: first, found: 'block 1 where block 2 was expected' },
  })
})

test('a recording of another version, and what is none, are told apart', () => {
  const other = Buffer.from(whole)
  other[23] = '2'.charCodeAt(0)
  expect(indexOf(other).ending).toMatchObject({
    damage: { found: 'it is a recording of version 2, expected version 1' },
  })
  expect(indexOf(Buffer.from('{"meta":{}}')).ending).toMatchObject({
    damage: { found: 'it does not begin with "dcsim-mirror recording 1"' },
  })
  expect(indexOf(Buffer.alloc(0)).ending).toEqual({ is: 'unfinished', at: 0 })
})

test('blocks that are sound and make no sense are refused, too', () => {
  const [began] = ends
  const session = whole.subarray(0, began)
  const after = (kind: 'session' | 'key' | 'delta', content: string) =>
    indexOf(Buffer.concat([session, sealBlock(kind, 1, Buffer.from(content))]))
  expect(after('delta', 'x'.repeat(60)).ending).toMatchObject({
    damage: { at: began, found: 'a session that does not begin with a whole frame' },
  })
  expect(after('session', '{}').ending).toMatchObject({ damage: { at: began } })
  expect(after('key', 'short').ending).toMatchObject({ damage: { at: began, found: 'a frame of 5 bytes' } })
  const nonsense = after('key', 'x'.repeat(200))
  expect(nonsense.frames).toHaveLength(1)
  expect(() => new FrameCursor(nonsense).read(0)).toThrow(`The frame at byte ${began} cannot be read: `)
})
