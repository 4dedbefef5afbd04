import type { Clock } from '../../contract/clock.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import type { EncodedContent } from '../../encoding/frames/frame-builder.ts'
import type { Exposition } from '../../metrics/exposition/exposition.ts'
import { HistoryRings } from '../../metrics/history/history-rings.ts'
import { createRecordHistory } from '../../metrics/history/record-history.ts'
import { FrameCursor } from '../../store/recording/frame-cursor.ts'
import { RecordingError } from '../../store/recording/recording-error.ts'
import type { RecordedFrame } from '../../store/recording/frame-cursor.ts'
import type { RecordedFrames } from '../../store/recording/recorded-frames.ts'
import { SourceError } from '../source.ts'
import type { Source, WarmUp } from '../source.ts'
import { ReplayedWorld } from './replayed-world.ts'
import type { ReplayedSnapshot } from './replayed-world.ts'
import { Timeline } from './timeline.ts'
import type { ReplayRange } from './timeline.ts'

export interface ReplayOptions {
  /** Names the recording in messages. */
  readonly title: string
  readonly frames: RecordedFrames
  readonly exposition: Exposition
  readonly clock: Clock
  /** Simulated seconds per wall second; 0 shows the first frame only, null means the recorded pace. */
  readonly speed: number | null
  readonly span: ReplayRange
  /** Whether to restart at the end. */
  readonly loop: boolean
  /** Starts at the first frame at or after this simulated time, if the range has one. */
  readonly reachNs: bigint
}

const nsPerHour = 3_600_000_000_000n

/** The retry interval of a replay that has ended: an hour, as it stays ended. */
const endedRetryMs = 3_600_000

/** The retry interval after a frame that cannot be read, which those after it replace. */
const brokenFrameRetryMs = 1_000

/** A replay that cannot keep up skips a lag beyond this. */
const lagMaxMs = 60_000

/** Frames decoded later than this after their due time do not enter the metric history. */
const historyLagMaxMs = 1_000

