import type { Compliance, Lifecycle, ServiceClass, Tier } from '../../../contract/vocabularies.ts'

/** Parts of a customer's service that it maintains, and breaks, itself. */
export const customerDefects = ['certificate', 'release', 'dns'] as const
export type CustomerDefect = (typeof customerDefects)[number]
export const noDefects: Tenant['defects'] = { certificate: 0, release: 0, dns: 0 }

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
  /** Rows of the hosts with its units, ascending, and the units on each; replaced when placement changes. */
  readonly hosts: Int32Array
  readonly hostUnits: Int32Array
  readonly requestedUnits: number
  readonly placedUnits: number
  readonly strandedUnits: number
  readonly revenuePerHour: number
  readonly requestsPerSecond: number
  /** Expected demand at this hour of the week and season; 0 before it is live. */
  readonly usualRequestsPerSecond: number
  /** Current share of failed requests. */
  readonly failing: number
  readonly p99Ms: number
  readonly p99BudgetMs: number
  readonly satisfaction: number
  /** A redundancy promise is broken: two zones, spread over racks, or replicas. */
  readonly redundancyBroken: boolean
  readonly breached: boolean
  /** Legitimate traffic currently carried. */
  readonly servedInGbps: number
  readonly servedOutGbps: number
  /** Legitimate traffic demanded but not carried, in both directions. */
  readonly unservedGbps: number
  /** Traffic of copies between its hosts, in addition to that of requests. */
  readonly copyGbps: number
  /** Share of unfinished work of its most affected job. */
  readonly starving: number
  /** Shares of its requests that its own mistakes fail. */
  readonly defects: Readonly<Record<CustomerDefect, number>>
}

/**
 * Demand of customers and prospects for a pool in the last weeks that was not served for lack of capacity: refused or
 * withdrawn growth, and contracts not signed. It decays with time and is not reduced by added capacity, so compare it
 * with the free capacity of the pool.
 */
export interface UnservedDemand {
  readonly units: number
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly slices: number
  /** Traffic to users without room in the network. */
  readonly gbps: number
}

export interface Tenants {
  /** Ascending by id. */
  readonly active: readonly Tenant[]
  readonly byId: ReadonlyMap<number, Tenant>
  /** Increases when placement or the set of customers changes. */
  readonly version: number
  /** Increases when the quality of a customer's service may have changed. */
  readonly qualityVersion: number
  /** By id of the pool. */
  readonly unservedDemand: ReadonlyMap<number, UnservedDemand>
  /** Reputation of the company, from 0 to 1, which determines the number and tiers of prospects. */
  readonly reputation: number
  /** Ids of the customers with units on a host, ascending; replaced when placement changes. */
  onHost(host: number): readonly number[]
  /** Completes the onboarding of a customer. */
  goLive(customerId: number): void
}
