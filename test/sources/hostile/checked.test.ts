/** The verdict of `check` on the misbehaviors of upstreams: a sample of the table that mirrors are held against. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processClock as clock } from '../../../src/process/clock.ts'
import { checkUpstream } from '../../../src/sources/attached/check/upstream-check.ts'
import { captureWorld, CapturedUpstream } from './captured-upstream.ts'
import { envelopeCases } from './cases/envelope.ts'
import { recordCases } from './cases/records.ts'
import { transportCases } from './cases/transport.ts'

const every = 9
const timeoutMs = 60_000
/** Where nothing arrives. */
const silentMs = 3_000
/** Requests for history have a limit of their own, and a machine may be busy. */
const boundMs = 90_000

let upstream: CapturedUpstream
beforeAll(async () => {
  upstream = await CapturedUpstream.start(await captureWorld())
})
afterAll(() => upstream.close())

const check = (limitMs = timeoutMs) =>
  checkUpstream({ origin: new URL(upstream.origin), clock, signal: AbortSignal.timeout(limitMs) })

test('an upstream that behaves conforms in every route', async () => {
  const { routes, refusedFor } = await check()
  expect(refusedFor).toBe(null)
  expect(routes.filter(({ problem, fields }) => problem !== null || fields.length > 0)).toEqual([])
  expect(routes).toHaveLength(20)
})

test('where nothing answers, the reason is given once', async () => {
  const origin = new URL('http://127.0.0.1:9')
  const { routes, refusedFor } = await checkUpstream({
    origin,
    clock,
    signal: AbortSignal.timeout(timeoutMs),
  })
  expect(refusedFor).toMatch(/did not arrive: connection refused, as nothing listens there\.$/)
  expect(routes).toMatchObject([{ path: '/health', problem: refusedFor, fields: [] }])
})

test('a field is told with the number of records that lack it', async () => {
  upstream.filter = (reply) => ({ ...reply, body: reply.body.replaceAll('"inlet_celsius":', '"inlet":') })
  const { routes } = await check()
  const { fields } = routes.find(({ path }) => path === '/api/v1/azs')!
  expect(fields).toContainEqual(
    expect.objectContaining({ field: 'racks[].inlet_celsius', got: 'nothing', expected: 'a finite number' }),
  )
  upstream.filter = (reply) => reply
})

const cases = [...transportCases, ...envelopeCases, ...recordCases].filter((_, index) => index % every === 0)
test.each(cases.map((one) => [one.name, one] as const))('an upstream that %s', async (_, { send, seen }) => {
  const beganMs = performance.now()
  upstream.filter = send
  const isSilent = seen.is === 'refused' && seen.as.length === 0
  const { routes, refusedFor } = await check(isSilent ? silentMs : timeoutMs)
  upstream.filter = (reply) => reply
  expect(performance.now() - beganMs).toBeLessThan(boundMs)
  const isMirrored = refusedFor === null
  const isTold = !isMirrored || routes.some(({ problem }) => problem !== null)
  // Of some, timing decides.
  const asMirrors = {
    refused: isTold,
    without: isTold,
    served: isMirrored,
    unaffected: isMirrored,
    survived: true,
  }
  expect([refusedFor, asMirrors[seen.is]]).toEqual([refusedFor, true])
  for (const { fields } of routes) expect(fields.length).toBeLessThanOrEqual(1_000)
})
