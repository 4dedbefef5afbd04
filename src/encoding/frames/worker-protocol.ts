import type { SourceFault } from '../../contract/source-faults.ts'
import type { SessionReport } from '../../contract/session-report.ts'
import type { FrameMessage } from './frame-message.ts'
import type { FramePart } from './frame-parts.ts'
import type { Changes } from './changes.ts'

/** Interval of the world thread's heartbeats. */
export const heartbeatIntervalMs = 1_000

/** Messages from the service thread to the world thread. */
export type ToWorld =
  /** Asks for a frame with these parts at least. */
  | { readonly kind: 'publish'; readonly parts: readonly FramePart[] }
  | { readonly kind: 'recycle'; readonly buffers: readonly ArrayBufferLike[] }
  /** Asks for a batch of changes with all of its lists: the archive is another one. */
  | { readonly kind: 'want-all-lists' }
  | { readonly kind: 'close' }

/** A failed request for a frame. */
export interface FrameFailure {
  readonly fault: SourceFault
  /** A sentence for the operator. */
  readonly reason: string
  /** The delay before the next request. */
  readonly retryMs: number
}

/** Progress of a world towards its first frame. */
export interface WarmUpProgress {
  /** The completed share, 0 … 1. */
  readonly done: number
  readonly simTimeNs: bigint
}

/** Messages from the world thread to the service thread. */
export type FromWorld =
  | ({ readonly kind: 'warming-up' } & WarmUpProgress)
  | { readonly kind: 'state'; readonly report: SessionReport }
  /** A batch of changes for the archive. */
  | { readonly kind: 'changes'; readonly changes: Changes }
  /** The source is closed: the thread can be ended. */
  | { readonly kind: 'closed' }
  /** Shows that the thread's event loop turns. Sent every `heartbeatIntervalMs`. */
  | { readonly kind: 'heartbeat' }
  /** The replies to a request to publish. */
  | { readonly kind: 'frame'; readonly message: FrameMessage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missed'; readonly miss: FrameFailure }
