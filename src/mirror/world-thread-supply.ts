import type { Clock } from '../contract/clock.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { Changes } from '../encoding/frames/changes.ts'
import type { FromWorld, ToWorld } from '../encoding/frames/worker-protocol.ts'
import type { FrameSupply, SupplyEvents } from './frame-supply.ts'

/** The pause before a restart doubles from the minimum to the maximum. It never gives up. */
const restartDelayMinMs = 500
export const restartDelayMaxMs = 4_000

/** A world that has published for this long is healthy: its earlier failures no longer lengthen the pause. */
export const healthyAfterMs = 60_000

/** The interval at which the watchdog checks for messages. */
export const watchdogIntervalMs = 1_000

/**
 * The watchdog counts its own checks, not wall time: a suspended process or a stalled service thread is no silence of
 * the worker. A live worker sends a heartbeat each second; its longest work without one, a step and a frame of 50,000
 * hosts, stays well below the bound.
 */
const silentIntervalsMax = 20

/**
 * Building a world of 50,000 hosts takes up to a minute before the first message, as does opening a long recording. The
 * first frame, in which every record is encoded, takes as long on a busy machine.
 */
export const silentIntervalsAtStartMax = 600

/** A worker thread, as far as the supply knows it. */
interface WorldThread {
  postMessage(message: ToWorld): void
  on(event: 'message', call: (message: FromWorld) => void): unknown
  on(event: 'error', call: (error: unknown) => void): unknown
  on(event: 'exit', call: (code: number) => void): unknown
  terminate(): Promise<unknown>
}

interface WorldThreadSupplyOptions {
  /** Starts the world's thread, which simulates up to `reachNs` at least before it publishes. */
  readonly spawn: (reachNs: bigint) => WorldThread
  readonly clock: Clock
  /** Receives what happens, for an archive. */
  readonly onChanges?: (changes: Changes) => void
  /** Whether the thread has to save its world before it is terminated. */
  readonly isSavedAtClose?: boolean
}

/** The time that a world has to save its state before its thread is terminated: one of 50,000 hosts takes seconds. */
const closeTimeoutMs = 7_000

/** Supplies frames from a world in a worker thread. Restarts the worker when it dies or stops responding. */
export class WorldThreadSupply implements FrameSupply {
  readonly #options: WorldThreadSupplyOptions
  #onClosed: () => void = () => {}
  #events: SupplyEvents | null = null
  /** Events before `start`. */
  #early: ((events: SupplyEvents) => void)[] = []
  #worker: WorldThread | null = null
  #reachedNs = 0n
  /** The parts of the frame that is requested; null while none is. */
  #requested: readonly FramePart[] | null = null
  #failuresInARow = 0
  #firstFrameMs: number | null = null
  /** Watchdog intervals since the worker's last message, or since its start. */
  #silentIntervals = 0
  #hasResponded = false
  /** The first frame encodes every record, which takes long on a busy machine. */
  #isEncodingAll = false
  #hasBegun = false
  #isClosed = false
  #cancelTimer: () => void = () => {}

  constructor(options: WorldThreadSupplyOptions) {
    this.#options = options
  }

  /** Starts the world before its events are wanted; they are kept until `start`. */
  begin(): void {
    this.#hasBegun = true
    this.#startWorker()
  }

