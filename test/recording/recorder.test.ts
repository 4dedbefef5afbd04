import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { EngineEventSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import { wallTimesOf } from '../../src/store/recording/recorder.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { RecordedSession } from './recorded.ts'

const worldWith = (moments: readonly number[], newestEvictedNs: number, simTimeNs: number): Snapshot =>
  snapshotWith(
    {},
    {
      events: moments.map((at) => emptyRecord(EngineEventSchema, { at_ns: at })),
      newestEvictedNs: BigInt(newestEvictedNs),
      simTimeNs: BigInt(simTimeNs),
    },
  )

test('events that left the window between two frames are missed, and only those', () => {
  const session = new RecordedSession()
  session.record(worldWith([1, 2, 3], -1, 3))
  session.record(worldWith([3, 4, 5], 2, 5))
  session.record(worldWith([6, 7, 8], 5, 8))
  session.record(worldWith([10, 11, 12], 9, 12))
  session.record(worldWith([10, 11, 12], 9, 13))
  expect(session.rows.map(({ hasEventGap }) => hasEventGap)).toEqual([false, false, false, true, false])
})

test('events from before the recording are no gap', () => {
  const session = new RecordedSession()
    .record(worldWith([50, 51], 49, 51))
    .record(worldWith([51, 52], 50, 52))
  expect(session.rows.map(({ hasEventGap }) => hasEventGap)).toEqual([false, false])
})

test('time that falls back is another world: it begins with a whole frame, and misses nothing', () => {
  const session = new RecordedSession()
  session
    .record(worldWith([900], 800, 1_000))
    .record(worldWith([5], 4, 10))
    .record(worldWith([5, 11], 4, 11))
  expect(session.rows.map(({ key, isJoin, hasEventGap }) => [key, isJoin, hasEventGap])).toEqual([
    [0, true, false],
    [1, true, false],
    [1, false, false],
  ])
})

test('every 300th frame is whole, so that reading can begin there', () => {
  const session = new RecordedSession()
  for (let second = 0; second < 601; second++) session.record(worldWith([], -1, second))
  expect(session.rows.flatMap(({ number, key }) => (number === key ? [key] : []))).toEqual([0, 300, 600])
})

test('a paused world costs next to nothing', () => {
  const session = new RecordedSession()
  const snapshot = snapshotWith({ quests: [emptyRecord(QuestSchema, { id: 1 })] })
  session.record(snapshot).record(snapshot)
  expect(session.written[1]).toMatchObject({ kind: 'delta', hasEventGap: false })
  expect(session.written[1].bytes).toBeLessThan(64)
})

test('the time of a replay is summed over recordings and worlds, each from the next whole second', () => {
  const session = new RecordedSession()
  const second = 1_000_000_000
  session.record(worldWith([], -1, 500.5 * second)).record(worldWith([], -1, 501 * second))
  session
    .record(worldWith([], -1, 3 * second))
    .again()
    .record(worldWith([], -1, 900 * second))
  expect(session.rows.map(({ recording, elapsedNs }) => [recording, Number(elapsedNs) / second])).toEqual([
    [1, 0],
    [1, 0.5],
    [1, 1],
    [2, 2],
  ])
})

test('the time between two frames of a session stays, though the wall clock jumps', () => {
  const clock = new FakeClock()
  const wallTimeOf = wallTimesOf(clock)
  clock.advanceTo(1_000)
  expect(wallTimeOf(clock.nowMs())).toBe(1_800_000_001_000)
  clock.wallOffsetMs -= 3 * 3_600_000
  clock.advanceTo(2_000)
  expect(wallTimeOf(clock.nowMs())).toBe(1_800_000_002_000)
  expect(wallTimesOf(clock)(clock.nowMs())).toBe(1_799_989_202_000)
})
