import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import type { LaneMessage, LaneSettings, Run } from './lane.ts'
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

const laneFile = new URL('lane.ts', import.meta.url)
/**
 * A test file that takes longer than this plus a multiple of its usual time is in an endless loop. What files share, such
 * as a world that is made once, is in the usual time of the first of them alone.
 */
const endlessMs = 120_000
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

  run(run: Run): void {
    this.#process.send(run)
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
    const { pid, exitCode, signalCode } = this.#process
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}

const startMaxMs = 300_000

/**
 * For each file of tests that a mutant may meet, two run without one. An import says little: most tests of tables import
 * every table, and read few, so the nearest that reach a mutant are known only after they have run.
 */
const candidatesFactor = 2

/** A file of tests that passes without a mutant. */
interface Passing {
  readonly ms: number
  readonly reached: ReadonlySet<number>
}

/** Finds which of the mutants are killed, on one lane after the other. */
class MutationRun {
  readonly #options: Options
  readonly #running = new Set<Lane>()
  readonly #idle: Lane[] = []
  readonly #passing = new Map<string, Passing>()
  /** The tests that may reach each source, the nearest first. */
  readonly #candidates = new Map<string, readonly string[]>()

  constructor(options: Options) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { mutations, nearest, lanes } = this.#options
    const [lane, known] = await this.#start()
    for (const path of new Set(mutations.map((mutation) => mutation.path)))
      this.#candidates.set(
        path,
        nearestTests(path, (test) => known.has(test), candidatesFactor * nearest),
      )
    await this.#dryRun(lane, [...new Set([...this.#candidates.values()].flat())])
    this.#idle.push(lane)
    const left = mutations.map((mutation, index) => [index + 1, mutation] as const)
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await this.#try(...next)
    }
    await Promise.all(Array.from({ length: lanes }, worker))
  }

  end(): void {
    for (const lane of this.#running) lane.end()
  }

  async #start(): Promise<[Lane, ReadonlySet<string>]> {
    const { mode, mutations } = this.#options
    const lane = new Lane({ mode, mutations: mutations.map((one, index) => [index + 1, one]) })
    this.#running.add(lane)
    const ready = await lane.next(startMaxMs)
    if (ready?.type !== 'ready') throw new Error('Vitest does not start')
    return [lane, new Set(ready.tests).difference(new Set(regenerated))]
  }

  /** Runs all tests without a mutant, which notes the mutants that they reach. Files that fail are left out. */
  async #dryRun(lane: Lane, tests: readonly string[]): Promise<void> {
    const { onProgress } = this.#options
    lane.run({ tests, mutant: 0 })
    let message = await lane.next(startMaxMs)
    for (; message?.type === 'file'; message = await lane.next(startMaxMs)) {
      const { test, ms, reached } = message
      this.#passing.set(test, { ms, reached: new Set(reached) })
      onProgress(`${this.#passing.size}/${tests.length} files of tests without a mutant: ${test}`)
    }
    if (message?.type !== 'done') throw new Error('the tests do not end without a mutant')
    for (const failure of message.failures) {
      onProgress(`left out, as it fails without a mutant: ${failure}`)
      this.#passing.delete(failure.split(' > ')[0])
    }
  }

  /** Runs the nearest files that reach a mutant with it, the quickest first, until one fails. */
  async #try(id: number, mutation: Mutation): Promise<void> {
    const reaching = this.#candidates
      .get(mutation.path)!
      .filter((test) => this.#passing.get(test)?.reached.has(id) === true)
      .slice(0, this.#options.nearest)
      .toSorted((one, other) => this.#passing.get(one)!.ms - this.#passing.get(other)!.ms)
    let killedBy: string | undefined
    for (const test of reaching) if (killedBy === undefined) killedBy = await this.#failureOf(test, id)
    this.#options.onOutcome({ mutation, killedBy, isReached: reaching.length > 0 })
  }

  async #failureOf(test: string, mutant: number): Promise<string | undefined> {
    const lane = this.#idle.pop() ?? (await this.#start())[0]
    lane.run({ tests: [test], mutant })
    const limitMs = endlessMs + endlessFactor * this.#passing.get(test)!.ms
    let message = await lane.next(limitMs)
    if (message?.type === 'file') message = await lane.next(limitMs)
    if (message?.type !== 'done') {
      lane.end()
      return `${test} does not end`
    }
    this.#idle.push(lane)
    return message.failures[0]
  }
}

/** Runs the nearest tests against each mutation. */
export async function mutationRun(options: Options): Promise<void> {
  const run = new MutationRun(options)
  process.once('exit', () => run.end())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  try {
    await run.run()
  } finally {
    run.end()
  }
}
