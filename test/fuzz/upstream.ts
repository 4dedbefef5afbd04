/**
 * Attaches a mirror to an upstream that mutates its responses: `npm run fuzz:upstream -- --mutations 10000 --seed 7`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Failures } from '../fixtures/failures.ts'
import { MirrorProcess } from '../fixtures/mirror-process.ts'
import { programOptions, randomSeed } from '../fixtures/program-options.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { captureWorld, CapturedUpstream } from '../sources/hostile/captured-upstream.ts'
import { checkAnswers, checkKept, crashes, readHealth } from '../sources/hostile/mirror-checks.ts'
import { mutateReply } from './reply-mutations.ts'

const { mutations, seed, lanes } = programOptions(
  {
    script: 'fuzz:upstream',
    purpose:
      'Attaches mirrors to an upstream that damages its answers, and checks that they keep what was sound.',
    meanings: {
      mutations: 'how many damaged answers',
      seed: 'what the damage is made from',
      lanes: 'how many mirrors at a time',
    },
  },
  { mutations: 10_000, seed: randomSeed(), lanes: 4 },
)
const recoveryMaxMs = 5_000
/** The number of mutations before the upstream behaves again and everything is checked. */
const mutationsPerRound = 16
const roundMaxMs = 1_500
const progressEveryMs = 10_000
/** Maximum growth of resident memory between the first tenth and the end. */
const growthMaxMb = 200

const failures = new Failures()
const world = await captureWorld()
let done = 0

async function recover(mirror: MirrorProcess, upstream: CapturedUpstream): Promise<string | null> {
  const since = upstream.simTimeNs
  const beganMs = performance.now()
  for (;;) {
    const { status, reason, simTimeNs } = await readHealth(mirror)
    if (status === 'ok' && simTimeNs > since && simTimeNs <= upstream.simTimeNs) return null
    if (performance.now() - beganMs > recoveryMaxMs)
      return `not whole again: ${status} at ${simTimeNs}, ${reason}`
    await pause(20)
  }
}

/** One mirror and its upstream. Its mutations are determined by its own seed. */
async function runLane(lane: number): Promise<void> {
  const random = new SeededRandom(seed + lane)
  const upstream = await CapturedUpstream.start(world)
  const mirror = await MirrorProcess.start(['--source', upstream.origin, '--cadence-ms', '50'])
  let baseMb = 0
  let crashed = 0
  const check = async (names: readonly string[], round: number): Promise<void> => {
    const found = await checkAnswers(mirror)
    upstream.filter = (reply) => reply
    const stuck = mirror.isRunning ? await recover(mirror, upstream) : 'the process ended'
    if (stuck !== null) found.push(stuck)
    else found.push(...(await checkKept(mirror, world)))
    const crashCount = mirror.isRunning ? await crashes(mirror) : 0
    if (crashCount > crashed) found.push(`the world's thread broke down: ${mirror.log.slice(-300)}`)
    crashed = crashCount
    for (const failure of found)
      failures.add(`lane ${lane}, round ${round}: ${failure}\n  after ${names.join('; ')}`)
  }
  for (let round = 0; done < mutations && mirror.isRunning; round++) {
    const names: string[] = []
    upstream.filter = (reply, { url = '' }, response) => {
      if (names.length >= mutationsPerRound || random.oneIn(3)) return reply
      const { name, reply: mutated } = mutateReply(random, reply, response)
      names.push(`${name} on ${url}`)
      return mutated
    }
    const beganMs = performance.now()
    while (names.length < mutationsPerRound && performance.now() - beganMs < roundMaxMs) {
      await Promise.all([pause(20), readHealth(mirror).catch(() => null)])
    }
    done += names.length
    await check(names, round).catch((error: unknown) =>
      failures.add(`lane ${lane}, round ${round}: ${String(error)}`),
    )
    if (baseMb === 0 && done > mutations / 10) baseMb = await mirror.residentMb()
  }
  if (mirror.isRunning) {
    const grownMb = (await mirror.residentMb()) - baseMb
    if (grownMb > growthMaxMb)
      failures.add(`lane ${lane}: the resident memory grew by ${Math.round(grownMb)} MB`)
  } else failures.add(`lane ${lane}: the mirror ended`)
  await mirror.stop()
  await upstream.close()
}

console.log(`${mutations} mutated answers, seed ${seed}, ${lanes} mirrors`)
const progress = setInterval(() => {
  console.log(`${done} of ${mutations} mutations, ${failures.total} failures`)
}, progressEveryMs)
await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
clearInterval(progress)
failures.conclude(`${done} mutated answers (seed ${seed}, ${lanes} lanes)`)
