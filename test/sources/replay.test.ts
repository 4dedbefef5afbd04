import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import type { Snapshot } from '../../src/contract/collections.ts'
import { EngineEventSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import { createTotalsLedger } from '../../src/contract/totals.ts'
import type { EncodedItems } from '../../src/encoding/records/encoded-items.ts'
import type { EncodedContent } from '../../src/encoding/frames/frame-builder.ts'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { createSimulation } from '../../src/world/records/simulation.ts'
import type { ReplayOptions } from '../../src/sources/replay/source.ts'
import { SourceError } from '../../src/sources/source.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { framesOf, RecordedSession } from '../recording/recorded.ts'
import { replayOf } from '../recording/replayed.ts'

const second = 1_000_000_000n
const minute = 60n * second

/** A world of one quest, whose unlock step is the number of minutes that have passed. */
const worldAt = (minutes: number, given: Partial<Snapshot> = {}): Snapshot =>
  snapshotWith(
    { quests: [emptyRecord(QuestSchema, { id: 1, unlock_step: minutes })] },
    { simTimeNs: BigInt(minutes) * minute, ...given },
  )

function recordingOf(minutes: readonly number[]): RecordedSession {
  const session = new RecordedSession()
  for (const at of minutes) session.record(worldAt(at))
  return session
}

function watchReplayOf(session: RecordedSession, given: Partial<ReplayOptions> = {}) {
  const { clock, source } = replayOf(session, given)
  /** The world at a time since the replay began. */
  const at = (ms: number): EncodedContent => {
    clock.advanceTo(ms)
    while (source.advance(ms + 8) === 0) {}
    return source.capture()
  }
  const minuteAt = (ms: number): number => Number(at(ms).encoded.simTimeNs / minute)
  return { clock, source, at, minuteAt }
}

function textOf(items: EncodedItems): Uint8Array {
  const json = new Uint8Array(items.jsonLength)
  items.writeTo(json, new BigInt64Array(items.count), new Uint32Array(items.count + 1))
  return json
}

function hashOf(lists: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const list of lists) hash.update(`${list.length} `).update(list)
  return hash.digest('hex')
}

describe('the pace', () => {
  const session = recordingOf([0, 1, 2, 5, 6])

  test('is that of the recording by default', () => {
    const { minuteAt } = watchReplayOf(session)
    expect([0, 999, 1000, 2999, 3000, 4000].map(minuteAt)).toEqual([0, 0, 1, 2, 5, 6])
  })

  test('follows simulated time at a given speed', () => {
    const { minuteAt } = watchReplayOf(session, { speed: 120 })
    expect([0, 499, 500, 1000, 2499, 2500, 3000].map(minuteAt)).toEqual([0, 0, 1, 2, 2, 5, 6])
  })

  test('is none at speed 0', () => {
    const { source, minuteAt } = watchReplayOf(session, { speed: 0 })
    expect(minuteAt(1_000_000)).toBe(0)
    expect(source.advance(1_000_008)).toBe(Infinity)
  })
})

test('every frame of every session and world can be begun with', () => {
  const first = new RecordedSession().record(worldAt(500)).record(worldAt(501)).record(worldAt(3))
  const session = first.again().record(worldAt(1)).record(worldAt(2)).record(worldAt(9))
  const begin = (seconds: number): number =>
    watchReplayOf(session, { span: { fromNs: BigInt(seconds) * second, untilNs: null } }).minuteAt(0)
  expect([0, 60, 61, 62, 122, 542].map(begin)).toEqual([500, 501, 3, 1, 2, 9])
  const { minuteAt } = watchReplayOf(session, { span: { fromNs: 60n * second, untilNs: 62n * second } })
  expect([0, 1000, 2000, 3000].map(minuteAt)).toEqual([501, 3, 1, 1])
})

test('leaves out a recording that begins while the frames are found', () => {
  const session = recordingOf([0, 1])
  const find = session.frames.recordings.bind(session.frames)
  session.frames.recordings = () => {
    const known = find()
    if (known.size === 1) session.again().record(worldAt(7))
    return known
  }
  expect(watchReplayOf(session).minuteAt(60_000)).toBe(1)
})

test('stops at its end with a reason', () => {
  const { minuteAt, source } = watchReplayOf(recordingOf([0, 1]))
  expect(minuteAt(60_000)).toBe(1)
  expect(() => source.capture()).toThrow(
    'The replay ended at simulated hour 0. Restart it, or replay with --loop yes.',
  )
  expect(source.advance(60_008)).toBe(Infinity)
})

const damage = ({ database }: RecordedSession, number: number): void =>
  void database.prepare('UPDATE frame SET sum = sum - 1 WHERE number = ?').run(number)

