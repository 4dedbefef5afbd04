/** Failures between a mirror and its upstream: no wrong content is served, and the mirror recovers soon. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SeededRandom } from '../../fixtures/seeded-random.ts'
import { faults } from './faults.ts'
import { FakeUpstream } from './fake-upstream.ts'
import { eventsPerPublish, numberedPublish } from './numbered-publish.ts'
import { attach, healthOf, textOf, waitForHealth } from './attached-mirror.ts'
import type { Attached } from './attached-mirror.ts'
import { promptlyMs } from '../../fixtures/promptly.ts'

/** The total duration of all faults; DCSIM_TEST_FAULT_SECONDS overrides it. */
const faultsForMs = Number(process.env['DCSIM_TEST_FAULT_SECONDS'] ?? 6) * 1000
const cadenceMs = 500
const names = Object.keys(faults)
/** The maximum distance in publishes between the collections of one frame. */
const neighbors = 1
const chance = new SeededRandom(20261121)

let server: FakeUpstream
let attached: Attached
let life = 1
let seq = 1
const over = new AbortController()
const wrong: string[] = []
/** The observations of a client of events: reported gaps, and the last event of the current run. */
const seen = { events: 0, gaps: 0, lives: new Set<string>() }

function goOn(): void {
  seq++
  server.publish = numberedPublish(seq, life)
}

/** Reads pages repeatedly, and records contradictions. */
async function readPages(): Promise<void> {
  while (!over.signal.aborted) {
    const response = await fetch(`${attached.origin}/api/v1/hosts?limit=1000`)
    const body = await response.text()
    const marks = new Set([...body.matchAll(/"label":"([\d.]+)"/g)].map(([, mark]) => mark))
    const time = /"sim_time_ns":(\d+)/.exec(body)?.[1]
    if (response.status !== 200) wrong.push(`status ${response.status}`)
    if (marks.size !== 1) wrong.push(`hosts of ${[...marks].join(' and ')}`)
    // If a server publishes faster than it can be read, the collections are from neighboring publishes.
    const behind = Number(time) / 1e9 - Number([...marks][0]?.split('.')[1])
    if (!(behind >= 0 && behind <= neighbors)) wrong.push(`hosts of ${[...marks][0]} at ${time}`)
    await pause(60)
  }
}

interface Events {
  readonly items: readonly { readonly msg_key: string; readonly at_ns: number }[]
  readonly next_since_ns: number
  readonly possible_gap: boolean
}

/** Follows the events by their cursor, and records lost, duplicated or unordered ones without a reported gap. */
async function readEvents(): Promise<void> {
  let cursor = 0
  let last: string | null = null
  while (!over.signal.aborted) {
    const page = JSON.parse(
      await textOf(attached.origin, `/api/v1/events?limit=1000&since_ns=${cursor}`),
    ) as Events
    for (const { msg_key: key } of page.items) {
      const [itsLife, number] = key.split('.').map(Number)
      const [lastLife, lastNumber] = (last ?? '0.-1').split('.').map(Number)
      const follows = itsLife === lastLife ? number === lastNumber + 1 : lastLife === 0 || cursor === 0
      if (!follows && !(page.possible_gap && number > lastNumber)) wrong.push(`event ${key} behind ${last}`)
      if (page.possible_gap) seen.gaps++
      seen.lives.add(String(itsLife))
      seen.events++
      last = key
    }
    cursor = page.next_since_ns
    // A client that sees time go back starts over, too.
    const { sim_time_ns: now } = JSON.parse(await textOf(attached.origin, '/api/v1/quests')).meta as {
      sim_time_ns: number
    }
    const newest = last === null ? 0 : Number(last.split('.')[1])
    if (now / 1e9 < newest / eventsPerPublish - 1) {
      cursor = 0
      last = null
    }
    await pause(100)
  }
}

let readers: Promise<unknown>
let world: NodeJS.Timeout

beforeAll(async () => {
  server = await FakeUpstream.start(numberedPublish(seq, life))
  attached = await attach(server.origin, { cadenceMs })
  world = setInterval(goOn, cadenceMs)
  await waitForHealth(attached.origin, ({ status }) => status === 'ok')
  readers = Promise.all([readPages(), readEvents()])
})

afterAll(async () => {
  over.abort()
  clearInterval(world)
  await readers
  await attached.mirror.close()
  await server.close()
})

/** The time until the mirror shows a publish that is newer than now. */
async function recoveryMs(): Promise<number> {
  const beganMs = performance.now()
  const sinceSeq = seq
  await waitForHealth(attached.origin, ({ status }, text) => {
    const shown = Number(/"sim_time_ns":(\d+)/.exec(text)?.[1] ?? 0) / 1e9
    return status === 'ok' && shown > sinceSeq
  })
  return performance.now() - beganMs
}

test.each(names)('%s', async (name) => {
  server.filter = faults[name](() => chance.next())
  // Long enough for at least one request of the mirror.
  await pause(Math.max(1.6 * cadenceMs, faultsForMs / names.length))
  const during = await healthOf(attached.origin)
  server.filter = (reply) => reply
  expect(await recoveryMs()).toBeLessThan(promptlyMs)
  expect(during.status === 'ok' ? '' : during.reason).toMatch(/^$|^The |^A record of /)
  expect(wrong).toEqual([])
})

test('a restart with a smaller publish_seq starts over', async () => {
  life++
  seq = 0
  goOn()
  const beganMs = performance.now()
  const firstHost = (): Promise<string> => textOf(attached.origin, '/api/v1/hosts?limit=1')
  await expect.poll(firstHost, { timeout: 10_000, interval: 20 }).toMatch(/"label":"2\./)
  expect(performance.now() - beganMs).toBeLessThan(promptlyMs)
  await pause(3 * cadenceMs)
  expect(wrong).toEqual([])
  expect([...seen.lives]).toEqual(['1', '2'])
})

test('an interruption longer than the window of events is reported as a gap', async () => {
  const before = seen.gaps
  server.filter = (reply) => ({ ...reply, status: 500, body: '' })
  await pause(cadenceMs)
  for (let publish = 0; publish < 60; publish++) goOn()
  server.filter = (reply) => reply
  await recoveryMs()
  await pause(3 * cadenceMs)
  expect(seen.gaps).toBeGreaterThan(before)
  expect(wrong).toEqual([])
})

test('so it is where the upstream fails when it is asked for one', async () => {
  const before = seen.gaps
  for (let publish = 0; publish < 60; publish++) goOn()
  server.filter = (reply, { url = '' }) =>
    url.includes('since_ns') ? { ...reply, status: 503, body: '' } : reply
  await pause(3 * cadenceMs)
  server.filter = (reply) => reply
  await recoveryMs()
  expect(seen.gaps).toBeGreaterThan(before)
  expect(wrong).toEqual([])
})

test('each kind of fault was counted by its reason', async () => {
  const metrics = await textOf(attached.origin, '/metrics?name[]=dcsim_mirror_source_errors_total')
  const counted = new Map(
    [...metrics.matchAll(/reason="(\w+)"\} (\d+)/g)].map(([, reason, count]) => [reason, Number(count)]),
  )
  const expected = ['cut_off', 'bad_status', 'not_json', 'bad_record', 'too_big']
  expect(expected.filter((reason) => counted.get(reason) === 0)).toEqual([])
})
