import type { Clock } from '../contract/clock.ts'
import { BufferPool } from '../encoding/frames/buffer-pool.ts'
import { FrameBuilder } from '../encoding/frames/frame-builder.ts'
import { buffersOf } from '../encoding/frames/frame-message.ts'
import type { FrameContent } from '../encoding/frames/frame-builder.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import { buffersOfChanges } from '../encoding/frames/changes.ts'
import type { Changes } from '../encoding/frames/changes.ts'
import type { FromWorld, ToWorld } from '../encoding/frames/worker-protocol.ts'
import { SourceError } from './source.ts'
import type { PublishCost, Source } from './source.ts'
import { figuresIn, ChangeBuilder } from './change-builder.ts'
import type { ChangeParts } from './change-builder.ts'

/** The source works at most this long, or one step if that is longer, before messages are received. */
const sliceMs = 8

/** The interval of progress reports during a warm-up. */
const progressIntervalMs = 250

/**
 * Batches of changes of a warm-up that is not repeated: the first are sent at once, so that reads find all of most
 * warm-ups, the others with a pause between two: an archive stores some hundred in a second.
 */
const pastAtOnce = 500
const pastPauseMs = 3

interface SourceRunnerOptions {
  readonly source: Source
  readonly clock: Clock
  /** Sends a message to the service thread; the buffers of a batch of changes are moved there. */
  readonly post: (message: FromWorld, moved: ArrayBuffer[]) => void
  /** Calls back after the pending messages have been received. */
  readonly soon: (call: () => void) => void
  /** Whether an archive keeps what happens. */
  readonly isArchived?: boolean
}

/** Runs a source in the world thread: advances it, and answers the service thread in between. */
export class SourceRunner {
  readonly #options: SourceRunnerOptions
  /** Other threads read a frame where it was written, and return its buffers. */
  readonly #pool = new BufferPool()
  readonly #builder: FrameBuilder
  #changes: ChangeBuilder | null
  /** The changes of a warm-up that are still to be sent. Those of the present follow. */
  readonly #past: ChangeParts[]
  #isWarm = false
  /** The parts of the frame that is requested, which no other is before it is answered; null while none is. */
  #requested: readonly FramePart[] | null = null
  #isClosed = false
  #lastProgressMs = -Infinity
  #previous: PublishCost | null = null

  constructor(options: SourceRunnerOptions) {
    const { source, clock, isArchived = false } = options
    this.#options = options
    this.#builder = new FrameBuilder(this.#pool, clock.nowMs)
    this.#past = isArchived ? [...(source.changeFeed?.warmUpChanges ?? [])] : []
    this.#changes = isArchived || source.changeFeed?.keep !== undefined ? new ChangeBuilder() : null
  }

  start(): void {
    for (let sent = 0; sent < pastAtOnce && this.#past.length > 0; sent++) this.#sendWorldChanges()
    this.#advance()
  }

  receive(message: ToWorld): void {
    if (message.kind === 'recycle') {
      for (const buffer of message.buffers) this.#pool.give(buffer)
      return
    }
    if (message.kind === 'want-all-lists') {
      if (this.#changes !== null) this.#changes = new ChangeBuilder()
      return
    }
    if (message.kind === 'close') {
      void this.#close()
      return
    }
    this.#requested = message.parts
    this.#publishIfRequested()
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    await this.#options.source.close?.()
    this.#options.post({ kind: 'closed' }, [])
  }

  #advance(): void {
    if (this.#isClosed) return
    const nowMs = this.#options.clock.nowMs()
    if (!this.#isWarm) {
      this.#warmUp(nowMs)
      this.#options.soon(() => this.#advance())
      return
    }
    const dueMs = this.#options.source.advance(nowMs + sliceMs)
    // After the last of the past, the present is told, also of a world that is paused.
    const restMs = this.#past.length > 0 ? Math.min(dueMs, pastPauseMs) : dueMs
    this.#sendWorldChanges()
    if (restMs === 0) this.#options.soon(() => this.#advance())
    else if (restMs < Infinity) this.#options.clock.after(restMs, () => this.#advance())
  }

  #warmUp(nowMs: number): void {
    const { done, simTimeNs } = this.#options.source.warmUp(nowMs + sliceMs)
    this.#isWarm = done === 1
    // The archive has all of the warm-up, with its wall times, before anyone hears that it is over.
    this.#sendWorldChanges(this.#isWarm)
    if (this.#isWarm || nowMs - this.#lastProgressMs >= progressIntervalMs) {
      this.#lastProgressMs = nowMs
      this.#options.post({ kind: 'warming-up', done, simTimeNs }, [])
    }
    this.#publishIfRequested()
  }

  #publishIfRequested(): void {
    const parts = this.#requested
    if (parts === null || !this.#isWarm || this.#isClosed) return
    this.#requested = null
    // An uncaught error here ends the thread, which is then restarted.
    void this.#publish(parts)
  }

  async #publish(parts: readonly FramePart[]): Promise<void> {
    const answer = await this.#capture(parts)
    if (answer.kind === 'frame') this.#send(answer)
    else this.#options.post(answer, [])
  }

  async #capture(
    parts: readonly FramePart[],
  ): Promise<Extract<FromWorld, { kind: 'frame' | 'unchanged' | 'missed' }>> {
    try {
      const content = await this.#options.source.capture(this.#previous, parts)
      if (content === null) return { kind: 'unchanged' }
      this.#sendContentChanges(content)
      return { kind: 'frame', message: this.#builder.build(content) }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const { fault, message: reason } = error
      return { kind: 'missed', miss: { fault, reason, retryMs: this.#options.source.retryMs?.() ?? 0 } }
    }
  }

  /** Sends what has happened in a world that advances by itself. */
  #sendWorldChanges(isDue = false): void {
    const { changeFeed } = this.#options.source
    if (this.#changes === null || changeFeed === undefined) return
    const { worldId, figures } = changeFeed
    const past = this.#past.shift()
    if (past !== undefined) return this.#sendChanges({ ...past, worldId, figures, wallMs: null })
    const snapshot = changeFeed.next(this.#options.clock.nowMs(), isDue)
    if (snapshot === null) return
    const parts = this.#changes.ofRecords(snapshot)
    if (!this.#isWarm) changeFeed.keep?.(parts)
    const wallMs = this.#isWarm ? this.#options.clock.wallMs() : null
    this.#sendChanges({ ...parts, worldId, figures, wallMs })
  }

  #sendContentChanges(content: FrameContent): void {
    if (this.#changes === null || this.#options.source.changeFeed !== undefined || !('encoded' in content))
      return
    const { encoded, capturedAtMs } = content
    const wallMs = this.#options.clock.wallMs() - (this.#options.clock.nowMs() - capturedAtMs)
    const figures = figuresIn(encoded.diagnostics)
    this.#sendChanges({ ...this.#changes.ofEncoded(encoded), worldId: null, figures, wallMs })
  }

  #sendChanges(changes: Changes): void {
    if (this.#options.isArchived !== true) return
    this.#options.post({ kind: 'changes', changes }, buffersOfChanges(changes))
  }

  #send(answer: Extract<FromWorld, { kind: 'frame' }>): void {
    const { message } = answer
    let bytesTotal = 0
    for (const buffer of buffersOf(message)) bytesTotal += buffer.byteLength
    // A publish without records costs next to nothing.
    if (message.parts.length > 0) this.#previous = { ...message.cost, bytesTotal }
    this.#options.post(answer, [])
  }
}
