/**
 * All known misbehaviors of an upstream, with a real mirror. A few mirrors share the table; each case ends with a
 * well-behaved upstream and a recovered mirror.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../../src/contract/routes.ts'
import { partPaths } from '../../../src/sources/attached/publish-pieces.ts'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { isNight } from '../../fixtures/seeds.ts'
import { captureWorld, CapturedUpstream } from './captured-upstream.ts'
import type { CapturedWorld } from './captured-upstream.ts'
import { envelopeCases } from './cases/envelope.ts'
import { historyCases } from './cases/history.ts'
import { recordCases } from './cases/records.ts'
import { transportCases } from './cases/transport.ts'
import { checkAnswers, checkKept, crashes, readHealth } from './mirror-checks.ts'
import type { Misbehavior, Outcome } from './misbehavior.ts'

const laneCount = 4
const allCases = [...transportCases, ...envelopeCases, ...recordCases, ...historyCases]
/** Every eighth of them, except by night. */
const cases = allCases.filter((_, index) => isNight || index % 8 === 0)
const noticedWithinMs = 30_000
/** Metrics may lag behind /health, and history is requested when a client does. */
const countedWithinMs = 10_000
/** The minimum duration of a misbehavior that may go unnoticed. */
const exposedMs = 400
/** A request that hung has to time out first. */
const recoveryMaxMs = 15_000
const growthMaxMb = 512
const listPaths = Object.values(partPaths)

interface Lane {
  readonly upstream: CapturedUpstream
  readonly mirror: MirrorProcess
}

let world: CapturedWorld
const free: Lane[] = []
const waiting: ((lane: Lane) => void)[] = []
const residentMb: number[] = []

async function startLane(): Promise<Lane> {
  const upstream = await CapturedUpstream.start(world)
  const mirror = await MirrorProcess.start(['--source', upstream.origin, '--cadence-ms', '100'])
  return { upstream, mirror }
}

async function stopLane({ upstream, mirror }: Lane): Promise<void> {
  await mirror.stop()
  await upstream.close()
}

const takeLane = (): Promise<Lane> =>
  new Promise((resolve) => {
    const lane = free.pop()
    if (lane === undefined) waiting.push(resolve)
    else resolve(lane)
  })

function giveLane(lane: Lane): void {
  const next = waiting.shift()
  if (next === undefined) free.push(lane)
  else next(lane)
}

async function until(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const beganMs = performance.now()
  while (performance.now() - beganMs < withinMs) {
    if (await isSo()) return true
    await pause(20)
  }
  return false
}

const described = async (mirror: MirrorProcess): Promise<string> => {
  const { status, reason, simTimeNs } = await readHealth(mirror)
  return `${status} at ${simTimeNs}${reason === '' ? '' : `: ${reason}`}`
}

/** The counts of the given faults. */
const countFaults = (mirror: MirrorProcess, faults: readonly string[]): Promise<number[]> =>
  Promise.all(faults.map((fault) => mirror.metric('dcsim_mirror_source_errors_total', `reason="${fault}"`)))

/** It may be over before the next read of /health: the count stays. */
async function observeWithout(
  lane: Lane,
  as: readonly string[],
  before: readonly number[],
): Promise<string[]> {
  const { mirror } = lane
  const isCounted = async (): Promise<boolean> => {
    const counts = await countFaults(mirror, as)
    return counts.some((count, index) => count > before[index])
  }
  if (!(await until(isCounted, noticedWithinMs)))
    return [`no ${as.join(' or ')} was counted: ${await described(mirror)}`]
  return observe(lane, { is: 'unaffected' })
}

async function observeRefusal(
  { mirror }: Lane,
  as: readonly string[],
  before: readonly number[],
): Promise<string[]> {
  const isStale = await until(async () => (await readHealth(mirror)).status === 'stale', noticedWithinMs)
  if (!isStale) return [`expected stale, but it is ${await described(mirror)}`]
  const failures: string[] = []
  if ((await readHealth(mirror)).reason === '') failures.push('it is stale without a reason')
  const isCounted = async (): Promise<boolean> => {
    const counts = await countFaults(mirror, as)
    return counts.some((count, index) => count > before[index])
  }
  if (as.length > 0 && !(await until(isCounted, countedWithinMs)))
    failures.push(`no ${as.join(' or ')} was counted: ${await described(mirror)}`)
  return [...failures, ...(await checkKept(mirror, world))]
}

