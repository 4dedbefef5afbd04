import type { Owned } from '../part.ts'

/** What the units of each host experience, by host row. Quality is updated only where one of these changes. */
export type HostConditions = Owned<ReturnType<typeof createHostConditions>>

export const createHostConditions = (hosts: number) => ({
  /** Shares of good traffic that arrive from users and reach users. */
  deliveredIn: new Float64Array(hosts),
  deliveredOut: new Float64Array(hosts),
  /** CPU speed relative to an uncontended host at normal temperature. */
  speed: new Float64Array(hosts),
  contentionFactor: new Float64Array(hosts),
  /** Factor on the duration of disk operations. */
  diskFactor: new Float64Array(hosts),
  queueMs: new Float64Array(hosts),
  inspectionMs: new Float64Array(hosts),
  /** 1 if anything above changed in this step. */
  changed: new Uint8Array(hosts),
})
