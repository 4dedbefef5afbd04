/** Reads mirrors for a long time in all ways at once: `npm run node test/soak/main.ts -- --minutes 60 --rate 1000`, or `--hour`. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Failures } from '../fixtures/failures.ts'
import { programOptions, randomSeed } from '../fixtures/program-options.ts'
import type { Load, LoadReport } from './load-thread.ts'
import type { ReadMirrors } from './read-mirrors.ts'

const options = programOptions(
  {
    script: 'node test/soak/main.ts',
    purpose:
      'Reads a mirror that it starts in every way at once, also as Prometheus and Grafana do, and checks answers, ' +
      'times, memory and descriptors all the while.',
    meanings: {
      minutes: 'how long',
      rate: 'requests a second',
      scale: 'size of the world: small, medium, large or a number of hosts',
      seed: 'what is asked follows from it',
      scenario: 'what happens in the world',
      sessions: 'how many sessions, at one front; the last of several is attached to a mirror of its own',
    },
    flags: {
      hour: {
        meaning: 'an hour at scale large, with 3 sessions and 50 requests a second',
        defaults: { minutes: 60, scale: 'large', sessions: 3, rate: 50 },
      },
    },
  },
  {
    minutes: 10,
    rate: 200,
    scale: 'medium',
    seed: randomSeed(),
    scenario: 'ddos-friday',
    sessions: 1,
  },
)
// Imported only now: wrong arguments are refused at once.
const { dashboardTargets } = await import('./grafana.ts')
const { inSession, startMirrors } = await import('./read-mirrors.ts')

const scrapeEveryMs = 5_000
/** Dashboards are read in turn. */
const refreshEveryMs = 5_000
const memoryEveryMs = 1_000
/** Maximum growth of resident memory from the second fifth of the run to the last. */
const growthMaxRatio = 1.15
const growthMaxMb = 64
/** In shorter runs the memory has not settled: only an absolute limit applies. */
const settledAfterMinutes = 5
/** Of each session. */
const residentMaxMb = 1_024
/** Connections between processes that rest, and files that are just being written. */
const descriptorsMore = 40
const descriptorsWithinMs = 90_000

const failures = new Failures()
const residentMb: number[] = []
let scrapes = 0
let refreshes = 0
let worstP99Ms = 0

