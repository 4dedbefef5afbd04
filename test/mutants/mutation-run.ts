import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { LaneMessage, LaneSettings, Run } from './lane.ts'
import type { Mutation } from './mutations.ts'
import { regenerated } from './excused.ts'
import { nearestTests } from './nearest-tests.ts'
import type { Reached } from './setup.ts'

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

  readonly markFile: string

  constructor(settings: LaneSettings) {
    this.markFile = settings.markFile
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
    const { pid, exitCode } = this.#process
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
  }
}

const startMaxMs = 300_000

interface DryRun {
  readonly usualMs: ReadonlyMap<string, number>
  /** By file. */
  readonly reachedIn: ReadonlyMap<string, Reached>
}

/** Runs all tests without a mutant, which notes the mutants that they reach. Files that fail are left out. */
async function dryRun(
  lane: Lane,
  tests: readonly string[],
  onProgress: Options['onProgress'],
): Promise<DryRun> {
  const usualMs = new Map<string, number>()
  const reachedIn = new Map<string, Reached>()
  lane.run({ tests, mutant: 0, trials: null })
  let message = await lane.next(startMaxMs)
  for (; message?.type === 'file'; message = await lane.next(startMaxMs)) {
    const { test, ms, reached } = message
    usualMs.set(test, ms)
    if (reached !== undefined) reachedIn.set(test, reached)
    onProgress(`${usualMs.size}/${tests.length} files of tests without a mutant: ${test}`)
  }
  if (message?.type !== 'done') throw new Error('the tests do not end without a mutant')
  const failed = new Set(message.failures.map((failure) => failure.split(' > ')[0]))
  for (const failure of message.failures) onProgress(`left out, as it fails without a mutant: ${failure}`)
  for (const test of failed) {
    usualMs.delete(test)
    reachedIn.delete(test)
  }
  return { usualMs, reachedIn }
}

/** Finds which of the mutants are killed, on one lane after the other. */
class MutationRun {
  readonly #options: Options
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  readonly #running = new Set<Lane>()
  readonly #idle: Lane[] = []
  #dry: DryRun = { usualMs: new Map(), reachedIn: new Map() }
  #nearest = new Map<string, readonly string[]>()
  /** The mutants that are alive. */
  readonly #alive: Set<number>
  readonly #undecidedIn = new Map<number, Set<string>>()

  constructor(options: Options) {
    this.#options = options
    this.#alive = new Set(options.mutations.keys().map((index) => index + 1))
  }

  async run(): Promise<void> {
    const { mutations, nearest, onProgress } = this.#options
    const [lane, known] = await this.#start()
    for (const { path } of mutations)
      if (!this.#nearest.has(path))
        this.#nearest.set(
          path,
          nearestTests(path, (test) => known.has(test), nearest),
        )
    const tests = [...new Set([...this.#nearest.values()].flat())]
    this.#dry = await dryRun(lane, tests, onProgress)
    this.#idle.push(lane)
    const { usualMs } = this.#dry
    const byTime = [...usualMs.keys()].toSorted((one, other) => usualMs.get(one)! - usualMs.get(other)!)
    await this.#onEachLane(byTime, (test) => this.#tryAllIn(test))
    await this.#onEachLane([...this.#alive], (id) => this.#tryFromTheStart(id))
  }

  end(): void {
    for (const lane of this.#running) lane.end()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #onEachLane<T>(queue: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
    const left = [...queue]
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
    }
    await Promise.all(Array.from({ length: this.#options.lanes }, worker))
  }

  async #start(): Promise<[Lane, ReadonlySet<string>]> {
    const { mode, mutations } = this.#options
    const markFile = join(this.#folder, `lane-${this.#running.size}`)
    const lane = new Lane({ mode, markFile, mutations: mutations.map((one, index) => [index + 1, one]) })
    this.#running.add(lane)
    const ready = await lane.next(startMaxMs)
    if (ready?.type !== 'ready') throw new Error('Vitest does not start')
    return [lane, new Set(ready.tests).difference(new Set(regenerated))]
  }

  #mutationOf(id: number): Mutation {
    return this.#options.mutations[id - 1]
  }

  #tell(id: number, killedBy: string | undefined, isReached = true): void {
    if (killedBy !== undefined) this.#alive.delete(id)
    this.#options.onOutcome({ mutation: this.#mutationOf(id), killedBy, isReached })
  }

  /** Repeats the tests of a file with each mutant that they reach. */
  async #tryAllIn(test: string): Promise<void> {
    const { byTest = {} } = this.#dry.reachedIn.get(test) ?? {}
    for (;;) {
      const isWanted = (id: number): boolean =>
        this.#alive.has(id) && this.#nearest.get(this.#mutationOf(id).path)!.includes(test)
      const trials = Object.fromEntries(
        Object.entries(byTest).map(([name, ids]) => [name, ids.filter(isWanted)]),
      )
      const count = new Set(Object.values(trials).flat()).size
      if (count === 0) return
      const { usualMs } = this.#dry
      const lane = this.#idle.pop() ?? (await this.#start())[0]
      lane.run({ tests: [test], mutant: 0, trials })
      const limit = endlessMs + endlessFactor * (count + 1) * usualMs.get(test)!
      let message = await lane.next(limit)
      if (message?.type === 'file') {
        const { killedBy = {}, undecided = [] } = message.verdict ?? {}
        for (const [id, name] of Object.entries(killedBy))
          if (this.#alive.has(Number(id))) this.#tell(Number(id), name)
        for (const id of undecided)
          this.#undecidedIn.set(id, (this.#undecidedIn.get(id) ?? new Set()).add(test))
        message = await lane.next(limit)
      }
      if (message?.type === 'done') {
        this.#idle.push(lane)
        return
      }
      // The process ended, or is in an endless loop: what it tried last is noticed, and the others are tried again.
      lane.end()
      const last = Number(readFileSync(lane.markFile, 'utf8'))
      if (!this.#alive.has(last)) return
      this.#tell(last, `${test} does not end`)
    }
  }

  /** Runs the nearest files with a mutant that is on from the first module on, the quickest first. */
  async #tryFromTheStart(id: number): Promise<void> {
    const { reachedIn, usualMs } = this.#dry
    const isOutside = [...reachedIn.values()].some(({ outside }) => outside.includes(id))
    const undecided = this.#undecidedIn.get(id) ?? new Set()
    const reaching = (test: string): boolean =>
      Object.values(reachedIn.get(test)?.byTest ?? {}).some((ids) => ids.includes(id))
    const nearest = this.#nearest.get(this.#mutationOf(id).path)!
    const left = nearest
      .filter((test) => usualMs.has(test) && (isOutside || undecided.has(test)))
      .toSorted((one, other) => usualMs.get(one)! - usualMs.get(other)!)
    if (left.length === 0) {
      this.#tell(id, undefined, nearest.some(reaching))
      return
    }
    for (const test of left) {
      const lane = this.#idle.pop() ?? (await this.#start())[0]
      lane.run({ tests: [test], mutant: id, trials: null })
      const limit = endlessMs + endlessFactor * usualMs.get(test)!
      let message = await lane.next(limit)
      if (message?.type === 'file') message = await lane.next(limit)
      if (message?.type !== 'done') {
        lane.end()
        this.#tell(id, `${test} does not end`)
        return
      }
      this.#idle.push(lane)
      const [failure] = message.failures
      if (failure !== undefined) {
        this.#tell(id, failure)
        return
      }
    }
    this.#tell(id, undefined)
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
