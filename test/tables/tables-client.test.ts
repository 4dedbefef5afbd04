/** The service thread's side of tables: what it sends, what it refuses, and how it survives the other thread. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { tableRepresentation } from '../../src/http/resources/tables.ts'
import { noHistory } from '../../src/metrics/history/history-reader.ts'
import { TableRefused } from '../../src/tables/engine/refused.ts'
import type { TableRequest } from '../../src/tables/thread/table-maker.ts'
import type { ToTables } from '../../src/tables/thread/protocol.ts'
import { TablesClient } from '../../src/tables/thread/tables-client.ts'
import { FeedSource } from '../archive/archived-world.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf } from './framed-worlds.ts'
import { ThreadHere } from './tables-here.ts'

const request = (given: Partial<TableRequest> = {}): TableRequest => ({
  table: 'world',
  format: 'csv',
  filters: new Map(),
  sort: null,
  offset: 0,
  limit: 100,
  ...given,
})

const minuteNs = 60_000_000_000n
/** Publishes of a world, one minute apart. */
const frames: readonly Frame[] = [1, 2, 3].map((publishSeq) =>
  Object.assign(frameOf(snapshotWith({}, { simTimeNs: BigInt(publishSeq) * minuteNs })), { publishSeq }),
)
const [frame] = frames

/** A client with the messages that it sends to its threads. */
function clientWith({ isArchived = false } = {}) {
  const clock = new FakeClock()
  const sent: ToTables[] = []
  const threads: ThreadHere[] = []
  const notes: string[] = []
  const archive = { path: null, session: '', isBlind: false, bytesMax: 2 ** 30 }
  const client = new TablesClient({
    spawn: () => {
      const thread = new ThreadHere({ archive: isArchived ? archive : null }, clock)
      threads.push(thread)
      const post = thread.postMessage.bind(thread)
      thread.postMessage = (message, moved) => {
        sent.push(message)
        post(message, moved)
      }
      return thread
    },
    clock,
    note: (_isProblem, message) => notes.push(message),
    archive: isArchived ? { frame: () => frame, wantWhole: () => {} } : null,
  })
  const kinds = (): string => sent.map(({ kind }) => kind).join(' ')
  return { client, clock, sent, kinds, threads, notes }
}

async function passMs(clock: FakeClock, ms: number): Promise<void> {
  for (const endMs = clock.nowMs() + ms; clock.nowMs() < endMs; await setImmediate())
    clock.advanceTo(Math.min(endMs, clock.nowMs() + 1_000))
}

const clockIn = (body: Buffer): string => /day \d+, \d\d:\d\d/.exec(String(body))![0]

describe('a frame', () => {
  test('is sent with the first request for a table of it, and once', async () => {
    const { client, kinds, threads } = clientWith()
    for (const limit of [1, 2]) await client.ask(frame, request({ limit }))
    await client.ask(frames[1], request())
    expect(kinds()).toBe('show make make show make')
    expect(threads).toHaveLength(1)
  })

  test('is that of each answer, also of late ones, whichever the thread has', async () => {
    const { client } = clientWith()
    const late = Promise.withResolvers<[]>()
    const answers = [
      client.ask(frames[0], request({ limit: 9 }), () => late.promise),
      client.ask(frames[1], request()),
      client.ask(frames[0], request()),
      client.ask(frames[1], request({ limit: 3 })),
      client.ask(frames[2], request()),
      client.ask(frames[1], request({ limit: 3 })),
    ]
    late.resolve([])
    expect((await Promise.all(answers)).map(clockIn)).toEqual(
      ['00:01', '00:02', '00:01', '00:02', '00:03', '00:02'].map((time) => `day 0, ${time}`),
    )
  })
})

describe('requests', () => {
  test.each([
    [30_000, 'fulfilled'],
    [30_001, 'rejected'],
  ])('that have waited for %d ms are %s', async (waitedMs, status) => {
    const { client, clock } = clientWith()
    const answers = [client.ask(frame, request())]
    await Promise.resolve()
    clock.advanceTo(clock.nowMs() + waitedMs)
    expect(await Promise.allSettled(answers)).toMatchObject([{ status }])
  })

  test('that fail do so with the place of the fault', async () => {
    const { client } = clientWith()
    const failing = client.ask(frame, request({ table: 'no such table' }))
    await expect(failing).rejects.toMatchObject({
      stack: expect.stringContaining('table-maker.ts') as string,
    })
    expect(clockIn(await client.ask(frame, request()))).toBe('day 0, 00:01')
  })

  test('that are refused are a 503 that says when to ask again', async () => {
    const { client: tables } = clientWith()
    const ask = (offset: number) => {
      const given = { table: 'hosts', offset, tableLimit: 1, sort: '', filters: new Map() }
      return tableRepresentation(frame, given, { tables, session: '', series: noHistory }, undefined)
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 257 }, (_, offset) => ask(offset)))
    const detail = 'Too many tables are being made: 256 others wait.'
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { kind: 'TooManyTables', status: 503, message: detail } },
    ])
  })
})

describe('a thread that ends', () => {
  test('costs the requests that wait, and another one starts a second later', async () => {
    const { client, clock, threads, notes } = clientWith()
    await client.ask(frame, request())
    const waiting = Array.from({ length: 257 }, (_, offset) => client.ask(frame, request({ offset })))
    const outcomes = Promise.allSettled(waiting.slice(1))
    await Promise.resolve()
    threads[0].emit('error', new RangeError('out of memory'))
    await threads[0].terminate()
    const message = 'The thread that makes tables has stopped: out of memory.'
    const refused = { status: 'rejected', reason: new TableRefused('stopped', message) }
    expect((await outcomes).slice(-1)).toEqual([refused])
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    await expect(client.ask(frame, request({ limit: 2 }))).rejects.toMatchObject({ reason: 'stopped' })
    expect(notes).toEqual([
      'The thread of tables and the archive stopped: out of memory. It starts again in a second.',
    ])
    await passMs(clock, 1_000)
    expect(threads).toHaveLength(1)
    expect(clockIn(await client.ask(frame, request({ limit: 2 })))).toBe('day 0, 00:01')
    expect(threads).toHaveLength(2)
  })
})

test('a thread that says nothing for five minutes ends, with the requests before it', async () => {
  const { client, clock, threads } = clientWith()
  await client.ask(frame, request())
  threads[0].postMessage = () => {}
  const asked = client.ask(frames[1], request()).catch(String)
  await passMs(clock, 300_000)
  expect(await Promise.race([asked, Promise.resolve('waits')])).toBe('waits')
  await passMs(clock, 1_000)
  expect(await asked).toContain('it has not answered for 300 s')
})

test('after it is closed, a client answers nothing and starts no thread', async () => {
  const { client, threads } = clientWith({ isArchived: true })
  client.add(new FeedSource().at(10))
  await client.close()
  await expect(client.ask(frame, request())).rejects.toMatchObject({ reason: 'stopped' })
  client.add(new FeedSource().at(11))
  expect(threads).toHaveLength(1)
})
