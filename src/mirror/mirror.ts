import type { Clock } from '../contract/clock.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import type { healthStatuses } from '../contract/vocabularies.ts'
import { FrameAssembler } from '../encoding/frame-assembly.ts'
import type { FrameMessage } from '../encoding/frame-message.ts'
import type { Frame } from '../encoding/frame.ts'
import type { MissedFrame } from '../encoding/thread-messages.ts'
import { Cadence } from './cadence.ts'
import type { FrameSupply, WarmUpProgress } from './frame-supply.ts'
import { LiveFrames } from './live-frames.ts'

/** A frame that was asked for this long ago, and three cadences, is missed. */
const overdueAfterMs = 5000

export interface MirrorOptions {
  readonly supply: FrameSupply
  readonly clock: Clock
  /** Wall time between publishes while somebody reads. */
  readonly cadenceMs: number
  /** Publishing pauses after this long without a read. */
  readonly idleAfterMs: number
  /** One line for people. */
  readonly log: (line: string) => void
}

export interface MirrorStatus {
  readonly status: (typeof healthStatuses)[number]
  /** Why the status is what it is; empty when ok. */
  readonly reason: string
}

/** What one publish was like. */
export interface PublishReport {
  readonly publishSeq: number
  /** From the world's capture to the moment readers could see it. */
  readonly captureToSwapMs: number
  /** What the publish took of the service's own thread. */
  readonly swapMs: number
  /** What encoding took of the world's thread. */
  readonly encodeMs: number
  readonly recordsEncoded: number
  readonly recordsTotal: number
  /** Memory of all buffers that the frame reads. */
  readonly frameBytes: number
}

export interface MirrorFigures {
  readonly reads: number
  /** Whether publishing pauses because nobody reads. */
  readonly isPaused: boolean
  /** Whether the source is alive, as far as is known. */
  readonly isSourceUp: boolean
  readonly failures: number
  /** Readers of superseded frames that were told to end because they held too much memory. */
  readonly readersEnded: number
  readonly supersededFrames: number
  readonly supersededBytes: number
}

/**
 * The world as readers see it. Every HTTP request calls `read` once, first thing, and answers all of itself from
 * the frame it got, or says "no world yet" where it got null.
 *
 * A response that hands bytes of a frame to a socket calls `hold` in the same turn of the event loop as `read`, and
 * the function that it returns when the response has been sent or its socket has closed, whichever comes first.
 * Copied bytes need no hold.
 */
export class Mirror {
  readonly cadenceMs: number
  readonly #idleAfterMs: number
  readonly #supply: FrameSupply
  readonly #clock: Clock
  readonly #log: (line: string) => void
  readonly #live: LiveFrames
  readonly #cadence: Cadence
  readonly #listeners: ((report: PublishReport) => void)[] = []
  readonly #faultListeners: ((fault: SourceFault) => void)[] = []
  readonly #assembler = new FrameAssembler()
  #frame: Frame | null = null
  #progress: WarmUpProgress | null = null
  #failure: { readonly fault: SourceFault; readonly reason: string; readonly final: boolean } | null = null
  #reads = 0
  #failures = 0
  #lastReadMs: number
  /** Since when a frame is wanted that has not come; null while none is. */
  #wantedSinceMs: number | null = null
  /** Whether the present frame is from before a pause, the pause itself included. */
  #idle = false
  #stopWaiting: () => void = () => {}

  constructor({ supply, clock, cadenceMs, idleAfterMs, log }: MirrorOptions) {
    this.cadenceMs = cadenceMs
    this.#idleAfterMs = idleAfterMs
    this.#supply = supply
    this.#clock = clock
    this.#log = log
    this.#cadence = new Cadence(cadenceMs)
    this.#live = new LiveFrames((buffers) => supply.giveBack(buffers))
    this.#lastReadMs = clock.nowMs()
  }

