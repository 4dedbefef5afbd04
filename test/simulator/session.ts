import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { aliveIntervalMs, SessionProcess } from '../../src/sessions/session-process.ts'
import { Place } from './scheduler.ts'
import type { Scheduler } from './scheduler.ts'

const startMs = 700
const port = 4711
/** A process that hangs gets no requests after this long, and is replaced after that, but not before. */
const [hangsMaxMs, replacedMinMs, replacedMaxMs] = [6_100, 18_900, 24_000]

/** The process of a mirror, as its parent sees it. */
class Child extends EventEmitter {
  readonly place = new Place()
  readonly pid: number | undefined
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly #scheduler: Scheduler
  readonly #parent: Place

  constructor(scheduler: Scheduler, parent: Place, isSpawned: boolean) {
    super()
    this.#scheduler = scheduler
    this.#parent = parent
    this.pid = isSpawned ? 1 : undefined
    if (isSpawned) scheduler.after(startMs, this.place, () => this.#beat())
    else scheduler.after(1, parent, () => this.emit('error', new Error('spawn EAGAIN')))
  }

  #beat(): void {
    this.emit('message', { port })
    this.#scheduler.after(aliveIntervalMs, this.place, () => this.#beat())
  }

  kill(signal: string): boolean {
    this.emit('killed', signal)
    if (signal === 'SIGKILL') this.end()
    else this.#scheduler.after(100, this.place, () => this.end())
    return true
  }

  disconnect(): void {
    this.kill('SIGTERM')
  }

  end(): void {
    if (!this.place.isAlive) return
    this.place.isAlive = false
    this.#scheduler.after(1, this.#parent, () => this.emit('exit', 1))
  }
}

/** A session of several: its process dies, hangs, and cannot be started. */
export class Session {
  readonly #scheduler: Scheduler
  readonly #process: SessionProcess
  #child: Child | null = null
  #refusesUntilMs = 0
  #throws = false
  #isStopping = false

  constructor(scheduler: Scheduler, parent: Place, fail: (what: string) => void) {
    this.#scheduler = scheduler
    this.#process = new SessionProcess({
      name: 'a',
      entry: new URL('file:///mirror'),
      words: [],
      environment: {},
      clock: scheduler.clockOf(parent),
      log: () => {},
      onRefused: () => fail('a session was taken as refused'),
      start: () => {
        const isRefused = scheduler.nowMs() < this.#refusesUntilMs
        if (isRefused && this.#throws) throw new Error('spawn ENOMEM')
        const child = new Child(scheduler, parent, !isRefused)
        this.#child = child
        child.on('killed', (signal) => {
          const early = signal === 'SIGKILL' && !this.#isStopping && this.#hungForMs < replacedMinMs
          if (early) fail(`a session is ended after ${this.#hungForMs} ms without a sign of life`)
        })
        return child as unknown as ChildProcess
      },
    })
    this.#process.start()
    this.#watch(parent, fail)
  }

  /** Looks at the process that hangs. */
  #watch(parent: Place, fail: (what: string) => void): void {
    this.#scheduler.after(500, parent, () => {
      const silentMs = this.#hungForMs
      if (silentMs > hangsMaxMs && this.port !== null) fail('a session that hangs gets requests')
      if (silentMs > replacedMaxMs) fail('a session that hangs is not replaced')
      this.#watch(parent, fail)
    })
  }

  get #hungForMs(): number {
    if (this.#child === null || !this.#child.place.isAlive || this.#hungAtMs === null) return 0
    const nowMs = this.#scheduler.nowMs()
    return this.#child.place.hangsUntilMs > nowMs ? nowMs - this.#hungAtMs : 0
  }

  #hungAtMs: number | null = null

  get port(): number | null {
    return this.#process.port
  }

  die(): void {
    this.#child?.end()
  }

  hang(ms: number): void {
    const nowMs = this.#scheduler.nowMs()
    if (this.#child === null || this.#child.place.hangsUntilMs > nowMs || this.port === null) return
    this.#child.place.hangsUntilMs = nowMs + ms
    this.#hungAtMs = nowMs
  }

  /** No process can be started until a time: an error is thrown or emitted. */
  refuse(untilMs: number, throws: boolean): void {
    this.#refusesUntilMs = untilMs
    this.#throws = throws
    this.#child?.end()
  }

  stop(): Promise<void> {
    this.#isStopping = true
    return this.#process.stop()
  }
}
