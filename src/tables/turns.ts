import { setImmediate } from 'node:timers'

/** Work that may pause at each yield. Between two yields it runs for a fraction of a millisecond. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Thrown when a value is read before it is computed. `whenReady` computes it and reads again. */
export class NotReady extends Error {
  readonly needed: MadeInSteps<unknown>

  constructor(needed: MadeInSteps<unknown>) {
    super('This is made in steps: read it within whenReady().')
    this.needed = needed
  }
}

/** A value that is computed once, in steps. Every job that needs it meanwhile advances the computation. */
export class MadeInSteps<T> {
  #steps: Steps<T> | null
  #read: () => T = () => {
    throw new NotReady(this)
  }

  constructor(steps: Steps<T>) {
    this.#steps = steps
  }

  get value(): T {
    return this.#read()
  }

  *finish(): Steps<undefined> {
    while (this.#steps !== null) {
      this.#step(this.#steps)
      yield
    }
  }

  #step(steps: Steps<T>): void {
    try {
      const { done, value } = steps.next()
      if (done !== true) return
      this.#read = () => value
    } catch (error) {
      this.#read = () => {
        throw error
      }
    }
    this.#steps = null
  }
}

/**
 * The result of `read`, once all values that it reads are computed. It runs again after each computation, so it must
 * have no side effects.
 */
export function* whenReady<T>(read: () => T): Steps<T> {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      yield* error.needed.finish()
    }
  }
}

/** The longest time for which jobs delay other requests. */
const turnMs = 4
/** Jobs that run at the same time; the others wait for one of them to end. */
const activeMax = 4
const waitingMax = 256
const waitedMaxMs = 30_000
/** The longest time for which arriving connections put off a turn. On a busy machine each round takes long. */
const putOffMaxMs = 16

/** Thrown when the queue of waiting jobs is full, or one of them has waited for too long. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

interface Work {
  readonly sinceMs: number
  /** Runs up to the next yield; returns whether the job has ended. */
  readonly step: () => boolean
  readonly fail: (error: unknown) => void
}

/**
 * Runs jobs on the service thread, one turn for all of them per round of the event loop: regardless of their number, a
 * new request waits for one turn.
 */
export class Turns {
  readonly #nowMs: () => number
  readonly #active: Work[] = []
  readonly #waiting: Work[] = []
  #isPutOff = false
  #putOffUntilMs = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  run<T>(steps: Steps<T>): Promise<T> {
    if (this.#waiting.length >= waitingMax) throw new TooMuchWork(`${waitingMax} others wait.`)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const step = (): boolean => {
      const { done, value } = steps.next()
      if (done === true) resolve(value)
      return done === true
    }
    this.#waiting.push({ step, fail: reject, sinceMs: this.#nowMs() })
    if (this.#waiting.length + this.#active.length === 1) this.#scheduleTurn()
    return promise
  }

  /**
   * A connection has arrived. Each round of the event loop accepts one, so of a burst the last would wait for as many
   * turns as there are others before it.
   */
  putOff(): void {
    this.#isPutOff = true
  }

  #scheduleTurn(): void {
    this.#putOffUntilMs = this.#nowMs() + putOffMaxMs
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    if (this.#isPutOff && this.#nowMs() < this.#putOffUntilMs) {
      this.#isPutOff = false
      setImmediate(() => this.#turn())
      return
    }
    const endMs = this.#nowMs() + turnMs
    do {
      this.#refuseLate()
      if (this.#active.length < activeMax && this.#waiting.length > 0)
        this.#active.push(this.#waiting.shift()!)
      const work = this.#active.shift()
      if (work === undefined) return
      if (!this.#advance(work, endMs)) this.#active.push(work)
    } while (this.#nowMs() < endMs)
    this.#scheduleTurn()
  }

  /** A machine that is too busy answers some requests rather than all of them too late. */
  #refuseLate(): void {
    const sinceMs = this.#nowMs() - waitedMaxMs
    while (this.#waiting.length > 0 && this.#waiting[0].sinceMs < sinceMs)
      this.#waiting.shift()!.fail(new TooMuchWork(`This one waited for ${waitedMaxMs / 1000} s.`))
  }

  /** Returns whether the job has ended. */
  #advance({ step, fail }: Work, endMs: number): boolean {
    try {
      do if (step()) return true
      while (this.#nowMs() < endMs)
      return false
    } catch (error) {
      fail(error)
      return true
    }
  }
}

/** The number of items that are sorted in one step. */
const runLength = 256

/** Sorts in steps; the order is stable. */
export function* sortedInSteps<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).toSorted(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergedInSteps(runs[index], runs[index + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedInSteps<T>(
  ones: readonly T[],
  others: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<readonly T[]> {
  const merged: T[] = []
  let [one, other] = [0, 0]
  while (one < ones.length || other < others.length) {
    const takesOther = one === ones.length || (other < others.length && compare(ones[one], others[other]) > 0)
    merged.push(takesOther ? others[other++] : ones[one++])
    if (merged.length % runLength === 0) yield
  }
  return merged
}
