import { expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { EngineEventSchema, IncidentSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { Inspection } from '../../src/recording/inspection.ts'
import { wallTimesOf } from '../../src/recording/recorder.ts'
import type { RecordingIndex } from '../../src/recording/recording-index.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { framesOf, indexOf, MemorySession } from './recorded.ts'
import { listOf } from './text-lists.ts'

const worldWith = (moments: readonly number[], newestEvictedNs: number, simTimeNs: number): Snapshot =>
  snapshotWith(
    {},
    {
      events: moments.map((at) => emptyRecord(EngineEventSchema, { at_ns: at })),
      newestEvictedNs: BigInt(newestEvictedNs),
      simTimeNs: BigInt(simTimeNs),
    },
  )

/** A frame that contains events only, some with equal times, as other servers may send. */
function withMoments(moments: readonly bigint[]): Frame {
  const frame = framesOf()(snapshotWith({}))
  const { bytes, starts, ids } = listOf(moments.map((id) => ({ id, text: `{"at_ns":${id}}` })))
  return { ...frame, events: { bytes, starts, atNs: ids, newestEvictedNs: -1n } }
}

function inspectAll(index: RecordingIndex) {
  const inspection = new Inspection(index)
  for (let position = 0; position < index.frames.length; position++) inspection.inspectFrame(position)
  return inspection.report
}

test('events that left the window between two frames are missed, and only those', () => {
  const session = new MemorySession()
  session.record(worldWith([1, 2, 3], -1, 3))
  session.record(worldWith([3, 4, 5], 2, 5))
  session.record(worldWith([6, 7, 8], 5, 8))
  session.record(worldWith([10, 11, 12], 9, 12))
  session.record(worldWith([10, 11, 12], 9, 13))
  const index = indexOf(session.bytes)
  expect(Array.from(index.frames, ({ hasEventGap }) => hasEventGap)).toEqual([
    false,
    false,
    false,
    true,
    false,
  ])
  expect(inspectAll(index).events).toBe(11)
})

test('events from before the recording are no gap', () => {
  const session = new MemorySession().record(worldWith([50, 51], 49, 51)).record(worldWith([51, 52], 50, 52))
  expect(Array.from(indexOf(session.bytes).frames, ({ hasEventGap }) => hasEventGap)).toEqual([false, false])
})

test('events of one moment are counted once each', () => {
  const session = new MemorySession()
    .recordFrame(withMoments([1n, 2n, 2n]))
    .recordFrame(withMoments([2n, 2n, 2n, 3n]))
  expect(inspectAll(indexOf(session.bytes)).events).toBe(5)
})

test('time that falls back is another world: it begins with a whole frame, and misses nothing', () => {
  const session = new MemorySession()
  session
    .record(worldWith([900], 800, 1_000))
    .record(worldWith([5], 4, 10))
    .record(worldWith([5, 11], 4, 11))
  const index = indexOf(session.bytes)
  expect(
    Array.from(index.frames, ({ kind, isOtherWorld, hasEventGap }) => [kind, isOtherWorld, hasEventGap]),
  ).toEqual([
    ['key', false, false],
    ['key', true, false],
    ['delta', false, false],
  ])
  expect(inspectAll(index).events).toBe(3)
})

test('every 300th frame is whole, so that reading can begin there', () => {
  const session = new MemorySession()
  for (let second = 0; second < 601; second++) session.record(worldWith([], -1, second))
  const keys = [...indexOf(session.bytes).frames].flatMap(({ kind }, position) =>
    kind === 'key' ? [position] : [],
  )
  expect(keys).toEqual([0, 300, 600])
})

test('a paused world costs next to nothing', () => {
  const session = new MemorySession()
  const snapshot = snapshotWith({ quests: [emptyRecord(QuestSchema, { id: 1 })] })
  session.record(snapshot).record(snapshot)
  expect(session.blocks[1]).toMatchObject({ kind: 'delta', hasEventGap: false })
  expect(session.blocks[1].bytes).toBeLessThan(100)
})

test('incidents are counted once each, and the size of the file is divided among the lists', () => {
  const session = new MemorySession()
  const [one, two] = [emptyRecord(IncidentSchema, { id: 1 }), emptyRecord(IncidentSchema, { id: 2 })]
  session.record(snapshotWith({ incidents: [one, two] }))
  session.record(snapshotWith({ incidents: [two], resolvedIncidents: [one] }, { simTimeNs: 1n }))
  const { incidents, openIncidentsMax, records, sizes } = inspectAll(indexOf(session.bytes))
  expect([incidents, openIncidentsMax]).toEqual([2, 2])
  expect([records.get('incidents'), records.get('resolvedIncidents'), records.get('hosts')]).toEqual([
    1, 1, 0,
  ])
  const [ofIncidents, ofHosts] = [sizes.get('incidents')!, sizes.get('hosts')!]
  expect(ofIncidents).toBeGreaterThan(100)
  expect(ofHosts).toBeLessThan(3)
})

test('an incident that was over when a world began is not counted, and one that came and went between two frames is', () => {
  const [over, short, again] = [1, 2, 1].map((id) => emptyRecord(IncidentSchema, { id }))
  const session = new MemorySession()
  session.record(snapshotWith({ resolvedIncidents: [over] }, { simTimeNs: 8n }))
  session.record(snapshotWith({ resolvedIncidents: [over, short] }, { simTimeNs: 9n }))
  expect(inspectAll(indexOf(session.bytes))).toMatchObject({ incidents: 1, openIncidentsMax: 0 })
  const both = new MemorySession({ bytes: session.bytes, blocks: 3 })
  both.record(snapshotWith({ incidents: [again] }, { simTimeNs: 1n }))
  expect(inspectAll(indexOf(both.bytes))).toMatchObject({ incidents: 2, openIncidentsMax: 1 })
})

test('the events of an earlier world that was added are counted', () => {
  const session = new MemorySession().record(worldWith([900, 901], -1, 1_000))
  const both = new MemorySession({ bytes: session.bytes, blocks: 2 }).record(worldWith([5, 6, 7], -1, 10))
  expect(inspectAll(indexOf(both.bytes)).events).toBe(5)
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
