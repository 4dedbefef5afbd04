import type { SourceFault } from '../contract/source-faults.ts'
import type { FrameContent } from '../encoding/frame-builder.ts'
import type { FrameCost } from '../encoding/frame-message.ts'

export interface WarmUp {
  /** 0 … 1; 1 once there is something to capture. */
  readonly done: number
  readonly simTimeNs: bigint
}

/** What a publish took. */
export interface PublishCost extends FrameCost {
  readonly bytesTotal: number
}

/** The source has no frame to give now, but may have one later: the last frame stays, and the source is asked again. */
export class SourceTrouble extends Error {
  override readonly name = 'SourceTrouble'
  readonly fault: SourceFault

  /** `message` is for people, in a sentence. */
  constructor(fault: SourceFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * Where a world comes from. It lives in the world's thread, which also has to answer the service: no call may take
 * much longer than the time it is given.
 */
export interface Source {
  /** For people: what is being mirrored. */
  readonly title: string
  /** Where the history of metrics is kept, for readers in other threads; null where it is kept elsewhere. */
  readonly history: SharedArrayBuffer | null
  /** Works towards the first state until the clock reads `untilMs`. Called until all is done. */
  warmUp(untilMs: number): WarmUp
  /**
   * Lets the world go on to where wall time has it, but no longer than until the clock reads `untilMs`. Returns how
   * long nothing will be due: 0 where the world is still behind, Infinity where it does not move by itself.
   */
  advance(untilMs: number): number
  /**
   * The world as it is now, or as it is once its server has told; null where it is no other than at the last
   * capture. `previous` is what the publish before this took. Any fault but a `SourceTrouble` ends the thread.
   */
  capture(previous: PublishCost | null): FrameContent | null | Promise<FrameContent | null>
  /** How long to wait after a `SourceTrouble`. */
  retryMs?(): number
  /** Lets go of what it holds open. */
  close?(): void
}
