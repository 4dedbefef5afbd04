import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeNames, routes } from '../../src/contract/routes.ts'
import type { Route, RouteName } from '../../src/contract/routes.ts'
import { HistoryRings } from '../../src/metrics/history/history-rings.ts'
import { problemCatalog } from '../../src/http/responses/problems.ts'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'
import { ScriptedHistory, tenSecondsNs } from '../metrics/scripted-history.ts'
import { TestService } from './test-service.ts'
import type { Served } from './test-service.ts'

const texts = reviewedTexts(new URL('./texts/', import.meta.url))

let ready: TestService
let starting: TestService

beforeAll(async () => {
  ready = await TestService.start({ cadenceMs: 3_600_000 })
  starting = await TestService.start({ world: null })
})
afterAll(async () => {
  await Promise.all([ready.stop(), starting.stop()])
})

interface Case {
  readonly route: RouteName
  readonly target: string
  readonly status: number
  /** A part of the problem's detail, or members of the body. */
  readonly detail?: string
  readonly body?: object
}

const good = (route: RouteName, target: string, body: object = {}): Case => ({
  route,
  target,
  status: 200,
  body,
})
const refused = (route: RouteName, status: number, target: string, detail: string): Case => ({
  route,
  target,
  status,
  detail,
})

const id64 = 'expected a decimal integer from 0 to 9223372036854775807.'
const integer = 'expected a decimal integer.'

/** All kinds of requests for pages, over a collection of three; the 150 hosts have a test of their own. */
function pageCases(route: RouteName, path: string, total: number): Case[] {
  const pageCase = (query: string, offset: number, count: number): Case =>
    good(route, `${path}?${query}`, { total, offset, count })
  const malformed = (query: string, detail: string): Case => refused(route, 400, `${path}?${query}`, detail)
  const nines = '9'.repeat(400)
  return [
    pageCase('', 0, total),
    pageCase('limit=2', 0, Math.min(2, total)),
    pageCase('limit=1&offset=1', Math.min(1, total), Math.min(1, total - 1)),
    pageCase('limit=0', 0, 1),
    pageCase('limit=-0', 0, 1),
    pageCase('limit=-7', 0, 1),
    pageCase(`limit=-${nines}`, 0, 1),
    pageCase('limit=1001', 0, total),
    pageCase(`limit=${nines}`, 0, total),
    pageCase('limit=0002', 0, Math.min(2, total)),
    pageCase('offset=-1', 0, total),
    pageCase(`offset=-${nines}`, 0, total),
    pageCase(`offset=${total}`, total, 0),
    pageCase('offset=9007199254740993', total, 0),
    pageCase('offset=9223372036854775808', total, 0),
    pageCase(`offset=${nines}`, total, 0),
    pageCase('since_ns=abc&color=%zz&limits=x&&=&', 0, total),
    pageCase('%6Cimit=1', 0, 1),
    malformed('limit=ten', `limit: got "ten", ${integer}`),
    malformed('limit=', `limit: is empty, ${integer}`),
    malformed('limit', `limit: is empty, ${integer}`),
    malformed('limit=1.5', `limit: got "1.5", ${integer}`),
    malformed('limit=1e3', `limit: got "1e3", ${integer}`),
    malformed('limit=0x10', `limit: got "0x10", ${integer}`),
    malformed('limit=+5', `limit: got " 5", ${integer}`),
    malformed('limit=%2B5', `limit: got "+5", ${integer}`),
    malformed('limit=%D9%A3', `limit: got "٣", ${integer}`),
    malformed('limit=5&limit=5', `limit: given 2 times ("5", "5"), ${integer}`),
    malformed('limit=%', `limit: got "%" with broken percent-encoding, ${integer}`),
    malformed('offset=--1', `offset: got "--1", ${integer}`),
    malformed('offset=%0A1%22', `offset: got "\\n1\\"", ${integer}`),
    malformed('offset=1&limit=2&offset=3', `offset: given 2 times ("1", "3"), ${integer}`),
    malformed(`offset=${'x'.repeat(70)}`, `offset: got "${'x'.repeat(64)}"…, ${integer}`),
  ]
}

