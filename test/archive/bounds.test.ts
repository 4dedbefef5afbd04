/** Archives of hostile values, and with worlds that end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ArchiveAnswer } from '../../src/contract/archive.ts'
import { ArchiveHere, beganMs, eventAt, incidentOf, minuteNs, orderOf, FeedSource } from './archived-world.ts'

const folder = mkdtempSync(join(tmpdir(), 'dcsim-archive-bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (minute: number): number => beganMs + minute * 1_000
const int64Max = 2n ** 63n - 1n

const openOf = ({ found }: ArchiveAnswer): boolean[] => found.map(({ isOpen }) => isOpen)

test('the names of a world go with its records, and the world with its last one', () => {
  const bytesMax = 1_000_000
  const archive = new ArchiveHere(null, bytesMax)
  const ids = Array.from({ length: 60 }, (_, index) => index + 1)
  for (let world = 1; world <= 300; world++) {
    const source = new FeedSource(`w${world}`)
    const resolved = [incidentOf(1, 3, 9, { affected_customer_ids: ids })]
    archive.tell(source.at(10, { events: [eventAt(1)], resolved }))
    archive.learn(
      ids.map((id) => ({
        collection: 'customers' as const,
        id: BigInt(id),
        json: `{"id":${id},"name":"Customer ${id} of the world ${world}"}`,
      })),
    )
    archive.clock.advanceTo(world * 10_000)
  }
  archive.clock.advanceTo(archive.clock.nowMs() + 60_000)
  archive.tell(new FeedSource('w300').at(11))
  const { figures } = archive.posted.findLast((message) => message.kind === 'stored')!
  expect(figures.bytes).toBeLessThan(bytesMax)
  expect(figures.rows.event).toBeGreaterThan(10)
  expect(archive.worlds()).toHaveLength(figures.rows.event)
  expect(archive.ids({ world: 300 })).toEqual([1])
  expect(archive.ask({ world: 300 }).entities).toHaveLength(60)
})

test('a name goes with the last record that mentions it of a world that runs on', () => {
  const path = join(folder, 'names.db')
  const source = new FeedSource()
  const [early, late] = [
    incidentOf(1, 3, 9, { affected_customer_ids: [5, 6] }),
    incidentOf(2, 1_440 * 119, 1_440 * 119 + 1, { affected_customer_ids: [6] }),
  ]
  const first = new ArchiveHere(path)
  // With the incident, as many as go at once.
  const events = Array.from({ length: 499 }, (_, index) => eventAt(10 + index))
  first.tell(source.at(600, { events, resolved: [early] }))
  first.learn(
    [5, 6].map((id) => ({ collection: 'customers' as const, id: BigInt(id), json: `{"name":"${id}"}` })),
  )
  first.clock.advanceTo(60_000)
  first.tell(source.at(1_440 * 120, { resolved: [early, late] }))
  const { figures } = first.posted.findLast((message) => message.kind === 'stored')!
  first.close()
  const archive = new ArchiveHere(path, figures.bytes - 1)
  archive.clock.advanceTo(10_000)
  expect(archive.ids({ world: 1 })).toEqual([2])
  expect(archive.ids({ world: 1, text: 'latency' })).toEqual([2])
  expect(archive.ask({ world: 1 }).entities).toEqual([
    { collection: 'customers', id: 6n, record: { name: '6' } },
  ])
  const again = incidentOf(3, 1_440 * 121, null, { affected_customer_ids: [5] })
  archive.posted.length = 0
  archive.tell(source.at(1_440 * 122, { incidents: [again] }))
  expect(archive.posted[0]).toMatchObject({ kind: 'want', entities: [{ collection: 'customers', id: 5n }] })
  archive.close()
})

test('what was open when another world began ended with its world', () => {
  const archive = new ArchiveHere()
  const order = { ...orderOf(7, 1, 85, 'Replace a fan'), resolved_at_ns: null }
  archive.tell(
    new FeedSource('w1').at(100, {
      events: [eventAt(90)],
      incidents: [incidentOf(1, 80, null)],
      orders: [order],
    }),
  )
  archive.tell(new FeedSource('w2').at(50, { events: [eventAt(40)] }))
  for (const kind of ['incident', 'order'] as const) {
    expect(openOf(archive.ask({ kind, world: 1 }))).toEqual([false])
    expect(archive.records({ kind, world: 1 })).toMatchObject([{ resolved_at_ns: Number(100n * minuteNs) }])
    expect(archive.ids({ kind, world: 1, fromMs: at(101) })).toEqual([])
  }
})

test('a world that continues after another has its incident open again', () => {
  const archive = new ArchiveHere()
  const first = new FeedSource('w1')
  archive.tell(first.at(100, { incidents: [incidentOf(1, 80, null)] }))
  archive.tell(new FeedSource('w2').at(50))
  archive.tell(new FeedSource('w1').at(110, { incidents: [incidentOf(1, 80, null)] }))
  expect(openOf(archive.ask())).toEqual([true])
})

test('an order whose end was not seen has ended', () => {
  const archive = new ArchiveHere()
  const source = new FeedSource()
  archive.tell(source.at(100, { orders: [{ ...orderOf(7, 1, 85, 'Fan'), resolved_at_ns: null }] }))
  expect(openOf(archive.ask({ kind: 'order' }))).toEqual([true])
  archive.tell(source.at(500))
  expect(openOf(archive.ask({ kind: 'order' }))).toEqual([false])
})

test.each([1e-300, 1e-9, 0, -1, 1e300, Infinity, Number.NaN])('a world that states the speed %d', (speed) => {
  const path = join(folder, `speed-${speed}.db`)
  const archive = new ArchiveHere(path)
  const source = new FeedSource(null)
  for (let minute = 10; minute < 40; minute += 10) {
    const changes = source.at(minute, { events: [eventAt(minute - 1)], resolved: [incidentOf(minute, 1, 5)] })
    archive.tell({ ...changes, figures: { ...changes.figures, speed } })
  }
  expect(archive.notes()).toEqual([])
  expect(archive.minutes({ fromMs: at(-1_000_000) })).toEqual([9, 19, 29])
  expect(archive.ids()).toEqual([10, 20, 30])
  archive.close()
  const again = new ArchiveHere(path)
  expect(again.notes()).toEqual([])
  again.close()
})

test.each([int64Max, int64Max - 1n, int64Max - 60_000_000_000n])('a world at %d ns', (simTimeNs) => {
  const archive = new ArchiveHere()
  const source = new FeedSource(null)
  const tell = (events: bigint[]): void => {
    const changes = source.at(10, {
      events: events.map((ns) => eventAt(0, { at_ns: ns, msg_key: `${ns}` })),
      incidents: [incidentOf(1, 1, null)],
    })
    archive.tell({ ...changes, simTimeNs })
  }
  tell([5n])
  tell([5n, int64Max - 1n, int64Max])
  expect(archive.ask({ kind: 'event' }).found.map(({ id }) => id)).toEqual([5n, int64Max - 1n, int64Max])
  expect(archive.records({ kind: 'day' })).toContainEqual(expect.objectContaining({ day: 106_751 }))
  archive.tell({ ...new FeedSource(null).at(20, { events: [eventAt(19)] }) })
  expect(archive.minutes()).toEqual([19])
  expect(archive.notes()).toEqual([])
})

test('two events at the last moment: the one that has no number left is not kept, and counts', () => {
  const archive = new ArchiveHere()
  const changes = new FeedSource(null).at(10, { events: [eventAt(1), eventAt(2)] })
  new BigInt64Array(changes.events!.buffer, 0, 2).fill(int64Max)
  archive.tell(changes)
  expect(archive.ask({ kind: 'event' }).found.map(({ id }) => id)).toEqual([int64Max])
  expect(archive.posted.find(({ kind }) => kind === 'stored')).toMatchObject({ figures: { errors: 1 } })
})

test.each([2 ** 53, 2 ** 63, 1e300])('answers with a limit of %d', (limit) => {
  const archive = new ArchiveHere()
  archive.tell(new FeedSource().at(10, { events: [eventAt(1)] }))
  expect(archive.minutes({ limit })).toEqual([1])
  expect(archive.records({ kind: 'day', limit })).toHaveLength(1)
})

test('an archive that is closed before the first publish has wall times', () => {
  const path = join(folder, 'brief.db')
  const first = new ArchiveHere(path)
  const past = { events: [eventAt(10)], resolved: [incidentOf(1, 20, 30)], isWarmUp: true }
  first.tell(new FeedSource('w1').at(100, past))
  first.close()
  const second = new ArchiveHere(path)
  second.tell(new FeedSource('w2').at(5, { events: [eventAt(1)] }))
  const nowMs = beganMs + 1
  expect(second.minutes({ world: 1, fromMs: beganMs - 90 * 60_000, toMs: nowMs })).toEqual([10])
  expect(second.ids({ world: 1, fromMs: 0, toMs: nowMs })).toEqual([1])
  second.close()
})

test('one that is killed before the first publish has them when another world begins', () => {
  const path = join(folder, 'killed.db')
  const killed = new ArchiveHere(path)
  killed.tell(new FeedSource('w1').at(100, { events: [eventAt(10)], isWarmUp: true }))
  expect(killed.minutes({ fromMs: 0 })).toEqual([])
  killed.tell(new FeedSource('w2').at(5, { events: [eventAt(1)] }))
  expect(killed.minutes({ world: 1, fromMs: beganMs - 90 * 60_000, toMs: beganMs + 1 })).toEqual([10])
  killed.close()
})
