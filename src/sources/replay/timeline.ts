import type { FrameRow, RecordedRun } from '../../store/recording/recorded-frames.ts'

/** The part of a recording to replay, in simulated time since its beginning, summed over its sessions. */
export interface ReplayRange {
  readonly fromNs: bigint
  /** Null for the end of the recording. */
  readonly untilNs: bigint | null
}

/** Wall time between two sessions or worlds. */
const joinMs = 1_000

/**
 * Gaps in the recording that took longer are shortened to this, or to this number of frame intervals if that is longer,
 * and at another speed in proportion.
 */
const gapMaxMs = 10_000
const gapMaxIntervals = 3

/** The schedule of a replay: the due time of each frame. */
export class Timeline {
  /** The number, the number of the key frame and the simulated time of each frame, by its position. */
  readonly #numbers: number[] = []
  readonly #keys: number[] = []
  readonly #simTimes: bigint[] = []
  /** Wall time from the first frame to each frame. */
  readonly #offsetsMs: number[] = []

  /** `speed` is in simulated seconds per wall second, above 0; null means the recorded pace. */
  constructor(
    frames: Iterable<FrameRow>,
    recordings: ReadonlyMap<number, Pick<RecordedRun, 'everyMs'>>,
    { fromNs, untilNs }: ReplayRange,
    speed: number | null,
  ) {
    let before: FrameRow | null = null
    for (const frame of frames) {
      if (frame.elapsedNs < fromNs || (untilNs !== null && frame.elapsedNs > untilNs)) continue
      const maxMs = Math.max(gapMaxMs, gapMaxIntervals * recordings.get(frame.recording)!.everyMs)
      const offsetMs = before === null ? 0 : this.#offsetsMs.at(-1)! + gapMs(before, frame, speed, maxMs)
      this.#numbers.push(frame.number)
      this.#keys.push(frame.key)
      this.#simTimes.push(frame.simTimeNs)
      this.#offsetsMs.push(offsetMs)
      before = frame
    }
  }

  get length(): number {
    return this.#numbers.length
  }

  /** The frame at a position. */
  at(position: number): { readonly number: number; readonly key: number; readonly simTimeNs: bigint } {
    const [number, key] = [this.#numbers[position], this.#keys[position]]
    return { number, key, simTimeNs: this.#simTimes[position] }
  }

  /** Wall time from the first frame to the one at a position. */
  offsetMs(position: number): number {
    return this.#offsetsMs[position]
  }

  /** The period of a loop in wall time. The last frame stays as long as the one before it did. */
  get turnMs(): number {
    if (this.length < 2) return joinMs
    const [beforeMs, lastMs] = this.#offsetsMs.slice(-2)
    return Math.max(joinMs, 2 * lastMs - beforeMs)
  }

  /** The first frame at or after a simulated time; the first of all if there is none. */
  positionAt(simTimeNs: bigint): number {
    return Math.max(
      0,
      this.#simTimes.findIndex((at) => at >= simTimeNs),
    )
  }

  /** The next frame that does not need the one at a position; behind the last one if there is none. */
  nextApart(position: number): number {
    const key = this.#keys[position]
    const next = this.#keys.findIndex((other, at) => at > position && other !== key)
    return next < 0 ? this.length : next
  }
}

function gapMs(before: FrameRow, now: FrameRow, speed: number | null, maxMs: number): number {
  if (now.isJoin) return joinMs
  const recordedMs = Math.max(0, now.wallMs - before.wallMs)
  const shownMs = Math.min(recordedMs, maxMs)
  if (speed === null) return shownMs
  const share = recordedMs === 0 ? 1 : shownMs / recordedMs
  return (share * Number(now.simTimeNs - before.simTimeNs)) / 1e6 / speed
}
