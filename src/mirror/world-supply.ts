import type { Worker } from 'node:worker_threads'
import type { Clock } from '../contract/clock.ts'
import type { FromWorld, ToWorld } from '../encoding/thread-messages.ts'
import type { FrameSupply, SupplyEvents } from './frame-supply.ts'

/** How long to wait before the world's thread is started again, the first time, the second … */
export const restartDelaysMs = [1_000, 2_000, 5_000, 15_000, 30_000] as const

/** A world that has published for this long is sound again: its earlier failures no longer count. */
export const soundAfterMs = 600_000

export interface WorldSupplyOptions {
  /** Starts the world's thread, which is to reach at least this simulated time before it publishes. */
  readonly spawn: (reachNs: bigint) => Worker
  readonly clock: Clock
  /** Told where the history of metrics lies, again after every restart. */
  readonly onHistory: (memory: SharedArrayBuffer) => void
}

/** Frames from a world in a thread of its own, which is started again when it dies. */
export class WorldSupply implements FrameSupply {
  readonly #spawn: (reachNs: bigint) => Worker
  readonly #clock: Clock
  readonly #onHistory: (memory: SharedArrayBuffer) => void
  #events: SupplyEvents | null = null
  #worker: Worker | null = null
  #reachedNs = 0n
  #isWanted = false
  #restarts = 0
  #firstFrameMs: number | null = null
  #isClosed = false
  #stopWaiting: () => void = () => {}

  constructor({ spawn, clock, onHistory }: WorldSupplyOptions) {
    this.#spawn = spawn
    this.#clock = clock
    this.#onHistory = onHistory
  }

  start(events: SupplyEvents): void {
    this.#events = events
    this.#startWorld()
  }

  request(): void {
    this.#isWanted = true
    this.#tell({ kind: 'publish' })
  }

  giveBack(buffers: ArrayBuffer[]): void {
    this.#worker?.postMessage({ kind: 'give-back', buffers } satisfies ToWorld, buffers)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopWaiting()
    await this.#worker?.terminate()
  }

  #tell(message: ToWorld): void {
    this.#worker?.postMessage(message)
  }

  #startWorld(): void {
    const worker = this.#spawn(this.#reachedNs)
    this.#worker = worker
    this.#firstFrameMs = null
    let cause: string | null = null
    worker.on('message', (message: FromWorld) => this.#receive(message))
    worker.on('error', (error: unknown) => {
      cause = error instanceof Error ? `${error.message}${placeOf(error)}` : String(error)
    })
    worker.on('exit', (code: number) => {
      if (worker === this.#worker) this.#lose(cause ?? `its thread ended with code ${code}`)
    })
    if (this.#isWanted) this.#tell({ kind: 'publish' })
  }

  #receive(message: FromWorld): void {
    if (this.#isClosed) return
    if (message.kind === 'history') return this.#onHistory(message.memory)
    if (message.kind === 'warming-up') {
      this.#reach(message.simTimeNs)
      this.#events?.warmingUp(message)
      return
    }
    this.#firstFrameMs ??= this.#clock.nowMs()
    this.#isWanted = false
    if (message.kind === 'unchanged') return this.#events?.unchanged()
    if (message.kind === 'missed') return this.#events?.missed(message.miss)
    this.#reach(message.message.simTimeNs)
    this.#events?.frame(message.message)
  }

  #reach(simTimeNs: bigint): void {
    if (simTimeNs > this.#reachedNs) this.#reachedNs = simTimeNs
  }

  #lose(cause: string): void {
    this.#worker = null
    if (this.#isClosed) return
    const lived = this.#firstFrameMs === null ? 0 : this.#clock.nowMs() - this.#firstFrameMs
    if (lived >= soundAfterMs) this.#restarts = 0
    const delayMs = restartDelaysMs[this.#restarts]
    if (delayMs === undefined) {
      this.#events?.failed(
        `The world stopped: ${cause}. It was started again ${this.#restarts} times in vain.`,
        true,
      )
      return
    }
    this.#restarts++
    const retry = `Starting it again in ${delayMs / 1000} s (${this.#restarts} of ${restartDelaysMs.length}).`
    this.#events?.failed(`The world stopped: ${cause}. ${retry}`, false)
    this.#stopWaiting = this.#clock.after(delayMs, () => this.#startWorld())
  }
}

/** Where in the sources an error arose, for whoever mends it: the innermost frame's file and line. */
function placeOf({ stack }: Error): string {
  const place = /^ *at .*?(?<file>[^/\\\s(]+:\d+):\d+\)?$/m.exec(stack ?? '')
  return place === null ? '' : ` (at ${place.groups!['file']})`
}
