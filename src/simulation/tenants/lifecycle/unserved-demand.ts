import { idOf } from '../../topology/tables.ts'
import { isDue, schedule } from '../../schedule.ts'
import type { TenantContext } from '../context.ts'
import type { Contract } from '../contract.ts'
import { classIndex } from '../demand/service-classes.ts'
import type { MutableDemand, TenantsState } from '../state.ts'
import type { UnservedDemand } from '../tenant.ts'

/** Share of the amounts that is left an hour later: 1/e of them after two weeks. */
const memoryPerHour = 1 - 1 / (14 * 24)
/** Amounts below this share of a virtual CPU are forgotten. */
const vcpuMin = 0.1

/** What a number of units of one size needs. */
export interface UnitAmounts {
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly slices: number
}

/** Once an hour: old demand counts less, because who was turned away has gone elsewhere. */
export function decayUnservedDemand({ world, state: { unservedDemand } }: TenantContext): void {
  if (!isDue(schedule.unservedDemand, world.tick)) return
  for (const [pool, demand] of unservedDemand) {
    for (const key of Object.keys(demand) as (keyof UnservedDemand)[]) demand[key] *= memoryPerHour
    if (demand.vcpu < vcpuMin && demand.gbps < vcpuMin) unservedDemand.delete(pool)
  }
}

/** Counts units of a service that could not be served; a negative number withdraws them. */
export function countUnservedUnits(
  { state }: TenantContext,
  pools: readonly number[],
  unit: UnitAmounts,
  count: number,
): void {
  const demand = demandOf(state.unservedDemand, largestPool(state.capacity.pools, pools))
  if (demand === null) return
  demand.units = Math.max(0, demand.units + count)
  demand.vcpu = Math.max(0, demand.vcpu + count * unit.vcpu)
  demand.memMb = Math.max(0, demand.memMb + count * unit.memMb)
  demand.ssdGb = Math.max(0, demand.ssdGb + count * unit.ssdGb)
  demand.slices = Math.max(0, demand.slices + count * unit.slices)
}

/** Counts a whole contract that could not be served, or with a negative sign withdraws it. */
export function countUnservedContract(context: TenantContext, contract: Contract, sign: 1 | -1): void {
  for (const service of contract.services) {
    const pools = context.poolsFor[contract.dedicatedHosts ? 1 : 0][classIndex[service.class]]
    countUnservedUnits(context, fittingArch(context, pools, contract), service, sign * service.count)
  }
}

export const fittingArch = (
  { world }: TenantContext,
  pools: readonly number[],
  contract: Contract,
): number[] =>
  pools.filter(
    (row) => contract.requiredArch === null || world.topology.pools[row].arch === contract.requiredArch,
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

/** The pool with the most hosts: that is where hosts are added for a class that several pools accept. */
function largestPool(usage: readonly { readonly hosts: number }[], pools: readonly number[]): number | null {
  let largest: number | null = null
  for (const row of pools) if (largest === null || usage[row].hosts > usage[largest].hosts) largest = row
  return largest
}