  start(events: SupplyEvents): void {
    this.#events = events
    for (const call of this.#early.splice(0)) call(events)
    if (!this.#hasBegun) this.begin()
  }

  request(parts: readonly FramePart[]): void {
    this.#requested = parts
    this.#send({ kind: 'publish', parts })
  }

  recycle(buffers: ArrayBufferLike[]): void {
    this.#send({ kind: 'recycle', buffers })
  }

  /** The next batch has all of its lists. */
  wantAllLists(): void {
    this.#send({ kind: 'want-all-lists' })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelTimer()
    if (this.#options.isSavedAtClose === true && this.#worker !== null) await this.#awaitClosed()
    await this.#worker?.terminate()
  }

  /** Waits until the world is saved, or until the timeout. */
  async #awaitClosed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onClosed = resolve
    const cancel = this.#options.clock.after(closeTimeoutMs, resolve)
    this.#send({ kind: 'close' })
    await promise
    cancel()
  }

  #send(message: ToWorld): void {
    this.#worker?.postMessage(message)
  }

  #startWorker(): void {
    this.#firstFrameMs = null
    this.#hasResponded = false
    this.#isEncodingAll = false
    this.#silentIntervals = 0
    let worker: WorldThread
    try {
      worker = this.#options.spawn(this.#reachedNs)
    } catch (error) {
      this.#onWorkerLost(describeError(error))
      return
    }
    this.#worker = worker
    let cause: string | null = null
    worker.on('message', (message: FromWorld) => {
      if (worker === this.#worker) this.#receive(message)
    })
    worker.on('error', (error: unknown) => {
      cause = describeError(error)
    })
    worker.on('exit', (code: number) => {
      if (worker === this.#worker) this.#onWorkerLost(cause ?? `its thread exited with code ${code}`)
    })
    this.#watch(worker)
    if (this.#requested !== null) this.#send({ kind: 'publish', parts: this.#requested })
  }

  #watch(worker: WorldThread): void {
    this.#cancelTimer = this.#options.clock.after(watchdogIntervalMs, () => {
      const isStarting = !this.#hasResponded || this.#isEncodingAll
      const intervalsMax = isStarting ? silentIntervalsAtStartMax : silentIntervalsMax
      this.#silentIntervals++
      if (this.#silentIntervals <= intervalsMax) {
        this.#watch(worker)
        return
      }
      void worker.terminate()
      const silentSeconds = (intervalsMax * watchdogIntervalMs) / 1000
      this.#onWorkerLost(`its thread has not responded for ${silentSeconds} s`)
    })
  }

  #tell(call: (events: SupplyEvents) => void): void {
    if (this.#events === null) this.#early.push(call)
    else call(this.#events)
  }

  #receive(message: FromWorld): void {
    if (message.kind === 'closed') return this.#onClosed()
    if (message.kind === 'state') return this.#tell((events) => events.state(message.report))
    if (this.#isClosed) return
    this.#hasResponded = true
    this.#silentIntervals = 0
    if (message.kind === 'heartbeat') return
    if (message.kind === 'changes') return this.#options.onChanges?.(message.changes)
    if (message.kind === 'warming-up') {
      this.#isEncodingAll = message.done === 1
      this.#reach(message.simTimeNs)
      this.#tell((events) => events.warmingUp(message))
      return
    }
    this.#isEncodingAll = false
    this.#firstFrameMs ??= this.#options.clock.nowMs()
    this.#requested = null
    if (message.kind === 'unchanged') return this.#tell((events) => events.unchanged())
    if (message.kind === 'missed') return this.#tell((events) => events.missed(message.miss))
    this.#reach(message.message.simTimeNs)
    this.#tell((events) => events.frame(message.message))
  }

  #reach(simTimeNs: bigint): void {
    if (simTimeNs > this.#reachedNs) this.#reachedNs = simTimeNs
  }

  #onWorkerLost(cause: string): void {
    this.#cancelTimer()
    this.#worker = null
    this.#onClosed()
    if (this.#isClosed) return
    const healthyMs = this.#firstFrameMs === null ? 0 : this.#options.clock.nowMs() - this.#firstFrameMs
    if (healthyMs >= healthyAfterMs) this.#failuresInARow = 0
    const delayMs = Math.min(restartDelayMinMs * 2 ** this.#failuresInARow, restartDelayMaxMs)
    this.#failuresInARow++
    const reason = `The world stopped: ${cause}. Restarting it in ${delayMs / 1000} s.`
    this.#tell((events) => events.failed(reason))
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#startWorker())
  }
}

/** An error's message and origin: the file and line of the innermost stack frame. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const place = /^ *at .*?(?<file>[^/\\\s(]+:\d+):\d+\)?$/m.exec(error.stack ?? '')
  return place === null ? error.message : `${error.message} (at ${place.groups!['file']})`
}
