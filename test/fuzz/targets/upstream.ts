/** Damaged answers of an upstream: a mirror keeps what was sound, and shows nothing that is broken. */
import { setTimeout as pause } from 'node:timers/promises'
import { MirrorProcess } from '../../fixtures/mirror-process.ts'
import { captureWorld, CapturedUpstream } from '../captured-upstream.ts'
import type { CapturedWorld } from '../captured-upstream.ts'
import { checkAnswers, checkKept, checkTexts, crashes, readHealth } from '../mirror-checks.ts'
import type { SeededRandom } from '../../fixtures/seeded-random.ts'
import { mutateReply } from '../reply-mutations.ts'
import type { FuzzCase, Observe, OpenTarget } from '../target.ts'

const lanes = 2
const recoveryMaxMs = 60_000
/** This many mutations act on a mirror before the upstream behaves again and everything is checked. */
const mutationsPerCase = 16
const roundMaxMs = 1_500

async function recoveryFaults(mirror: MirrorProcess, upstream: CapturedUpstream): Promise<string[]> {
  const since = upstream.simTimeNs
  const beganMs = performance.now()
  for (;;) {
    const { status, reason, simTimeNs } = await readHealth(mirror)
    if (status === 'ok' && simTimeNs > since && simTimeNs <= upstream.simTimeNs) return []
    if (performance.now() - beganMs > recoveryMaxMs)
      return [`not whole again: ${status} at ${simTimeNs}, ${reason}`]
    await pause(20)
  }
}

/** A mirror with an upstream of its own. */
class AttachedMirror {
  readonly mirror: MirrorProcess
  readonly #upstream: CapturedUpstream
  readonly #world: CapturedWorld
  #crashed = 0

  private constructor(mirror: MirrorProcess, upstream: CapturedUpstream, world: CapturedWorld) {
    this.mirror = mirror
    this.#upstream = upstream
    this.#world = world
  }

  static async start(world: CapturedWorld): Promise<AttachedMirror> {
    const upstream = await CapturedUpstream.start(world)
    const mirror = await MirrorProcess.start(['--source', upstream.origin, '--cadence-ms', '50'])
    return new AttachedMirror(mirror, upstream, world)
  }

  async run({ number, random }: FuzzCase, observe: Observe): Promise<string[]> {
    const names = await this.#misbehave(random)
    const found = await checkAnswers(this.mirror)
    found.push(...(await checkTexts(this.mirror, number, observe)))
    this.#upstream.filter = (reply) => reply
    if (!this.mirror.isRunning) return [`the mirror ended:\n${this.mirror.log.slice(-1000)}`]
    const stuck = await recoveryFaults(this.mirror, this.#upstream)
    found.push(...(stuck.length > 0 ? stuck : await checkKept(this.mirror, this.#world)))
    const crashed = await crashes(this.mirror)
    if (crashed > this.#crashed) found.push(`the world's thread broke down: ${this.mirror.log.slice(-300)}`)
    this.#crashed = crashed
    return found.map((fault) => `${fault}\n  after ${names.join('; ')}`)
  }

  /** Returns what was damaged. */
  async #misbehave(random: SeededRandom): Promise<string[]> {
    const names: string[] = []
    this.#upstream.filter = (reply, { url = '' }, response) => {
      if (names.length >= mutationsPerCase || random.oneIn(3)) return reply
      const { name, reply: mutated } = mutateReply(random, reply, response)
      names.push(`${name} on ${url}`)
      return mutated
    }
    const beganMs = performance.now()
    while (names.length < mutationsPerCase && performance.now() - beganMs < roundMaxMs) {
      await Promise.all([pause(20), readHealth(this.mirror).catch(() => null)])
    }
    return names
  }

  async close(): Promise<void> {
    await this.mirror.stop()
    await this.#upstream.close()
  }
}

export const openUpstream: OpenTarget = async (_seed, observe) => {
  const world = await captureWorld()
  const pairs = await Promise.all(Array.from({ length: lanes }, () => AttachedMirror.start(world)))
  return {
    lanes,
    residentMb: async () => Math.max(...(await Promise.all(pairs.map(({ mirror }) => mirror.residentMb())))),
    run: (one) => pairs[one.lane].run(one, observe),
    close: async () => {
      await Promise.all(pairs.map((pair) => pair.close()))
    },
  }
}
