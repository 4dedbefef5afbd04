import type { MessagePort } from 'node:worker_threads'
import type { CollectorName } from '../metrics/declaration/collectors.ts'
import type { SourceSpec } from './registry.ts'

/** The arguments of the world thread. */
export interface WorldThreadData {
  readonly spec: SourceSpec
  readonly cadenceMs: number
  /** The collectors of /metrics. */
  readonly collectors: readonly CollectorName[]
  /** Simulated time that clients had seen before the thread was restarted. */
  readonly reachNs: bigint
  /** Whether an archive keeps what happens. */
  readonly isArchived: boolean
  /** Receives requests for history. */
  readonly historyPort: MessagePort
}
