import type { FeedSnapshot } from '../contract/collections.ts'
import type { SourceFault } from '../contract/source-faults.ts'
import type { FrameContent } from '../encoding/frames/frame-builder.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { FrameCost } from '../encoding/frames/frame-message.ts'
import type { WorldFigures } from '../encoding/frames/changes.ts'
import type { HistoryReader } from '../metrics/history/history-reader.ts'
import type { ChangeParts } from './change-builder.ts'

export interface WarmUp {
  /** Progress 0 … 1; 1 once a state can be captured. */
  readonly done: number
  readonly simTimeNs: bigint
}

/** The cost of a publish. */
export interface PublishCost extends FrameCost {
  readonly bytesTotal: number
}

/** Tells an archive what happens in a world that advances without publishes too. */
export interface ChangeFeed {
  /** The id of the world, the same after a restart that continues it. */
  readonly worldId: string
  readonly figures: WorldFigures
  /** The changes of a warm-up that the source does not repeat. */
  readonly warmUpChanges: readonly ChangeParts[]
  /** Left out if the warm-up is not kept. */
  readonly keep?: (parts: ChangeParts) => void
  /** The changes so far; null without any, and if none is due yet, unless `isDue`. Called after every slice of work. */
  next(nowMs: number, isDue?: boolean): FeedSnapshot | null
}

/** The source has no frame now but may have one later: the last frame stays, and the request is repeated. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly fault: SourceFault

  /** `message` is a sentence for the operator. */
  constructor(fault: SourceFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** A response without success. */
export class StatusError extends SourceError {
  readonly status: number

  constructor(status: number, message: string) {
    super(status === 503 ? 'no_world' : 'bad_status', message)
    this.status = status
  }
}

/**
 * The source of a world. It runs in the world thread, which also has to answer the service thread: no call may take
 * much longer than its time limit.
 */
export interface Source {
  readonly history: HistoryReader
  /** Left out if what happens is known from the captured states alone. */
  readonly changeFeed?: ChangeFeed
  /** Works towards the first state until the clock reads `untilMs`. Called until it is done. */
  warmUp(untilMs: number): WarmUp
  /**
   * Advances the world to the simulated time that is due, but only until the clock reads `untilMs`. Returns the time
   * until the next work is due: 0 if the world is still behind, Infinity if it does not advance by itself.
   */
  advance(untilMs: number): number
  /**
   * The state of the world now, or after its upstream has responded; null if it has not changed since the last capture.
   * `previous` is the cost of the previous publish. `parts` are those that clients read; a source may provide all, and
   * one that can fail does: its last frame stays. Any error but a `SourceError` ends the thread.
   */
  capture(
    previous: PublishCost | null,
    parts: readonly FramePart[],
  ): FrameContent | null | Promise<FrameContent | null>
  /** The pause after a `SourceError`. */
  retryMs?(): number
  /** Saves the state of a source that has one, and releases its resources. */
  close?(): void | Promise<void>
}
