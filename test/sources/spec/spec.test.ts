/** Mirrors of upstreams that serve what the specification lists, or less, each in its own reading of its gaps. */
import { beforeAll, describe, expect, test } from 'vitest'
import { processClock as clock } from '../../../src/process/clock.ts'
import { checkUpstream } from '../../../src/sources/attached/check/upstream-check.ts'
import { attach } from '../attached/attached-mirror.ts'
import { FakeUpstream } from '../attached/fake-upstream.ts'
import { readings } from './readings.ts'
import { withoutRoutes } from './missing-routes.ts'
import { filterOf } from './spec-case.ts'
import type { SpecCase } from './spec-case.ts'
import { checkRecords } from './checks.ts'
import { cadenceMs, publishesUntilReady, shownOf } from './mirrors.ts'
import { publishOf, worldWithEveryCollection } from './plain-world.ts'
import { checkTables, familiesAt, familyFailures, untrueSamples } from './shown.ts'
import type { Shown } from './shown.ts'
import { SpecUpstream } from './spec-upstream.ts'

const publishesMax = 2

const original = worldWithEveryCollection()
let truth: Shown

beforeAll(async () => {
  truth = await shownOf(original)
})

/** The failures of a mirror of an upstream. */
async function failuresOf(given: SpecCase): Promise<string[]> {
  const { world: form = (world) => world, unknown: parts = [], isOtherWorld = false } = given
  const served = form(original)
  const unknown = new Set(parts)
  const whole = isOtherWorld ? await shownOf(served) : truth
  const upstream = await SpecUpstream.start(served, filterOf(given))
  const attached = await attach(upstream.origin, { cadenceMs })
  try {
    if ((await publishesUntilReady(upstream, attached, publishesMax)) === null)
      return [`not ready after ${publishesMax} publishes: ${attached.mirror.status.reason}`]
    const failures = await checkRecords(attached.origin, served, unknown)
    const families = await familiesAt(attached.origin)
    failures.push(...familyFailures(families, whole, unknown, given))
    failures.push(...untrueSamples(families, whole, given))
    failures.push(...(await checkTables(attached.origin, whole, unknown, given)))
    return failures
  } finally {
    await attached.mirror.close()
    await upstream.close()
  }
}

test('a check finds nothing wrong with a whole upstream', async () => {
  const upstream = await FakeUpstream.start(publishOf(original, 1))
  upstream.filter = (reply) => ({ ...reply, body: reply.body.replace('"status":"up"', '"status":"ok"') })
  const origin = new URL(upstream.origin)
  const { routes, refusedFor } = await checkUpstream({ origin, clock, signal: AbortSignal.timeout(60_000) })
  await upstream.close()
  expect(refusedFor).toBe(null)
  expect(routes.filter(({ fields }) => fields.length > 0)).toEqual([])
  expect(routes.flatMap(({ problem }) => problem ?? [])).toEqual(['It has no history.'])
})

test('a check of one that never answers ends within its time', async () => {
  const upstream = await FakeUpstream.start(publishOf(original, 1))
  upstream.filter = () => null
  const origin = new URL(upstream.origin)
  const { routes, refusedFor } = await checkUpstream({ origin, clock, signal: AbortSignal.timeout(300) })
  await upstream.close()
  expect(refusedFor).toBe('The time for the check is over.')
  expect(routes.filter(({ problem }) => problem === null)).toEqual([])
  expect(routes[0]).toMatchObject({ path: '/health', fields: [] })
})

const named = (cases: readonly SpecCase[]) => cases.map((one) => [one.name, one] as const)

describe('a reading of the specification', () => {
  test.each(named(readings))('%s', async (_, given) => {
    expect(await failuresOf(given)).toEqual([])
  })
})

describe('a route that is not there', () => {
  test.each(named(withoutRoutes))('%s', async (_, given) => {
    expect(await failuresOf(given)).toEqual([])
  })
})
