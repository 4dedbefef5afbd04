import type { FrameMessage } from '../encoding/frame-message.ts'
import type { MissedFrame } from '../encoding/thread-messages.ts'

/** How far a world has come on its way to its first frame. */
export interface WarmUpProgress {
  /** 0 … 1 */
  readonly done: number
  readonly simTimeNs: bigint
}

export interface SupplyEvents {
  frame(message: FrameMessage): void
  /** The world is no other than in the last frame: none comes this time. */
  unchanged(): void
  /** The source had no frame to give this time. */
  missed(miss: MissedFrame): void
  warmingUp(progress: WarmUpProgress): void
  /** The world broke down. Frames come again after a restart; where none is left, `final` is true. */
  failed(reason: string, final: boolean): void
}

/** Where the mirror's frames come from: a world in a thread of its own or, for tests, one in this thread. */
export interface FrameSupply {
  /** Called once, before anything else. */
  start(events: SupplyEvents): void
  /**
   * Asks for one frame of the world as it will be when it gets to it. The answer, a frame or none, comes as an event,
   * however long it takes.
   */
  request(): void
  /** Buffers that no frame and no reader needs any more. */
  giveBack(buffers: ArrayBuffer[]): void
  close(): Promise<void>
}
