/** Sends hostile requests to a mirror process: `npm run fuzz -- --requests 10000 --seed 7`. */
import { Failures } from '../fixtures/failures.ts'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { programOptions, randomSeed } from '../fixtures/program-options.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { hostileBytes } from '../http/hostile-requests.ts'
import { rawResponses, sendRaw } from '../http/raw-connection.ts'

const { requests, seed, connections } = programOptions(
  {
    script: 'fuzz',
    purpose:
      'Sends hostile requests to a mirror and to a front of sessions that it starts, and checks that each is refused as it should be.',
    meanings: {
      requests: 'how many requests',
      seed: 'what the requests are made from',
      connections: 'how many connections send them at a time',
    },
  },
  { requests: 100_000, seed: randomSeed(), connections: 32 },
)
const silenceMs = 10_000
const healthWithinMs = 5_000
const progressEveryMs = 10_000
/** Maximum growth of resident memory between the first tenth of the requests and the end. */
const growthMaxMb = 128
const statusesAllowed = new Set([200, 304, 400, 403, 404, 405, 408, 413, 414, 431])
const world = ['scale=small', 'warmup=30m']

const failures = new Failures()
const statuses = new Map<number, number>()
const health = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

/** The heads of responses. One to HEAD has no body, so the next may begin where a body would. */
function headsIn(bytes: Buffer): { status: number; headers: string }[] {
  const text = bytes.toString('latin1')
  const heads = text.matchAll(/HTTP\/1\.1 ([0-9]{3}) [^\r]*\r\n((?:[^\r]+\r\n)+)\r\n/g)
  return [...heads].map(([, status, headers]) => ({ status: Number(status), headers: headers.toLowerCase() }))
}

function check(bytes: Buffer, sent: Buffer): void {
  const shown = JSON.stringify(sent.toString('latin1', 0, 300))
  for (const { status, headers } of headsIn(bytes)) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (!statusesAllowed.has(status)) failures.add(`status ${status} to ${shown}`)
    if (!/^x-sim-age-ms: [0-9]+\r$/m.test(headers))
      failures.add(`no age in the headers of the answer to ${shown}`)
    if (!/^x-sim-publish-seq: [0-9]+\r$/m.test(headers))
      failures.add(`no publish_seq in the answer to ${shown}`)
    if (headers.includes('x-evil')) failures.add(`an injected header in the answer to ${shown}`)
    if (headers.includes('access-control-')) failures.add(`a CORS header in the answer to ${shown}`)
  }
}

async function checkHealth(mirror: MirrorProcess): Promise<void> {
  const beganMs = performance.now()
  const [answer] = rawResponses(await sendRaw(mirror.port, health, silenceMs))
  const tookMs = Math.round(performance.now() - beganMs)
  if (answer?.status !== 200) failures.add(`/health answered ${answer?.status ?? 'nothing'}`)
  if (tookMs > healthWithinMs) failures.add(`/health took ${tookMs} ms`)
}

/** Adds a session to requests without parameters. */
const forSession = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.toString('latin1').replaceAll(/^((?:GET|HEAD) \/[^ ?]*)(?= HTTP)/gm, '$1?session=a'),
    'latin1',
  )

/** Sends a number of hostile requests to a process. */
async function attack(
  attacked: MirrorProcess,
  random: SeededRandom,
  of: (bytes: Buffer) => Buffer,
): Promise<number> {
  let sent = 0
  let baseMb = 0
  const one = async (): Promise<void> => {
    while (sent < requests / 2 && attacked.isRunning) {
      const hostile = hostileBytes(random)
      const beganMs = performance.now()
      sent += hostile.requests
      const sentBytes = of(hostile.bytes)
      const bytes = await sendRaw(attacked.port, sentBytes, silenceMs, { thenEnd: true })
      if (performance.now() - beganMs >= silenceMs) {
        failures.add(`the connection hung after ${JSON.stringify(sentBytes.toString('latin1', 0, 300))}`)
      }
      check(bytes, sentBytes)
    }
  }
  const report = async (): Promise<void> => {
    await checkHealth(attacked)
    const residentMb = await attacked.residentMb()
    if (baseMb === 0 && sent >= requests / 20) baseMb = residentMb
    console.log(
      `${sent} of ${requests / 2} requests, ${Math.round(residentMb)} MB, ${failures.total} failures`,
    )
  }
  const progress = setInterval(
    () => void report().catch((error) => failures.add(String(error))),
    progressEveryMs,
  )
  await Promise.all(Array.from({ length: connections }, one))
  clearInterval(progress)
  if (attacked.isRunning) {
    await report()
    const grownMb = (await attacked.residentMb()) - baseMb
    if (grownMb > growthMaxMb) failures.add(`the resident memory grew by ${Math.round(grownMb)} MB`)
  } else failures.add(`the process ended:\n${attacked.log.slice(-2000)}`)
  await attacked.stop()
  return sent
}

async function run(): Promise<void> {
  console.log(`${requests} hostile requests over ${connections} connections, seed ${seed}`)
  const random = new SeededRandom(seed)
  const mirror = await MirrorProcess.start(['--cadence-ms=200', ...world.map((setting) => `--${setting}`)])
  const toMirror = await attack(mirror, random, (bytes) => bytes)
  const front = await MirrorProcess.start([`--sessions=a=simulation?${world.join('&')}`])
  const toFront = await attack(front, random, forSession)
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  failures.conclude(`${toMirror + toFront} requests (seed ${seed}; ${counts.join(', ')})`)
}

await run()
