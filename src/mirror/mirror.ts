import type { Clock } from '../contract/clock.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import type { healthStatuses } from '../contract/vocabularies.ts'
import type { SessionReport } from '../contract/session-report.ts'
import { nothingUnknown, partText } from '../contract/collections.ts'
import type { UnknownParts } from '../contract/collections.ts'
import { FrameAssembler } from '../encoding/frames/frame-assembly.ts'
import type { FrameMessage } from '../encoding/frames/frame-message.ts'
import { recordParts } from '../encoding/frames/frame-parts.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { Frame, PublishMoment } from '../encoding/frames/frame.ts'
import type { FrameFailure, WarmUpProgress } from '../encoding/frames/worker-protocol.ts'
import { PublishPacer } from './publish-pacer.ts'
import { hasParts, ReadParts } from './read-parts.ts'
import type { FrameSupply } from './frame-supply.ts'
import { FrameLeases } from './frame-leases.ts'
import { timeLeft } from '../text/time-left.ts'

/** A client waits this long for parts that no frame has; those of 50,000 hosts take ten seconds. */
const partsTimeoutMs = 30_000
/** A scrape that waits any longer might time out at its Prometheus: it gets the samples of before. */
const samplesTimeoutMs = 5_000

/** A frame is overdue this long plus three cadences after its request. */
const overdueAfterMs = 5000

interface MirrorOptions {
  readonly supply: FrameSupply
  readonly clock: Clock
  /** Wall time between publishes while clients read. */
  readonly cadenceMs: number
  /** Wall time without a read after which publishing pauses. */
  readonly idleAfterMs: number
  /** Whether the records of every frame are read, as by a recorder; otherwise they are made while clients read them. */
  readonly isEachRead?: boolean
  /** Logs an error in one line. */
  readonly log: (line: string) => void
}

export interface MirrorStatus {
  readonly status: (typeof healthStatuses)[number]
  /** The reason of the status; empty when ok. */
  readonly reason: string
}

/** Measurements of one publish. */
export interface PublishReport {
  readonly publishSeq: number
  /** From the capture of the world's state to the swap that makes it visible to clients. */
  readonly captureToSwapMs: number
  readonly recordsEncoded: number
  readonly recordsTotal: number
  /** Size of all buffers that the frame refers to. */
  readonly frameBytes: number
}

/**
 * The world as clients see it. Every HTTP request calls `read` once, before anything else, and is answered entirely
 * from the returned frame, or from one that `readParts` returns because that one lacks parts; with "no world yet" for null.
 *
 * A response that hands bytes of a frame to a socket calls `hold` in the same turn of the event loop as `read`, and
 * calls the returned function when the response has been sent or its socket has closed, whichever comes first. Copied
 * bytes need no hold.
 */
export class Mirror {
  readonly cadenceMs: number
  readonly #options: MirrorOptions
  readonly #clock: Clock
  readonly #leases: FrameLeases
  readonly #pacer: PublishPacer
  readonly #parts: ReadParts
  readonly #publishListeners: ((report: PublishReport) => void)[] = []
  readonly #faultListeners: ((fault: SourceFault) => void)[] = []
  readonly #stateListeners: ((report: SessionReport) => void)[] = []
  readonly #assembler = new FrameAssembler()
  #frame: Frame | null = null
  /** The number of the last publish. */
  #publishSeq = 0
  #progress: WarmUpProgress | null = null
  /** The first progress report of the warm-up and its time, from which its end is estimated. */
  #warmUpBegan: { readonly done: number; readonly atMs: number } | null = null
  #failure: { readonly fault: SourceFault; readonly reason: string } | null = null
  #lastReadMs: number
  /** The due time of the outstanding request; null while none is outstanding. */
  #requestedAtMs: number | null = null
  /** Whether the current frame is from before an idle pause, which lasts until a read. */
  #isIdle = false
  #cancelTimer: () => void = () => {}

  constructor(options: MirrorOptions) {
    const { supply, clock, cadenceMs, idleAfterMs, isEachRead = false } = options
    this.cadenceMs = cadenceMs
    this.#options = options
    this.#clock = clock
    this.#pacer = new PublishPacer(cadenceMs)
    this.#parts = new ReadParts(clock, idleAfterMs, isEachRead ? recordParts : [])
    this.#leases = new FrameLeases((buffers) => supply.recycle(buffers))
    this.#lastReadMs = clock.nowMs()
  }

