import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { matchesEntityTag } from '../../src/http/responses/entity-tags.ts'
import { noHistory } from '../../src/metrics/history/history-reader.ts'
import { createService } from '../../src/service.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { FakeSupply } from '../mirror/fake-supply.ts'
import { tablesHere } from '../tables/tables-here.ts'
import { TestService } from './test-service.ts'

const service = await TestService.start({ cadenceMs: 100 })
afterAll(() => service.stop())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const paths = [
  '/ /openapi.json /health /api/v1/hosts /api/v1/hosts/7 /api/v1/events /api/v1/diagnostics',
  '/api/v1/metrics /api/v1/metrics/paths /api/v1/metrics/series?path=fleet/hosts_online/10s',
].flatMap((line) => line.split(' '))

describe('conditional requests', () => {
  test.each(paths)('%s is answered with 304 until the next publish', async (path) => {
    const { supply } = service
    const { requests } = supply
    supply.prompt = false
    const first = await service.get(path)
    const tag = first.headers.etag!
    expect(tag).toMatch(/^W\/"test\.[0-9]+\.[^"]+"$/)
    const again = await service.get(path, { 'if-none-match': tag })
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag])
    expect(again.headers['x-sim-age-ms']).toMatch(/^[0-9]+$/)
    expect(again.headers['cache-control']).toBe('no-cache')
    const seq = again.headers['x-sim-publish-seq']
    expect(seq).toBe(first.headers['x-sim-publish-seq'])

    while (supply.requests === requests) await pause(20)
    supply.prompt = true
    supply.answer()
    while ((await service.get('/health')).headers['x-sim-publish-seq'] === seq) await pause(20)
    expect((await service.get(path, { 'if-none-match': tag })).status).toBe(200)
  })

  test('/metrics and errors have no tag', async () => {
    expect((await service.get('/metrics', { 'if-none-match': '*' })).status).toBe(200)
    expect((await service.get('/metrics')).headers.etag).toBeUndefined()
    const missing = await service.get('/api/v1/hosts/999', { 'if-none-match': '*' })
    expect([missing.status, missing.headers.etag]).toEqual([404, undefined])
  })

  test('different representations of one publish have different tags', async () => {
    const targets = [
      '/api/v1/hosts /api/v1/hosts?offset=1 /api/v1/hosts?limit=1 /api/v1/azs /api/v1/azs/7',
      '/api/v1/hosts/7 /api/v1/incidents /api/v1/incidents/resolved /api/v1/events?since_ns=10',
      '/api/v1/events?since_ns=11',
    ].flatMap((line) => line.split(' '))
    const tags = await Promise.all(
      targets.map(async (path) => (await service.get(path)).headers.etag!.replace(/test\.[0-9]+\./, '')),
    )
    expect(new Set(tags).size).toBe(targets.length)
  })

  test.each([
    ['W/"a.1.x"', true],
    ['"a.1.x"', true],
    ['*', true],
    [' * ', true],
    ['"b", W/"a.1.x" , "c"', true],
    ['"b","c"', false],
    ['', false],
    ['a.1.x', false],
    ['W/"a.1.xx"', false],
  ])('If-None-Match: %s against W/"a.1.x": %s', (header, matches) => {
    expect(matchesEntityTag(header, 'W/"a.1.x"')).toBe(matches)
  })
})

