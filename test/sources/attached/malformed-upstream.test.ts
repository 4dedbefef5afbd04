/** Malformed responses of an upstream: what is no record or no number is unknown, and the last good state remains. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { collections } from '../../../src/contract/collections.ts'
import { emptyRecord } from '../../fixtures/handmade-snapshot.ts'
import { attach, textOf, waitForHealth } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'
import { FakeUpstream, pathOf } from './fake-upstream.ts'
import type { Reply, ReplyFilter } from './fake-upstream.ts'

let upstream: FakeUpstream
let mirror: Attached
let seq = 1

const publish = (): void => {
  seq++
  upstream.publish = {
    publishSeq: seq,
    simTimeNs: BigInt(seq) * 1_000_000_000n,
    collections: {
      hosts: [JSON.stringify(emptyRecord(collections.hosts, { id: 1, label: `publish ${seq}` }))],
    },
  }
}

/** Whether the last publish is shown with its list. */
async function isShown(): Promise<boolean> {
  const time = `"sim_time_ns":${seq}000000000`
  await waitForHealth(mirror.origin, ({ status }, text) => status === 'ok' && text.includes(time))
  return (await textOf(mirror.origin, '/api/v1/hosts/1')).includes(`"label":"publish ${seq}"`)
}

beforeAll(async () => {
  upstream = await FakeUpstream.start(null)
  publish()
  mirror = await attach(upstream.origin)
  await waitForHealth(mirror.origin, ({ status }) => status === 'ok')
})

afterEach(async () => {
  upstream.filter = (reply) => reply
  // A list that could not be read comes back some publishes later than the rest.
  do publish()
  while (!(await isShown()))
})

afterAll(async () => {
  await mirror.mirror.close()
  await upstream.close()
})

const isWorld = (url: string): boolean => url.startsWith('/api/v1/')

/** Replaces text in the responses for the world, not in health. */
const replacing =
  (from: RegExp | string, to: string): ReplyFilter =>
  (reply, { url }): Reply =>
    isWorld(url!) ? { ...reply, body: reply.body.replace(from, to) } : reply

/** Values of a non-negative integer that are none. */
const badValues = ['null', '-1', '1e300', '"7"', '[]', '9223372036854775808']
const bad = (name: string, values: readonly string[]): [string, ReplyFilter][] =>
  values.map((value) => [`${name}: ${value}`, replacing(new RegExp(`"${name}":\\d+`), `"${name}":${value}`)])

const onHosts =
  (filter: ReplyFilter): ReplyFilter =>
  (reply, request, response) =>
    request.url!.startsWith(pathOf.get('hosts')!) ? filter(reply, request, response) : reply

const claimed = replacing(/"total":\d+,"offset":0,"count":\d+/, '"total":999999,"offset":0,"count":1000')

const malformed: Readonly<Record<string, ReplyFilter>> = {
  ...Object.fromEntries(['total', 'offset', 'count'].flatMap((name) => bad(name, ['-1', '1.5', '1e999']))),
  ...Object.fromEntries(bad('total', ['NaN'])),
  'total: 999999 with an empty list': claimed,
  'total: 1000001': replacing(/"total":\d+/, '"total":1000001'),
  'a member twice': replacing('{"meta":', '{"total":5,"total":5,"meta":'),
  'a record that nests deeply': replacing('{"id":1,', `{"more":${'['.repeat(100)}${']'.repeat(100)},"id":1,`),
  'a record that is not JSON': replacing('"online":false', '"online":nope'),
}

/** The first refusals of a list that was read before cost the publish. */
describe('a publish is refused at first for', () => {
  test.each(Object.entries(malformed))('%s', async (_name, filter) => {
    const before = seq
    upstream.filter = onHosts(filter)
    publish()
    const { reason } = await waitForHealth(mirror.origin, ({ status }) => status === 'stale')
    expect(reason).toMatch(/^(?:The response to|A record of the upstream is refused)/)
    const host = await textOf(mirror.origin, '/api/v1/hosts/1')
    expect(host).toContain(`"label":"publish ${before}"`)
    expect(JSON.parse(host)).toBeTypeOf('object')
    const metrics = await textOf(mirror.origin, '/metrics?name[]=dcsim_mirror_source_errors_total')
    expect(metrics).toMatch(/reason="(?:bad_record|not_json)"\} [1-9]/)
    expect(metrics).toContain('reason="crashed"} 0')
  })
})

describe('costs no publish', () => {
  test.each([
    ...['age_ms', 'publish_seq', 'sim_time_ns'].flatMap((name) => bad(name, [...badValues, 'NaN'])),
    ['an integer field beyond 64 bits', replacing(/"unit_count":\d+/, '"unit_count":1e300')] as const,
    ['no total, offset and count', replacing(/,"total":\d+,"offset":\d+,"count":\d+/, '')] as const,
    ...['total', 'offset', 'count'].flatMap((name) => bad(name, ['null'])),
    ['no offset and count', replacing(/,"offset":\d+,"count":\d+/, '')] as const,
  ])('%s', async (_name, filter) => {
    upstream.filter = filter
    publish()
    expect(await isShown()).toBe(true)
  })
})

