import type { IndexedFrame, RecordingIndex } from '../../recording/recording-index.ts'

/** Which part of a recording is replayed, as simulated time since its beginning: that of its sessions added up. */
export interface Span {
  readonly fromNs: bigint
  /** Null for all of it. */
  readonly untilNs: bigint | null
}

/** Between two sessions, and where one world follows another, so much wall time passes. */
const joinMs = 1_000

/** A source that was away keeps nobody waiting for longer, unless frames were meant to be as far apart. */
const silenceMaxMs = 10_000
const silenceMaxIntervals = 3

/** When each frame of a replay is due. */
export class Timeline {
  /** The first and the last frame, by their positions in the recording. */
  readonly first: number
  readonly last: number
  readonly #frames: readonly IndexedFrame[]
  /** Wall time from the first frame to each. */
  readonly #offsetsMs: Float64Array

  /** `speed` is in simulated seconds a wall second, above 0; null is the pace at which it was recorded. */
  constructor({ frames, sessions }: RecordingIndex, span: Span, speed: number | null) {
    const { first, last } = rangeOf(frames, span)
    this.first = first
    this.last = last
    this.#frames = frames
    this.#offsetsMs = new Float64Array(Math.max(0, last - first + 1))
    for (let i = 1; i < this.#offsetsMs.length; i++) {
      const now = frames[first + i]
      const longestMs = Math.max(silenceMaxMs, silenceMaxIntervals * sessions[now.session].every_ms)
      this.#offsetsMs[i] = this.#offsetsMs[i - 1] + gapMs(frames[first + i - 1], now, speed, longestMs)
    }
  }

  /** Whether there is anything to replay. */
  get isEmpty(): boolean {
    return this.last < this.first
  }

  /** Wall time from the first frame to the one at a position. */
  offsetMs(position: number): number {
    return this.#offsetsMs[position - this.first]
  }

  /** How long a whole turn takes, a moment at least: the last frame stands for as long as the one before it did. */
  get turnMs(): number {
    const count = this.#offsetsMs.length
    if (count < 2) return joinMs
    return Math.max(joinMs, 2 * this.#offsetsMs[count - 1] - this.#offsetsMs[count - 2])
  }

  /** The first frame that has come to a simulated time. */
  positionAt(simTimeNs: bigint): number {
    for (let position = this.first; position <= this.last; position++) {
      if (this.#frames[position].simTimeNs >= simTimeNs) return position
    }
    return this.first
  }
}

function rangeOf(frames: readonly IndexedFrame[], { fromNs, untilNs }: Span) {
  const first = frames.findIndex(({ elapsedNs }) => elapsedNs >= fromNs)
  if (first < 0) return { first: 0, last: -1 }
  if (untilNs === null) return { first, last: frames.length - 1 }
  return { first, last: frames.findLastIndex(({ elapsedNs }) => elapsedNs <= untilNs) }
}

function gapMs(before: IndexedFrame, now: IndexedFrame, speed: number | null, longestMs: number): number {
  if (now.isJoin) return joinMs
  if (speed === null) return Math.min(Math.max(0, now.wallMs - before.wallMs), longestMs)
  return Number(now.simTimeNs - before.simTimeNs) / 1e6 / speed
}
