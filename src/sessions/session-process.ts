import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../contract/clock.ts'

interface SessionProcessOptions {
  readonly name: string
  /** The module to run, and its command line. */
  readonly entry: URL
  readonly words: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Called when the process refuses its options before it has ever listened. */
  readonly onRefused: () => void
}

/** How a mirror tells the process that started it where it listens. */
export interface ListeningMessage {
  readonly port: number
}

/** The exit code of a process that refuses its options: starting it again would not help. */
const refusedExitCode = 2

const restartDelayMsMin = 1_000
const restartDelayMsMax = 30_000
/** A process that ran for this long did not fail at its start. */
const stableAfterMs = 60_000
const killAfterMs = 4_000

/** The mirror of one session in a process of its own, which is started again when it exits. */
export class SessionProcess {
  readonly name: string
  readonly #options: SessionProcessOptions
  #child: ChildProcess | null = null
  #port: number | null = null
  #hasListened = false
  #isStopping = false
  #restartDelayMs = restartDelayMsMin
  #cancelRestart = () => {}

  constructor(options: SessionProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The port on the loopback at which the mirror listens; null while it does not. */
  get port(): number | null {
    return this.#port
  }

  start(): void {
    const { entry, words, environment, clock, log, name } = this.#options
    const startMs = clock.nowMs()
    // A process group of its own, so that the Ctrl-C of a terminal reaches it once, through this process.
    const child = fork(entry, words, { env: environment, silent: true, detached: true })
    this.#child = child
    log(`${name}: started as process ${child.pid}.`)
    for (const stream of [child.stdout!, child.stderr!])
      createInterface(stream).on('line', (line) => log(`${name}: ${line}`))
    child.on('message', ({ port }: ListeningMessage) => {
      this.#port = port
      this.#hasListened = true
    })
    child.on('error', ({ message }) => log(`${name}: ${message}`))
    child.on('exit', (code) => {
      this.#port = null
      this.#child = null
      if (this.#isStopping) return
      if (code === refusedExitCode && !this.#hasListened) this.#options.onRefused()
      else this.#restartLater(clock.nowMs() - startMs)
    })
  }

  /** Asks the process to shut down, and resolves when it has exited. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelRestart()
    const child = this.#child
    if (child === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    child.once('exit', () => resolve())
    const cancelKill = this.#options.clock.after(killAfterMs, () => child.kill('SIGKILL'))
    child.kill('SIGTERM')
    await promise
    cancelKill()
  }

  #restartLater(ranMs: number): void {
    if (ranMs >= stableAfterMs) this.#restartDelayMs = restartDelayMsMin
    const { clock, log, name } = this.#options
    log(`${name}: the mirror exited; it starts again in ${this.#restartDelayMs / 1000} s.`)
    this.#cancelRestart = clock.after(this.#restartDelayMs, () => this.start())
    this.#restartDelayMs = Math.min(2 * this.#restartDelayMs, restartDelayMsMax)
  }
}
