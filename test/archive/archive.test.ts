import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { messageArguments } from '../../src/contract/messages/catalog.ts'
import { ArchiveWriter } from '../../src/store/archive/archive-writer.ts'
import { openSession } from '../../src/store/session-file.ts'
import { ArchiveHere, beganMs, eventAt, incidentOf, minuteNs, orderOf, FeedSource } from './archived-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (minute: number): number => beganMs + minute * 1_000

describe('keeps', () => {
  test('events and incidents that the world no longer has', () => {
    const archive = new ArchiveHere()
    const source = new FeedSource()
    archive.tell(source.at(10, { events: [eventAt(1), eventAt(2)], resolved: [incidentOf(1, 3, 9)] }))
    archive.tell(source.at(20, { events: [eventAt(15)], incidents: [incidentOf(2, 12, null)] }))
    expect(archive.minutes()).toEqual([1, 2, 15])
    expect(archive.ids()).toEqual([1, 2])
    expect(archive.ask().found.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  test('a record as the JSON that clients saw last', () => {
    const archive = new ArchiveHere()
    const source = new FeedSource()
    archive.tell(source.at(10, { incidents: [incidentOf(1, 3, null, { hint: 'before' })] }))
    archive.tell(source.at(20, { resolved: [incidentOf(1, 3, 18, { hint: 'after', id: 1 })] }))
    expect(archive.records()).toEqual([JSON.parse(stringified(incidentOf(1, 3, 18, { hint: 'after' })))])
  })

  test('times beyond 2^53 ns exactly', () => {
    const archive = new ArchiveHere()
    const day200 = 200 * 1_440
    archive.tell(
      new FeedSource().at(day200 + 1, { events: [{ ...eventAt(0), at_ns: BigInt(day200) * minuteNs + 1n }] }),
    )
    expect(archive.ask({ kind: 'event' }).found).toMatchObject([{ id: 17_280_000_000_000_001n }])
  })

  test('events of an upstream that have equal times', () => {
    const archive = new ArchiveHere()
    const changes = new FeedSource(null).at(9, { events: [eventAt(5), eventAt(6, { severity: 'Critical' })] })
    const times = new BigInt64Array(changes.events!.buffer, 0, 2)
    times[1] = times[0]
    archive.tell(changes)
    expect(archive.records({ kind: 'event' })).toMatchObject([
      { severity: 'Warning' },
      { severity: 'Critical' },
    ])
  })

  test('an event whose time is that of the newest one, after the one before it has left the window', () => {
    const archive = new ArchiveHere()
    const source = new FeedSource(null)
    const [first, second, third] = (['Info', 'Warning', 'Critical'] as const).map((severity, index) =>
      eventAt(5 + index, { severity }),
    )
    for (const events of [
      [first, second],
      [second, third],
      [third, eventAt(8)],
    ]) {
      const changes = source.at(9, { events })
      const times = new BigInt64Array(changes.events!.buffer, 0, 2)
      for (const at of [0, 1]) if (times[at] < 8n * minuteNs) times[at] = 5n * minuteNs
      archive.tell(changes)
    }
    expect(archive.records({ kind: 'event' })).toMatchObject([
      { severity: 'Info' },
      { severity: 'Warning' },
      { severity: 'Critical' },
      { severity: 'Warning' },
    ])
  })

  test('nothing of a record that cannot be read, which counts as an error', () => {
    const archive = new ArchiveHere()
    const changes = new FeedSource().at(9, { incidents: [incidentOf(1, 1, null)] })
    const part = changes.collections.incidents!
    const json = Buffer.from(part.buffer, part.buffer.byteLength - part.jsonLength)
    json.write(json.toString('utf8').replace('"timeline":[]', '"timeline":[,'), 0)
    archive.tell(changes)
    expect(archive.ids()).toEqual([])
    expect(archive.posted.find(({ kind }) => kind === 'stored')).toMatchObject({ figures: { errors: 1 } })
  })
})

const stringified = (record: object): string =>
  JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))

describe('finds', () => {
  const archive = new ArchiveHere()
  const source = new FeedSource()
  archive.tell(
    source.at(200, {
      events: [eventAt(10), eventAt(100), eventAt(190)],
      incidents: [incidentOf(3, 150, null)],
      resolved: [incidentOf(1, 10, 60, { hint: 'Look at the chiller.' }), incidentOf(2, 90, 110)],
      orders: [orderOf(7, 1, 20, 'Replace a fan'), orderOf(8, 2, 100, 'Splice a fiber')],
    }),
  )

  test('what was so within a span of wall time, its ends included', () => {
    expect(archive.ids({ fromMs: at(60), toMs: at(90) })).toEqual([1, 2])
    expect(archive.ids({ fromMs: at(61), toMs: at(89) })).toEqual([])
    expect(archive.ids({ fromMs: at(1_000) })).toEqual([3])
    expect(archive.ids({ toMs: at(9) })).toEqual([])
    expect(archive.minutes({ fromMs: at(10), toMs: at(100) })).toEqual([10, 100])
    expect(archive.minutes({ fromMs: at(11), toMs: at(99) })).toEqual([])
  })

  test('incidents by number, and the orders that serve them', () => {
    expect(archive.ids({ incidents: [2n, 99n] })).toEqual([2])
    expect(archive.ids({ kind: 'order', incidents: [1n] })).toEqual([7])
    expect(archive.ask({ kind: 'order', incidents: [1n] }).incidents).toMatchObject([{ id: 1n }])
  })

  test('the latest where there are more than asked for', () => {
    expect(archive.minutes({ limit: 2 })).toEqual([100, 190])
    expect(archive.ids({ limit: 1 })).toEqual([3])
  })

  test.each([
    ['chiller', [1]],
    ['CHILL', [1]],
    ['look chiller', [1]],
    ['chiller fan', []],
    ['high latency', [1, 2, 3]],
    ['', [1, 2, 3]],
    ['   ', [1, 2, 3]],
    ['!!!', []],
    ['"', []],
    ['chiller"', [1]],
    ['chiller" OR "latency', []],
    ["chiller'; DROP TABLE record; --", []],
    ['NEAR(chiller)', []],
    ['chiller\0', [1]],
    ['text:chiller', []],
    ['*', []],
    ['\ud800', []],
    ['x '.repeat(5_000), []],
  ])('words: %j', (text, found) => {
    expect(archive.ids({ text })).toEqual(found)
  })

  test('the names that entities had, if they have gone since', () => {
    const named = new ArchiveHere()
    const teller = new FeedSource()
    const id = 9_007_199_254_740_993n
    named.tell(teller.at(10, { incidents: [incidentOf(1, 3, null, { affected_customer_ids: [id] })] }))
    const wanted = [{ collection: 'customers', id }] as const
    expect(named.posted.filter(({ kind }) => kind === 'want')).toEqual([{ kind: 'want', entities: wanted }])
    named.learn([{ ...wanted[0], json: '{"id":5,"name":"Clover Vale","mood":1}' }])
    named.tell(
      teller.at(20, { incidents: [incidentOf(1, 3, null, { affected_customer_ids: [id], hint: 'x' })] }),
    )
    expect(named.ask().entities).toEqual([{ ...wanted[0], record: { id: 5, name: 'Clover Vale' } }])
    expect(named.posted.filter(({ kind }) => kind === 'want')).toHaveLength(1)
  })
})

describe('after a restart', () => {
  test('continues a world with nothing twice and no hole', () => {
    const path = join(folder, 'continued.db')
    const first = new ArchiveHere(path)
    const source = new FeedSource()
    first.tell(source.at(100, { events: [eventAt(10), eventAt(90)], incidents: [incidentOf(1, 80, null)] }))
    first.tell(source.at(120, { events: [eventAt(110)], resolved: [incidentOf(1, 80, 115)] }))
    first.close()
    const second = new ArchiveHere(path)
    const continued = new FeedSource()
    second.tell(
      continued.at(100, { events: [eventAt(90)], incidents: [incidentOf(1, 80, null)], isWarmUp: true }),
    )
    expect(second.records()).toMatchObject([{ id: 1, resolved_at_ns: Number(115n * minuteNs) }])
    second.tell(
      continued.at(130, { events: [eventAt(110), eventAt(125)], resolved: [incidentOf(1, 80, 115)] }),
    )
    expect(second.minutes()).toEqual([10, 90, 110, 125])
    expect(second.worlds()).toMatchObject([{ number: 1, gaps: 0 }])
    second.close()
  })

  test('tells another world apart, whose records stay', () => {
    const archive = new ArchiveHere()
    archive.tell(new FeedSource('w1').at(100, { resolved: [incidentOf(1, 10, 20, { hint: 'old' })] }))
    archive.tell(new FeedSource('w2').at(50, { resolved: [incidentOf(1, 30, 40, { hint: 'new' })] }))
    expect(archive.records()).toMatchObject([{ hint: 'new' }])
    expect(archive.records({ world: 1 })).toMatchObject([{ hint: 'old' }])
    expect(archive.worlds()).toMatchObject([
      { number: 2, isCurrent: true },
      { number: 1, isCurrent: false },
    ])
  })

  test.each([
    ['continues', 120, '13', 1],
    ['went back', 90, '13', 2],
    ['has another seed', 120, '14', 2],
  ])('an upstream whose time %s', (_, minute, seed, worlds) => {
    const path = join(folder, `upstream-${minute}-${seed}.db`)
    const first = new ArchiveHere(path)
    first.tell(new FeedSource(null).at(100, { events: [eventAt(10)] }))
    first.close()
    const second = new ArchiveHere(path)
    second.tell(new FeedSource(null, seed).at(minute, { events: [eventAt(10)] }))
    expect(second.worlds()).toHaveLength(worlds)
    second.close()
  })

  test('an upstream whose time goes back while it is watched is another world', () => {
    const archive = new ArchiveHere()
    archive.tell(new FeedSource(null).at(100, { resolved: [incidentOf(1, 10, 20)] }))
    archive.tell(new FeedSource(null).at(50, { resolved: [incidentOf(1, 30, 40)] }))
    expect(archive.worlds()).toHaveLength(2)
  })

  test.each([
    ['seed', { seed: '14' }],
    ['scale', { scale: 'large' }],
    ['scenario', { scenario: 'ddos-friday' }],
  ])('an upstream whose %s becomes another while it is watched is another world', (_, figures) => {
    const archive = new ArchiveHere()
    archive.tell(new FeedSource(null).at(100, { resolved: [incidentOf(1, 10, 20, { hint: 'old' })] }))
    const changes = new FeedSource(null).at(110, { resolved: [incidentOf(1, 30, 40, { hint: 'new' })] })
    archive.tell({ ...changes, figures: { ...changes.figures, ...figures } })
    expect(archive.worlds()).toMatchObject([{ number: 2, ...figures }, { number: 1 }])
    expect(archive.records({ world: 1 })).toMatchObject([{ hint: 'old' }])
  })

  test('an upstream whose diagnostics are missing for a while stays the same world', () => {
    const archive = new ArchiveHere()
    const source = new FeedSource(null)
    archive.tell(source.at(100))
    archive.tell({ ...source.at(110), figures: { seed: '', scale: '', scenario: '', speed: 0 } })
    archive.tell(source.at(120))
    expect(archive.worlds()).toHaveLength(1)
  })
})

test('another world that could not be stored at first is not taken for the one before', () => {
  const database = openSession(null)
  const writer = new ArchiveWriter(database, 'test', () => beganMs)
  writer.write(new FeedSource('w1').at(100, { resolved: [incidentOf(1, 10, 20)] }))
  const other = new FeedSource('w2')
  const changes = other.at(110, { resolved: [incidentOf(2, 30, 40)] })
  database.exec("CREATE TEMP TRIGGER full BEFORE UPDATE ON world BEGIN SELECT RAISE(ABORT, 'full'); END")
  expect(() => writer.write(changes)).toThrow('full')
  database.exec('DROP TRIGGER full')
  writer.write(other.at(120, { resolved: [incidentOf(2, 30, 40)] }))
  expect(database.prepare('SELECT world, number FROM record').all()).toEqual([
    { world: 1, number: 1 },
    { world: 2, number: 2 },
  ])
})

test('counts where events were missed, and ends incidents that ended meanwhile', () => {
  const archive = new ArchiveHere()
  const source = new FeedSource()
  archive.tell(source.at(100, { events: [eventAt(90)], incidents: [incidentOf(1, 80, null)] }))
  archive.tell(source.at(500, { events: [eventAt(490)], newestEvictedNs: 480n * minuteNs }))
  expect(archive.worlds()).toMatchObject([{ gaps: 1, beganMs: at(90), lastMs: at(490) }])
  expect(archive.ask().found).toMatchObject([{ isOpen: false }])
  expect(archive.records()).toMatchObject([{ resolved_at_ns: Number(100n * minuteNs) }])
})

test('gives the warm-up its wall times once the world is published', () => {
  const archive = new ArchiveHere()
  const source = new FeedSource()
  const warmUp = { events: [eventAt(1)], resolved: [incidentOf(1, 10, 20)], isWarmUp: true }
  archive.tell(source.at(100, warmUp))
  archive.tell(source.at(3_000, { ...warmUp, isWarmUp: false, events: [eventAt(1), eventAt(2_900)] }))
  expect(archive.minutes({ fromMs: at(1), toMs: at(1) })).toEqual([1])
  expect(archive.ids({ fromMs: at(10), toMs: at(20) })).toEqual([1])
  expect(archive.ids({ toMs: at(9) })).toEqual([])
})

describe('the chronicle', () => {
  const archive = new ArchiveHere()
  const source = new FeedSource()
  const day = 1_440
  const signed = eventAt(30, {
    kind: 'CustomerSigned',
    msg_key: 'event.customer-signed',
    msg_args: [{ key: 'customer', text: 'Clover Vale', number: 0, is_number: false }],
  })
  const credited = eventAt(40, {
    kind: 'SlaCredited',
    msg_args: [{ key: 'dollars', text: '12.50', number: 12.5, is_number: true }],
  })
  const opened = eventAt(50, {
    kind: 'ChapterBegan',
    msg_key: 'event.zone-opened',
    msg_args: messageArguments('event.zone-opened', { zone: 'Eastmere C', days: 191, hosts: 7, places: 30 }),
  })
  archive.tell(
    source.at(day + 10, {
      events: [signed, credited, opened, eventAt(day + 5)],
      resolved: [
        incidentOf(1, 10, 70, { revenue_at_risk_per_hour_dollars: 30 }),
        incidentOf(2, 40, 130, { band: 'Critical' }),
        incidentOf(3, 200, 210, { band: 'Watch' }),
        incidentOf(4, day - 30, day + 5),
      ],
    }),
  )

  test('has a row for each day, the current one included, with its incidents, chapters, money and customers', () => {
    expect(archive.records({ kind: 'day' })).toMatchObject([
      {
        day: 0,
        isOver: true,
        critical: 1,
        major: 2,
        minor: 0,
        watch: 1,
        worstId: '2',
        events: 3,
        // 10–70 and 40–130 are two hours, and half an hour before midnight.
        troubledMinutes: 150,
        chapters: ['Eastmere C opens 191 days after its announcement, with 7 hosts and room for 30.'],
        won: ['Clover Vale'],
        lost: [],
        creditedDollars: 12.5,
        atRiskDollars: 30,
      },
      { day: 1, isOver: false, critical: 0, major: 0, events: 1, troubledMinutes: 5, chapters: [] },
    ])
  })

  test.each([
    ['Minor', 'Critical', 'Minor', 'Critical', { critical: 1, major: 0, minor: 0 }],
    // A band that the contract does not know is as grave as Major.
    ['Watch', 'Severe', 'Watch', 'Severe', { critical: 0, major: 1, minor: 0 }],
    ['Critical', 'Severe', 'Severe', 'Critical', { critical: 1, major: 0, minor: 0 }],
    ['Watch', 'Minor', 'Minor', 'Minor', { critical: 0, major: 0, minor: 1 }],
  ])('has an open incident of %s, %s and then %s as one of %s', (first, second, third, worst, counts) => {
    const told = new FeedSource()
    const ofOpen = new ArchiveHere()
    for (const [index, band] of [first, second, third].entries()) {
      const incident = incidentOf(1, 10, null, { band: band as 'Minor' })
      ofOpen.tell(told.at(20 + 20 * index, { events: [eventAt(10)], incidents: [incident] }))
    }
    expect(ofOpen.records({ kind: 'day' })).toMatchObject([counts])
    expect(ofOpen.records()).toMatchObject([{ band: worst }])
  })

  test('is found by wall time', () => {
    expect(archive.records({ kind: 'day', fromMs: at(day + 1) })).toMatchObject([{ day: 1 }])
    expect(archive.records({ kind: 'day', toMs: at(day - 1) })).toMatchObject([{ day: 0 }])
  })
})

describe('retention', () => {
  test('keeps to its size, the oldest goes first, and its words with it', () => {
    const bytesMax = 400_000
    const path = join(folder, 'small.db')
    const archive = new ArchiveHere(path, bytesMax)
    const source = new FeedSource()
    for (let minute = 100; minute <= 3_000; minute += 100) {
      const events = Array.from({ length: 100 }, (_, index) => eventAt(minute - 100 + index))
      archive.tell(source.at(minute, { events }))
      archive.clock.advanceTo(archive.clock.nowMs() + 60_000)
    }
    archive.tell(source.at(3_001))
    archive.clock.advanceTo(archive.clock.nowMs() + 60_000)
    const kept = archive.minutes()
    expect(kept.at(-1)).toBe(2_999)
    expect(kept[0]).toBeGreaterThan(500)
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => kept[0] + index))
    archive.tell(source.at(3_002))
    const told = archive.posted.findLast(({ kind }) => kind === 'stored')
    expect(told).toMatchObject({ kind: 'stored', figures: { rows: { event: kept.length, day: 2 } } })
    expect((told as { figures: { bytes: number } }).figures.bytes).toBeLessThan(1.2 * bytesMax)
    archive.close()
    const database = openSession(path)
    const count = (table: string) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()
    expect(count('word_docsize')).toEqual(count("record WHERE kind <> 'day'"))
    database.close()
  })
})
