/** Bounds of what a session's file holds, and of what is read from it. */
import { expect, test } from 'vitest'
import { AgeClock } from '../../src/store/archive/retention.ts'
import { packed } from '../../src/store/archive/record-body.ts'
import { searchFor, wordsOfEvent } from '../../src/store/archive/record-words.ts'
import { WantedEntities } from '../../src/store/archive/wanted-entities.ts'
import { wallTimeOf } from '../../src/store/archive/wall-times.ts'
import { Decimal } from '../../src/store/recording/codec/decimal.ts'
import { decompressNumbers } from '../../src/store/recording/codec/frame-streams.ts'
import { ListDecoder } from '../../src/store/recording/codec/list-decoder.ts'
import { ByteReader, ByteWriter } from '../../src/store/recording/codec/varint.ts'
import { openSession } from '../../src/store/session-file.ts'
import { readHead } from '../../src/store/world-state.ts'
import { ArchiveHere, eventAt, FeedSource, incidentOf, minuteNs } from '../archive/archived-world.ts'
import { RecordedSession } from '../recording/recorded.ts'

const long = (length: number): string => 'x'.repeat(length)
const eventOf = (text: string) => eventAt(1, { msg_args: [{ key: 'a', text, number: 0, is_number: false }] })
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const messageOf = (call: () => unknown): string => {
  try {
    return String(call())
  } catch (error) {
    return (error as Error).message
  }
}

/** An archive with events, each of its own incident, whose texts have a length. */
function archiveOf(count: number, length: number): ArchiveHere {
  const archive = new ArchiveHere()
  const events = upTo(count).map((minute) =>
    eventAt(minute, {
      ...eventOf(long(length)),
      at_ns: BigInt(minute) * minuteNs,
      entity_kind: 'Incident',
      entity_id: minute,
    }),
  )
  archive.tell(
    new FeedSource().at(count + 1, { events, resolved: upTo(count).map((id) => incidentOf(id, id, id)) }),
  )
  return archive
}

/** The number of entities that are asked for at once, and in all. */
function askedFor(count: number): [number, number] {
  const wanted = new WantedEntities(openSession(null))
  wanted.want(
    1,
    0,
    upTo(count).map((id) => ({ collection: 'hosts' as const, id: BigInt(id) })),
  )
  const first = wanted.ask().length
  let all = 0
  for (let asked = first; asked > 0; asked = wanted.ask().length) {
    all += asked
    wanted.learn([])
  }
  return [first, all]
}

const ageAfter = (pauseMs: number): number | null =>
  new AgeClock({ nowMs: () => 0, wallMs: () => pauseMs }, 0).wallMs()

const millisecondBefore = (speed: number, wallMs = 0): number => {
  const changes = new FeedSource().at(1)
  return wallTimeOf({ ...changes, wallMs, figures: { ...changes.figures, speed } }, 0n)!
}

function parsed(text: string): Decimal {
  const decimal = new Decimal()
  decimal.parse(Buffer.from(text), 0, text.length)
  return decimal
}

function textOf(length: number): string {
  const records = new ByteWriter()
  for (const number of [2, 1]) records.varint(number)
  records.varint(0)
  records.int64(7n)
  records.varint(length)
  records.varint(0)
  return messageOf(() =>
    new ListDecoder().decodeRecords(new ByteReader(Buffer.from(records.written)), new ByteWriter()),
  )
}

const listsOf = (count: number): string => {
  const session = new RecordedSession()
  session.database.prepare('UPDATE recording SET lists = ?').run(JSON.stringify(upTo(count)))
  return messageOf(() => session.rows.length)
}

const headWith = (publishSeq: number): string => {
  const database = openSession(null)
  const texts = { version: '', seed: '', scale: '', scenario: '', worldId: '', simTimeNs: '0' }
  database
    .prepare('INSERT INTO save VALUES (1, ?)')
    .run(JSON.stringify({ ...texts, publishSeq, lengths: {} }))
  return messageOf(() => readHead(database)?.publishSeq)
}

const claims = (bytes: number, length: number): string =>
  messageOf(() => decompressNumbers(Buffer.alloc(bytes), length))

test.each<[what: string, got: () => unknown, expected: unknown]>([
  ['16 MiB of records', () => archiveOf(20, 2 ** 20).ids({ kind: 'event' }).length, 15],
  [
    'incidents of an answer',
    () => archiveOf(1001, 1).ask({ kind: 'event', limit: 2000 }).incidents.length,
    1000,
  ],
  [
    'bytes that are not compressed',
    () => [1024, 1025].map((length) => packed(Buffer.alloc(length))[0]),
    [0, 1],
  ],
  ['words of a record', () => wordsOfEvent(eventOf(long(30_000))).length, 20_000],
  ['words of a search', () => searchFor('a '.repeat(17))!.split(' ').length, 16],
  ['a pause', () => [30, 31].map((days) => ageAfter(days * 86_400_000) === null), [false, true]],
  ['a speed', () => [1e9, 1.1e9].map((speed) => millisecondBefore(speed)), [-0, -60_000]],
  ['a wall time', () => millisecondBefore(1, 1e18), 8_999_999_999_999_999],
  ['names that are asked for', () => askedFor(50_001), [100, 50_000]],
  [
    'digits of a double',
    () => ['1', '12'].map((start) => parsed(start.padEnd(15 + start.length - 1, '0')).isWide),
    [false, true],
  ],
  [
    'digits of an integer',
    () => [19, 20].map((length) => parsed('1'.repeat(length)).isCanonical),
    [true, false],
  ],
  ['bytes that claim more', () => claims(1, 65_600), 'Unknown frame descriptor'],
  ['bytes that claim too much', () => claims(1, 65_601), '1 bytes that claim to hold 65601'],
  [
    'bytes of a stream',
    () => claims(2 ** 22, 2 ** 28 + 1),
    '268435457 bytes where at most 268435456 are expected',
  ],
  ['bytes of a text', () => textOf(2 ** 28 + 1), 'a text of 268435457 bytes'],
  ['lists', () => [256, 257].map(listsOf), ['0', 'The lists of a recording cannot be read.']],
  [
    'publishes',
    () => [1e15, 1e15 + 1].map(headWith),
    ['1000000000000000', 'its head is not one of a saved world'],
  ],
])('%s', (_, got, expected) => {
  expect(got()).toEqual(expected)
})
