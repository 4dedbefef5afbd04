import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { QuestSchema } from '../../src/contract/records/operations.ts'
import { FrameCursor } from '../../src/store/recording/frame-cursor.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { RecordedSession } from './recorded.ts'

const worldAt = (second: number): Snapshot =>
  snapshotWith(
    { quests: [emptyRecord(QuestSchema, { id: 1, unlock_step: second * 1_000 })] },
    { simTimeNs: BigInt(second) * 1_000_000_000n },
  )

function recorded(): RecordedSession {
  const session = new RecordedSession()
  for (let second = 0; second < 3; second++) session.record(worldAt(second))
  const next = session.again()
  for (let second = 3; second < 5; second++) next.record(worldAt(second))
  return session
}

const numbers = ({ rows }: RecordedSession): number[] => rows.map(({ number }) => number)

test('every changed byte of a frame is noticed', () => {
  const session = recorded()
  const { body } = session.database.prepare('SELECT body FROM frame WHERE number = 1').get()!
  const update = session.database.prepare('UPDATE frame SET body = ? WHERE number = 1')
  for (let at = 0; at < (body as Uint8Array).length; at++) {
    const damaged = Buffer.from(body as Uint8Array)
    damaged[at] ^= 1 << (at % 8)
    update.run(damaged)
    expect(() => new FrameCursor(session.frames).read(1, 0), `byte ${at}`).toThrow('Frame 1 is damaged.')
  }
})

test('frames that follow a missing one are left out up to the next key frame', () => {
  const session = recorded()
  session.database.exec('DELETE FROM frame WHERE number = 1')
  expect(numbers(session)).toEqual([0, 3, 4])
  session.database.exec('DELETE FROM frame WHERE number = 0')
  expect(numbers(session)).toEqual([3, 4])
})

test('frames of a recording of which nothing else is known are left out', () => {
  const session = recorded()
  session.database.exec('DELETE FROM recording WHERE number = 1')
  expect(numbers(session)).toEqual([3, 4])
  session.database.exec(`UPDATE recording SET lists = '{}'`)
  expect(() => numbers(session)).toThrow('The lists of a recording cannot be read.')
})

test('a recording that begins while the file is read is not known to what has begun, and can be read', () => {
  const session = recorded()
  const cursor = new FrameCursor(session.frames)
  const known = session.frames.recordings()
  session.again().record(worldAt(5))
  const rows = [...session.frames.rows(() => {}, known)]
  expect([rows.at(-1)!.number, numbers(session).at(-1)]).toEqual([4, 5])
  expect(cursor.read(5, 5).simTimeNs).toBe(5_000_000_000n)
})

test('a frame that is removed while it is replayed is missing', () => {
  const session = recorded()
  const cursor = new FrameCursor(session.frames)
  cursor.read(0, 0)
  session.database.exec('DELETE FROM frame WHERE number = 1')
  expect(() => cursor.read(2, 0)).toThrow('Frame 1 is missing.')
  expect(cursor.read(4, 3).simTimeNs).toBe(4_000_000_000n)
})
