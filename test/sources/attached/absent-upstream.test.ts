import { afterAll, beforeAll, expect, test } from 'vitest'
import { collections } from '../../../src/contract/collections.ts'
import { emptyRecord } from '../../fixtures/handmade-snapshot.ts'
import { attach, textOf, waitForHealth } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'
import { FakeUpstream } from './fake-upstream.ts'

let upstream: FakeUpstream
let mirror: Attached
let seq = 0

function publish(): string {
  seq++
  const hosts = [JSON.stringify(emptyRecord(collections.hosts, { id: 1, label: `publish ${seq}` }))]
  upstream.publish = { publishSeq: seq, simTimeNs: BigInt(seq) * 1_000_000_000n, collections: { hosts } }
  return `"sim_time_ns":${seq}000000000`
}

const isShown = (time: string) =>
  waitForHealth(mirror.origin, ({ status }, text) => status === 'ok' && text.includes(time))

beforeAll(async () => {
  upstream = await FakeUpstream.start(null)
  const time = publish()
  mirror = await attach(upstream.origin)
  await isShown(time)
})

afterAll(async () => {
  await mirror.mirror.close()
  await upstream.close()
})

test('an upstream of /health alone is shown at its time, and its lists keep their last state', async () => {
  upstream.filter = (reply, { url }) => (url === '/health' ? reply : { ...reply, status: 410, body: '{}' })
  await isShown(publish())
  expect(await textOf(mirror.origin, '/api/v1/hosts/1')).toContain('"label":"publish 1"')
})

test('an upstream that then has nothing at all is stale, and shown again once it has its lists', async () => {
  upstream.filter = (reply) => ({ ...reply, status: 410, body: '{}' })
  const { reason } = await waitForHealth(mirror.origin, ({ status }) => status === 'stale')
  expect(reason).toContain('has status 410')
  expect(await textOf(mirror.origin, '/api/v1/hosts/1')).toContain('"label":"publish 1"')
  upstream.filter = (reply) => reply
  // A list that answers again is read with the next publish.
  const laterLabel = () => {
    publish()
    return textOf(mirror.origin, '/api/v1/hosts/1')
  }
  await expect.poll(laterLabel, { timeout: 20_000, interval: 200 }).toMatch(/"label":"publish (?!1")/)
})
