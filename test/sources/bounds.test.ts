/** Bounds of what sources read, ask for, wait for and keep. */
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'undici'
import { createExposition } from '../../src/metrics/exposition/exposition.ts'
import { FieldReports } from '../../src/sources/attached/check/route-report.ts'
import { pageRangeOf } from '../../src/sources/attached/http/envelope.ts'
import { HttpClient } from '../../src/sources/attached/http/http-client.ts'
import type {
  HttpResponse,
  RequestOptions,
  UpstreamClient,
} from '../../src/sources/attached/http/http-client.ts'
import { JsonResponse } from '../../src/sources/attached/http/json-response.ts'
import { scalarOf } from '../../src/sources/attached/http/json-scalars.ts'
import { PublishReader } from '../../src/sources/attached/publish-reader.ts'
import { AttachedSource } from '../../src/sources/attached/source.ts'
import { fetchHealth } from '../../src/sources/attached/upstream-health.ts'
import { UpstreamHistory } from '../../src/sources/attached/upstream-history.ts'
import { intervalsUntil } from '../../src/backfill/scrapes.ts'
import { simulationKind } from '../../src/sources/built-in/kind.ts'
import { decodeWarmUpChanges, WarmUpChanges } from '../../src/sources/built-in/warm-up-changes.ts'
import { makeRoom } from '../../src/sources/built-in/warm-up-cache.ts'
import { worldChangeFeed } from '../../src/sources/built-in/world-change-feed.ts'
import { eventAt, FeedSource } from '../archive/archived-world.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { askBounds, messageOf, upTo } from '../fixtures/bounds.ts'
import { responseOf } from './attached/response-of.ts'

const json = (body: string): JsonResponse => new JsonResponse(responseOf(body))

/** A client with what it is asked for; requests without an answer end in an error. */
function clientOf(answer: (path: string, options: RequestOptions) => unknown) {
  const asked: RequestOptions[] = []
  const get = async (path: string, options: RequestOptions = {}): Promise<HttpResponse> => {
    asked.push(options)
    if (asked.length > 500) throw new Error('Requests do not end.')
    const found = await answer(path, options)
    return typeof found === 'string' || Buffer.isBuffer(found) ? responseOf(found) : (found as HttpResponse)
  }
  return { asked, client: { get } as unknown as UpstreamClient }
}

/** A connection whose response declares a length. */
function declaring(length: number, opened: Pool.Options[] = []): HttpClient {
  const body = { on: () => {}, async *[Symbol.asyncIterator]() {} }
  return new HttpClient({
    origin: new URL('http://a'),
    clock: new FakeClock(),
    open: (_, options) => {
      opened.push(options)
      const response = { statusCode: 200, headers: { 'content-length': `${length}` }, body }
      return { request: async () => response as never, destroy: async () => {} }
    },
  })
}
const received = async (length: number) =>
  messageOf(async () => (await declaring(length).get('/x')).body.length)
const health = async (length: number) => messageOf(() => fetchHealth(declaring(length), new FakeClock()))

function connections(): unknown {
  const opened: Pool.Options[] = []
  declaring(0, opened)
  return opened.map(({ connections: count, maxHeaderSize }) => `${count} ${maxHeaderSize}`).join(', ')
}

function page(seq: number, total: number, rest = '', offset = 0): string {
  const items = upTo(Math.min(1000, total - offset)).map(() => '{}')
  return `{"meta":{"publish_seq":${seq}},"items":[${items.join()}],"total":${total},"offset":${offset},"count":${items.length}${rest}}`
}

async function publishOf(): Promise<unknown> {
  const body = Buffer.from(page(1, 0, `,"x":"${'x'.repeat(52 * 2 ** 20)}"`))
  const reader = new PublishReader(clientOf(() => body).client)
  const names = ['hosts', 'azs', 'cables', 'switches', 'gateways'] as const
  return messageOf(() => reader.read(names))
}

/** The requests for pages that are each of another publish. */
async function tornRequests(): Promise<unknown> {
  let seq = 0
  const { asked, client } = clientOf((path) => page(++seq, 1001, '', path.includes('offset=1000') ? 1000 : 0))
  const reader = new PublishReader(client)
  const message = await messageOf(() => reader.read(['hosts']))
  return [asked.length, message]
}

async function reasonLength(): Promise<number> {
  const { client } = clientOf(() => `{"reason":"${'x'.repeat(301)}"}`)
  return (await fetchHealth(client, new FakeClock())).reason.length
}

/** Requests that it takes to read the first of some paths again. */
async function askedAgain(count: number, length: number): Promise<number> {
  const list = (paths: string) => `{"paths":["${paths}"],"total_paths":1}`
  const { asked, client } = clientOf(() => list('x'.repeat(length)))
  const history = new UpstreamHistory({ client, publishSeq: () => 1 })
  for (const path of upTo(count)) await history.paths(`${path}`)
  await history.paths('1')
  return asked.length - count
}