/** Waits until the mirror has shown the expected outcome. */
async function observe(lane: Lane, seen: Outcome): Promise<string[]> {
  const { upstream, mirror } = lane
  if (seen.is === 'survived') {
    await pause(exposedMs)
    return []
  }
  const since = upstream.simTimeNs
  const isPublished = await until(async () => {
    const { status, simTimeNs } = await readHealth(mirror)
    return status === 'ok' && simTimeNs > since
  }, noticedWithinMs)
  if (!isPublished) return [`nothing was published: ${await described(mirror)}`]
  if (seen.is !== 'served' || seen.target === undefined)
    return seen.is === 'served' ? [] : checkKept(mirror, world)
  const { target, holds = '' } = seen
  const isHeld = await until(
    async () =>
      (await mirror.text(target === routes.diagnostics.path ? target : `${target}?limit=1000`)).includes(
        holds,
      ),
    noticedWithinMs,
  )
  return isHeld ? [] : [`${target} does not hold ${holds}`]
}

function observed(lane: Lane, seen: Outcome, before: readonly number[]): Promise<string[]> {
  if (seen.is === 'refused') return observeRefusal(lane, seen.as, before)
  return seen.is === 'without' ? observeWithout(lane, seen.as, before) : observe(lane, seen)
}

async function recover({ upstream, mirror }: Lane): Promise<string[]> {
  upstream.filter = (reply) => reply
  upstream.read.clear()
  const since = upstream.simTimeNs
  let failures = ['nothing was published']
  // A list that could not be read comes back later than the rest, which its last state does not show.
  const isWhole = await until(async () => {
    const unread = listPaths.filter((path) => !upstream.read.has(path))
    if (unread.length > 0) failures = unread.map((path) => `${path} was not read again`)
    if (unread.length > 0) return false
    const { status, simTimeNs } = await readHealth(mirror)
    if (status !== 'ok' || simTimeNs <= since || simTimeNs > upstream.simTimeNs) return false
    failures = await checkKept(mirror, world)
    return failures.length === 0
  }, recoveryMaxMs)
  return isWhole
    ? []
    : [`not whole within ${recoveryMaxMs} ms: ${await described(mirror)}: ${failures.join('\n')}`]
}

/** The failures of a mirror in one case. */
async function tryCase(lane: Lane, { send, seen }: Misbehavior): Promise<string[]> {
  const { upstream, mirror } = lane
  const crashed = await crashes(mirror)
  const before = 'as' in seen ? await countFaults(mirror, seen.as) : []
  let hits = 0
  upstream.filter = async (reply, request, response) => {
    const sent = await send(reply, request, response)
    if (sent?.body !== reply.body || sent.status !== reply.status || sent.headers !== reply.headers) hits++
    return sent
  }
  const failures = await observed(lane, seen, before)
  // History is requested when a client does: it may take a second check until the upstream gets the request.
  await until(async () => {
    failures.push(...(await checkAnswers(mirror)))
    return hits > 0 || failures.length > 0
  }, countedWithinMs)
  if (!mirror.isRunning) return failures
  failures.push(...(await recover(lane)))
  if ((await crashes(mirror)) > crashed)
    failures.push(`the world's thread broke down:\n${mirror.log.slice(-500)}`)
  return hits === 0 ? [...failures, 'the upstream never misbehaved'] : failures
}

beforeAll(async () => {
  world = await captureWorld()
  for (const lane of await Promise.all(Array.from({ length: laneCount }, startLane))) giveLane(lane)
}, 120_000)

afterAll(async () => {
  await Promise.all(free.map(stopLane))
})

test('the table has at least 150 cases, each of its own name', () => {
  expect(allCases.length).toBeGreaterThanOrEqual(150)
  expect(new Set(allCases.map(({ name }) => name)).size).toBe(allCases.length)
})

test.concurrent.each(cases)('$name', { timeout: 300_000 }, async (misbehavior) => {
  const lane = await takeLane()
  const failures = await tryCase(lane, misbehavior).catch((error: unknown) => [String(error)])
  if (lane.mirror.isRunning) residentMb.push(await lane.mirror.residentMb().catch(() => 0))
  // A mirror that failed may be in a state that is unsuitable for later cases.
  if (failures.length === 0) giveLane(lane)
  else {
    await stopLane(lane)
    giveLane(await startLane())
  }
  expect(failures).toEqual([])
})

test('memory is given back', { timeout: 120_000 }, async () => {
  const lanes = await Promise.all(Array.from({ length: laneCount }, takeLane))
  const isBack = await until(async () => {
    const now = await Promise.all(lanes.map(({ mirror }) => mirror.residentMb()))
    return Math.max(...now) < growthMaxMb
  }, 20_000)
  for (const lane of lanes) giveLane(lane)
  expect(isBack, `at most ${Math.round(Math.max(...residentMb))} MB were resident`).toBe(true)
})
