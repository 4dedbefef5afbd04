import type { SourceFault } from '../contract/source-faults.ts'
import type { FrameMessage } from './frame-message.ts'

/** What the service's thread tells the world's. */
export type ToWorld =
  | { readonly kind: 'publish' }
  | { readonly kind: 'give-back'; readonly buffers: readonly ArrayBuffer[] }

/** A frame that was asked for and did not come. */
export interface MissedFrame {
  readonly fault: SourceFault
  /** For people, in a sentence. */
  readonly reason: string
  /** How long to wait before asking again. */
  readonly retryMs: number
}

/** What the world's thread tells the service's. */
export type FromWorld =
  /** Where the history of metrics lies, for a world that keeps one. Comes first, and once. */
  | { readonly kind: 'history'; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'warming-up'; readonly done: number; readonly simTimeNs: bigint }
  /** What answers a request to publish. */
  | { readonly kind: 'frame'; readonly message: FrameMessage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'missed'; readonly miss: MissedFrame }
