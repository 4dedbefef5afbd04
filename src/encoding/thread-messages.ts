import type { FrameMessage } from './frame-message.ts'

/** What the service's thread tells the world's. */
export type ToWorld =
  | { readonly kind: 'publish' }
  | { readonly kind: 'give-back'; readonly buffers: readonly ArrayBuffer[] }

/** What the world's thread tells the service's. */
export type FromWorld =
  /** Where the history of metrics lies. Comes first, and once. */
  | { readonly kind: 'history'; readonly memory: SharedArrayBuffer }
  | { readonly kind: 'warming-up'; readonly done: number; readonly simTimeNs: bigint }
  | { readonly kind: 'frame'; readonly message: FrameMessage }