function detailCases(route: RouteName, path: string): Case[] {
  const at = (id: string): string => path.replace('{id}', id)
  const malformed = (id: string, came: string): Case => refused(route, 400, at(id), `id: ${came}, ${id64}`)
  const unknown = (id: string): Case =>
    refused(route, 404, at(id), `id: got "${id}", expected one that ${path} has in publish 1.`)
  return [
    good(route, at('7')),
    good(route, `${at('007')}?limit=abc`),
    unknown('999'),
    unknown('9007199254740992'),
    unknown('9223372036854775806'),
    malformed('abc', 'got "abc"'),
    malformed('-1', 'got "-1"'),
    malformed('9223372036854775808', 'got "9223372036854775808"'),
    malformed('9'.repeat(400), `got "${'9'.repeat(64)}"…`),
    malformed('7.0', 'got "7.0"'),
    malformed('', 'is empty'),
    malformed('7%2F8', 'got "7/8"'),
  ]
}

const eventCases: Case[] = [
  ['', 4, 9223372036854775806n],
  ['?limit=0', 0, 0n],
  ['?limit=-5', 0, 0n],
  ['?limit=1', 1, 10n],
  ['?limit=1001', 4, 0n],
  ['?since_ns=0', 4, 0n],
  ['?since_ns=9223372036854775807', 0, 0n],
  [`?limit=${'9'.repeat(300)}`, 4, 0n],
].map(([query, count]) => good('events', `/api/v1/events${query}`, { count }))

const refusedEvents: Case[] = [
  ['since_ns=-1', `since_ns: got "-1", ${id64}`],
  ['since_ns=9223372036854775808', `since_ns: got "9223372036854775808", ${id64}`],
  ['since_ns=', `since_ns: is empty, ${id64}`],
  ['since_ns=1&since_ns=1', `since_ns: given 2 times ("1", "1"), ${id64}`],
  ['limit=x', `limit: got "x", ${integer}`],
].map(([query, detail]) => refused('events', 400, `/api/v1/events?${query}`, detail))

const seriesPath = '/api/v1/metrics/series'
const otherCases: Case[] = [
  good('landing', '/'),
  good('llms', '/llms.txt'),
  good('healthy', '/-/healthy'),
  good('ready', '/-/ready'),
  good('openapi', '/openapi.json'),
  good('runbooks', '/runbooks'),
  good('runbook', '/runbooks/DcsimHostDown'),
  good('health', '/health?limit=abc', { status: 'ok', world_ready: true }),
  good('metrics', '/metrics'),
  good('metrics', '/metrics?name[]=dcsim_racks&name%5B%5D=none'),
  good('diagnostics', '/api/v1/diagnostics?offset=x'),
  good('metricPaths', '/api/v1/metrics/paths', {
    paths: ['fleet/hosts_online/10s', 'hosts/7/egress_gbps/1m'],
    total_paths: 2,
    truncated: false,
  }),
  good('metricPaths', '/api/v1/metrics/paths?prefix=fleet%2F', { total_paths: 1 }),
  good('metricPaths', '/api/v1/metrics/paths?prefix=', { total_paths: 2 }),
  good('metricSeries', `${seriesPath}?path=fleet/hosts_online/10s`, {
    path: 'fleet/hosts_online/10s',
    values: [1, 2.5, 150],
    scale: 'linear',
    unit: 'count',
  }),
  good('metricSeries', `${seriesPath}?path=fleet%2Fhosts_online%2F10s`),
  good('tables', '/tables?limit=abc'),
  good('table', '/tables/hosts'),
  good('table', '/tables/hosts.json?sort=-cpu_used_pct&limit=3'),
  good('table', '/tables/hosts?host=7&host=8&color=%zz&limits=x&&=&'),
  good('table', '/tables/hosts?limit=-1&offset=99999999999999999999'),
  good('pictures', '/pictures'),
  good('picture', '/pictures/floor.svg'),
  good('picture', '/pictures/floor?theme=dark&zone=7&color=%zz'),
  good('picture', '/pictures/floor.svg?zone=%201'),
  good('picture', '/pictures/rack.svg?rack=%20'),
]

