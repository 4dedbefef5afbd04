import type { Compliance, Lifecycle, ServiceClass, Tier } from '../../../contract/vocabularies.ts'

/** A customer as the other parts see it. */
export interface Tenant {
  readonly id: number
  readonly name: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly classes: readonly ServiceClass[]
  readonly multiZone: boolean
  readonly dedicatedHosts: boolean
  readonly lifecycle: Lifecycle
  /** Rows of the hosts that run its units, ascending, and the units on each; replaced when placement changes. */
  readonly hosts: Int32Array
  readonly hostUnits: Int32Array
  readonly requestedUnits: number
  readonly placedUnits: number
  readonly strandedUnits: number
  readonly revenuePerHour: number
  readonly requestsPerSecond: number
  /** Expected demand at this hour of the week and season; 0 before it is live. */
  readonly usualRequestsPerSecond: number
  /** Share of requests that fail now. */
  readonly failing: number
  readonly p99Ms: number
  readonly p99BudgetMs: number
  readonly satisfaction: number
  /** A redundancy promise is broken: two zones, spread over racks, or replicas. */
  readonly redundancyBroken: boolean
  readonly breached: boolean
  /** Good traffic carried now. */
  readonly servedInGbps: number
  readonly servedOutGbps: number
  /** Good traffic of both directions that was wanted and not carried. */
  readonly unservedGbps: number
  /** What it copies between its hosts, on top of what requests cause. */
  readonly copyGbps: number
  /** Share of the work of its jobs that is not done, of the job that is hit worst. */
  readonly starving: number
}

/**
 * What customers and prospects wanted of a pool in the last weeks and did not get for lack of capacity: growth that
 * was refused or withdrawn, and contracts that were not signed. It counts less with time, and is not reduced when
 * capacity is added, so compare it with the free capacity of the pool.
 */
export interface UnservedDemand {
  readonly units: number
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly slices: number
  /** Traffic to users, where the network has no room for it. */
  readonly gbps: number
}

export interface Tenants {
  /** Ascending by id. */
  readonly active: readonly Tenant[]
  readonly byId: ReadonlyMap<number, Tenant>
  /** Incremented when placement or the set of customers changes. */
  readonly version: number
  /** By id of the pool. */
  readonly unservedDemand: ReadonlyMap<number, UnservedDemand>
  /** What the market thinks of the company, from 0 to 1: it decides how many prospects come, and which. */
  readonly reputation: number
  /** Ids of the customers with units on a host, ascending; replaced when placement changes. */
  onHost(host: number): readonly number[]
  /** Completes the onboarding of a customer. */
  goLive(customerId: number): void
}
