import type { StateReport } from '../contract/state-report.ts'
import type { FrameMessage } from '../encoding/frames/frame-message.ts'
import type { FrameFailure } from '../encoding/frames/worker-protocol.ts'

/** Progress of a world towards its first frame. */
export interface WarmUpProgress {
  /** 0 … 1 */
  readonly done: number
  readonly simTimeNs: bigint
}

export interface SupplyEvents {
  frame(message: FrameMessage): void
  /** The world is the same as in the last frame, so no frame answers the request. */
  unchanged(): void
  /** The source failed, so no frame answers the request. */
  missed(failure: FrameFailure): void
  warmingUp(progress: WarmUpProgress): void
  /** What became of the state file, for a world that has one. Comes first before its first frame. */
  state(report: StateReport): void
  /** The world crashed and is being restarted. A frame that was requested comes after that. */
  failed(reason: string): void
}

/** Supplies the mirror with frames of a world. */
export interface FrameSupply {
  /** Called once, before anything else. */
  start(events: SupplyEvents): void
  /** Requests one frame of the present world. One event answers it, however long that takes. */
  request(): void
  /** Takes buffers back that no frame reads any longer, to write the next frames into. */
  recycle(buffers: ArrayBuffer[]): void
  close(): Promise<void>
}