const refusedCases = Array.from(texts.blocks('refused-requests'), ([request, [detail]]) => {
  const [route, status, target] = request.split(' ')
  return refused(route as RouteName, Number(status), target, detail)
})

const totals: Partial<Record<RouteName, number>> = { resolvedIncidents: 1, declaredMetrics: 2 }

const cases: Case[] = routeNames.flatMap((name): Case[] => {
  const { path, answer }: Route = routes[name]
  if (name === 'hosts') return []
  if (answer.kind === 'page' || answer.kind === 'page-of') return pageCases(name, path, totals[name] ?? 3)
  return answer.kind === 'detail' ? detailCases(name, path) : []
})
cases.push(...eventCases, ...refusedEvents, ...otherCases, ...refusedCases)

test('every route is walked', () => {
  expect(new Set(cases.map(({ route }) => route)).add('hosts')).toEqual(new Set(routeNames))
})

const mediaTypes: Partial<Record<RouteName, string>> = {
  metrics: 'text/plain; version=0.0.4; charset=utf-8',
  landing: 'text/html; charset=utf-8',
  llms: 'text/plain; charset=utf-8',
  healthy: 'text/plain; charset=utf-8',
  ready: 'text/plain; charset=utf-8',
  runbooks: 'text/html; charset=utf-8',
  runbook: 'text/html; charset=utf-8',
  picture: 'image/svg+xml; charset=utf-8',
}

function expectOrdinary({ headers, bytes, text, status }: Served, route: RouteName, seq: string): void {
  const good = status === 200
  expect(headers['content-type']).toBe(
    good ? (mediaTypes[route] ?? 'application/json') : 'application/problem+json',
  )
  expect(headers['content-length']).toBe(String(bytes.length))
  expect(headers['x-sim-publish-seq']).toBe(seq)
  expect(headers['x-sim-age-ms']).toMatch(/^[0-9]+$/)
  expect(headers['cache-control']).toBe('no-cache')
  expect(headers.vary).toBe(
    good && ['table', 'tables', 'pictures'].includes(route) ? 'Accept-Encoding, Accept' : 'Accept-Encoding',
  )
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  const opening = `{"meta":{"age_ms":${String(headers['x-sim-age-ms'])},"publish_seq":${seq},"sim_time_ns":`
  const isPlain = good && ['openapi', 'tables', 'pictures', 'table'].includes(route)
  const hasMeta = headers['content-type']!.includes('json') && !isPlain
  expect(text.startsWith(opening)).toBe(hasMeta)
}

const problem = (status: number, name: string, title: string, detail: string) => ({
  type: `/openapi.json#/components/responses/${name}`,
  title,
  status,
  detail,
})

const noWorldYet = 'No world has been published yet; /health says how far it is. Ask again in a second.'

const bodyOf = ({ headers, text }: Served): object =>
  headers['content-type']!.includes('json') ? (JSON.parse(text) as object) : {}

function expectedBody({ route, status, detail = '', body = {} }: Case): object {
  if (status === 400) return problem(400, 'MalformedParameter', 'Malformed parameter', detail)
  if (status === 200) return body
  if (route === 'runbook') return problem(404, 'NoSuchRunbook', 'No such runbook', detail)
  if (route === 'picture') return problem(404, 'NoSuchPicture', 'No such picture', detail)
  if (route === 'table') return problem(404, 'NoSuchTable', 'No such table', detail)
  const metric = route === 'metricSeries'
  const kind = metric ? 'NoSuchMetricPath' : 'NoSuchEntity'
  return problem(404, kind, metric ? 'No such metric path' : 'No such entity', detail)
}