/** The sum of a family's samples. Blanks pad a value that was wider before. */
const sumOf = (text: string, family: string): number =>
  [...text.matchAll(new RegExp(`^${family}(?:\\{[^\\n]*)? +(\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )

async function scrape(origin: string, session: string): Promise<void> {
  const headers = { 'accept-encoding': 'gzip' }
  const response = await fetch(`${origin}${inSession('/metrics', session)}`, { headers })
  const text = await response.text()
  scrapes++
  if (response.status !== 200) failures.add(`a scrape had status ${response.status}`)
  if (!text.endsWith('\n')) failures.add('torn: a scrape does not end with a whole line')
  const online = [...text.matchAll(/^dcsim_host_online\{[^\n]* ([01])$/gm)]
  const declared = ['dcsim_hosts', 'dcsim_hosts_online'].map((name) => sumOf(text, name))
  const counted = [online.length, online.filter(([, value]) => value === '1').length]
  if (String(counted) !== String(declared)) {
    failures.add(
      `torn: hosts and hosts online are ${declared.join(', ')} in a scrape that lists ${counted.join(', ')}`,
    )
  }
}

/** Asks the mirror as Grafana does when it refreshes a dashboard. */
async function refresh(origin: string, session: string): Promise<void> {
  const targets = dashboardTargets(session, refreshes++)
  const responses = targets.map(async (target) => {
    const response = await fetch(`${origin}${target}`)
    await response.arrayBuffer()
    if (response.status !== 200) failures.add(`a dashboard got status ${response.status} of ${target}`)
  })
  await Promise.all(responses)
}

/** Calls repeatedly, at most once in `everyMs`, until the run is over. */
async function repeat(everyMs: number, signal: AbortSignal, call: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const beganMs = performance.now()
    await call().catch((error: unknown) => failures.add(String(error)))
    await pause(Math.max(1, everyMs - (performance.now() - beganMs)), undefined, { signal }).catch(() => {})
  }
}

const megabytes = (values: readonly number[]): string =>
  values.length === 0 ? '-' : `${Math.round(Math.min(...values))}–${Math.round(Math.max(...values))}`

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function checkMemory(): void {
  const highest = Math.max(...residentMb)
  if (highest > residentMaxMb * options.sessions)
    failures.add(`the resident memory reached ${Math.round(highest)} MB`)
  if (options.minutes < settledAfterMinutes) return
  const fifth = Math.floor(residentMb.length / 5)
  const [early, late] = [median(residentMb.slice(fifth, 2 * fifth)), median(residentMb.slice(-fifth))]
  if (late > early * growthMaxRatio && late > early + growthMaxMb) {
    failures.add(`the resident memory grew from ${Math.round(early)} to ${Math.round(late)} MB`)
  }
}

async function reportLoad(load: Worker): Promise<LoadReport> {
  load.postMessage('report')
  const [report] = (await once(load, 'message')) as [LoadReport]
  for (const failure of report.failures) failures.add(failure)
  worstP99Ms = Math.max(worstP99Ms, report.p99Ms)
  return report
}

function progressLine(minute: number, report: LoadReport): string {
  const ms = (value: number): string => value.toFixed(1)
  const { requests, p50Ms, p99Ms, p999Ms, maxMs, compared } = report
  return [
    `${minute.toFixed(1)} min: ${requests} requests`,
    `p50 ${ms(p50Ms)} p99 ${ms(p99Ms)} p999 ${ms(p999Ms)} max ${ms(maxMs)} ms`,
    `${megabytes(residentMb.slice(-60))} MB`,
    `${compared} bodies compared, ${scrapes} scrapes, ${refreshes} dashboards`,
    `${failures.total} failures`,
  ].join(', ')
}

/** Whether connections that ended gave their descriptors back. */
async function checkDescriptors({ mirror }: ReadMirrors, before: number): Promise<number> {
  const untilMs = performance.now() + descriptorsWithinMs
  for (;;) {
    const now = await mirror.descriptors()
    if (now <= before + descriptorsMore) return now
    if (performance.now() > untilMs) {
      failures.add(`${now} descriptors are open after all clients ended, ${before} before`)
      return now
    }
    await pause(1_000)
  }
}

/** Everything that is repeated while the load lasts. */
function startLoops({ mirror, sessions }: ReadMirrors, signal: AbortSignal): Promise<void>[] {
  const { origin } = mirror
  const forEach = (everyMs: number, call: (origin: string, session: string) => Promise<void>) =>
    sessions.map((session) => repeat(everyMs, signal, () => call(origin, session)))
  return [
    ...forEach(scrapeEveryMs, scrape),
    ...forEach(refreshEveryMs, refresh),
    repeat(memoryEveryMs, signal, async () => void residentMb.push(await mirror.residentMb())),
  ]
}

async function run(): Promise<void> {
  const { minutes, rate, scale, seed, scenario, sessions: count } = options
  const size = `scale ${scale}, scenario ${scenario}, sessions ${count}, seed ${seed}`
  console.log(`${minutes} min at ${rate} requests/s, ${size}`)
  const mirrors = await startMirrors(count, { scale, scenario })
  const { mirror, sessions } = mirrors
  const descriptors = await mirror.descriptors()
  const over = new AbortController()
  const workerData: Load = { port: mirror.port, sessions, ratePerSecond: rate, seed }
  const load = new Worker(new URL('load-thread.ts', import.meta.url), { workerData })
  load.on('error', (error) => failures.add(`the load ended: ${String(error)}`))
  const loops = startLoops(mirrors, over.signal)
  const beganMs = performance.now()
  const elapsedMinutes = (): number => (performance.now() - beganMs) / 60_000
  while (elapsedMinutes() < minutes && mirror.isRunning) {
    await pause(Math.min(60_000, (minutes - elapsedMinutes()) * 60_000))
    console.log(progressLine(elapsedMinutes(), await reportLoad(load)))
  }
  over.abort()
  await Promise.all(loops)
  load.postMessage('stop')
  if (!mirror.isRunning) failures.add(`the mirror ended:\n${mirror.log.slice(-2000)}`)
  else
    console.log(`descriptors: ${descriptors} before, ${await checkDescriptors(mirrors, descriptors)} after`)
  await mirrors.stop()
  checkMemory()
  const counts = `${scrapes} scrapes, ${refreshes} dashboards`
  failures.conclude(`${minutes} min, p99 ${worstP99Ms.toFixed(1)} ms in the worst minute, ${counts}`)
}

await run()
