/** Attached to a foreign upstream: its records are served unchanged, and interpreted. */
import { afterEach, expect, test } from 'vitest'
import { collections } from '../../../src/contract/collections.ts'
import type { CollectionName } from '../../../src/contract/collections.ts'
import type { RecordType } from '../../../src/contract/fields.ts'
import { EngineEventSchema, IncidentSchema } from '../../../src/contract/records/operations.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { jsonReference } from '../../encoding/json-reference.ts'
import { randomRecord } from '../../encoding/random-records.ts'
import { emptyRecord } from '../../fixtures/handmade-snapshot.ts'
import { SeededRandom } from '../../fixtures/seeded-random.ts'
import { allCollections, FakeUpstream, pathOf } from './fake-upstream.ts'
import type { UpstreamPublish } from './fake-upstream.ts'
import { attach, textOf, waitForHealth, withoutMeta } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'

const beyondDoubles = 9007199254740993n
const largest = 9223372036854775807n
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function serve(publish: UpstreamPublish | null): Promise<FakeUpstream> {
  const server = await FakeUpstream.start(publish)
  open.push(server)
  return server
}

async function attached(origin: string, settings = {}): Promise<Attached> {
  const found = await attach(origin, settings)
  open.push(found.mirror)
  return found
}

const event = (atNs: bigint, what = 'WorldStarted') => ({
  atNs,
  json: jsonReference({
    ...emptyRecord(EngineEventSchema),
    at_ns: atNs,
    kind: what,
    heard_by: ['Zürich', '\ud83d'],
  }),
})

/** Random records of a collection, not ordered by id, with unknown fields. */
function strangeRecords(name: CollectionName): string[] {
  const type: RecordType = collections[name]
  const chance = new SeededRandom(name.length)
  return [largest, 7n, beyondDoubles, 3n].map((id) => {
    const json = jsonReference({ ...randomRecord(type, chance), id })
    return `${json.slice(0, -1)},"unheard_of":{"at":1.500E+2, "wide":-36893488147419103232,"text":"\\u00e9 東京 \\ud83d"} }`
  })
}

const strangeWorld: UpstreamPublish = {
  publishSeq: 41,
  simTimeNs: beyondDoubles,
  ageMs: 2500,
  collections: Object.fromEntries(allCollections.map((name) => [name, strangeRecords(name)])),
  events: [event(5n), event(5n, 'Rumor'), event(beyondDoubles), event(beyondDoubles, 'Omen'), event(largest)],
  newestEvictedNs: 5n,
  diagnostics: '{ "fans":[1, 2.0],"simulation":"none" }',
}

/** The end of a reason while there is no world. */
const remedy = (origin: string): string => ` To see what it lacks: dcsim-mirror check ${origin}`

test('every record comes through byte for byte, through a second mirror too', async () => {
  const server = await serve(strangeWorld)
  const first = await attached(server.origin)
  const second = await attached(first.origin)
  await waitForHealth(second.origin, ({ publish_seq: seq }) => seq > 0)
  for (const name of allCollections) {
    const path = `${pathOf.get(name)}?limit=1000`
    const expected = withoutMeta(await textOf(server.origin, path))
    expect({ path, body: withoutMeta(await textOf(first.origin, path)) }).toEqual({ path, body: expected })
    expect({ path, body: withoutMeta(await textOf(second.origin, path)) }).toEqual({ path, body: expected })
  }
  const [, seventh] = strangeWorld.collections!.hosts!
  expect(withoutMeta(await textOf(second.origin, '/api/v1/hosts/7'))).toBe(seventh)
  for (const query of ['', '?since_ns=4', '?since_ns=5', `?since_ns=${beyondDoubles - 1n}`, '?since_ns=0']) {
    const path = `/api/v1/events${query}`
    expect({ path, body: withoutMeta(await textOf(second.origin, path)) }).toEqual({
      path,
      body: withoutMeta(await textOf(server.origin, path)),
    })
  }
  expect(withoutMeta(await textOf(second.origin, '/api/v1/diagnostics'))).toBe(
    strangeWorld.diagnostics!.replace('{ ', '{'),
  )
})

test('the time and the age are those of the server', async () => {
  const server = await serve(strangeWorld)
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  const text = await textOf(origin, '/api/v1/quests')
  expect(text).toContain(`"sim_time_ns":${beyondDoubles}}`)
  const age = Number(/"age_ms":(\d+)/.exec(text)![1])
  expect(age).toBeGreaterThanOrEqual(2500)
  expect(age).toBeLessThan(6000)
})

test('the metrics are those of the records, unknown bands and counted totals included', async () => {
  const incident = (id: number, band: string): string =>
    JSON.stringify({
      ...emptyRecord(IncidentSchema, { id, root_kind: 'Unknown', symptom_kind: 'HostDown' as never }),
      band,
    })
  const publish = {
    publishSeq: 1,
    simTimeNs: 10n,
    collections: { incidents: [incident(1, 'Dire')] },
    events: [event(1n)],
  }
  const server = await serve(publish)
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  expect((await textOf(origin, '/metrics')).replace(/ +/g, ' ')).toContain(
    'dcsim_incidents_active{band="Dire",root_kind="Unknown"} 1\n',
  )
  const opened = [incident(1, 'Dire'), incident(2, 'Hopeless')]
  server.publish = {
    ...publish,
    publishSeq: 2,
    simTimeNs: 20_000_000_000n,
    collections: { incidents: opened },
    events: [event(1n), event(11n, 'Omen')],
  }
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 1)
  const metrics = (await textOf(origin, '/metrics')).replace(/ +/g, ' ')
  expect(metrics).toContain('dcsim_incidents_opened_total{band="Hopeless",symptom_kind="HostDown"} 1\n')
  expect(metrics).toContain('dcsim_events_total{kind="Omen",severity="Info"} 1\n')
  expect(metrics).toContain('dcsim_sim_time_seconds 20\n')
})

