import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LaneMessage, LaneSettings, Reached } from './lane.ts'
import type { Mutation } from './mutations.ts'
import { regenerated } from './excused.ts'
import { nearestTests } from './nearest-tests.ts'

export interface Outcome {
  readonly mutation: Mutation
  /** The first test that failed, or the file whose tests did not end; without one the mutant survived. */
  readonly killedBy: string | undefined
  /** Whether any test reaches the mutant. */
  readonly isReached: boolean
}

interface Options {
  readonly mutations: readonly Mutation[]
  readonly mode: string
  readonly lanes: number
  readonly nearest: number
  readonly onProgress: (line: string) => void
  readonly onOutcome: (outcome: Outcome) => void
}

const laneFile = fileURLToPath(new URL('lane.ts', import.meta.url))
/** A test file that takes longer than this plus a multiple of its usual time is in an endless loop. */
const endlessMs = 60_000
const endlessFactor = 12

/** A lane's process and its answers. It has a process group of its own, so that an endless loop ends with it. */
class Lane {
  readonly #process: ChildProcess
  #received: ((message: LaneMessage | undefined) => void) | undefined
  readonly #waiting: (LaneMessage | undefined)[] = []

  constructor(settings: LaneSettings) {
    const env = { ...process.env, NODE_ENV: 'test', VITEST: 'true' }
    this.#process = fork(laneFile, { detached: true, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const receive = (message: LaneMessage | undefined): void => {
      const received = this.#received
      this.#received = undefined
      if (received === undefined) this.#waiting.push(message)
      else received(message)
    }
    this.#process.on('message', receive).on('exit', () => receive(undefined))
    this.#process.send(settings)
  }

  run(mutant: number, tests: readonly string[]): void {
    this.#process.send({ mutant, tests })
  }

  /** The next message; undefined when the process ended or took too long. */
  async next(timeoutMs: number): Promise<LaneMessage | undefined> {
    if (this.#waiting.length > 0) return this.#waiting.shift()
    const over = new AbortController()
    const answer = new Promise<LaneMessage | undefined>((resolve) => (this.#received = resolve))
    const timeout = wait(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined)
    const first = await Promise.race([answer, timeout])
    this.#received = undefined
    over.abort()
    return first
  }

  end(): void {
    const { pid, exitCode } = this.#process
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
  }
}

const startMaxMs = 300_000

interface DryRun {
  readonly usualMs: ReadonlyMap<string, number>
  readonly reachedIn: ReadonlyMap<string, Reached>
}

/** Runs all tests without a mutant: they have to pass, and record the mutants that they reach. */
async function dryRun(
  lane: Lane,
  tests: readonly string[],
  onProgress: Options['onProgress'],
): Promise<DryRun> {
  const usualMs = new Map<string, number>()
  const reachedIn = new Map<string, Reached>()
  lane.run(0, tests)
  for (;;) {
    const message = await lane.next(startMaxMs)
    if (message === undefined) throw new Error('the tests do not end without a mutant')
    if (message.type === 'file') {
      usualMs.set(message.test, message.ms)
      if (message.reached !== undefined) reachedIn.set(message.test, message.reached)
      onProgress(`${usualMs.size}/${tests.length} files of tests without a mutant: ${message.test}`)
    }
    if (message.type === 'done') {
      if (message.failures.length > 0)
        throw new Error(`fail without a mutant: ${message.failures.join(', ')}`)
      return { usualMs, reachedIn }
    }
  }
}

/** The test that kills the mutant. */
async function killer(lane: Lane, mutant: number, tests: readonly string[], { usualMs }: DryRun) {
  const left = new Set(tests)
  lane.run(mutant, tests)
  for (;;) {
    const longest = Math.max(...[...left].map((test) => usualMs.get(test) ?? 0), 0)
    const message = await lane.next(endlessMs + endlessFactor * longest)
    if (message === undefined) return { killedBy: `${[...left][0]} does not end`, isAlive: false }
    if (message.type === 'file') left.delete(message.test)
    if (message.type === 'done') return { killedBy: message.failures[0], isAlive: true }
  }
}

/** Runs the nearest tests against each mutation. */
export async function mutationRun(options: Options): Promise<void> {
  const { mutations, mode, nearest, onProgress, onOutcome } = options
  const settings: LaneSettings = { mode, mutations: mutations.map((one, index) => [index + 1, one]) }
  const running = new Set<Lane>()
  const start = async (): Promise<[Lane, ReadonlySet<string>]> => {
    const lane = new Lane(settings)
    running.add(lane)
    const ready = await lane.next(startMaxMs)
    if (ready?.type !== 'ready') throw new Error('Vitest does not start')
    return [lane, new Set(ready.tests).difference(new Set(regenerated))]
  }
  const endAll = (): void => {
    for (const lane of running) lane.end()
  }
  process.once('exit', endAll)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    const [first, known] = await start()
    const paths = new Set(mutations.map(({ path }) => path))
    const testsOf = new Map(
      [...paths].map((path) => [path, nearestTests(path, (test) => known.has(test), nearest)]),
    )
    const dry = await dryRun(first, [...new Set([...testsOf.values()].flat())], onProgress)
    let next = 0
    const work = async (begun?: Lane): Promise<void> => {
      let lane = begun
      while (next < mutations.length) {
        const mutation = mutations[next++]
        const id = next
        const loaded = [...dry.reachedIn.values()].some(({ inModules }) => inModules.includes(id))
        // The nearest ones, in ascending order of their time.
        const tests = testsOf
          .get(mutation.path)!
          .filter((test) => loaded || dry.reachedIn.get(test)?.inTests.includes(id) !== false)
          .toSorted((one, other) => dry.usualMs.get(one)! - dry.usualMs.get(other)!)
        if (tests.length === 0) {
          onOutcome({ mutation, killedBy: undefined, isReached: false })
          continue
        }
        lane ??= (await start())[0]
        const { killedBy, isAlive } = await killer(lane, id, tests, dry)
        if (!isAlive) {
          lane.end()
          running.delete(lane)
          lane = undefined
        }
        onOutcome({ mutation, killedBy, isReached: true })
      }
    }
    await Promise.all(
      Array.from({ length: options.lanes }, (_, index) => work(index === 0 ? first : undefined)),
    )
  } finally {
    endAll()
  }
}
