import { expect, test } from 'vitest'
import { collectionNames, collections } from '../../src/contract/collections.ts'
import type { CollectionName, Snapshot } from '../../src/contract/collections.ts'
import type { RecordValue } from '../../src/contract/fields.ts'
import { EngineEventSchema, QuestSchema } from '../../src/contract/records/operations.ts'
import { HostSchema } from '../../src/contract/records/hosts.ts'
import { createTotalsLedger } from '../../src/contract/totals.ts'
import { BufferPool } from '../../src/encoding/frames/buffer-pool.ts'
import { FrameAssembler } from '../../src/encoding/frames/frame-assembly.ts'
import { FrameBuilder } from '../../src/encoding/frames/frame-builder.ts'
import type { EncodedWorld } from '../../src/encoding/frames/frame-builder.ts'
import type { ExpositionChunk } from '../../src/contract/exposition-chunk.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { RecordListReader } from '../../src/encoding/record-list-reader.ts'
import type { ReadItems } from '../../src/encoding/record-list-reader.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'

function line() {
  const builder = new FrameBuilder(new BufferPool(), () => 0)
  const assembler = new FrameAssembler()
  let publishSeq = 0
  return (snapshot: Snapshot, exposition: readonly ExpositionChunk[] = []): Frame => {
    const message = builder.build({ snapshot, exposition, capturedAtMs: 5, projectMs: 0 })
    return assembler.assemble(message, ++publishSeq).frame
  }
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const chunk = (family: string, value: number): ExpositionChunk => ({
  family,
  bytes: Buffer.from(`${family} ${value}\n`),
})

test('every item of a collection can be cut out of its bytes', () => {
  const hosts = [emptyRecord(HostSchema, { id: 3, label: 'ä' }), emptyRecord(HostSchema, { id: 8 })]
  const { bytes, starts, ids } = line()(snapshotWith({ hosts })).collections.hosts
  expect(text(bytes.subarray(starts[0], starts[1] - 1))).toBe(JSON.stringify(hosts[0]))
  expect(text(bytes.subarray(starts[1], starts[2] - 1))).toBe(JSON.stringify(hosts[1]))
  expect(text(bytes)).toBe(hosts.map((host) => JSON.stringify(host)).join(','))
  expect([...ids]).toEqual([3n, 8n])
})

test('events are listed by time, with the newest evicted one', () => {
  const events = [
    emptyRecord(EngineEventSchema, { at_ns: 2n ** 53n + 1n }),
    emptyRecord(EngineEventSchema, { at_ns: 2n ** 53n + 3n }),
  ]
  const frame = line()(snapshotWith({}, { events, newestEvictedNs: 7n }))
  expect([...frame.events.atNs]).toEqual([9007199254740993n, 9007199254740995n])
  expect(frame.events.newestEvictedNs).toBe(7n)
  expect(text(frame.events.bytes)).toMatch(/^\{"at_ns":9007199254740993,.*\},\{"at_ns":9007199254740995,/)
})

test('families come in the order given; one that is the same chunk as before shares its bytes', () => {
  const publish = line()
  const [kept, changing] = [chunk('dcsim_a', 1), chunk('dcsim_b', 1)]
  const first = publish(snapshotWith({}), [kept, changing])
  const second = publish(snapshotWith({}), [kept, chunk('dcsim_b', 2)])
  expect(second.exposition.map(({ bytes }) => text(bytes))).toEqual(['dcsim_a 1\n', 'dcsim_b 2\n'])
  expect(second.exposition[0]).toBe(first.exposition[0])
})

test('a chunk is copied: its maker may write it again', () => {
  const made = chunk('dcsim_a', 1)
  const frame = line()(snapshotWith({}), [made])
  made.bytes.fill(0)
  expect(text(frame.exposition[0].bytes)).toBe('dcsim_a 1\n')
})

test('a removed family disappears, and is sent whole when it returns', () => {
  const publish = line()
  const family = chunk('dcsim_a', 1)
  publish(snapshotWith({}), [family])
  expect(publish(snapshotWith({}), []).exposition).toEqual([])
  expect(publish(snapshotWith({}), [family]).exposition.map(({ bytes }) => text(bytes))).toEqual([
    'dcsim_a 1\n',
  ])
})

const quest = (id: number, more: Partial<RecordValue<typeof QuestSchema>> = {}): string =>
  JSON.stringify(emptyRecord(QuestSchema, { id, ...more }))

/** Publishes encoded worlds that consist of quests only. */
function encodedLine() {
  const builder = new FrameBuilder(new BufferPool(), () => 0)
  const assembler = new FrameAssembler()
  const readers = collectionNames.map(
    (name) => [name, new RecordListReader(name, collections[name])] as const,
  )
  const events = new RecordListReader('events', EngineEventSchema, 'at_ns')
  let publishSeq = 0
  return (quests: string, moments: readonly number[], diagnostics: Uint8Array) => {
    const lists = readers.map(([name, reader]) => [
      name,
      reader.read(name === 'quests' ? [Buffer.from(quests)] : []),
    ])
    const window = moments
      .map((at) => JSON.stringify(emptyRecord(EngineEventSchema, { at_ns: at })))
      .join(',')
    const encoded: EncodedWorld = {
      simTimeNs: 9n,
      collections: Object.fromEntries(lists) as Record<CollectionName, ReadItems>,
      events: events.read([Buffer.from(window)]),
      newestEvictedNs: 3n,
      unknown: {},
      diagnostics,
      totals: createTotalsLedger(),
      recordsChanged: 1,
    }
    const message = builder.build({ encoded, exposition: [], capturedAtMs: 5, projectMs: 0 })
    return { message, frame: assembler.assemble(message, ++publishSeq).frame }
  }
}

test('a world that comes encoded is passed on as it is', () => {
  const items = [quest(2), `{ "more":1, ${quest(5).slice(1)}`]
  const { frame, message } = encodedLine()(items.join(','), [4, 4, 6], Buffer.from('{"all":"well"}'))
  const { bytes, ids, byId } = frame.collections.quests
  expect(text(bytes)).toBe(items.join(','))
  expect([...ids]).toEqual([2n, 5n])
  expect(byId).toBeNull()
  expect([...frame.events.atNs]).toEqual([4n, 4n, 6n])
  expect(frame.events.newestEvictedNs).toBe(3n)
  expect(frame.simTimeNs).toBe(9n)
  expect(text(frame.diagnostics)).toBe('{"all":"well"}')
  expect(message.cost).toMatchObject({ recordsEncoded: 1, recordsTotal: 2 })
})

test('items in another order than that of their ids keep it, and come with a way to find them', () => {
  const { frame } = encodedLine()([quest(9), quest(2), quest(5)].join(','), [], Buffer.from('{}'))
  const { bytes, ids, byId } = frame.collections.quests
  expect([...ids]).toEqual([9n, 2n, 5n])
  expect([...byId!]).toEqual([1, 2, 0])
  expect(text(bytes)).toBe([quest(9), quest(2), quest(5)].join(','))
})

test('lists and diagnostics that come encoded and did not change are not sent again', () => {
  const publish = encodedLine()
  const diagnostics = Buffer.from('{}')
  publish(quest(1), [4], diagnostics)
  const same = publish(quest(1), [4], diagnostics)
  expect(same.message).toMatchObject({ collections: {}, events: null, diagnostics: null })
  expect(text(same.frame.collections.quests.bytes)).toBe(quest(1))
  const other = publish(quest(1, { state: 'Done' }), [4, 5], Buffer.from('{"x":1}'))
  expect(Object.keys(other.message.collections)).toEqual(['quests'])
  expect([...other.frame.events.atNs]).toEqual([4n, 5n])
  expect(text(other.frame.diagnostics)).toBe('{"x":1}')
})

test('the totals of a world are in its first frame, and again when they have changed', () => {
  const builder = new FrameBuilder(new BufferPool(), () => 0)
  const assembler = new FrameAssembler()
  const totals = createTotalsLedger()
  const publish = () => {
    const content = { exposition: [], capturedAtMs: 0, projectMs: 0 }
    const message = builder.build({ snapshot: snapshotWith({}, { totals: totals.state }), ...content })
    return { message, frame: assembler.assemble(message, 1).frame }
  }
  const nothing = '"incidentsOpened":[],"incidentsResolved":[],"timeToResolve":[]'
  expect(text(publish().frame.totals)).toBe(`{"events":[],${nothing}}`)
  expect(publish().message.totals).toBeNull()
  totals.event('Incident', 'Error')
  const counted = '{"kind":"Incident","severity":"Error","count":1}'
  expect(text(publish().frame.totals)).toBe(`{"events":[${counted}],${nothing}}`)
})