describe('a world that is ready', () => {
  test.each(routeNames)('%s', async (name) => {
    for (const one of cases.filter(({ route }) => route === name)) {
      const served = await ready.get(one.target)
      expect([one.target, served.status]).toEqual([one.target, one.status])
      expectOrdinary(served, name, '1')
      expect(bodyOf(served)).toMatchObject(expectedBody(one))
    }
  })

  test('a page has exactly its own members, in their order', async () => {
    const { text } = await ready.get('/api/v1/azs?limit=1')
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['meta', 'items', 'total', 'offset', 'count'])
  })

  test('an empty page is still a page', async () => {
    const { text } = await ready.get('/api/v1/azs?offset=9')
    expect(text).toMatch(/,"items":\[\],"total":3,"offset":3,"count":0\}$/)
  })

  test('pages of hosts hold the hosts asked for, a hundred where nothing is asked', async () => {
    const ids = async (query: string) => {
      const { items, count } = (await ready.json(`/api/v1/hosts${query}`)) as {
        items: { id: number }[]
        count: number
      }
      expect(items.length).toBe(count)
      return items.map(({ id }) => id)
    }
    const from = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index)
    expect(await ids('')).toEqual(from(1, 100))
    expect(await ids('?offset=100')).toEqual(from(101, 150))
    expect(await ids('?offset=149&limit=1')).toEqual([150])
    expect(await ids('?limit=100000')).toEqual(from(1, 150))
    expect(await ids('?offset=150')).toEqual([])
  })

  test('a record has meta first and then its own members, and is the same as in its page', async () => {
    const { items } = (await ready.json('/api/v1/hosts')) as { items: object[] }
    const { meta, ...host } = await ready.json('/api/v1/hosts/42')
    expect(host).toEqual(items[41])
    expect(Object.keys(meta as object)).toEqual(['age_ms', 'publish_seq', 'sim_time_ns'])
  })

  test.each(['9007199254740993', '9223372036854775807'])('the id %s keeps every digit', async (id) => {
    const { status, text } = await ready.get(`/api/v1/customers/${id}`)
    expect(status).toBe(200)
    expect(text).toContain(`"sim_time_ns":604800000000001},"id":${id},`)
    expect((await ready.get('/api/v1/customers')).text).toContain(`{"id":${id},`)
  })

  test('an incident is found active or resolved, and the two lists are apart', async () => {
    expect((await ready.get('/api/v1/incidents/3')).text).toContain('"resolved_at_ns":11,')
    expect((await ready.get('/api/v1/incidents/7')).text).toContain('"resolved_at_ns":null,')
    expect((await ready.json('/api/v1/incidents/resolved'))['total']).toBe(1)
  })

  test('the meta of a series has its step and the time of its newest value', async () => {
    const { text } = await ready.get(`${seriesPath}?path=fleet/hosts_online/10s`)
    expect(text).toContain(
      '"sim_time_ns":604800000000001,"step_ns":10000000000,"last_ns":9007199254740993},"path"',
    )
  })

  test('the history of a world that is ahead ends at the snapshot', async () => {
    const history = new ScriptedHistory(
      [{ subject: 'fleet', id: null }],
      (_entity, _metric, row) => row % 100,
    )
    const rings = new HistoryRings(history)
    for (history.step = 60_470; history.step <= 60_486; history.step++) {
      if (history.step === 60_481) history.become([...history.entities, { subject: 'azs', id: 1 }])
      rings.record(BigInt(history.step) * tenSecondsNs)
    }
    const ahead = await TestService.start({ series: rings })
    try {
      const { text } = await ahead.get(`${seriesPath}?path=fleet/hosts_online/10s`)
      expect(text).toContain('"sim_time_ns":604800000000001,"step_ns":10000000000,"last_ns":604800000000000}')
      expect(text).toContain('"values":[70,71,72,73,74,75,76,77,78,79,80],')
      expect((await ahead.get(`${seriesPath}?path=azs/1/health/10s`)).status).toBe(404)
      expect((await ahead.json('/api/v1/metrics/paths?prefix=azs/'))['total_paths']).toBe(0)
    } finally {
      await ahead.stop()
    }
  })

  test('a scrape is the world and then the service, or the families named', async () => {
    const samples = async (query: string) =>
      (await ready.get(`/metrics${query}`)).text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
    expect(await samples('')).toEqual(['dcsim_hosts 150', 'dcsim_racks 8', 'dcsim_mirror_up 1'])
    expect(await samples('?name[]=dcsim_racks')).toEqual(['dcsim_racks 8'])
    expect(await samples('?name[]=dcsim_mirror_up&name[]=dcsim_hosts')).toEqual([
      'dcsim_hosts 150',
      'dcsim_mirror_up 1',
    ])
    expect(await samples('?name[]=nothing')).toEqual([])
  })

  test('declared metrics are ordered by name', async () => {
    const { items } = (await ready.json('/api/v1/metrics')) as { items: object[] }
    const about = { type: 'gauge', unit: '', help: 'Hosts.', labels: ['zone'] }
    expect(items).toEqual([
      { name: 'dcsim_hosts', ...about },
      { name: 'dcsim_racks', ...about },
    ])
  })

  test.each([...texts.blocks('unknown-paths')])(
    'the path %s does not exist and is a 404',
    async (path, [detail]) => {
      const served = await ready.get(path)
      expect(served.status).toBe(404)
      expect(JSON.parse(served.text)).toMatchObject(problem(404, 'NoSuchRoute', 'No such route', detail))
    },
  )
})

