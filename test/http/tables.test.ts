import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collections } from '../../src/contract/collections.ts'
import { snapshotWith, emptyRecord } from '../fixtures/handmade-snapshot.ts'
import { beyondDoubles, largestId, TestService } from './test-service.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

let service: TestService

beforeAll(async () => {
  service = await TestService.start({ cadenceMs: 3_600_000 })
})
afterAll(() => service.stop())

const rowsOf = async (path: string, headers: Record<string, string> = {}): Promise<Row[]> =>
  JSON.parse((await service.get(path, headers)).text) as Row[]

describe('a table', () => {
  test('is a plain array, fresh as the headers say', async () => {
    const { status, headers, text } = await service.get('/tables/hosts?limit=2')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-sim-publish-seq': '1',
      'cache-control': 'no-cache',
    })
    expect(headers['x-sim-age-ms']).toMatch(/^\d+$/)
    expect((JSON.parse(text) as Row[]).map((row) => row['host_id'])).toEqual(['1', '2'])
  })

  test('keeps every digit of ids, in rows and in filters', async () => {
    const ids = [7, beyondDoubles, largestId].map(String)
    expect((await rowsOf('/tables/customers')).map((row) => row['customer_id'])).toEqual(ids)
    for (const id of ids) {
      const rows = await rowsOf(`/tables/customers?customer=${id}`)
      expect(rows.map((row) => row['customer_id'])).toEqual([id])
    }
    expect(await rowsOf(`/tables/customers?customer=${beyondDoubles - 1n}`)).toEqual([])
  })

  test('has at most a thousand rows unless more are asked for', async () => {
    const hosts = Array.from({ length: 1100 }, (_, index) =>
      emptyRecord(collections.hosts, { id: index + 1, display_name_plain: `h${index + 1}` }),
    )
    const many = await TestService.start({ world: snapshotWith({ hosts }) })
    const count = async (query: string) =>
      (JSON.parse((await many.get(`/tables/hosts${query}`)).text) as Row[]).length
    expect(await count('')).toBe(1000)
    expect(await count('?limit=5000')).toBe(1100)
    expect(await count('?limit=0')).toBe(0)
    expect(await count('?offset=1095')).toBe(5)
    await many.stop()
  })

  test('is not sent again to a client that has it', async () => {
    const first = await service.get('/tables/hosts?limit=3')
    const tag = first.headers.etag!
    expect(tag).toMatch(/^W\/"test\.1\.table\./)
    const again = await service.get('/tables/hosts?limit=3', { 'if-none-match': tag })
    expect([again.status, again.text, again.headers.vary]).toEqual([304, '', 'Accept-Encoding, Accept'])
    const others =
      'hosts?limit=4 hosts.csv?limit=3 hosts?limit=3&host=1 hosts?limit=3&offset=1 hosts?limit=3&sort=host zones'
    for (const other of others.split(' ')) {
      const { status } = await service.get(`/tables/${other}`, { 'if-none-match': tag })
      expect([other, status]).toEqual([other, 200])
    }
  })

  test('has a new tag, and new rows, at the next publish', async () => {
    const moving = await TestService.start({ cadenceMs: 20 })
    const tag = (await moving.get('/tables/zones')).headers.etag!
    moving.supply.snapshot = snapshotWith({
      azs: [emptyRecord(collections.azs, { id: 1, display_name: 'New' })],
    })
    await expect
      .poll(async () => (await moving.get('/tables/zones', { 'if-none-match': tag })).text)
      .toContain('"zone":"New"')
    await moving.stop()
  })

  test('is compressed for clients that ask', async () => {
    const plain = await service.get('/tables/hosts')
    const { headers, bytes } = await service.get('/tables/hosts', { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(bytes).toString()).toBe(plain.text)
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
  })

  test('HEAD has the length of the whole', async () => {
    const { bytes } = await service.get('/tables/hosts')
    const head = await service.get('/tables/hosts', {}, { method: 'HEAD' })
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(bytes.length), ''])
  })
})

describe('a filter of a closed set', () => {
  test.each([
    [
      '/tables/incidents?state=activ',
      'state: got "activ", expected one of active, resolved; did you mean active?',
    ],
    [
      '/tables/incidents?band=Minor,Mayor',
      'band: got "Mayor", expected one of Watch, Minor, Major, Critical; did you mean major?',
    ],
    [
      '/tables/incidents?changed_since=yesterday',
      'changed_since: got "yesterday", expected a time in ISO 8601, as a column of moments has it.',
    ],
    ['/tables/hosts?severity=7', 'severity: got "7", expected one of 0, 1, 2, 3, 4.'],
  ])('refuses %s', async (path, detail) => {
    const { status, text } = await service.get(path)
    expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([400, detail])
  })

  test.each(['state=ACTIVE,resolved', 'state='])('takes %s', async (query) => {
    expect((await service.get(`/tables/incidents?${query}`)).status).toBe(200)
  })
})

