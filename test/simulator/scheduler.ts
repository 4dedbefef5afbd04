import type { Clock } from '../../src/contract/clock.ts'

/** A thread, process or machine: its timers and messages have their turn while it lives, and later while it hangs. */
export class Place {
  isAlive = true
  hangsUntilMs = 0
}

interface Turn {
  atMs: number
  readonly order: number
  readonly place: Place
  readonly call: () => void
  isCanceled: boolean
}

const isLater = (one: Turn, other: Turn): boolean =>
  one.atMs > other.atMs || (one.atMs === other.atMs && one.order > other.order)

/** Owns time: what is due next is called next, and equal times in the order in which they were scheduled. */
export class Scheduler {
  #nowMs = 1_000
  /** The wall time at which the monotonic clock says 0. */
  wallOffsetMs = Date.UTC(2026, 0, 1)
  /** The latest first. */
  readonly #turns: Turn[] = []
  #order = 0
  turns = 0
  onThrow: (error: unknown) => void = () => {}
  readonly nowMs = (): number => this.#nowMs

  /** Calls after a delay, unless it is canceled by the returned function or the place has died. */
  after(delayMs: number, place: Place, call: () => void): () => void {
    const turn: Turn = {
      atMs: this.#nowMs + Math.max(0, delayMs),
      order: this.#order++,
      place,
      call,
      isCanceled: false,
    }
    this.#insert(turn)
    return () => {
      turn.isCanceled = true
    }
  }

  /** The clock of a place. */
  clockOf(place: Place): Clock {
    return {
      nowMs: this.nowMs,
      wallMs: () => this.wallOffsetMs + Math.floor(this.#nowMs),
      after: (delayMs, call) => this.after(delayMs, place, call),
    }
  }

  /** Runs until a time; `onTurn` is called after each turn, once its promises have settled. Ends when it returns true. */
  async runUntil(untilMs: number, onTurn: () => boolean): Promise<void> {
    for (;;) {
      const turn = this.#turns.at(-1)
      if (turn === undefined || turn.atMs > untilMs) break
      this.#turns.pop()
      if (turn.isCanceled || !turn.place.isAlive) continue
      if (turn.place.hangsUntilMs > turn.atMs) {
        turn.atMs = turn.place.hangsUntilMs
        this.#insert(turn)
        continue
      }
      this.#nowMs = turn.atMs
      this.turns++
      try {
        turn.call()
      } catch (error) {
        this.onThrow(error)
      }
      await new Promise((resolve) => setImmediate(resolve))
      if (onTurn()) return
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  #insert(turn: Turn): void {
    let [low, high] = [0, this.#turns.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isLater(this.#turns[middle], turn)) low = middle + 1
      else high = middle
    }
    this.#turns.splice(low, 0, turn)
  }
}

/** Messages in one direction: each arrives after a delay, none before an earlier one. */
export class Port<M> {
  readonly #scheduler: Scheduler
  readonly #from: Place
  readonly #to: Place
  readonly #delayMs: () => number
  readonly #receive: (message: M) => void
  #lastMs = 0
  /** Messages on their way. */
  waiting = 0

  constructor(
    scheduler: Scheduler,
    from: Place,
    to: Place,
    delayMs: () => number,
    receive: (message: M) => void,
  ) {
    this.#scheduler = scheduler
    this.#from = from
    this.#to = to
    this.#delayMs = delayMs
    this.#receive = receive
  }

  post(message: M, moved: ArrayBuffer[] = []): void {
    const copy = structuredClone(message, { transfer: moved })
    const nowMs = this.#scheduler.nowMs()
    // A thread that works posts when it is done.
    this.#lastMs = Math.max(this.#lastMs, nowMs + this.#delayMs(), this.#from.hangsUntilMs)
    this.waiting++
    this.#scheduler.after(this.#lastMs - nowMs, this.#to, () => {
      this.waiting--
      this.#receive(copy)
    })
  }
}
