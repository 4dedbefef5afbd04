import { afterAll, beforeAll, expect, test } from 'vitest'
import { attach, textOf, waitForHealth } from './attached-mirror.ts'
import { FakeUpstream } from './fake-upstream.ts'
import type { UpstreamPublish } from './fake-upstream.ts'

const publishOf = (publishSeq: number): UpstreamPublish => ({
  publishSeq,
  simTimeNs: BigInt(publishSeq) * 1_000_000_000n,
  events: [{ atNs: BigInt(publishSeq), json: `{"at_ns":${publishSeq},"kind":"Omen","severity":"Info"}` }],
})

let upstream: FakeUpstream
let attached: Awaited<ReturnType<typeof attach>>
let seq = 100
let publishing: NodeJS.Timeout

beforeAll(async () => {
  upstream = await FakeUpstream.start(publishOf(seq))
  attached = await attach(upstream.origin, { cadenceMs: 50 })
  publishing = setInterval(() => (upstream.publish = publishOf(++seq)), 50)
  await waitForHealth(
    attached.origin,
    ({ status, publish_seq: published }) => status === 'ok' && published > 3,
  )
})
afterAll(async () => {
  clearInterval(publishing)
  await attached.mirror.close()
  await upstream.close()
})

const counters = async (): Promise<string[]> =>
  (await textOf(attached.origin, '/metrics')).match(/^dcsim_events_total\{kind="Omen".*$/gm) ?? []

test('the counters of an upstream that restarts while it is read begin again', async () => {
  await expect.poll(counters, { timeout: 10_000 }).not.toEqual([])
  clearInterval(publishing)
  upstream.publish = publishOf(++seq)
  upstream.filter = (reply, { url }) => {
    // Its health still belongs to the old world, everything else to the new one.
    if (url === '/health' && reply.body.includes(`"publish_seq":${seq}`)) upstream.publish = publishOf(1)
    return reply
  }
  await expect.poll(counters, { timeout: 10_000 }).toEqual([])
})