test.each([
  ['/tables/zones', 'zone=.%2B'],
  ['/tables/zones', 'zone=.+'],
  ['/tables/incidents', 'state=$__all'],
  ['/tables/incidents', 'changed_since=.%2B'],
  ['/tables/incidents', 'changed_since=$__all'],
  ['/tables/incidents', 'changed_since='],
  ['/pictures/incident.svg', 'incident=.*'],
  ['/pictures/floor.svg', 'theme=.*'],
])('%s has everything for the choice "All" of Grafana: %s', async (path, query) => {
  const everything = await service.get(path)
  expect(everything.status).toBe(200)
  expect((await service.get(`${path}?${query}`)).text).toBe(everything.text)
})

test('parameters that a table lacks are named in a header', async () => {
  const ignored = async (query: string) =>
    (await service.get(`/tables/incidents?${query}`)).headers['x-ignored-parameters']
  expect(await ignored('stat=active&limit=1&x%20y=%ff')).toBe('stat, x%20y')
  expect(await ignored('state=active&sort=-opened_at&session=')).toBe(undefined)
  expect(await ignored('a&b&c&d&e&f')).toBe('a, b, c, d, e')
  const cut = 'x'.repeat(63)
  expect(await ignored(`${cut}%F0%9F%98%80`)).toBe(`${cut}%EF%BF%BD%E2%80%A6`)
})

describe('the format', () => {
  const typeFor = async (path: string, accept?: string) =>
    (await service.get(path, accept === undefined ? {} : { accept })).headers['content-type']!.split(';')[0]

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; q=0.5', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv, application/json;q=0.9', 'text/csv'],
    ['text/csv, */*;q=0.1', 'text/csv'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
    ['text/html;q=0.5, application/json', 'application/json'],
    ['image/png', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/csv;q=nonsense', 'application/json'],
    [',;=,', 'application/json'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect(await typeFor('/tables/zones', accept)).toBe(type)
  })

  test('is that of the ending, even if the client accepts another', async () => {
    expect(await typeFor('/tables/zones.csv', 'application/json')).toBe('text/csv')
    expect(await typeFor('/tables/zones.json', 'text/csv')).toBe('application/json')
  })

  test('a page has the rows as text, links to what rows are about, and allows nothing of its own', async () => {
    const page = { accept: 'text/html' }
    const { text, headers } = await service.get('/tables/incidents?limit=1', page)
    const [row] = (await service.json('/tables/incidents?limit=1')) as unknown as [{ incident_id: string }]
    expect(text).toContain(`<td><a href="incident?incident=${row.incident_id}">${row.incident_id}</a></td>`)
    expect(text.match(/<tr>/g)).toHaveLength(2)
    expect(text).toContain('<h1>incidents</h1>')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
    for (const [list, linked] of [
      ['/tables', 'tables/zones'],
      ['/pictures', 'pictures/floor.svg'],
    ])
      expect((await service.get(list, page)).text).toContain(`<a href="${linked}">`)
  })

  test('CSV has a header line and the same rows', async () => {
    const { text } = await service.get('/tables/pools.csv')
    const lines = text.split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(/^pool_id,pool,severity,/)
    expect(lines[1]).toMatch(/^7,,0,/)
    expect(lines[3]).toMatch(/^9223372036854775807,/)
  })
})

test('/tables lists every table, and each is there', async () => {
  const list = await rowsOf('/tables')
  expect(list.length).toBeGreaterThan(25)
  for (const { path, columns, filters } of list) {
    const { status, text } = await service.get(`${String(path)}.csv?limit=0`)
    expect([path, status]).toEqual([path, 200])
    expect(text.trim()).toBe(String(columns).replaceAll(', ', ','))
    expect(typeof filters).toBe('string')
  }
})

test('the history of a metric path is a table, with the moment of each value', async () => {
  const rows = await rowsOf('/tables/series?path=fleet/hosts_online/10s')
  expect(rows.map(({ value, unit }) => [value, unit])).toEqual([
    [1, 'count'],
    [2.5, 'count'],
    [150, 'count'],
  ])
  const [first, second] = rows.map((row) => Date.parse(String(row['at'])))
  expect(second - first).toBe(10_000)
  expect(Number(rows[1]['day']) - Number(rows[0]['day'])).toBeCloseTo(10 / 86_400, 8)
  expect(await rowsOf('/tables/series')).toEqual([])
  expect(await rowsOf('/tables/series?path=no/such/path')).toEqual([])
})
