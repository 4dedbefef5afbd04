/** Bounds of what a session's file holds, and of what is read from it. */
import type { Changes } from '../../src/encoding/frames/changes.ts'
import { ArchiveFeed } from '../../src/store/archive/archive-feed.ts'
import { learnNames, mention, unnamedEntities } from '../../src/store/archive/mentioned-entities.ts'
import { packed } from '../../src/store/archive/record-body.ts'
import { searchFor, wordsOfEvent } from '../../src/store/archive/record-words.ts'
import { wallTimeOf } from '../../src/store/archive/wall-times.ts'
import { Decimal } from '../../src/store/recording/codec/decimal.ts'
import { decompressNumbers } from '../../src/store/recording/codec/frame-streams.ts'
import { ListDecoder } from '../../src/store/recording/codec/list-decoder.ts'
import { ByteReader, ByteWriter } from '../../src/store/recording/codec/varint.ts'
import { openSession } from '../../src/store/session-file.ts'
import { ArchiveHere, eventAt, FeedSource, incidentOf } from '../archive/archived-world.ts'
import { RecordedSession } from '../recording/recorded.ts'
import { askBounds, messageOf, upTo } from '../fixtures/bounds.ts'

const long = (length: number): string => 'x'.repeat(length)
const eventOf = (text: string) => eventAt(1, { msg_args: [{ key: 'a', text, number: 0, is_number: false }] })
/** An archive with events, each of its own incident, whose texts have a length. */
function archiveOf(count: number, length: number): ArchiveHere {
  const archive = new ArchiveHere()
  const { msg_args } = eventOf(long(length))
  const events = upTo(count).map((id) => eventAt(id, { msg_args, entity_kind: 'Incident', entity_id: id }))
  const resolved = upTo(count).map((id) => incidentOf(id, id, id))
  archive.tell(new FeedSource().at(count + 1, { events, resolved }))
  return archive
}

/** The number of entities that are asked for at once, and then. */
function askedFor(count: number): number[] {
  const database = openSession(null)
  const gone = upTo(count).map((id) => ({ collection: 'hosts' as const, id: BigInt(id), json: null }))
  mention(database, 1, 0, gone)
  const first = unnamedEntities(database, 1).length
  learnNames(database, 1, gone.slice(0, first))
  return [first, unnamedEntities(database, 1).length]
}

const millisecondBefore = (speed: number, wallMs = 0): number => {
  const changes = new FeedSource().at(1)
  return wallTimeOf({ ...changes, wallMs, figures: { ...changes.figures, speed } }, 0n)!
}

function parsed(length: number): Decimal {
  const decimal = new Decimal()
  decimal.parse(Buffer.from('1'.repeat(length)), 0, length)
  return decimal
}

function textOf(length: number): unknown {
  const records = new ByteWriter()
  for (const number of [2, 1, 0]) records.varint(number)
  records.int64(7n)
  records.varint(length)
  const reader = new ByteReader(Buffer.from(records.written))
  return messageOf(() => new ListDecoder().decodeRecords(reader, new ByteWriter()))
}

const listsOf = (count: number): unknown => {
  const session = new RecordedSession()
  session.database.prepare('UPDATE recording SET lists = ?').run(JSON.stringify(upTo(count)))
  return messageOf(() => session.rows.length)
}

const savedWith = (publishSeq: number): unknown => {
  const database = openSession(null)
  const insert = database.prepare(`INSERT INTO save VALUES (1, '', '', '', '', '', ?, 0, 0)`)
  return messageOf(() => Number(insert.run(publishSeq).changes))
}

/** Batches that are sent while none is stored, and those that are dropped and counted of two more. */
function waiting(count: number, bytes: number): [number, number] {
  const posted: unknown[] = []
  const feed = new ArchiveFeed({ frame: () => null, note: () => {}, post: (message) => posted.push(message) })
  const parts = { events: { buffer: new ArrayBuffer(bytes) }, collections: {} }
  const changes = Object.assign(new FeedSource().at(1), parts) as Changes
  for (let added = 0; added < count; added++) feed.add(changes)
  const rows = { event: 0, incident: 0, order: 0, day: 0 }
  const figures = { rows, bytes: 0, oldestSeconds: null, errors: 0 }
  feed.receive({ kind: 'stored', figures })
  // One has been stored, so there is room for one.
  for (let added = 0; added < 2; added++) feed.add(changes)
  return [posted.length, feed.figures!.errors]
}

const claims = (bytes: number, length: number): unknown =>
  messageOf(() => decompressNumbers(Buffer.alloc(bytes), length))

askBounds([
  ['batches that wait', () => waiting(1_002, 8), [1_001, 3]],
  ['bytes that wait', () => waiting(4, 2 ** 26), [3, 3]],
  ['16 MiB of records', () => archiveOf(20, 2 ** 20).ids({ kind: 'event' }).length, 15],
  ['incidents', () => archiveOf(1001, 1).ask({ kind: 'event', limit: 2000 }).incidents.length, 1000],
  ['plain bytes', () => [1024, 1025].map((length) => packed(Buffer.alloc(length))[0]), [0, 1]],
  ['words of a record', () => wordsOfEvent(eventOf(long(30_000))).length, 20_000],
  ['words of a search', () => searchFor('a '.repeat(17))!.split(' ').length, 16],
  ['a speed', () => [1e9, 1.1e9].map((speed) => millisecondBefore(speed)), [-0, -60_000]],
  ['a wall time', () => millisecondBefore(1, 1e18), 8_999_999_999_999_999],
  ['names that are asked for', () => askedFor(101), [100, 1]],
  ['digits of a double', () => [15, 16].map((length) => parsed(length).isWide), [false, true]],
  ['digits of an integer', () => [19, 20].map((length) => parsed(length).isCanonical), [true, false]],
  ['bytes that claim more', () => claims(1, 65_600), 'Unknown frame descriptor'],
  ['bytes that claim too much', () => claims(1, 65_601), '1 bytes that claim to hold 65601'],
  ['bytes of a stream', () => claims(2 ** 22, 2 ** 28 + 1), /^268435457 bytes where at most 268435456 /],
  ['bytes of a text', () => textOf(2 ** 28 + 1), 'a text of 268435457 bytes'],
  ['lists', () => [256, 257].map(listsOf), [0, 'The lists of a recording cannot be read.']],
  [
    'publishes',
    () => [1e15, 1e15 + 1].map(savedWith),
    [1, 'CHECK constraint failed: publish_seq BETWEEN 0 AND 1000000000000000'],
  ],
])