/** Replays a recording at its recorded pace or at a given speed. */
export class ReplaySource implements Source {
  readonly #options: ReplayOptions
  readonly #cursor: FrameCursor
  readonly #world = new ReplayedWorld()
  readonly #recordHistory = createRecordHistory()
  readonly history = new HistoryRings(this.#recordHistory)
  #timeline: Timeline | null = null
  /** The positions of the current frame and of the frame being decoded. */
  #position = -1
  #target = -1
  #frame: RecordedFrame | null = null
  /** Why frames were left out since the last one that was shown. */
  #damage: SourceError | null = null
  /** Decoded from the frame on demand. */
  #snapshot: ReplayedSnapshot | null = null
  /** The due time of the first frame in the current iteration of the loop. */
  #turnStartMs: number | null = null
  /** The reason why no frame follows; null while one does. */
  #end: SourceError | null = null
  #isEndReported = false
  #isCutOff = false

  constructor(options: ReplayOptions) {
    this.#options = options
    this.#cursor = new FrameCursor(options.frames)
  }

  /** Finds the frames, and decodes the first one to show. */
  warmUp(untilMs: number): WarmUp {
    this.#timeline ??= this.#createTimeline()
    if (this.#target < 0) this.#target = this.#timeline.positionAt(this.#options.reachNs)
    const { simTimeNs } = this.#timeline.at(this.#target)
    return { done: this.#decodeTarget(untilMs) ? 1 : 0.99, simTimeNs }
  }

  advance(untilMs: number): number {
    const timeline = this.#timeline
    if (timeline === null || this.#end !== null || this.#options.speed === 0) return Infinity
    let nowMs = this.#options.clock.nowMs()
    this.#turnStartMs ??= nowMs - timeline.offsetMs(this.#position)
    while (this.#end === null) {
      if (this.#position === this.#target) {
        const lagMs = nowMs - this.#nextDueMs(timeline)
        if (lagMs < 0) return -lagMs
        if (lagMs > lagMaxMs) this.#turnStartMs += lagMs - lagMaxMs
        this.#chooseNextTarget(timeline)
      }
      if (nowMs >= untilMs) return 0
      this.#decodeTarget(untilMs)
      nowMs = this.#options.clock.nowMs()
    }
    return Infinity
  }

  capture(): EncodedContent {
    if (this.#end !== null && (this.#isEndReported || this.#damage !== null)) throw this.#end
    if (this.#damage !== null) throw this.#damage
    const startMs = this.#options.clock.nowMs()
    const { encoded, snapshot } = this.#decodeSnapshot()
    this.#isEndReported = this.#end !== null
    const exposition = this.#options.exposition.render(snapshot)
    return { encoded, exposition, capturedAtMs: startMs, projectMs: this.#options.clock.nowMs() - startMs }
  }

  retryMs(): number {
    const isLast = this.#end !== null || this.#options.speed === 0
    return isLast ? endedRetryMs : brokenFrameRetryMs
  }

  /** Damage ends the recording where it is found. */
  #createTimeline(): Timeline {
    const { title, frames, span, speed } = this.#options
    const known = frames.recordings()
    const onDamage = (): void => {
      this.#isCutOff = true
    }
    const timeline = new Timeline(frames.rows(onDamage, known), known, span, speed === 0 ? null : speed)
    if (timeline.length === 0) throw new RecordingError(`${title} has no frame in the range to replay.`)
    return timeline
  }

  #nextDueMs(timeline: Timeline): number {
    const isLast = this.#position === timeline.length - 1
    const offsetMs = isLast ? timeline.turnMs : timeline.offsetMs(this.#position + 1)
    return this.#turnStartMs! + offsetMs
  }

  #chooseNextTarget(timeline: Timeline): void {
    if (this.#position < timeline.length - 1) this.#target = this.#position + 1
    else if (this.#options.loop) {
      this.#turnStartMs! += timeline.turnMs
      this.#target = 0
    } else this.#end = this.#endError()
  }

  /** Returns whether decoding has ended, at the target or behind frames that cannot be read. */
  #decodeTarget(untilMs: number): boolean {
    const { number, key } = this.#timeline!.at(this.#target)
    try {
      while (this.#position !== this.#target) {
        const frame = this.#cursor.step(number, key)
        if (frame !== null) this.#show(frame)
        else if (this.#options.clock.nowMs() >= untilMs) return false
      }
    } catch (error) {
      this.#damage = toSourceError(error)
      this.#position = this.#target = this.#timeline!.nextApart(this.#target) - 1
    }
    return true
  }

  #show(frame: RecordedFrame): void {
    this.#position = this.#target
    this.#frame = frame
    this.#snapshot = null
    this.#damage = null
    const { clock } = this.#options
    const dueMs = (this.#turnStartMs ?? Infinity) + this.#timeline!.offsetMs(this.#position)
    if (clock.nowMs() - dueMs <= historyLagMaxMs) this.#keepHistory(frame)
  }

  /** A frame that cannot be read is missing in the history, and reported when it is captured. */
  #keepHistory({ simTimeNs }: RecordedFrame): void {
    try {
      this.#recordHistory.observe(this.#decodeSnapshot().snapshot)
    } catch (error) {
      if (error instanceof SourceError) return
      throw error
    }
    this.history.record(simTimeNs)
  }

  #decodeSnapshot(): ReplayedSnapshot {
    try {
      return (this.#snapshot ??= this.#world.decode(this.#frame!))
    } catch (error) {
      throw toSourceError(error)
    }
  }

  #endError(): SourceError {
    const { loop, title } = this.#options
    const at = `simulated hour ${this.#timeline!.at(this.#position).simTimeNs / nsPerHour}`
    const reason = this.#isCutOff ? `, where ${title} is damaged` : ''
    const advice = loop ? '' : ' Restart it, or replay with --loop yes.'
    return new SourceError('ended', `The replay ended at ${at}${reason}.${advice}`)
  }
}

/** The content of a file may end the replay, but not the thread. */
function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  if (error instanceof DecodeError)
    return new SourceError('bad_record', `The recording has an invalid record: ${error.message}`)
  if (error instanceof RecordingError) return new SourceError('bad_record', error.message)
  throw error
}
