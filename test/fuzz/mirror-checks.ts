/** Invariants of a mirror with any upstream. */
import { spawnSync } from 'node:child_process'
import { collectionNames } from '../../src/contract/collections.ts'
import { routes } from '../../src/contract/routes.ts'
import type { Route } from '../../src/contract/routes.ts'
import { tables } from '../../src/tables/catalog.ts'
import { pictureNames } from '../../src/tables/drawings/pictures.ts'
import type { MirrorProcess } from '../fixtures/mirror-process.ts'
import { hasTool } from '../fixtures/tools.ts'
import { withoutMeta } from '../sources/attached/attached-mirror.ts'
import { seriesTarget } from './captured-upstream.ts'
import type { CapturedWorld } from './captured-upstream.ts'

/** Routes whose responses are not JSON, or are one record. */
const otherKinds: ReadonlySet<string> = new Set([
  'detail',
  'landing',
  'metrics',
  'llms',
  'probe',
  'runbook',
  'picture',
])

const targets = [
  ...(Object.values(routes) as Route[])
    .filter(({ answer, path }) => !otherKinds.has(answer.kind) && path !== routes.metricSeries.path)
    .map(({ path }) => path.replace('{table}', 'hosts')),
  seriesTarget,
  '/api/v1/hosts/1',
]
/** Responses that depend on the world only, and are unchanged while the upstream's publishes are refused. */
const worldTargets = [
  ...collectionNames.map((name) => pathOf(name)),
  routes.diagnostics.path,
  routes.events.path,
]
const ageMaxMs = 400 * 86_400_000
const int64Max = 2n ** 63n - 1n
const requestTimeoutMs = 60_000

function pathOf(name: string): string {
  const found = (Object.values(routes) as Route[]).find(
    ({ answer }) => answer.kind === 'page' && answer.collection === name,
  )
  return found!.path
}

async function get(mirror: MirrorProcess, target: string): Promise<Response> {
  return fetch(`${mirror.origin}${target}`, { signal: AbortSignal.timeout(requestTimeoutMs) })
}

/** Statuses that a route may have while the upstream misbehaves: history is requested on behalf of clients. */
const isAllowed = (target: string, status: number): boolean =>
  status === 200 ||
  (target.startsWith('/api/v1/metrics/') && [404, 502, 503, 504].includes(status)) ||
  (target === '/api/v1/hosts/1' && status === 404)

/** A non-negative integer up to a maximum, in decimal digits. */
function isCount(text: string | undefined, max: bigint): boolean {
  return text !== undefined && /^\d{1,19}$/.test(text) && BigInt(text) <= max
}

async function checkJson(mirror: MirrorProcess, target: string): Promise<string[]> {
  const response = await get(mirror, target)
  const body = await response.text()
  const failures: string[] = []
  if (!isAllowed(target, response.status)) failures.push(`${target} has status ${response.status}`)
  try {
    JSON.parse(body)
  } catch (error) {
    failures.push(`${target} is no JSON: ${String(error)}: ${body.slice(0, 120)}`)
  }
  const age = response.headers.get('x-sim-age-ms') ?? undefined
  const seq = response.headers.get('x-sim-publish-seq') ?? undefined
  if (!isCount(age, BigInt(ageMaxMs))) failures.push(`${target} has the header X-Sim-Age-Ms: ${age}`)
  if (!isCount(seq, int64Max)) failures.push(`${target} has the header X-Sim-Publish-Seq: ${seq}`)
  // Neither the description nor tables and pictures have a `meta`.
  const bare = [routes.openapi.path, routes.tables.path, routes.pictures.path]
  const hasMeta = !bare.some((path) => target.startsWith(path))
  if (response.status !== 200 || !hasMeta) return failures
  const [, bodyAge, time] = /"age_ms":([^,}]*),"publish_seq":\d+(?:,"sim_time_ns":([^,}]*))?/.exec(body) ?? []
  if (!isCount(bodyAge, BigInt(ageMaxMs))) failures.push(`${target} says age_ms ${bodyAge}`)
  if (time !== undefined && !isCount(time, int64Max)) failures.push(`${target} says sim_time_ns ${time}`)
  return failures
}

const hasPromtool = hasTool('promtool')

/** Shapes of expositions that promtool has checked: those that differ in numbers only are checked once. */
const acceptedShapes = new Set<string>()

