/** The thread that sends requests at a steady rate, regardless of latency, and compares the responses. */
import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createHistogram } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { inSession } from './read-mirrors.ts'

export interface Load {
  readonly port: number
  readonly sessions: readonly string[]
  readonly ratePerSecond: number
  readonly seed: number
}

export interface LoadReport {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
  readonly maxMs: number
  /** Responses to one request from one publish that were compared with each other. */
  readonly compared: number
  readonly failures: readonly string[]
}

const targets = [
  '/health /api/v1/hosts?limit=100 /api/v1/hosts?limit=1000 /api/v1/hosts/1',
  '/api/v1/customers?limit=50 /api/v1/customers/1 /api/v1/network/switches',
  '/api/v1/network/cables?limit=200&offset=100 /api/v1/incidents /api/v1/work-orders?limit=20',
  '/api/v1/events /api/v1/diagnostics /api/v1/metrics/series?path=fleet/rps/10s',
  '/api/v1/metrics?limit=1000 /metrics?name[]=dcsim_host_online',
].flatMap((line) => line.split(' '))
const tickMs = 10
const socketsMax = 128
/** Beyond this number of open requests none are sent: the mirror has stopped responding. */
const openRequestsMax = 5_000
/** Bodies of earlier publishes are dropped: no response is that late. */
const publishesKept = 30
const gunzipBytes = promisify(gunzip)

const { port, sessions, ratePerSecond, seed } = workerData as Load
const random = new SeededRandom(seed)
const agent = new Agent({ keepAlive: true, maxSockets: socketsMax })
let latencies = createHistogram()
let failures: string[] = []
let requests = 0
let compared = 0
let openRequests = 0
/** By publish, by target: the digest of the body without its age. */
const digests = new Map<string, Map<string, string>>()

function compare(publish: string, target: string, body: string): void {
  let known = digests.get(publish)
  if (known === undefined) {
    known = new Map()
    digests.set(publish, known)
    if (digests.size > publishesKept * sessions.length) digests.delete(digests.keys().next().value!)
  }
  const digest = createHash('sha1').update(body).digest('base64')
  const before = known.get(target)
  if (before === undefined) known.set(target, digest)
  else {
    compared++
    if (before !== digest) failures.push(`torn: two different bodies of ${target} in one publish`)
  }
}

function check(target: string, session: string, response: IncomingMessage, body: string): void {
  const { statusCode, headers } = response
  const seq = String(headers['x-sim-publish-seq'])
  const publish = `${session} ${seq}`
  // A customer may leave while the service runs.
  const isExpected = statusCode === 200 || (statusCode === 404 && target.startsWith('/api/v1/customers/1'))
  if (!isExpected) failures.push(`status ${statusCode} of ${target}`)
  if (statusCode !== 200) return
  if (target.startsWith('/metrics'))
    return compare(publish, target, body.slice(0, body.indexOf('# HELP dcsim_mirror_') >>> 0))
  const opening = `"age_ms":${String(headers['x-sim-age-ms'])},"publish_seq":${seq}`
  if (target.startsWith('/health')) {
    if (!body.includes(opening)) failures.push('torn: /health does not say what its headers say')
    return
  }
  if (!body.startsWith(`{"meta":{${opening},`)) {
    failures.push(`torn: ${target} begins with ${body.slice(0, 60)}, its headers say ${opening}`)
  }
  // History is sampled at each step of the simulation, so a series may be newer than the publish.
  if (!target.includes('/series?')) compare(publish, target, body.slice(body.indexOf('"sim_time_ns"')))
}

function send(dueMs: number): void {
  const session = random.pick(sessions)
  const target = inSession(random.pick(targets), session)
  const isCompressed = random.oneIn(3)
  openRequests++
  const finish = (failure: string | null): void => {
    openRequests--
    requests++
    latencies.record(Math.max(1, Math.round((performance.now() - dueMs) * 1e6)))
    if (failure !== null) failures.push(failure)
  }
  const headers = isCompressed ? { 'accept-encoding': 'gzip' } : {}
  const sent = request({ host: '127.0.0.1', port, path: target, agent, headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      finish(response.complete ? null : `the body of ${target} was cut short`)
      const bytes = Buffer.concat(chunks)
      const isGzip = response.headers['content-encoding'] === 'gzip'
      void Promise.resolve(isGzip ? gunzipBytes(bytes) : bytes)
        .then((plain) => check(target, session, response, plain.toString()))
        .catch((error: unknown) => failures.push(`${target}: ${String(error)}`))
    })
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // An idle connection may be closed just as it is used again.
    if (sent.reusedSocket && error.code === 'ECONNRESET') openRequests--
    else finish(`${target}: ${error.message}`)
  })
  sent.end()
}

const beganMs = performance.now()
let due = 0
const timer = setInterval(() => {
  const until = ((performance.now() - beganMs) / 1000) * ratePerSecond
  for (; due < until; due++) {
    if (openRequests < openRequestsMax) send(beganMs + (due * 1000) / ratePerSecond)
    else failures.push(`more than ${openRequestsMax} requests unanswered`)
  }
}, tickMs)

parentPort!.on('message', (message: 'report' | 'stop') => {
  if (message === 'stop') {
    clearInterval(timer)
    agent.destroy()
    parentPort!.close()
    return
  }
  const percentileMs = (percentile: number): number => latencies.percentile(percentile) / 1e6
  parentPort!.postMessage({
    requests,
    p50Ms: percentileMs(50),
    p99Ms: percentileMs(99),
    p999Ms: percentileMs(99.9),
    maxMs: latencies.max / 1e6,
    compared,
    failures,
  } satisfies LoadReport)
  latencies = createHistogram()
  failures = []
  requests = 0
  compared = 0
})
