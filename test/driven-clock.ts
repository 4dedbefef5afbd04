import type { Clock } from '../src/contract/clock.ts'

interface Timer {
  readonly atMs: number
  readonly call: () => void
}

/** A clock that stands still until it is told to go on. */
export class DrivenClock implements Clock {
  #nowMs = 0
  readonly #timers = new Set<Timer>()

  readonly nowMs = (): number => this.#nowMs

  readonly after = (delayMs: number, call: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + delayMs, call }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Goes on to a moment and calls what was waiting for it, or for a moment before. */
  goTo(toMs: number): void {
    for (;;) {
      const next = [...this.#timers].filter((t) => t.atMs <= toMs).toSorted((a, b) => a.atMs - b.atMs)[0]
      if (next === undefined) break
      this.#timers.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.call()
    }
    this.#nowMs = Math.max(this.#nowMs, toMs)
  }
}