test('a claimed total costs no requests beyond those for pages that hold items', async () => {
  upstream.filter = claimed
  publish()
  await waitForHealth(mirror.origin, ({ status }) => status === 'stale')
  expect(upstream.requestedPaths.filter((url) => url.includes('offset=1000&'))).toEqual([])
})

test('a hung route next to one that drips is abandoned without an unhandled rejection', async () => {
  const drips: NodeJS.Timeout[] = []
  upstream.filter = (reply, { url }, response) => {
    if (url!.startsWith(pathOf.get('switches')!)) return null
    if (!url!.startsWith(pathOf.get('hosts')!)) return reply
    response.writeHead(200, reply.headers)
    const drip = setInterval(() => response.write(' '), 100)
    drips.push(drip)
    response.on('close', () => clearInterval(drip))
    return null
  }
  publish()
  const { status } = await waitForHealth(
    mirror.origin,
    ({ reason }) => reason.includes('within 20 s'),
    40_000,
  )
  expect(status).toBe('stale')
  for (const drip of drips) clearInterval(drip)
})

test('empty diagnostics are passed on as an object with meta alone', async () => {
  for (const empty of ['{}', '{ }']) {
    upstream.filter = (reply, { url }) =>
      url === '/api/v1/diagnostics'
        ? { ...reply, body: `${reply.body.slice(0, reply.body.indexOf('}') + 1)}${empty.slice(1)}` }
        : reply
    publish()
    await waitForHealth(
      mirror.origin,
      ({ status }, text) => status === 'ok' && text.includes(`"sim_time_ns":${seq}0`),
    )
    const diagnostics = JSON.parse(await textOf(mirror.origin, '/api/v1/diagnostics')) as object
    expect(Object.keys(diagnostics)).toEqual(['meta'])
  }
})

describe('/metrics of the upstream', () => {
  const exposing =
    (text: string): ReplyFilter =>
    (reply, { url }) =>
      url!.startsWith('/metrics') ? { ...reply, body: text } : reply

  /** After a restart of the upstream, whose counters are read then. */
  async function countersOf(text: string): Promise<string> {
    upstream.filter = exposing(text)
    seq = 0
    publish()
    expect(await isShown()).toBe(true)
    return textOf(mirror.origin, '/metrics?name[]=dcsim_events_total')
  }

  test.each(['NaN', '-1', '1e300', '+Inf', 'many', ''])('a counter of %s counts nothing', async (value) => {
    const kind = 'kind="HostDown",severity="Error"'
    expect(await countersOf(`dcsim_events_total{${kind}} ${value}\n`)).not.toContain(`{${kind}} ${value}\n`)
  })

  test('a line of many labels takes linear time', async () => {
    expect(await countersOf(`dcsim_events_total{${'a'.repeat(3_000_000)}} 1\n`)).not.toContain('aaaa')
  })
})

describe('series of the upstream', () => {
  const series = (meta: string, values: string): ReplyFilter => {
    const body = `{"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":0,${meta}},"path":"a/b","values":${values},"scale":"linear","unit":"count"}`
    return (reply, { url }) => (url!.includes('/series') ? { ...reply, status: 200, body } : reply)
  }
  const sound = '"step_ns":10,"last_ns":20'
  let path = 0

  test.each([
    ['"step_ns":null,"last_ns":20', '[1]'],
    ['"step_ns":10,"last_ns":null', '[1]'],
    ['"step_ns":10,"last_ns":-3', '[1]'],
    ['"step_ns":1e300,"last_ns":20', '[1]'],
    [sound, '[1,null]'],
    [sound, '[1,"2"]'],
    [sound, '[1,]'],
    [sound, '[1,1e999]'],
    [sound, '[[1],[2]]'],
    [sound, '[NaN]'],
    [sound, '7'],
    [sound, `[${'1,'.repeat(100_000)}null]`],
  ])('%s with values %.20s is unavailable', async (meta, values) => {
    upstream.filter = series(meta, values)
    const response = await fetch(`${mirror.origin}/api/v1/metrics/series?path=a/${path++}`)
    const body = (await response.json()) as { detail: string }
    expect([response.status, body.detail]).toEqual([503, expect.stringContaining('is refused')])
  })

  test.each(['[]', '[ ]', '[-3,1e-7,0.1]', '[ 1 , 2 ]', `[${'-1.5,'.repeat(100_000)}2]`])(
    'values %.20s are passed on as they are',
    async (values) => {
      upstream.filter = series(sound, values)
      const response = await fetch(`${mirror.origin}/api/v1/metrics/series?path=a/${path++}`)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(`"values":${values},"scale":"linear"`)
    },
  )

  test.each(['null', '-3', '1e300', '"2"'])('total_paths: %s is unavailable', async (total) => {
    const body = `{"meta":{"age_ms":0,"publish_seq":1,"sim_time_ns":0},"paths":["a/b"],"total_paths":${total},"truncated":false}`
    upstream.filter = (reply, { url }) =>
      url!.includes('/metrics/paths') ? { ...reply, status: 200, body } : reply
    const response = await fetch(`${mirror.origin}/api/v1/metrics/paths?prefix=${path++}`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('total_paths') })
  })
})
