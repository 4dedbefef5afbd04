import type { Owned } from '../part.ts'

/** Service conditions on each host, by row. Quality is updated only after a change of one of these. */
export type HostConditions = Owned<ReturnType<typeof createHostConditions>>

export const createHostConditions = (hosts: number) => ({
  /** Delivered shares of legitimate traffic, from users and to users. */
  deliveredIn: new Float64Array(hosts),
  deliveredOut: new Float64Array(hosts),
  /** Share of requests that the host does not refuse for its wrong clock. */
  accepted: new Float64Array(hosts).fill(1),
  /** CPU speed relative to an uncontended host at normal temperature. */
  speed: new Float64Array(hosts),
  contentionFactor: new Float64Array(hosts),
  /** Factor on the duration of disk operations. */
  diskFactor: new Float64Array(hosts),
  queueMs: new Float64Array(hosts),
  inspectionMs: new Float64Array(hosts),
  /** 1 if any of the columns above changed in this step. */
  changed: new Uint8Array(hosts),
})
