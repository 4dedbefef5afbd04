import type { Clock } from '../contract/clock.ts'
import { BufferPool } from '../encoding/buffer-pool.ts'
import { FrameBuilder } from '../encoding/frame-builder.ts'
import { buffersOf } from '../encoding/frame-message.ts'
import type { FromWorld, ToWorld } from '../encoding/thread-messages.ts'
import { SourceTrouble } from './source.ts'
import type { PublishCost, Source } from './source.ts'

/** The world works at most this long, or one step where that is longer, before it looks whether it is asked for. */
const sliceMs = 8

/** How often a world that warms up tells how far it is. */
const progressEveryMs = 250

export interface WorldHostOptions {
  readonly source: Source
  readonly clock: Clock
  /** Tells the service's thread something; the buffers move there. */
  readonly post: (message: FromWorld, moved: ArrayBuffer[]) => void
  /** Calls back as soon as what has arrived in the meantime has been seen to. */
  readonly soon: (call: () => void) => void
}

/** Runs a source in the world's thread: lets it go on, and answers the service's thread in between. */
export class WorldHost {
  readonly #source: Source
  readonly #clock: Clock
  readonly #post: (message: FromWorld, moved: ArrayBuffer[]) => void
  readonly #soon: (call: () => void) => void
  readonly #pool = new BufferPool()
  readonly #builder: FrameBuilder
  #isWarm = false
  #isWanted = false
  #isCapturing = false
  #toldMs = -Infinity
  #previous: PublishCost | null = null

  constructor({ source, clock, post, soon }: WorldHostOptions) {
    this.#source = source
    this.#clock = clock
    this.#post = post
    this.#soon = soon
    this.#builder = new FrameBuilder(this.#pool, clock.nowMs)
  }

  start(): void {
    const memory = this.#source.history
    if (memory !== null) this.#post({ kind: 'history', memory }, [])
    this.#goOn()
  }

  receive(message: ToWorld): void {
    if (message.kind === 'give-back') {
      for (const buffer of message.buffers) this.#pool.give(buffer)
      return
    }
    this.#isWanted = true
    this.#publishIfWanted()
  }

  #goOn(): void {
    const nowMs = this.#clock.nowMs()
    if (!this.#isWarm) {
      this.#warmUp(nowMs)
      this.#soon(() => this.#goOn())
      return
    }
    const restMs = this.#source.advance(nowMs + sliceMs)
    if (restMs === 0) this.#soon(() => this.#goOn())
    else if (restMs < Infinity) this.#clock.after(restMs, () => this.#goOn())
  }

  #warmUp(nowMs: number): void {
    const { done, simTimeNs } = this.#source.warmUp(nowMs + sliceMs)
    this.#isWarm = done === 1
    if (this.#isWarm || nowMs - this.#toldMs >= progressEveryMs) {
      this.#toldMs = nowMs
      this.#post({ kind: 'warming-up', done, simTimeNs }, [])
    }
    this.#publishIfWanted()
  }

  #publishIfWanted(): void {
    if (!this.#isWanted || !this.#isWarm || this.#isCapturing) return
    this.#isWanted = false
    this.#isCapturing = true
    // What fails in here is an uncaught error: it ends the thread, which is then started again.
    void this.#publish()
  }

  async #publish(): Promise<void> {
    const answer = await this.#answer()
    this.#isCapturing = false
    if (answer.kind !== 'frame') this.#post(answer, [])
    else this.#send(answer)
    this.#publishIfWanted()
  }

  async #answer(): Promise<Extract<FromWorld, { kind: 'frame' | 'unchanged' | 'missed' }>> {
    try {
      const content = await this.#source.capture(this.#previous)
      if (content === null) return { kind: 'unchanged' }
      return { kind: 'frame', message: this.#builder.build(content) }
    } catch (error) {
      if (!(error instanceof SourceTrouble)) throw error
      const { fault, message: reason } = error
      return { kind: 'missed', miss: { fault, reason, retryMs: this.#source.retryMs?.() ?? 0 } }
    }
  }

  #send(answer: Extract<FromWorld, { kind: 'frame' }>): void {
    const { message } = answer
    const moved = buffersOf(message)
    let bytesTotal = 0
    for (const buffer of moved) bytesTotal += buffer.byteLength
    this.#previous = { ...message.cost, bytesTotal }
    this.#post(answer, moved)
  }
}
