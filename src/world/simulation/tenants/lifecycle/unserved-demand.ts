import { idOf } from '../../topology/tables.ts'
import { isDue, schedule } from '../../schedule.ts'
import type { TenantContext } from '../context.ts'
import type { Contract, ServiceTerms } from '../contract.ts'
import { classIndex } from '../demand/service-classes.ts'
import type { MutableDemand, TenantsState } from '../state.ts'
import type { UnservedDemand } from '../tenant.ts'

/** Hourly retention of unserved demand, with a time constant of two weeks. */
const memoryPerHour = 1 - 1 / (14 * 24)
/** Demand below this share of a virtual CPU is dropped. */
const vcpuMin = 0.1

/** Once an hour: discounts old demand, which other providers serve by now. */
export function decayUnservedDemand({ world, state: { unservedDemand } }: TenantContext): void {
  if (!isDue(schedule.unservedDemand, world.tick)) return
  for (const [pool, demand] of unservedDemand) {
    for (const key of Object.keys(demand) as (keyof UnservedDemand)[]) demand[key] *= memoryPerHour
    if (demand.vcpu < vcpuMin && demand.gbps < vcpuMin) unservedDemand.delete(pool)
  }
}

/** Adds unserved units of a service; a negative number withdraws them. */
export function countUnservedUnits(
  context: TenantContext,
  contract: Contract,
  service: ServiceTerms,
  count: number,
): void {
  const { state } = context
  const pools = acceptingPools(context, contract, classIndex[service.class])
  const demand = demandOf(state.unservedDemand, largestPool(state.capacity.pools, pools))
  if (demand === null) return
  demand.units = Math.max(0, demand.units + count)
  demand.vcpu = Math.max(0, demand.vcpu + count * service.vcpu)
  demand.memMb = Math.max(0, demand.memMb + count * service.memMb)
  demand.ssdGb = Math.max(0, demand.ssdGb + count * service.ssdGb)
  demand.slices = Math.max(0, demand.slices + count * service.slices)
}

/** Adds traffic to users without room in the network; a negative amount withdraws it. */
export function countUnservedTraffic(context: TenantContext, contract: Contract, gbps: number): void {
  const { state } = context
  const [first] = contract.services
  const pools = acceptingPools(context, contract, classIndex[first.class])
  const demand = demandOf(state.unservedDemand, largestPool(state.capacity.pools, pools))
  if (demand !== null) demand.gbps = Math.max(0, demand.gbps + gbps)
}

/** Adds an unserved contract, or withdraws it with a negative sign. */
export function countUnservedContract(context: TenantContext, contract: Contract, sign: 1 | -1): void {
  for (const service of contract.services) {
    countUnservedUnits(context, contract, service, sign * service.count)
  }
}

/** Rows of the pools that accept units of a class under the contract. */
const acceptingPools = ({ world, poolsFor }: TenantContext, contract: Contract, row: number): number[] =>
  poolsFor[contract.dedicatedHosts ? 1 : 0][row].filter(
    (pool) => contract.requiredArch === null || world.topology.pools[pool].arch === contract.requiredArch,
  )

function demandOf(all: TenantsState['unservedDemand'], pool: number | null): MutableDemand | null {
  if (pool === null) return null
  const id = idOf(pool)
  const known = all.get(id)
  if (known !== undefined) return known
  const demand = { units: 0, vcpu: 0, memMb: 0, ssdGb: 0, slices: 0, gbps: 0 }
  all.set(id, demand)
  return demand
}

/** The pool with the most hosts, which receives additions for classes accepted by several pools. */
function largestPool(usage: readonly { readonly hosts: number }[], pools: readonly number[]): number | null {
  let largest: number | null = null
  for (const row of pools) if (largest === null || usage[row].hosts > usage[largest].hosts) largest = row
  return largest
}
