/** What the units of each host experience, by host row. Quality is updated only where one of these changes. */
export interface HostConditions {
  /** Shares of good traffic that arrive from users and reach users. */
  readonly deliveredIn: Float64Array
  readonly deliveredOut: Float64Array
  /** CPU speed relative to an uncontended host at normal temperature. */
  readonly speed: Float64Array
  readonly contentionFactor: Float64Array
  /** Factor on the duration of disk operations. */
  readonly diskFactor: Float64Array
  readonly queueMs: Float64Array
  readonly inspectionMs: Float64Array
  /** 1 if anything above changed in this step. */
  readonly changed: Uint8Array
}

export const createHostConditions = (hosts: number): HostConditions => ({
  deliveredIn: new Float64Array(hosts),
  deliveredOut: new Float64Array(hosts),
  speed: new Float64Array(hosts),
  contentionFactor: new Float64Array(hosts),
  diskFactor: new Float64Array(hosts),
  queueMs: new Float64Array(hosts),
  inspectionMs: new Float64Array(hosts),
  changed: new Uint8Array(hosts),
})