  /** Asks for the first frame. */
  start(): void {
    this.#supply.start({
      frame: (message) => this.#publish(message),
      unchanged: () => this.#stay(),
      missed: (miss) => this.#miss(miss),
      warmingUp: (progress) => {
        this.#progress = progress
      },
      failed: (reason, final) => this.#fail(reason, final),
    })
    this.#request()
  }

  /** The current frame, or null before the first, for whoever does not answer a request. */
  get frame(): Frame | null {
    return this.#frame
  }

  /** The current frame, or null before the first. Counts as a read, ends an idle pause, and never waits. */
  read(): Frame | null {
    this.#reads++
    this.#lastReadMs = this.#clock.nowMs()
    if (this.#idle) this.#request()
    return this.#frame
  }

  /** How long ago the frame's world was captured, in whole milliseconds; 0 for no frame. */
  ageMs(frame: Frame | null): number {
    return frame === null ? 0 : Math.max(0, Math.floor(this.#clock.nowMs() - frame.capturedAtMs))
  }

  /**
   * Keeps a frame's bytes unchanged until the function that it returns is called. `end` is called when slow readers
   * of old frames hold too much memory and this is one of the oldest: close the socket, then release as ever.
   */
  hold(frame: Frame, end: () => void): () => void {
    return this.#live.hold(frame, end, this.#clock.nowMs())
  }

  /** What /health says. */
  status(): MirrorStatus {
    const failure = this.#failure
    if (failure !== null && (failure.final || this.#frame !== null)) {
      return { status: 'stale', reason: failure.reason }
    }
    if (this.#frame === null) return { status: 'starting', reason: failure?.reason ?? this.#warmUpReason() }
    const waitedMs = this.#wantedSinceMs === null ? 0 : this.#clock.nowMs() - this.#wantedSinceMs
    if (waitedMs > Math.max(overdueAfterMs, 3 * this.cadenceMs)) {
      return { status: 'stale', reason: `The world has not answered for ${Math.round(waitedMs / 1000)} s.` }
    }
    if (!this.#idle) return { status: 'ok', reason: '' }
    const pause = `Nothing read the mirror for ${this.#idleAfterMs / 1000} s, so publishing paused.`
    return { status: 'idle', reason: pause }
  }

  /** Whether the world broke down for good. */
  get isLost(): boolean {
    return this.#failure?.final ?? false
  }

  /** Calls the listener after every publish. */
  onPublish(listener: (report: PublishReport) => void): void {
    this.#listeners.push(listener)
  }

  /** Calls the listener whenever the source fails, as often as it does. */
  onFault(listener: (fault: SourceFault) => void): void {
    this.#faultListeners.push(listener)
  }

  figures(): MirrorFigures {
    return {
      reads: this.#reads,
      isPaused: this.#idle && this.#wantedSinceMs === null,
      isSourceUp: this.status().status !== 'stale',
      failures: this.#failures,
      readersEnded: this.#live.readersEnded,
      supersededFrames: this.#live.supersededFrames,
      supersededBytes: this.#live.supersededBytes,
    }
  }

  /** Stops publishing and ends the world. The last frame can still be read. */
  async close(): Promise<void> {
    this.#stopWaiting()
    await this.#supply.close()
  }

  #request(sinceMs: number = this.#clock.nowMs()): void {
    if (this.#wantedSinceMs !== null) return
    this.#wantedSinceMs = sinceMs
    this.#supply.request()
  }

  #publish(message: FrameMessage): void {
    const beganMs = this.#clock.nowMs()
    const assembled = this.#assembler.assemble(message, (this.#frame?.publishSeq ?? 0) + 1)
    this.#frame = assembled.frame
    this.#live.supersede(assembled, beganMs)
    const nowMs = this.#clock.nowMs()
    // A frame that had to wait for a world to warm up, or to be restarted, says nothing about the next.
    const ordinary = this.#frame.publishSeq > 1 && this.#failure === null && this.#wantedSinceMs !== null
    if (ordinary) this.#cadence.learn(nowMs - this.#wantedSinceMs!)
    this.#settle()
    this.#idle = false
    this.#await(this.#cadence.nextRequestMs(message.capturedAtMs))
    this.#report(message, assembled.buffers, nowMs, nowMs - beganMs)
  }

  /** The source is well and the request answered, though with no other world than there is. */
  #stay(): void {
    this.#settle()
    this.#await(this.#clock.nowMs())
  }

  /** Nothing came of the request. It is made again for as long as somebody reads. */
  #miss({ fault, reason, retryMs }: MissedFrame): void {
    this.#countFailure(fault)
    // What goes on being wrong is told of once; /health goes on telling the present reason.
    if (this.#failure?.fault !== fault) this.#log(reason)
    this.#failure = { fault, reason, final: false }
    this.#wantedSinceMs = null
    this.#await(this.#clock.nowMs() + retryMs)
  }

  #settle(): void {
    if (this.#failure !== null) this.#log('The world is back.')
    this.#failure = null
    this.#wantedSinceMs = null
  }

  #await(dueMs: number): void {
    this.#stopWaiting()
    const delayMs = Math.max(0, dueMs - this.#clock.nowMs())
    this.#stopWaiting = this.#clock.after(delayMs, () => this.#due(dueMs))
  }

  #countFailure(fault: SourceFault): void {
    this.#failures++
    for (const listener of this.#faultListeners) listener(fault)
  }

  #due(dueMs: number): void {
    if (this.#clock.nowMs() - this.#lastReadMs >= this.#idleAfterMs) {
      this.#idle = true
      return
    }
    // A timer that fired late is part of what the next frame has to be ahead of.
    this.#request(dueMs)
  }

  #fail(reason: string, final: boolean): void {
    this.#stopWaiting()
    this.#failure = { fault: 'crashed', reason, final }
    this.#countFailure('crashed')
    this.#log(reason)
    // The frame that comes then is what tells that the world is back.
    if (!final) this.#request()
  }

  #warmUpReason(): string {
    if (this.#progress === null) return 'The world is being built.'
    const { done, simTimeNs } = this.#progress
    if (done === 1) return 'The first state of the world is on its way.'
    const hours = Number(simTimeNs / 3_600_000_000_000n)
    return `The world is warming up: ${Math.floor(done * 100)} %, at simulated hour ${hours}.`
  }

  #report(message: FrameMessage, buffers: ReadonlySet<ArrayBuffer>, nowMs: number, swapMs: number): void {
    let frameBytes = 0
    for (const buffer of buffers) frameBytes += buffer.byteLength
    const { encodeMs, recordsEncoded, recordsTotal } = message.cost
    const report = {
      publishSeq: this.#frame!.publishSeq,
      captureToSwapMs: nowMs - message.capturedAtMs,
      swapMs,
      encodeMs,
      recordsEncoded,
      recordsTotal,
      frameBytes,
    }
    for (const listener of this.#listeners) listener(report)
  }
}