const membersRead = (count: number): unknown => {
  const members = upTo(count).map((n) => `"${n}":0`)
  return messageOf(() => json(`{${members.join()}}`).has('1000'))
}

function longestRetry(): number {
  const source = new AttachedSource({
    origin: new URL('http://a'),
    exposition: createExposition({ collectors: [] }),
    clock: new FakeClock(),
    cadenceMs: 1_000,
    open: () => ({ request: () => Promise.reject(new Error('no')), destroy: async () => {} }),
  })
  for (let attempt = 0; attempt < 20; attempt++) void source.capture().catch(() => {})
  return source.retryMs()
}

function fieldsListed(count: number): unknown {
  const reports = new FieldReports()
  reports.addRecord(
    upTo(count).map((field) => ({ field: `${field}`, expected: '', effect: 'unknown', got: '' }) as const),
  )
  const { fields, more } = reports.of({ path: '/' })
  return [fields.length, more]
}

/** Whether a batch of changes is due after some simulated time and events. */
function isDue(simulatedNs: bigint, events: number): boolean {
  const world = { nowNs: 0n, eventsEmitted: 0, feedSnapshot: () => ({}) as never }
  const feed = worldChangeFeed(world, { worldId: '', figures: {} as never, warmUpChanges: [] })
  feed.next(0)
  Object.assign(world, { nowNs: simulatedNs, eventsEmitted: events })
  return feed.next(0) !== null
}

/** The number of changes that are read again; null if there are too many to keep. */
function keptChanges(length: number): number | null {
  const changes = new WarmUpChanges()
  changes.add(new FeedSource().at(1, { events: [eventAt(1, { msg_key: 'x'.repeat(length) })] }))
  const bytes = changes.encode()
  return bytes === null ? null : decodeWarmUpChanges(bytes).length
}

function roomFor(count: number, bytes: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'dcsim-room-'))
  for (const n of upTo(count)) {
    const path = join(folder, `${String(n).padStart(32, '0')}.dcsim`)
    writeFileSync(path, '')
    truncateSync(path, bytes)
    utimesSync(path, n, n)
  }
  writeFileSync(join(folder, 'notes.txt'), '')
  makeRoom(folder, 0)
  const left = readdirSync(folder).length - 1
  rmSync(folder, { recursive: true })
  return left
}

const chunk = { family: 'a', bytes: Buffer.from('# HELP a\n# TYPE a gauge\na 1\n') }

askBounds([
  [
    'bytes of a response',
    () => Promise.all([2 ** 26, 2 ** 26 + 1].map(received)),
    [0, 'The response to http://a/x exceeds the limit of 64 MiB.'],
  ],
  ['bytes of a health', () => health(2 ** 20 + 1), /exceeds the limit of 1 MiB\.$/],
  ['bytes of a health that are read', () => health(2 ** 20), /is not a JSON object\.$/],
  ['connections and bytes of headers', connections, '4 16384'],
  ['bytes of a publish', publishOf, 'A publish of the upstream exceeds the limit of 256 MiB.'],
  [
    'requests for what is torn',
    tornRequests,
    [12, '/api/v1/hosts could not be read whole: the upstream publishes too fast (10 attempts).'],
  ],
  ['characters of a reason', reasonLength, 302],
  ['lists of paths', () => Promise.all([256, 257].map((count) => askedAgain(count, 1))), [0, 1]],
  [
    'bytes of a list of paths',
    () => Promise.all([2 ** 18 - 50, 2 ** 18].map((length) => askedAgain(1, length))),
    [0, 1],
  ],
  ['milliseconds to the next attempt', longestRetry, 750],
  ['items', () => messageOf(() => pageRangeOf(json('{"total":1000001}'), 0)), /from 0 to 1000000/],
  ['members', () => [1000, 1001].map(membersRead), [true, 'It is not a JSON object.']],
  [
    'bytes after a list',
    () => [491, 492].map((length) => json(`{"items":[],"x":"${'x'.repeat(length)}"}`).rescan()),
    [true, false],
  ],
  ['digits', () => [32, 33].map((length) => scalarOf('1.'.padEnd(length, '0'))), [1, undefined]],
  ['fields of a report', () => fieldsListed(1001), [1000, 1]],
  ['events of a batch', () => [39, 40].map((events) => isDue(1n, events)), [false, true]],
  [
    'simulated time of a batch',
    () => [3_600_000_000_000n - 1n, 3_600_000_000_000n].map((ns) => isDue(ns, 0)),
    [false, true],
  ],
  ['bytes of a warm-up', () => [1, 2 ** 26].map(keptChanges), [1, null]],
  ['files of worlds', () => roomFor(33, 1), 32],
  ['bytes of worlds', () => roomFor(3, 2 ** 28), 2],
  ['samples of a backfill', () => intervalsUntil(2n ** 62n, 1n, [chunk]), 8_000_000],
  [
    'hosts of a small world',
    () => [200, 201].map((scale) => simulationKind.youngGenerationMb!({ scale } as never)),
    [12, null],
  ],
])
