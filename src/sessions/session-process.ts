import { fork } from 'node:child_process'
import type { ChildProcess, ForkOptions } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isSea } from 'node:sea'
import type { Clock } from '../contract/clock.ts'

interface SessionProcessOptions {
  readonly name: string
  /** The module to run, or the command of the executable, and its command line. */
  readonly entry: URL | string
  readonly words: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly clock: Clock
  readonly log: (line: string) => void
  /** Called if the process refuses its options at its first start. */
  readonly onRefused: () => void
  /** Starts a process; by default that of Node. */
  readonly start?: (entry: URL | string, words: readonly string[], options: ForkOptions) => ChildProcess
}

/** The heartbeat of a mirror to its parent process, with the port on which it listens. */
export interface ListeningMessage {
  readonly port: number
}

/** The interval of heartbeats, and of the parent's checks for them. */
export const aliveIntervalMs = 1_000
/**
 * After this many checks without a heartbeat a mirror gets no more requests, and after the second number it is killed.
 * Checks are counted, not time: a suspended machine is no silence.
 */
const missedHeartbeatsMax = 5
const missedHeartbeatsBeforeKillMax = 20

/** The exit code of a process that refuses its options: a restart would not help. */
const refusedExitCode = 2

const restartDelayMsMin = 1_000
const restartDelayMsMax = 30_000
/** A process that ran for this long did not fail at its start. */
const stableAfterMs = 60_000
const killAfterMs = 9_500

/** The mirror of one session in a process of its own, which is restarted when it exits. */
export class SessionProcess {
  readonly name: string
  readonly #options: SessionProcessOptions
  #child: ChildProcess | null = null
  #port: number | null = null
  /** Checks since the last heartbeat. */
  #missedHeartbeats = 0
  #hasListened = false
  #isStopping = false
  #restartDelayMs = restartDelayMsMin
  #cancelRestart = () => {}
  #cancelCheck = () => {}

  constructor(options: SessionProcessOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The port on the loopback at which the mirror listens; null while it does not listen, or hangs. */
  get port(): number | null {
    return this.#missedHeartbeats < missedHeartbeatsMax ? this.#port : null
  }

  start(): void {
    try {
      this.#spawn()
    } catch (error) {
      this.#startFailed(error as Error)
    }
  }

  #spawn(): void {
    const { entry, words, environment, clock, log, name, start = fork } = this.#options
    const startMs = clock.nowMs()
    // The child has a process group of its own, so that the Ctrl-C of a terminal reaches it once, through
    // this process.
    const child = start(entry, words, {
      env: environment,
      silent: true,
      detached: true,
      // The executable has its flags of Node in itself.
      ...(isSea() && { execArgv: [] }),
    })
    if (child.pid === undefined) {
      // A process that was not spawned has no exit, and maybe no streams.
      child.once('error', (error) => this.#startFailed(error))
      return
    }
    this.#child = child
    log(`${name}: started as process ${child.pid}.`)
    for (const stream of [child.stdout!, child.stderr!])
      createInterface(stream).on('line', (line) => log(`${name}: ${line}`))
    child.on('message', ({ port }: ListeningMessage) => {
      if (this.#port === null) this.#watch(child)
      this.#port = port
      this.#hasListened = true
      this.#missedHeartbeats = 0
    })
    child.on('error', ({ message }) => log(`${name}: ${message}`))
    child.on('exit', (code) => {
      this.#port = null
      this.#child = null
      this.#cancelCheck()
      if (this.#isStopping) return
      if (code === refusedExitCode && !this.#hasListened) this.#options.onRefused()
      else this.#restartLater('the mirror exited', clock.nowMs() - startMs)
    })
  }

  /** The machine has no process, descriptor or memory for another mirror, or Node itself was replaced. */
  #startFailed({ message }: Error): void {
    if (!this.#isStopping) this.#restartLater(`the mirror could not be started: ${message}`, 0)
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
    // Windows ends a process at once by any signal; a mirror that listens shuts down without its parent.
    if (process.platform === 'win32' && this.#port !== null) child.disconnect()
    else child.kill('SIGTERM')
    await promise
    cancelKill()
  }

  /** Checks for heartbeats: a process that hangs does not react to SIGTERM. */
  #watch(child: ChildProcess): void {
    const { clock, log, name } = this.#options
    this.#cancelCheck = clock.after(aliveIntervalMs, () => {
      this.#missedHeartbeats++
      if (this.#missedHeartbeats < missedHeartbeatsBeforeKillMax) {
        this.#watch(child)
        return
      }
      const seconds = (missedHeartbeatsBeforeKillMax * aliveIntervalMs) / 1000
      log(`${name}: the mirror has not responded for ${seconds} s.`)
      child.kill('SIGKILL')
    })
  }

  #restartLater(reason: string, ranMs: number): void {
    if (ranMs >= stableAfterMs) this.#restartDelayMs = restartDelayMsMin
    const { clock, log, name } = this.#options
    log(`${name}: ${reason}; it starts again in ${this.#restartDelayMs / 1000} s.`)
    this.#cancelRestart = clock.after(this.#restartDelayMs, () => this.start())
    this.#restartDelayMs = Math.min(2 * this.#restartDelayMs, restartDelayMsMax)
  }
}
