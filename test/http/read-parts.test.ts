import { afterEach, expect, test, vi } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import type { Clock } from '../../src/contract/clock.ts'
import { processClock as realClock } from '../../src/process/clock.ts'
import { FakeClock } from '../fixtures/fake-clock.ts'
import { TestService } from './test-service.ts'

let service: TestService

async function start(clock: Clock = realClock): Promise<void> {
  service = await TestService.start({ cadenceMs: 3_600_000, isSparing: true, clock })
}

afterEach(() => service.stop())

const publishOf = async (path: string): Promise<string | undefined> =>
  String((await service.get(path)).headers['x-sim-publish-seq'])

test('a list is of the publish that was made for its first reader, and others agree with it', async () => {
  await start()
  expect(await publishOf('/health')).toBe('1')
  const { status, headers, text } = await service.get('/api/v1/hosts?limit=1')
  expect([status, headers['x-sim-publish-seq']]).toEqual([200, '2'])
  expect(JSON.parse(text)).toMatchObject({ meta: { publish_seq: 2 }, total: 150, count: 1 })
  expect(await publishOf('/api/v1/hosts/7')).toBe('2')
  expect(await publishOf('/api/v1/customers/7')).toBe('3')
  expect(await publishOf('/api/v1/hosts')).toBe('3')
  expect(await publishOf('/api/v1/diagnostics')).toBe('4')
  expect(await publishOf('/api/v1/events')).toBe('4')
})

test('a table, a picture and the landing page wait for all lists', async () => {
  for (const path of ['/tables/hosts', '/pictures/floor.svg', '/']) {
    await start()
    expect((await service.get(path)).status).toBe(200)
    expect(service.mirror.frame!.parts).toEqual(new Set([...collectionNames, 'diagnostics']))
    if (path !== '/') await service.stop()
  }
})

test('a scrape has its samples printed, and those of before with their publish while the world has failed', async () => {
  await start()
  const first = await service.get('/metrics')
  expect(first.headers['x-sim-publish-seq']).toBe('2')
  expect(first.text).toContain('dcsim_hosts 150\n')
  await service.get('/api/v1/azs')
  service.supply.prompt = false
  service.supply.events.failed('It crashed.')
  const later = await service.get('/metrics')
  expect(later.headers['x-sim-publish-seq']).toBe('2')
  expect(Number(later.headers['x-sim-age-ms'])).toBeGreaterThanOrEqual(Number(first.headers['x-sim-age-ms']))
  expect(later.text).toBe(first.text)
  expect(await publishOf('/health')).toBe('3')
})

test('a mirror that was never scraped has its own metrics alone while the world has failed', async () => {
  await start()
  service.supply.prompt = false
  service.supply.events.failed('It crashed.')
  const { status, text } = await service.get('/metrics')
  expect([status, text]).toEqual([200, expect.stringMatching(/^# HELP dcsim_mirror_up /)])
})

test('a list that is not made in time is a problem that says when to ask again', async () => {
  const clock = new FakeClock()
  await start(clock)
  service.supply.prompt = false
  const asked = service.get('/api/v1/hosts')
  await vi.waitUntil(() => service.supply.requests === 2)
  clock.advanceTo(30_000)
  const { status, headers, text } = await asked
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(JSON.parse(text)).toMatchObject({
    meta: { publish_seq: 1, age_ms: 30_000 },
    title: 'Records unavailable',
    detail: 'No client has read these records lately, and the world does not answer.',
  })
})
