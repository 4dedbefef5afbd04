import type { SessionReport } from '../contract/session-report.ts'
import type { FrameMessage } from '../encoding/frames/frame-message.ts'
import type { FramePart } from '../encoding/frames/frame-parts.ts'
import type { FrameFailure, WarmUpProgress } from '../encoding/frames/worker-protocol.ts'

export interface SupplyEvents {
  frame(message: FrameMessage): void
  /** The answer to a request when the world has not changed since the last frame. */
  unchanged(): void
  /** The answer to a request when the source failed. */
  missed(failure: FrameFailure): void
  warmingUp(progress: WarmUpProgress): void
  /** Reports on the session file, for a world that has one. The first report precedes the first frame. */
  state(report: SessionReport): void
  /** The world crashed and is being restarted. A requested frame follows the restart. */
  failed(reason: string): void
}

/** Supplies the mirror with frames of a world. */
export interface FrameSupply {
  /** Called once, before anything else. */
  start(events: SupplyEvents): void
  /** Requests one frame of the current world, with these parts at least. Exactly one event answers it, after any delay. */
  request(parts: readonly FramePart[]): void
  /** Returns buffers that no frame reads any longer, for reuse in later frames. */
  recycle(buffers: ArrayBufferLike[]): void
  close(): Promise<void>
}