test('continues behind damage with the next frame that can be read, and says why the last one stays', () => {
  const first = recordingOf([0, 1, 2, 3])
  first.again().record(worldAt(7)).record(worldAt(8))
  damage(first, 2)
  const { source, minuteAt } = watchReplayOf(first)
  expect([0, 1000].map(minuteAt)).toEqual([0, 1])
  expect(() => minuteAt(2000)).toThrow('Frame 2 is damaged.')
  expect(source.retryMs()).toBe(1_000)
  expect(() => minuteAt(3999)).toThrow('Frame 2 is damaged.')
  expect([4000, 5000].map(minuteAt)).toEqual([7, 8])
})

test('ends with the last frame that can be read', () => {
  const session = recordingOf([0, 1, 2])
  damage(session, 2)
  const { minuteAt } = watchReplayOf(session)
  expect(minuteAt(1000)).toBe(1)
  expect(() => minuteAt(2000)).toThrow('Frame 2 is damaged.')
  expect(() => minuteAt(60_000)).toThrow('The replay ended at simulated hour 0.')
})

test('a first frame that is damaged is left out', () => {
  const first = recordingOf([0, 1])
  first.again().record(worldAt(7))
  damage(first, 0)
  const { source, minuteAt } = watchReplayOf(first)
  expect(() => source.capture()).toThrow('Frame 0 is damaged.')
  expect(minuteAt(2000)).toBe(7)
})

test('begins again in a loop, with the window of events as it was then', () => {
  const session = new RecordedSession()
  const events = [emptyRecord(EngineEventSchema, { at_ns: 1 })]
  session.record(worldAt(0, { events }))
  session.record(
    worldAt(1, { events: [...events, emptyRecord(EngineEventSchema, { at_ns: 2 })], newestEvictedNs: 0n }),
  )
  const { at } = watchReplayOf(session, { loop: true })
  const seen = [0, 1000, 2000, 3000, 4000].map((ms) => {
    const { simTimeNs, events: window, newestEvictedNs } = at(ms).encoded
    return [simTimeNs / minute, window.count, newestEvictedNs]
  })
  const turn = [
    [0n, 1, -1n],
    [1n, 2, 0n],
  ]
  expect(seen).toEqual([...turn, ...turn, turn[0]])
})

test('a part that has not changed since the last capture is the same object', () => {
  const session = new RecordedSession()
  session.record(worldAt(0)).record(worldAt(0)).record(worldAt(1))
  const { at } = watchReplayOf(session)
  const [first, second, third] = [at(0), at(1000), at(2000)].map(({ encoded }) => encoded)
  expect(second.collections.quests).toBe(first.collections.quests)
  expect(second.recordsChanged).toBe(0)
  expect(third.collections.quests).not.toBe(first.collections.quests)
  expect(third.collections.hosts).toBe(first.collections.hosts)
  expect(third.recordsChanged).toBe(1)
})

test('has the totals of the recorded world', () => {
  const session = new RecordedSession()
  const totals = createTotalsLedger()
  totals.event('Incident', 'Error')
  session.record(worldAt(0, { totals }))
  totals.event('Incident', 'Error')
  session.record(worldAt(1, { totals }))
  const { at } = watchReplayOf(session)
  expect(at(0).encoded.totals.events).toEqual([{ kind: 'Incident', severity: 'Error', count: 1 }])
  expect(at(1000).encoded.totals.events).toEqual([{ kind: 'Incident', severity: 'Error', count: 2 }])
})

test('a replay that is behind leaves nothing out that is shown, and catches up', () => {
  const { clock, source, minuteAt } = watchReplayOf(recordingOf(Array.from({ length: 500 }, (_, i) => i)))
  clock.advanceTo(400_000)
  source.advance(400_008)
  // A lag of up to a minute is caught up.
  expect(minuteAt(400_000)).toBe(61)
})

test('continues after a restart from the time that clients have seen', () => {
  const { minuteAt } = watchReplayOf(recordingOf([0, 1, 2, 3]), { reachNs: 2n * minute })
  expect([0, 1000].map(minuteAt)).toEqual([2, 3])
})

/** A frame of one quest in these bytes. */
function frameOfQuest(text: string, minutes = 0) {
  const frame = framesOf()(worldAt(minutes))
  const bytes = Buffer.from(text)
  const quests = { ...frame.collections.quests, bytes, starts: Uint32Array.of(0, bytes.length + 1) }
  return { ...frame, collections: { ...frame.collections, quests } }
}

