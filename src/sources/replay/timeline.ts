import type { Frames, IndexedFrame } from '../../recording/frame-list.ts'
import type { RecordingIndex } from '../../recording/recording-index.ts'

/** The part of a recording to replay, in simulated time since its beginning, summed over its sessions. */
export interface ReplayRange {
  readonly fromNs: bigint
  /** Null for the end of the recording. */
  readonly untilNs: bigint | null
}

/** Wall time between two sessions or worlds. */
const joinMs = 1_000

/** Longer gaps in the recording are shortened to this, or to this number of frame intervals if that is longer. */
const gapMaxMs = 10_000
const gapMaxIntervals = 3

/** The schedule of a replay: the due time of each frame. */
export class Timeline {
  /** Positions in the recording. */
  readonly first: number
  readonly last: number
  readonly #frames: Frames
  /** Wall time from the first frame to each frame. */
  readonly #offsetsMs: Float64Array

  /** `speed` is in simulated seconds per wall second, above 0; null means the recorded pace. */
  constructor({ frames, sessions }: RecordingIndex, range: ReplayRange, speed: number | null) {
    const { first, last } = positionsIn(frames, range)
    this.first = first
    this.last = last
    this.#frames = frames
    this.#offsetsMs = new Float64Array(Math.max(0, last - first + 1))
    for (let i = 1, before = null as IndexedFrame | null; i < this.#offsetsMs.length; i++) {
      const now = frames.at(first + i)
      const maxMs = Math.max(gapMaxMs, gapMaxIntervals * sessions[now.session].every_ms)
      this.#offsetsMs[i] = this.#offsetsMs[i - 1] + gapMs(before ?? frames.at(first), now, speed, maxMs)
      before = now
    }
  }

  /** Whether the range has no frame. */
  get isEmpty(): boolean {
    return this.last < this.first
  }

  /** Wall time from the first frame to the one at a position. */
  offsetMs(position: number): number {
    return this.#offsetsMs[position - this.first]
  }

  /** The period of a loop in wall time. The last frame stays as long as the one before it did. */
  get turnMs(): number {
    const count = this.#offsetsMs.length
    if (count < 2) return joinMs
    return Math.max(joinMs, 2 * this.#offsetsMs[count - 1] - this.#offsetsMs[count - 2])
  }

  /** The first frame at or after a simulated time; the first of all if there is none. */
  positionAt(simTimeNs: bigint): number {
    for (let position = this.first; position <= this.last; position++) {
      if (this.#frames.at(position).simTimeNs >= simTimeNs) return position
    }
    return this.first
  }
}

function positionsIn(frames: Frames, { fromNs, untilNs }: ReplayRange) {
  let first = 0
  while (first < frames.length && frames.at(first).elapsedNs < fromNs) first++
  if (first === frames.length) return { first: 0, last: -1 }
  let last = frames.length - 1
  if (untilNs === null) return { first, last }
  while (last >= 0 && frames.at(last).elapsedNs > untilNs) last--
  return { first, last }
}

function gapMs(before: IndexedFrame, now: IndexedFrame, speed: number | null, maxMs: number): number {
  if (now.isJoin) return joinMs
  if (speed === null) return Math.min(Math.max(0, now.wallMs - before.wallMs), maxMs)
  return Number(now.simTimeNs - before.simTimeNs) / 1e6 / speed
}