const sampleLine =
  /^[a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? +(?:[+-]?(?:[\d.]+(?:e[+-]?\d+)?|Inf)|NaN)$/

function checkExposition(text: string): string[] {
  const failures: string[] = []
  const lines = text.split('\n')
  const bad = lines.find((line) => line !== '' && !line.startsWith('# ') && !sampleLine.test(line))
  if (bad !== undefined) failures.push(`/metrics has the line ${JSON.stringify(bad.slice(0, 200))}`)
  const invalid = lines.find((line) => line.startsWith('dcsim_') && / (?:NaN|[+-]Inf)$/.test(line))
  if (invalid !== undefined) failures.push(`/metrics has the value of ${invalid}`)
  const shape = text.replaceAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, '0')
  if (!hasPromtool || acceptedShapes.has(shape)) return failures
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  if (status === 0) acceptedShapes.add(shape)
  else failures.push(`promtool: ${(stdout + stderr).slice(0, 500)}`)
  return failures
}

async function checkMetrics(mirror: MirrorProcess): Promise<string[]> {
  const response = await get(mirror, '/metrics')
  const text = await response.text()
  const failures = response.status === 200 ? [] : [`/metrics has status ${response.status}`]
  return [...failures, ...checkExposition(text)]
}

/** Checks the invariants of all responses. */
export async function checkAnswers(mirror: MirrorProcess): Promise<string[]> {
  if (!mirror.isRunning) return [`the process ended:\n${mirror.log.slice(-1000)}`]
  const checks = [...targets.map((target) => checkJson(mirror, target)), checkMetrics(mirror)]
  const failures = (
    await Promise.all(checks.map((check) => check.catch((error: unknown) => [String(error)])))
  ).flat()
  // Only control characters that a terminal or a log reader acts on: what the upstream said is quoted in the log.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(mirror.log)) failures.push('the log has control characters')
  return failures
}

/** No text of a table, a page or the exposition shows how a broken value would be printed. */
const brokenText = /(?<![\w+])(?:NaN|Infinity|undefined)\b|\[object/
const textTargets = [
  ...[...tables.keys()].flatMap((name) => [`${name}.json`, `${name}.csv`]).map((name) => `/tables/${name}`),
  ...pictureNames.map((name) => `/pictures/${name}.svg`),
  ...[routes.landing, routes.llms, routes.tables, routes.runbooks, routes.metrics].map(({ path }) => path),
]
/** Texts that are read at a time. */
const textsAtOnce = 8

/** Reads some of all texts: others in the next round. */
export async function checkTexts(
  mirror: MirrorProcess,
  round: number,
  observe: (text: string) => string,
): Promise<string[]> {
  const chosen = Array.from(
    { length: textsAtOnce },
    (_, index) => textTargets[(round * textsAtOnce + index) % textTargets.length],
  )
  const failures: string[] = []
  const check = async (target: string): Promise<void> => {
    const response = await get(mirror, target)
    const [found] = brokenText.exec(observe(await response.text())) ?? []
    if (response.status !== 200) failures.push(`${target} has status ${response.status}`)
    if (found !== undefined) failures.push(`${target} has the text ${found}`)
  }
  await Promise.all(chosen.map(check))
  return failures
}

/** Checks that the world is served as captured, byte for byte. */
export async function checkKept(mirror: MirrorProcess, world: CapturedWorld): Promise<string[]> {
  const failures: string[] = []
  for (const target of worldTargets) {
    const response = await get(mirror, target === routes.events.path ? target : `${target}?limit=1000`)
    const body = withoutMeta(await response.text())
    if (body !== withoutMeta(world.get(target)!))
      failures.push(`${target} is not as it was: ${body.slice(0, 200)}`)
  }
  return failures
}

interface MirrorHealth {
  readonly status: 'starting' | 'ok' | 'idle' | 'stale'
  readonly reason: string
  readonly publish_seq: number
  readonly sim_time_ns?: number
}

/** The simulated time is read from the text: it may be above 2^53. */
export async function readHealth(
  mirror: MirrorProcess,
): Promise<MirrorHealth & { readonly simTimeNs: bigint }> {
  const text = await (await get(mirror, routes.health.path)).text()
  const time = /"sim_time_ns":(\d+)/.exec(text)?.[1] ?? '0'
  return { ...(JSON.parse(text) as MirrorHealth), simTimeNs: BigInt(time) }
}

/** The number of crashes of the world thread, which must be zero with any upstream. */
export const crashes = (mirror: MirrorProcess): Promise<number> =>
  mirror.metric('dcsim_mirror_source_errors_total', 'reason="crashed"')