  /** Requests the first frame. */
  start(): void {
    this.#options.supply.start({
      frame: (message) => this.#publish(message),
      unchanged: () => this.#keepFrame(),
      missed: (failure) => this.#onSourceFailure(failure),
      warmingUp: (progress) => {
        this.#progress = progress
        this.#warmUpBegan ??= { done: progress.done, atMs: this.#clock.nowMs() }
      },
      state: (report) => {
        if (report.kind === 'opened') this.#publishSeq = Math.max(this.#publishSeq, report.publishSeq)
        this.#notify(this.#stateListeners, report)
      },
      failed: (reason) => this.#onCrash(reason),
    })
    this.#request()
  }

  /** The current frame, or null before the first. Does not count as a read. */
  get frame(): Frame | null {
    return this.#frame
  }

  /** The current frame, or null before the first. Counts as a read, ends an idle pause, and never waits. */
  read(): Frame | null {
    this.#lastReadMs = this.#clock.nowMs()
    if (this.#isIdle) this.#request()
    return this.#frame
  }

  /**
   * The current frame if it has the parts, otherwise the next that does, which is asked for now; null if none comes in
   * time. Records are read: frames have them until no client has read them for the idle pause.
   */
  readParts(parts: readonly FramePart[]): Frame | null | Promise<Frame | null> {
    this.#parts.read(parts)
    return this.partsOnce(parts)
  }

  /** The same, for one frame alone. */
  partsOnce(parts: readonly FramePart[]): Frame | null | Promise<Frame | null> {
    const frame = this.#frame
    if (frame === null || hasParts(frame, parts)) return frame
    const timeoutMs = parts.includes('samples') ? this.#samplesTimeoutMs : partsTimeoutMs
    const next = this.#parts.await(parts, timeoutMs)
    this.#request()
    return next
  }

  /** Milliseconds since the state in a frame was captured, rounded down; 0 for no frame. */
  ageMs(publish: PublishMoment | null): number {
    return publish === null ? 0 : Math.max(0, Math.floor(this.#clock.nowMs() - publish.capturedAtMs))
  }

  /**
   * Keeps the bytes of a frame unchanged until the returned function is called. `revoke` is called when slow clients
   * hold too much memory and this is one of the oldest frames: close the socket, then release as usual.
   */
  hold(frame: Frame, revoke: () => void): () => void {
    return this.#leases.lease(frame, revoke, this.#clock.nowMs())
  }

  /** The status in /health. */
  status(): MirrorStatus {
    const failure = this.#failure
    if (failure !== null && this.#frame !== null) return { status: 'stale', reason: failure.reason }
    if (this.#frame === null) return { status: 'starting', reason: failure?.reason ?? this.#warmUpReason() }
    const waitedMs = this.#requestedAtMs === null ? 0 : this.#clock.nowMs() - this.#requestedAtMs
    if (waitedMs > Math.max(overdueAfterMs, 3 * this.cadenceMs)) {
      return { status: 'stale', reason: `The world has not answered for ${Math.round(waitedMs / 1000)} s.` }
    }
    if (!this.#isIdle) return { status: 'ok', reason: '' }
    return {
      status: 'idle',
      reason: `Publishing is paused: no request for ${this.#options.idleAfterMs / 1000} s.`,
    }
  }

  /** Calls the listener after every publish. Errors that it throws are logged. */
  onPublish(listener: (report: PublishReport) => void): void {
    this.#publishListeners.push(listener)
  }

  /** Calls the listener at every failure of the source. Errors that it throws are logged. */
  onFault(listener: (fault: SourceFault) => void): void {
    this.#faultListeners.push(listener)
  }

  /** Calls the listener for every report on the session file. Errors that it throws are logged. */
  onSessionReport(listener: (report: SessionReport) => void): void {
    this.#stateListeners.push(listener)
  }

  /** The number of superseded frames that responses still send. */
  get supersededFrames(): number {
    return this.#leases.supersededFrames
  }

  /** Stops publishing and the world. The last frame remains readable. */
  async close(): Promise<void> {
    this.#cancelTimer()
    await this.#options.supply.close()
  }

  /** Nothing follows soon from a source that fails. */
  get #samplesTimeoutMs(): number {
    return this.#failure === null ? samplesTimeoutMs : 0
  }

  #request(sinceMs: number = this.#clock.nowMs()): void {
    if (this.#requestedAtMs !== null) return
    this.#requestedAtMs = sinceMs
    this.#options.supply.request(this.#parts.next)
  }

  #publish(message: FrameMessage): void {
    const before = this.#frame
    const assembled = this.#assembler.assemble(message, ++this.#publishSeq)
    this.#frame = assembled.frame
    this.#leases.supersede(assembled, this.#clock.nowMs())
    const nowMs = this.#clock.nowMs()
    // A frame delayed by a warm-up or a restart predicts nothing about the next.
    const isTypical = before !== null && this.#failure === null && this.#requestedAtMs !== null
    if (isTypical) this.#pacer.observe(nowMs - this.#requestedAtMs!)
    this.#endRequest()
    this.#logUnknown(before?.unknown ?? nothingUnknown, message.unknown)
    this.#isIdle = false
    this.#parts.settle(assembled.frame)
    if (this.#parts.areAwaited) this.#request()
    else this.#requestAt(this.#pacer.nextRequestMs(message.capturedAtMs))
    this.#reportPublish(message, assembled.buffers, nowMs)
  }

  /** Logs which parts have become unknown, and which are told again. */
  #logUnknown(before: UnknownParts, unknown: UnknownParts): void {
    const lost = Object.entries(unknown).filter(([part]) => !Object.hasOwn(before, part))
    if (lost.length > 0)
      this.#options.log(
        `The source does not report: ${lost.map(([part]) => partText(part)).join(', ')}. ${lost[0][1]}`,
      )
    const found = Object.keys(before).filter((part) => !Object.hasOwn(unknown, part))
    if (found.length > 0) this.#options.log(`The source reports again: ${found.map(partText).join(', ')}.`)
  }

  /** The source responded, and its world has not changed. */
  #keepFrame(): void {
    this.#endRequest()
    this.#requestAt(this.#clock.nowMs())
  }

  /** The request is repeated while clients read. */
  #onSourceFailure({ fault, reason, retryMs }: FrameFailure): void {
    this.#notify(this.#faultListeners, fault)
    // A lasting fault is logged once; /health always has the latest reason.
    if (this.#failure?.fault !== fault) this.#options.log(reason)
    this.#failure = { fault, reason }
    this.#requestedAtMs = null
    this.#requestAt(this.#clock.nowMs() + retryMs)
  }

  #endRequest(): void {
    if (this.#failure !== null) this.#options.log('The world is back.')
    this.#failure = null
    this.#requestedAtMs = null
  }

  #requestAt(dueMs: number): void {
    this.#cancelTimer()
    const delayMs = Math.max(0, dueMs - this.#clock.nowMs())
    this.#cancelTimer = this.#clock.after(delayMs, () => this.#requestUnlessIdle(dueMs))
  }

  #requestUnlessIdle(dueMs: number): void {
    if (this.#clock.nowMs() - this.#lastReadMs >= this.#options.idleAfterMs) {
      this.#isIdle = true
      return
    }
    // A late timer is part of the delay for which the next request has to allow.
    this.#request(dueMs)
  }

  #onCrash(reason: string): void {
    this.#cancelTimer()
    this.#failure = { fault: 'crashed', reason }
    this.#notify(this.#faultListeners, 'crashed')
    this.#options.log(reason)
    // The frame that answers this request shows that the world is back.
    this.#request()
  }

  #warmUpReason(): string {
    if (this.#progress === null) return 'Waiting for the first snapshot.'
    const { done, simTimeNs } = this.#progress
    if (done === 1) return 'The first snapshot is on its way.'
    const hours = Number(simTimeNs / 3_600_000_000_000n)
    const at = `${Math.floor(done * 100)} %, at simulated hour ${hours}`
    return `The world is warming up: ${at}${this.#warmUpTimeLeft(done)}.`
  }

  #warmUpTimeLeft(done: number): string {
    const { done: before, atMs } = this.#warmUpBegan!
    return timeLeft((done - before) / (1 - before), this.#clock.nowMs() - atMs)
  }

  #reportPublish(message: FrameMessage, buffers: ReadonlySet<ArrayBufferLike>, nowMs: number): void {
    let frameBytes = 0
    for (const buffer of buffers) frameBytes += buffer.byteLength
    const { recordsEncoded, recordsTotal } = message.cost
    const report = {
      publishSeq: this.#frame!.publishSeq,
      captureToSwapMs: nowMs - message.capturedAtMs,
      recordsEncoded,
      recordsTotal,
      frameBytes,
    }
    this.#notify(this.#publishListeners, report)
  }

  /** A faulty listener must neither end the process nor prevent calls of the others. */
  #notify<T>(listeners: readonly ((value: T) => void)[], value: T): void {
    for (const listener of listeners) {
      try {
        listener(value)
      } catch (error) {
        this.#options.log(
          `A listener of the mirror failed: ${error instanceof Error ? error.message : String(error)}`,
        )
      }
    }
  }
}
