/** Messages between the service thread and the thread that makes tables and owns the archive. */
import type { ArchiveData, FromArchive, ToArchive } from '../../store/archive/protocol.ts'
import type { TableFrame } from '../engine/frame-records.ts'
import type { PathHistory } from '../engine/history.ts'
import type { RefusalReason } from '../engine/refused.ts'
import type { TableRequest } from './table-maker.ts'

export interface TablesThreadData {
  /** Null without an archive. */
  readonly archive: ArchiveData | null
}

export type ToTables =
  /** Requests are about this frame from now on. Its bytes are in shared memory, and leased while a request waits. */
  | { readonly kind: 'show'; readonly frame: TableFrame }
  | {
      readonly kind: 'make'
      readonly id: number
      readonly request: TableRequest
      readonly histories: readonly PathHistory[]
      /** By the monotonic clock: later, the request is refused. */
      readonly untilMs: number
    }
  | ToArchive

export type FromTables =
  | { readonly kind: 'made'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Refused for a reason; null for a fault of the program, whose message says where. */
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly reason: RefusalReason | null
      readonly message: string
    }
  | FromArchive
