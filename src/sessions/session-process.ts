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

/** What a mirror sends to the process that started it: where it listens, again and again as a sign of life. */
export interface ListeningMessage {
  readonly port: number
}

/** How often a mirror sends a sign of life, and its process is looked at. */
export const aliveIntervalMs = 1_000
/**
 * A mirror without a sign of life at this many looks gets no more requests, and at the second it is killed. Looks are
 * counted, not time: a suspended machine is no silence.
 */
const silentLooksMax = 5
const silentLooksBeforeKillMax = 20

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
  /** Looks since the last sign of life. */
  #silentLooks = 0
  #hasListened = false
  #isStopping = false
  #restartDelayMs = restartDelayMsMin
  #cancelRestart = () => {}
  #cancelLook = () => {}

  constructor(options: SessionProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The port on the loopback at which the mirror listens; null while it does not, or hangs. */
  get port(): number | null {
    return this.#silentLooks < silentLooksMax ? this.#port : null
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
      if (this.#port === null) this.#watch(child)
      this.#port = port
      this.#hasListened = true
      this.#silentLooks = 0
    })
    child.on('error', ({ message }) => log(`${name}: ${message}`))
    child.on('exit', (code) => {
      this.#port = null
      this.#child = null
      this.#cancelLook()
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

  /** A process that hangs does not react to SIGTERM. */
  #watch(child: ChildProcess): void {
    const { clock, log, name } = this.#options
    this.#cancelLook = clock.after(aliveIntervalMs, () => {
      this.#silentLooks++
      if (this.#silentLooks < silentLooksBeforeKillMax) {
        this.#watch(child)
        return
      }
      const seconds = (silentLooksBeforeKillMax * aliveIntervalMs) / 1000
      log(`${name}: the mirror has not responded for ${seconds} s.`)
      child.kill('SIGKILL')
    })
  }

  #restartLater(ranMs: number): void {
    if (ranMs >= stableAfterMs) this.#restartDelayMs = restartDelayMsMin
    const { clock, log, name } = this.#options
    log(`${name}: the mirror exited; it starts again in ${this.#restartDelayMs / 1000} s.`)
    this.#cancelRestart = clock.after(this.#restartDelayMs, () => this.start())
    this.#restartDelayMs = Math.min(2 * this.#restartDelayMs, restartDelayMsMax)
  }
}
