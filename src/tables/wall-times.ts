import type { Clock } from '../contract/clock.ts'
import type { Int64 } from '../contract/fields.ts'
import type { Frame } from '../encoding/frames/frame.ts'

interface Pace {
  /** Simulated seconds a second of wall time; 0 is paused. */
  readonly speed: number
  readonly paused: boolean
  readonly step_ns: Int64
}

/** Of two measurements of a world that keeps its speed. */
const jitterMaxMs = 1_000

/** Wall times of a world that advances in this process, as a line through its snapshots. */
export class WallTimes {
  readonly #clock: Pick<Clock, 'nowMs' | 'wallMs'>
  #line: { readonly speed: number; readonly originMs: number } | null = null

  constructor(clock: Pick<Clock, 'nowMs' | 'wallMs'>) {
    this.#clock = clock
  }

  /** Milliseconds since 1970 at which the world would have begun at its present speed; null while it is paused. */
  originMs(
    { capturedAtMs, simTimeNs }: Pick<Frame, 'capturedAtMs' | 'simTimeNs'>,
    { speed, paused, step_ns }: Pace,
  ): number | null {
    if (paused || !(speed > 0)) return null
    const wallMsOf = (ns: bigint): number => Number(ns) / 1e6 / speed
    const capturedMs = this.#clock.wallMs() - (this.#clock.nowMs() - capturedAtMs)
    const originMs = capturedMs - wallMsOf(simTimeNs)
    // A snapshot is up to a step older than its capture. The line stays where it is meanwhile, so that rows do not change.
    const line = this.#line
    const differenceMax = jitterMaxMs + wallMsOf(BigInt(step_ns ?? 0))
    if (line?.speed === speed && Math.abs(originMs - line.originMs) <= differenceMax) return line.originMs
    this.#line = { speed, originMs }
    return originMs
  }
}
