import type { Owned } from '../part.ts'

/**
 * Service conditions on each host. Quality is updated only after a change of one of these. Those of a host lie side by
 * side in a cache line, since each unit reads all of its host.
 */
export type HostConditions = Owned<ReturnType<typeof createHostConditions>>

/** Offset of each condition in the row of its host. */
export const conditionAt = {
  /** Delivered shares of legitimate traffic, from users and to users. */
  deliveredIn: 0,
  deliveredOut: 1,
  /** Share of requests that the host does not refuse for its wrong clock. */
  accepted: 2,
  /** CPU speed relative to an uncontended host at normal temperature. */
  speed: 3,
  /** CPU demand over physical CPU. */
  contention: 4,
  /** Factor on the duration of disk operations. */
  diskFactor: 5,
  queueMs: 6,
  inspectionMs: 7,
} as const

/** A cache line of numbers. */
export const conditionCount = 8

export function createHostConditions(hosts: number) {
  const rows = new Float64Array(hosts * conditionCount)
  for (let host = 0; host < hosts; host++) rows[host * conditionCount + conditionAt.accepted] = 1
  return {
    rows,
    /** 1 if any but the contention changed in this step. */
    changed: new Uint8Array(hosts),
  }
}
