import type { Clock } from '../contract/clock.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { Frame } from '../encoding/frames/frame.ts'

interface Waiter {
  readonly parts: readonly FramePart[]
  readonly resolve: (frame: Frame | null) => void
  readonly stopTimer: () => void
}

export const hasParts = (frame: Frame, parts: readonly FramePart[]): boolean =>
  parts.every((part) => frame.parts.has(part))

/** The parts that clients read: those that frames have, and those that clients wait for. */
export class ReadParts {
  readonly #clock: Clock
  readonly #idleAfterMs: number
  readonly #always: readonly FramePart[]
  readonly #readMs = new Map<FramePart, number>()
  readonly #waiters = new Set<Waiter>()

  /** A part that was not read for `idleAfterMs` is no longer made, unless it is one of `always`. */
  constructor(clock: Clock, idleAfterMs: number, always: readonly FramePart[]) {
    this.#clock = clock
    this.#idleAfterMs = idleAfterMs
    this.#always = always
  }

  /** Samples are printed for a scrape, of which one in many publishes is enough. */
  read(parts: readonly FramePart[]): void {
    const nowMs = this.#clock.nowMs()
    for (const part of parts) if (part !== 'samples') this.#readMs.set(part, nowMs)
  }

  /** The next frame with the parts; null if none comes in time. */
  await(parts: readonly FramePart[], timeoutMs: number): Promise<Frame | null> {
    const { promise, resolve } = Promise.withResolvers<Frame | null>()
    const stopTimer = this.#clock.after(timeoutMs, () => {
      this.#waiters.delete(waiter)
      resolve(null)
    })
    const waiter = { parts, resolve, stopTimer }
    this.#waiters.add(waiter)
    return promise
  }

  get areAwaited(): boolean {
    return this.#waiters.size > 0
  }

  /** The parts of the next frame. */
  get next(): FramePart[] {
    const sinceMs = this.#clock.nowMs() - this.#idleAfterMs
    for (const [part, readMs] of this.#readMs) if (readMs <= sinceMs) this.#readMs.delete(part)
    const awaited = Array.from(this.#waiters, ({ parts }) => parts)
    return [...new Set([...this.#always, ...this.#readMs.keys(), ...awaited.flat()])]
  }

  /** Hands a frame to those who wait for parts that it has. */
  settle(frame: Frame): void {
    for (const waiter of this.#waiters) {
      if (!hasParts(frame, waiter.parts)) continue
      this.#waiters.delete(waiter)
      waiter.stopTimer()
      waiter.resolve(frame)
    }
  }
}
