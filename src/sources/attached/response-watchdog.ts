import type { Clock } from '../../contract/clock.ts'
import { SourceError } from '../source.ts'
import type { UpstreamClient } from './http/http-client.ts'
import { fetchHealth } from './upstream-health.ts'

/** Bounds of the time that ordinary responses may make no progress while the upstream responds to others. */
const patienceMinMs = 500
const patienceMaxMs = 8_000

/**
 * Abandons responses that make no progress although the upstream responds to other requests: they were lost on the way.
 * If the upstream is only slow, the next attempt is given twice the time.
 */
export class ResponseWatchdog {
  readonly #client: UpstreamClient
  readonly #clock: Clock
  readonly #cadenceMs: number
  readonly #patienceFloorMs: number
  #patienceMs: number

  constructor(client: UpstreamClient, clock: Clock, cadenceMs: number) {
    this.#client = client
    this.#clock = clock
    this.#cadenceMs = cadenceMs
    this.#patienceFloorMs = Math.max(patienceMinMs, cadenceMs)
    this.#patienceMs = this.#patienceFloorMs
  }

  /** Runs a function that sends requests with the signal, which aborts when their responses are abandoned. */
  async guard<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const startedMs = this.#clock.nowMs()
    const control = new AbortController()
    const done = new AbortController()
    this.#client.lastProgressMs = startedMs
    void this.#watch(control, done.signal)
    try {
      const result = await work(control.signal)
      const tookMs = this.#clock.nowMs() - startedMs
      this.#patienceMs = Math.min(Math.max(this.#patienceFloorMs, tookMs), patienceMaxMs)
      return result
    } catch (error) {
      if (!control.signal.aborted) throw error
      const seconds = (this.#patienceMs / 1000).toFixed(1)
      this.#patienceMs = Math.min(2 * this.#patienceMs, patienceMaxMs)
      throw new SourceError('timed_out', `The upstream's responses made no progress for ${seconds} s.`)
    } finally {
      done.abort()
      control.abort()
    }
  }

  async #watch(control: AbortController, done: AbortSignal): Promise<void> {
    while (!done.aborted && !control.signal.aborted) {
      const quietMs = this.#clock.nowMs() - this.#client.lastProgressMs
      await this.#pause(Math.max(this.#patienceMs - quietMs, this.#patienceMs / 4))
      if (done.aborted || !this.#isStalled()) continue
      const responds = await this.#upstreamResponds()
      if (responds && !done.aborted && this.#isStalled()) control.abort()
    }
  }

  #isStalled(): boolean {
    return this.#clock.nowMs() - this.#client.lastProgressMs >= this.#patienceMs
  }

  async #upstreamResponds(): Promise<boolean> {
    try {
      await fetchHealth(this.#client, this.#clock, this.#cadenceMs)
      return true
    } catch {
      return false
    }
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, resolve)
    })
  }
}