test.each(['table', 'picture', 'runbook'] as const)(
  'the meaning of a missing %s leads to their list',
  (kind) => {
    const missing = { table: 'NoSuchTable', picture: 'NoSuchPicture', runbook: 'NoSuchRunbook' } as const
    const list = /(\/\S+) lists them/.exec(problemCatalog[missing[kind]].meaning)![1]
    expect(list).toBe(routes[`${kind}s`].path)
  },
)

describe('before the first publish', () => {
  test.each(routeNames.filter((name) => !routes[name].beforeWorld))('%s', async (name) => {
    for (const { target } of cases.filter((one) => one.route === name)) {
      const served = await starting.get(target)
      expect([target, served.status, served.headers['retry-after']]).toEqual([target, 503, '1'])
      expectOrdinary(served, name, '0')
      expect(bodyOf(served)).toMatchObject({
        meta: { age_ms: 0, publish_seq: 0, sim_time_ns: 0 },
        ...problem(503, 'NoWorldYet', 'No world yet', noWorldYet),
      })
    }
  })

  test('/-/healthy is good', async () => {
    const served = await starting.get('/-/healthy')
    expect([served.status, served.text]).toEqual([200, 'dcsim-mirror is healthy.\n'])
    expectOrdinary(served, 'healthy', '0')
  })

  test('/health says that it is starting, and has no simulated time of its own', async () => {
    expect(await starting.json('/health')).toEqual({
      meta: { age_ms: 0, publish_seq: 0, sim_time_ns: 0 },
      status: 'starting',
      world_ready: false,
      age_ms: 0,
      publish_seq: 0,
      reason: 'Waiting for the first snapshot.',
    })
  })

  test('/metrics is empty', async () => {
    const { status, bytes, headers } = await starting.get('/metrics', { 'accept-encoding': 'gzip' })
    expect([status, bytes.length, headers['content-length']]).toEqual([200, 0, '0'])
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  })
})
