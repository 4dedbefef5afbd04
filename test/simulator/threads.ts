import { EventEmitter } from 'node:events'
import { Place, Port } from './scheduler.ts'
import type { Scheduler } from './scheduler.ts'

/** Starts the program of a thread, and returns what receives its messages. It may throw. */
type Program<In, Out> = (
  place: Place,
  post: (message: Out, moved: ArrayBuffer[]) => void,
) => (message: In) => void

interface ThreadOptions<In, Out> {
  readonly scheduler: Scheduler
  /** The place that started the thread, and receives its messages. */
  readonly parent: Place
  readonly delayMs: () => number
  readonly program: Program<In, Out>
  /** Sees each message that is posted by the thread or to it. */
  readonly onPost?: (message: In | Out) => void
}

/** A worker thread: `worker_threads` as the program knows it. */
export class Thread<In, Out> extends EventEmitter {
  readonly place = new Place()
  readonly #scheduler: Scheduler
  readonly #parent: Place
  readonly #delayMs: () => number
  readonly #onPost: (message: In | Out) => void
  readonly #in: Port<In>
  readonly #out: Port<Out>

  constructor({ scheduler, parent, delayMs, program, onPost = () => {} }: ThreadOptions<In, Out>) {
    super()
    this.#scheduler = scheduler
    this.#parent = parent
    this.#delayMs = delayMs
    this.#onPost = onPost
    let receive: ((message: In) => void) | null = null
    // Messages wait for the program.
    const early: In[] = []
    this.#in = new Port(scheduler, parent, this.place, delayMs, (message) => {
      if (receive === null) early.push(message)
      else receive(message)
    })
    this.#out = new Port(scheduler, this.place, parent, delayMs, (message) => this.emit('message', message))
    scheduler.after(delayMs(), this.place, () => {
      receive = program(this.place, (message, moved) => this.#post(message, moved))
      early.forEach(receive)
    })
  }

  postMessage(message: In, moved: ArrayBuffer[] = []): void {
    this.#onPost(message)
    this.#in.post(message, moved)
  }

  #post(message: Out, moved: ArrayBuffer[]): void {
    if (!this.place.isAlive) return
    this.#onPost(message)
    this.#out.post(message, moved)
  }

  hang(ms: number): void {
    this.place.hangsUntilMs = Math.max(this.place.hangsUntilMs, this.#scheduler.nowMs() + ms)
  }

  /** Messages that it has posted still arrive. */
  die(error: Error | null): void {
    if (!this.place.isAlive) return
    this.place.isAlive = false
    const end = (): void => {
      if (error !== null) this.emit('error', error)
      this.emit('exit', 1)
    }
    const wait = (): unknown =>
      this.#scheduler.after(this.#delayMs(), this.#parent, () => (this.#out.waiting > 0 ? wait() : end()))
    wait()
  }

  async terminate(): Promise<void> {
    this.die(null)
  }
}
