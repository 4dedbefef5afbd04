import { afterAll, beforeAll, expect, test } from 'vitest'
import { attach, waitForHealth } from './attached-mirror.ts'
import { FakeUpstream } from './fake-upstream.ts'

const publishOf = (publishSeq: number) => ({ publishSeq, simTimeNs: BigInt(publishSeq) * 1_000_000_000n })

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

const requestedTotals = (): number =>
  upstream.requestedPaths.filter((path) => path.startsWith('/metrics')).length

test('an upstream that restarts while it is read is asked for its totals again', async () => {
  // It exposes none, so they are not requested after the first publish.
  const requestedBefore = requestedTotals()
  clearInterval(publishing)
  upstream.publish = publishOf(++seq)
  upstream.filter = (reply, { url }) => {
    // Its health still belongs to the old world, everything else to the new one.
    if (url === '/health' && reply.body.includes(`"publish_seq":${seq}`)) upstream.publish = publishOf(1)
    return reply
  }
  await expect.poll(() => upstream.publish!.publishSeq).toBe(1)
  upstream.filter = (reply) => reply
  seq = 1
  publishing = setInterval(() => (upstream.publish = publishOf(++seq)), 50)
  await expect.poll(requestedTotals, { timeout: 5_000 }).toBeGreaterThan(requestedBefore)
})
