import type { Clock } from '../../contract/clock.ts'
import { Refusal } from '../../encoding/exact-reading.ts'
import type { EncodedContent } from '../../encoding/frame-builder.ts'
import type { Exposition } from '../../metrics/exposition.ts'
import { createHistoryRings } from '../../metrics/history-rings.ts'
import { createRecordHistory } from '../../metrics/record-history.ts'
import { FrameCursor, RecordingError } from '../../recording/frame-cursor.ts'
import type { TextFrame } from '../../recording/frame-text.ts'
import type { RecordingIndex } from '../../recording/recording-index.ts'
import { SourceTrouble } from '../source.ts'
import type { Source, WarmUp } from '../source.ts'
import { RecordedWorld, type RecordedMoment } from './recorded-world.ts'
import { Timeline, type Span } from './timeline.ts'

export interface ReplayOptions {
  readonly title: string
  readonly index: RecordingIndex
  readonly exposition: Exposition
  readonly clock: Clock
  /** Simulated seconds a wall second; 0 stands still, null is the pace at which it was recorded. */
  readonly speed: number | null
  readonly span: Span
  /** Whether it begins again at its end. */
  readonly loop: boolean
  /** Begins at the first frame of this simulated time, if the span has one. */
  readonly reachNs: bigint
}

/** Nothing will change about a replay's end, so it is seldom asked again. */
const endedRetryMs = 3_600_000

/** A replay that cannot keep up remembers at most this much wall time that it still has to make good. */
const lagKeptMs = 60_000

/** A replay that lags by more leaves out the metrics' history of frames that nobody sees. */
const lagObservedMs = 1_000

/** A recorded session, as it was seen when it was recorded. */
export class ReplaySource implements Source {
  readonly title: string
  readonly #options: ReplayOptions
  readonly #cursor: FrameCursor
  readonly #world = new RecordedWorld()
  readonly #recordHistory = createRecordHistory()
  readonly #rings = createHistoryRings(this.#recordHistory)
  #timeline: Timeline | null = null
  /** The frame that is shown, and the one that is being read. */
  #position = -1
  #target = -1
  #frame: TextFrame | null = null
  #moment: RecordedMoment | null = null
  /** When the first frame of this turn was, or would have been, due. */
  #turnBeganMs: number | null = null
  /** Why no frame follows, once none does. */
  #end: SourceTrouble | null = null
  #isEndShown = false

  constructor(options: ReplayOptions) {
    this.title = options.title
    this.#options = options
    this.#cursor = new FrameCursor(options.index)
  }

  get history(): SharedArrayBuffer {
    return this.#rings.memory
  }

  /** Looks the recording through, and goes to where the replay begins. */
  warmUp(untilMs: number): WarmUp {
    const { index, span, speed, reachNs, clock } = this.#options
    while (index.ending === null && clock.nowMs() < untilMs) index.scanBlock()
    if (index.ending === null) return { done: 0.99 * index.done, simTimeNs: 0n }
    this.#timeline ??= new Timeline(index, span, speed === 0 ? null : speed)
    if (this.#timeline.isEmpty)
      throw new RecordingError(`${this.title} holds nothing of what is to be replayed.`)
    if (this.#target < 0) this.#target = this.#timeline.positionAt(reachNs)
    const { simTimeNs } = index.frames[this.#target]
    return { done: this.#goToTarget(untilMs) ? 1 : 0.99, simTimeNs }
  }

  advance(untilMs: number): number {
    const timeline = this.#timeline
    if (timeline === null || this.#end !== null || this.#options.speed === 0) return Infinity
    let nowMs = this.#options.clock.nowMs()
    this.#turnBeganMs ??= nowMs - timeline.offsetMs(this.#position)
    while (this.#end === null) {
      if (this.#position === this.#target) {
        const restMs = this.#nextDueMs(timeline) - nowMs
        if (restMs > 0) return restMs
        if (-restMs > lagKeptMs) this.#turnBeganMs += -restMs - lagKeptMs
        this.#aimAtNext(timeline)
      }
      if (nowMs >= untilMs) return 0
      this.#goToTarget(untilMs)
      nowMs = this.#options.clock.nowMs()
    }
    return Infinity
  }

  capture(): EncodedContent {
    if (this.#end !== null && this.#isEndShown) throw this.#end
    const beganMs = this.#options.clock.nowMs()
    const { encoded, snapshot } = this.#momentNow()
    this.#isEndShown = this.#end !== null
    const exposition = this.#options.exposition.render(snapshot)
    return { encoded, exposition, capturedAtMs: beganMs, projectMs: this.#options.clock.nowMs() - beganMs }
  }

  retryMs(): number {
    return endedRetryMs
  }

  #nextDueMs(timeline: Timeline): number {
    const offsetMs = this.#position < timeline.last ? timeline.offsetMs(this.#position + 1) : timeline.turnMs
    return this.#turnBeganMs! + offsetMs
  }

  #aimAtNext(timeline: Timeline): void {
    if (this.#position < timeline.last) this.#target = this.#position + 1
    else if (this.#options.loop) {
      this.#turnBeganMs! += timeline.turnMs
      this.#target = timeline.first
    } else this.#end = this.#ended()
  }

  /** Whether it got there. */
  #goToTarget(untilMs: number): boolean {
    const { clock } = this.#options
    try {
      while (this.#position !== this.#target) {
        const frame = this.#cursor.step(this.#target)
        if (frame !== null) this.#show(frame)
        else if (clock.nowMs() >= untilMs) return false
      }
    } catch (error) {
      this.#end = troubleOf(error)
      this.#isEndShown = true
    }
    return true
  }

  #show(frame: TextFrame): void {
    this.#position = this.#target
    this.#frame = frame
    this.#moment = null
    const { clock } = this.#options
    const dueMs = (this.#turnBeganMs ?? Infinity) + this.#timeline!.offsetMs(this.#position)
    if (clock.nowMs() - dueMs > lagObservedMs) return
    this.#recordHistory.observe(this.#momentNow().snapshot)
    this.#rings.record(frame.simTimeNs)
  }

  #momentNow(): RecordedMoment {
    const { frames, sessions } = this.#options.index
    const { lists } = sessions[frames[this.#position].session]
    try {
      return (this.#moment ??= this.#world.momentOf(this.#frame!, lists))
    } catch (error) {
      throw troubleOf(error)
    }
  }

  #ended(): SourceTrouble {
    const { index, loop } = this.#options
    const at = `simulated hour ${index.frames[this.#position].simTimeNs / nsAnHour}`
    const isDamaged = index.ending?.is === 'damage' && this.#position === index.frames.length - 1
    const why = isDamaged ? `, behind which ${this.title} is damaged` : ''
    const advice = loop ? '' : ' Start it again, or replay it with --loop yes.'
    return new SourceTrouble('ended', `The replay has come to its end at ${at}${why}.${advice}`)
  }
}

const nsAnHour = 3_600_000_000_000n

/** Anything that a file can be the reason of ends the replay, and not the thread. */
function troubleOf(error: unknown): SourceTrouble {
  if (error instanceof SourceTrouble) return error
  if (!(error instanceof RecordingError || error instanceof Refusal)) throw error
  const what =
    error instanceof Refusal ? `The recording holds what is refused: ${error.message}` : error.message
  return new SourceTrouble('bad_record', what)
}