test('a record that lacks fields is replayed as it is', () => {
  const text = '{"id":1,"title":"x"}'
  const { source } = watchReplayOf(new RecordedSession().recordFrame(frameOfQuest(text)))
  const { encoded } = source.capture()
  expect(Buffer.from(textOf(encoded.collections.quests)).toString()).toBe(text)
})

test('what was unknown when it was recorded is unknown in a replay, for as long', () => {
  const unknown = { quests: 'Status 404.', simTime: 'Untold.' }
  const session = new RecordedSession()
  session.record(worldAt(0, { unknown })).record(worldAt(1, { unknown })).record(worldAt(2))
  const exposition = createExposition({ collectors: ['quests'] })
  const { at } = watchReplayOf(session, { exposition })
  const shown = [0, 1000, 2000].map((ms) => {
    const { encoded, exposition } = at(ms)
    return [encoded.unknown, exposition.some(({ family }) => family === 'dcsim_quest_info')]
  })
  expect(shown).toEqual([
    [unknown, false],
    [unknown, false],
    [{}, true],
  ])
})

const notJson = '{"id":1,"title":x}'

test('a record that cannot be read is reported by its name', () => {
  const { source } = watchReplayOf(new RecordedSession().recordFrame(frameOfQuest(notJson)), { speed: 0 })
  expect(() => source.capture()).toThrow('The recording has an invalid record: quests, item 0: is not JSON')
  expect(source.retryMs()).toBe(3_600_000)
})

test.each([
  ['in time', 0],
  ['in a lag', 1_500],
])('a frame that cannot be read costs itself alone, %s', (_, lagMs) => {
  const session = new RecordedSession()
    .record(worldAt(0))
    .recordFrame(frameOfQuest(notJson, 1))
    .record(worldAt(3))
  const { source, minuteAt } = watchReplayOf(session, { speed: 60 })
  expect(minuteAt(0)).toBe(0)
  expect(() => minuteAt(1_000 + lagMs)).toThrow('The recording has an invalid record: quests, item 0')
  expect(source.retryMs()).toBe(1_000)
  expect(minuteAt(3_000)).toBe(3)
  expect(minuteAt(10_000)).toBe(3)
  expect(() => source.capture()).toThrow('The replay ended at simulated hour 0.')
  expect(source.retryMs()).toBe(3_600_000)
})

const otherTotals = '"incidentsOpened":[],"incidentsResolved":[]'

test.each([
  ['not JSON', '{'],
  ['not an object', '[]'],
  [
    'a counter that is null',
    `{"events":[{"kind":"a","severity":"b","count":null}],${otherTotals},"timeToResolve":[]}`,
  ],
  [
    'a histogram with too few buckets',
    `{"events":[],${otherTotals},"timeToResolve":[{"band":"Minor","counts":[1],"seconds":1}]}`,
  ],
])('recorded totals that are %s end the replay and not the thread', (_, text) => {
  const frame = { ...framesOf()(worldAt(0)), totals: Buffer.from(text) }
  const { source } = watchReplayOf(new RecordedSession().recordFrame(frame))
  expect(() => source.capture()).toThrow(SourceError)
})

describe('a real world', () => {
  const world = createSimulation({ seed: 5n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
  const frameOf = framesOf()
  const session = new RecordedSession()
  const recorded = new Map<bigint, string>()
  for (let frame = 0; frame < 45; frame++) {
    for (let step = 0; step < 6; step++) world.step()
    const made = frameOf(world.snapshot())
    session.recordFrame(made)
    const { collections, events, diagnostics, simTimeNs } = made
    const lists = [...collectionNames.map((name) => collections[name].bytes), events.bytes, diagnostics]
    recorded.set(simTimeNs, hashOf(lists))
  }

  test.each([1, 60, 1000])('is replayed at speed %d with the very records that were recorded', (speed) => {
    const { at } = watchReplayOf(session, { speed })
    const seen = new Set<bigint>()
    for (let frame = 0; frame < 45; frame++) {
      const { encoded } = at(Math.ceil((frame * 60_000) / speed))
      const lists = collectionNames.map((name) => textOf(encoded.collections[name]))
      expect(hashOf([...lists, textOf(encoded.events), encoded.diagnostics])).toBe(
        recorded.get(encoded.simTimeNs),
      )
      seen.add(encoded.simTimeNs)
    }
    expect(seen.size).toBe(45)
  })

  test('has the history of its metrics again', () => {
    const { source, at } = watchReplayOf(session, { speed: 60 })
    for (let ms = 0; ms < 45_000; ms += 1000) at(ms)
    const series = source.history.series('fleet/hosts_online/1m')
    expect(series?.values).toHaveLength(45)
    const { hosts } = world.snapshot().collections
    expect(series?.values.at(-1)).toBe(hosts.filter(({ online }) => online).length)
  })
})