test('a collection of many pages is whole, and never of two publishes', async () => {
  const hostsAt = (seq: number): string[] =>
    Array.from({ length: 2500 }, (_, i) =>
      JSON.stringify(emptyRecord(HostSchema, { id: i + 1, label: `of ${seq}` })),
    )
  const publishes = [1, 2, 3].map((seq) => ({
    publishSeq: seq,
    simTimeNs: BigInt(seq),
    collections: { hosts: hostsAt(seq) },
  }))
  const server = await serve(publishes[0])
  let pages = 0
  server.filter = (reply, { url }) => {
    // A publish occurs in the middle of the first two rounds of pages.
    if (url!.startsWith('/api/v1/hosts') && ++pages % 2 === 0 && pages < 6)
      server.publish = publishes[pages / 2]
    return reply
  }
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  const bodies = await Promise.all(
    [0, 1000, 2000].map((offset) => textOf(origin, `/api/v1/hosts?limit=1000&offset=${offset}`)),
  )
  const labels = bodies.flatMap((body) => [...body.matchAll(/"label":"(of \d)"/g)].map(([, label]) => label))
  expect(labels).toHaveLength(2500)
  expect(new Set(labels)).toEqual(new Set(['of 3']))
})

test('a server without a world is waited for', async () => {
  const server = await serve(null)
  const { origin } = await attached(server.origin)
  const { reason } = await waitForHealth(origin, (health) => health.reason.includes('no world'))
  expect(reason).toBe(`The upstream at ${server.origin} has no world yet.${remedy(server.origin)}`)
  expect((await fetch(`${origin}/api/v1/hosts`)).status).toBe(503)
  server.publish = { publishSeq: 1, simTimeNs: 0n }
  await waitForHealth(origin, ({ status }) => status === 'ok')
})

test('a server that is not there yet is waited for', async () => {
  const placeholder = await serve(null)
  const { port } = placeholder
  await open.pop()!.close()
  const { origin, lines } = await attached(`http://127.0.0.1:${port}`)
  const { status, reason } = await waitForHealth(origin, (health) => health.reason.includes('did not arrive'))
  expect([status, reason]).toEqual([
    'starting',
    `The response to http://127.0.0.1:${port}/health did not arrive: connection refused, as nothing listens there.${remedy(`http://127.0.0.1:${port}`)}`,
  ])
  open.push(await FakeUpstream.start({ publishSeq: 1, simTimeNs: 0n }, port))
  await waitForHealth(origin, (health) => health.status === 'ok')
  expect(lines).toEqual([reason, 'The world is back.'])
})

test('an upstream that publishes nothing new is only asked for its health, and becomes stale', async () => {
  const server = await serve({ publishSeq: 1, simTimeNs: 0n })
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  server.requestedPaths.length = 0
  const { reason, publish_seq: seq } = await waitForHealth(origin, ({ status }) => status === 'stale')
  expect(reason).toMatch(/^The upstream at .* responds, but publishes nothing new\.$/)
  expect(seq).toBe(1)
  expect(new Set(server.requestedPaths)).toEqual(new Set(['/health']))
})

test('an upstream that is stale itself is quoted', async () => {
  const server = await serve({ publishSeq: 1, simTimeNs: 0n })
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  const itself = '"status":"stale","reason":"worn"'
  server.filter = (reply) => ({ ...reply, body: reply.body.replace('"status":"up"', itself) })
  const { reason } = await waitForHealth(origin, ({ status }) => status === 'stale')
  expect(reason).toBe(`The upstream at ${server.origin} is stale itself. It reports: worn`)
})

test('a history is requested when a client asks, once a publish', async () => {
  const server = await serve({ publishSeq: 1, simTimeNs: largest })
  server.filter = (reply, { url }) => {
    if (url === '/api/v1/metrics/paths')
      return {
        ...reply,
        status: 200,
        body: '{"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":0},"paths":["fleet/rps/10s","moon/1/tide/1h"],"total_paths":2,"truncated":false}',
      }
    if (url !== '/api/v1/metrics/series?path=moon%2F1%2Ftide%2F1h') return reply
    return {
      ...reply,
      status: 200,
      body: `{"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":0,"step_ns":3600000000000,"last_ns":${largest}},"path":"moon/1/tide/1h","values":[1,2.5,1e-7],"scale":"lunar","unit":"fathoms"}`,
    }
  }
  const { origin } = await attached(server.origin)
  await waitForHealth(origin, ({ publish_seq: seq }) => seq > 0)
  const series = async (): Promise<string> => textOf(origin, '/api/v1/metrics/series?path=moon/1/tide/1h')
  const body = await series()
  expect(withoutMeta(body)).toBe(
    '{"path":"moon/1/tide/1h","values":[1,2.5,1e-7],"scale":"lunar","unit":"fathoms"}',
  )
  expect(body).toContain(`"step_ns":3600000000000,"last_ns":${largest}}`)
  await series()
  expect(server.requestedPaths.filter((url) => url.includes('/series'))).toHaveLength(1)
  expect(withoutMeta(await textOf(origin, '/api/v1/metrics/paths'))).toContain(
    '"paths":["fleet/rps/10s","moon/1/tide/1h"],"total_paths":2',
  )
  expect((await fetch(`${origin}/api/v1/metrics/series?path=none`)).status).toBe(404)
})
