/** Parts of an upstream that go, come back, or appear while a mirror runs. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attach } from '../attached/attached-mirror.ts'
import type { Attached } from '../attached/attached-mirror.ts'
import { absences } from './missing-routes.ts'
import { checkRecords } from './checks.ts'
import { comesTrue, publishesUntilReady } from './mirrors.ts'
import { withRecords, worldWithEveryCollection } from './plain-world.ts'
import type { PlainWorld } from './plain-world.ts'
import { isOf, listedParts, SpecUpstream, targetOf } from './spec-upstream.ts'
import type { Part } from './spec-upstream.ts'

const cadenceMs = 200
/** A minute with the cadence of a second. */
const keptMs = 60 * cadenceMs
const withinMs = 60_000

/** Patch panels are lost with the cables that name them. */
const kept: ReadonlySet<Part> = new Set(['customers', 'health', 'patchPanels'])
const lost: ReadonlySet<Part> = new Set([...listedParts.filter((part) => !kept.has(part)), 'patchPanels'])

const original = worldWithEveryCollection()
const renamed = (world: PlainWorld, suffix: string): PlainWorld =>
  withRecords(world, ['customers', 'hosts', 'quests'], (record) => ({
    ...record,
    ...('name' in record ? { name: `${String(record['name'])} ${suffix}` } : { label: suffix }),
  }))
/** Only the customers, which are still served, differ. */
const whileLost = {
  ...original,
  collections: { ...original.collections, customers: renamed(original, 'Ltd').collections.customers },
}
const afterwards = renamed(original, 'Inc')

let upstream: SpecUpstream
let attached: Attached
let publishing: NodeJS.Timeout
beforeEach(async () => {
  upstream = await SpecUpstream.start(original)
  publishing = setInterval(() => upstream.publish(), cadenceMs)
})
afterEach(async () => {
  clearInterval(publishing)
  await attached.mirror.close()
  await upstream.close()
})

type Answer = (typeof absences)[keyof typeof absences]

const lose = (answer: Answer): void => {
  upstream.filter = (reply, request) =>
    [...kept].some((part) => isOf(part, targetOf(request))) ? reply : answer(reply)
}
/** The failures of the records that remain when the time is over. */
async function failuresAfter(ms: number, world: PlainWorld, unknown: ReadonlySet<Part>): Promise<string[]> {
  let failures: string[] = []
  await comesTrue(async () => {
    failures = await checkRecords(attached.origin, world, unknown)
    return failures.length === 0
  }, ms)
  return failures
}

const answers = (['status 404', 'status 500', 'HTML'] as const).map((how) => [how, absences[how]] as const)

describe.each(answers)('with %s', (_, answer) => {
  test('what is lost keeps its last state for a minute, is then unknown, and comes back', async () => {
    attached = await attach(upstream.origin, { cadenceMs })
    expect(await publishesUntilReady(upstream, attached, 2)).not.toBe(null)
    lose(answer)
    const lostAtMs = performance.now()
    upstream.publish(whileLost)
    expect(await failuresAfter((keptMs * 2) / 3, whileLost, new Set())).toEqual([])
    expect(await failuresAfter(withinMs, whileLost, lost)).toEqual([])
    expect(performance.now() - lostAtMs).toBeGreaterThan(keptMs - 2 * cadenceMs)
    upstream.filter = (reply) => reply
    upstream.publish(afterwards)
    expect(await failuresAfter(withinMs, afterwards, new Set())).toEqual([])
  })

  test('what appears later is taken up', async () => {
    lose(answer)
    attached = await attach(upstream.origin, { cadenceMs })
    expect(await publishesUntilReady(upstream, attached, 2)).not.toBe(null)
    expect(await checkRecords(attached.origin, original, lost)).toEqual([])
    upstream.filter = (reply) => reply
    upstream.publish(afterwards)
    expect(await failuresAfter(withinMs, afterwards, new Set())).toEqual([])
  })
})