describe('compression', () => {
  const decode = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  test.each(['gzip', 'br', 'zstd'] as const)('%s carries the same body, with its own age', async (coding) => {
    for (const path of ['/', '/api/v1/hosts', '/api/v1/hosts/7', '/api/v1/hosts?limit=1&offset=9']) {
      const { headers, bytes } = await service.get(path, { 'accept-encoding': coding })
      expect([path, headers['content-encoding']]).toEqual([path, coding])
      expect(headers['content-length']).toBe(String(bytes.length))
      const body = decode[coding](bytes).toString()
      const [, age] = /(?:"age_ms":|<span id="age">)([0-9]+)/.exec(body) ?? []
      expect(age).toBe(headers['x-sim-age-ms'])
      if (path === '/') continue
      const [, seq] = /"publish_seq":([0-9]+)/.exec(body) ?? []
      expect(seq).toBe(headers['x-sim-publish-seq'])
    }
  })

  test.each(['gzip', 'br', 'zstd'] as const)('the description is the same under %s', async (coding) => {
    const { bytes } = await service.get('/openapi.json', { 'accept-encoding': coding })
    expect(decode[coding](bytes).toString()).toBe((await service.get('/openapi.json')).text)
  })

  test('small bodies, errors and empty pages are sent as they are', async () => {
    for (const path of ['/health', '/nowhere', '/api/v1/hosts?offset=9999', '/metrics']) {
      expect(
        (await service.get(path, { 'accept-encoding': 'gzip, br, zstd' })).headers['content-encoding'],
      ).toBeUndefined()
    }
  })
})

describe('a compressed scrape', () => {
  const family = (index: number, value: number) => {
    const name = `dcsim_family_${index}`
    const lines = Array.from({ length: 60 }, (_, host) => `${name}{host="${host}"} ${host * value}`)
    return {
      family: name,
      bytes: Buffer.from(`# HELP ${name} F.\n# TYPE ${name} gauge\n${lines.join('\n')}\n`),
    }
  }

  test('is the same text as a plain one, over publishes of which each changes one family', async () => {
    const families = Array.from({ length: 8 }, (_, index) => family(index, 1))
    const scraped = await TestService.start({ cadenceMs: 60 })
    const compared = new Set<string>()
    for (let value = 2; compared.size < 5 && value < 200; value++) {
      families[value % families.length] = family(value % families.length, value)
      scraped.supply.exposition = [...families]
      const [plain, ...encoded] = await Promise.all(
        ['identity', 'gzip', 'br', 'zstd'].map((coding) =>
          scraped.get('/metrics', { 'accept-encoding': coding }),
        ),
      )
      const seqs = [plain, ...encoded].map(({ headers }) => String(headers['x-sim-publish-seq']))
      await pause(40)
      if (plain.text.length < 5_000 || new Set(seqs).size > 1) continue
      expect(encoded.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br', 'zstd'])
      const [gzip, br, zstd] = encoded.map(({ bytes }) => bytes)
      expect(gunzipSync(gzip).toString()).toBe(plain.text)
      expect(brotliDecompressSync(br).toString()).toBe(plain.text)
      expect(zstdDecompressSync(zstd).toString()).toBe(plain.text)
      compared.add(seqs[0])
    }
    expect(compared.size).toBe(5)
    await scraped.stop()
  })
})

test.each(['identity', 'gzip', 'br', 'zstd'])(
  'the age of a response in %s is that of its publish',
  async (coding) => {
    const clock = new FakeClock()
    const aged = await TestService.start({ clock, cadenceMs: 60_000 })
    clock.advanceTo(clock.nowMs() + 250)
    const { headers } = await aged.get('/api/v1/hosts?limit=150', { 'accept-encoding': coding })
    expect([headers['content-encoding'] ?? 'identity', headers['x-sim-age-ms']]).toEqual([coding, '250'])
    const stopping = aged.stop()
    clock.advanceTo(60_000)
    await stopping
  },
)

test('the metrics of a service are of its monotonic clock, whichever date it has', async () => {
  const clock = new FakeClock()
  const supply = new FakeSupply(snapshotWith({}), clock)
  const given = { version: '1.2.3', cadenceMs: 1_000, idleAfterMs: 60_000, collectors: [], allowedHosts: [] }
  const own = { history: () => noHistory, tables: tablesHere(), log: () => {} }
  const { server, mirror } = createService({ ...given, ...own, supply, clock })
  const { port } = await server.listen('127.0.0.1', 0)
  mirror.start()
  clock.advanceTo(clock.nowMs() + 250)
  clock.wallOffsetMs -= 3_600_000
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(text).toMatch(/^dcsim_mirror_snapshot_age_seconds +0\.25$/m)
  const closing = server.close()
  clock.advanceTo(10_000)
  await closing
})
