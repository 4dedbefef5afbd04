import type { Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'

/**
 * What hosts can take, and by what rules: columns by host row. What they have taken stands in `HostLoad`, but
 * for the few columns at the end that matter to placement alone.
 */
export interface Capacity {
  readonly physicalMilli: Float64Array
  /** CPU that may be promised: what to aim for, and what is never passed. */
  readonly targetMilli: Float64Array
  readonly maxMilli: Float64Array
  readonly memMb: Float64Array
  readonly ssdGb: Float64Array
  readonly iops: Float64Array
  readonly slices: Float64Array
  readonly zone: Int32Array
  readonly rack: Int32Array
  readonly region: Int32Array
  readonly pool: Int32Array
  /** Hosts of a pool in a zone: [pool * zones + zone]. */
  readonly hostsOf: readonly Int32Array[]
  readonly racksOfRegion: Int32Array
  readonly promisedIops: Float64Array
  /** Id of the customer to whom the whole host is given; 0 for none. */
  readonly owner: Int32Array
  /** Units on the host that must not be contended: no more CPU is promised there than there is. */
  readonly calmUnits: Int32Array
  /** What pools have and have promised, by pool. */
  readonly pools: readonly PoolTally[]
  /** Whether the host takes new units: it runs and its zone can reach it. */
  readonly open: Uint8Array
  /** Goes up whenever room may have appeared: units have left, or hosts have come back. */
  roomVersion: number
}

/** What a pool has, and what of it is promised. */
export interface PoolTally {
  hosts: number
  owned: number
  milli: number
  physicalMilli: number
  maxMilli: number
  targetMilli: number
  memMb: number
  memAll: number
  ssdGb: number
  ssdAll: number
  iops: number
  iopsAll: number
  slices: number
  slicesAll: number
  units: number
}

const emptyTally = (): PoolTally => ({
  hosts: 0,
  owned: 0,
  milli: 0,
  physicalMilli: 0,
  maxMilli: 0,
  targetMilli: 0,
  memMb: 0,
  memAll: 0,
  ssdGb: 0,
  ssdAll: 0,
  iops: 0,
  iopsAll: 0,
  slices: 0,
  slicesAll: 0,
  units: 0,
})

export function createCapacity(plant: Plant): Capacity {
  const { hosts, hostSkus, pools, zones } = plant
  const floats = () => new Float64Array(hosts.count)
  const ints = () => new Int32Array(hosts.count)
  const capacity: Capacity = {
    physicalMilli: floats(),
    targetMilli: floats(),
    maxMilli: floats(),
    memMb: floats(),
    ssdGb: floats(),
    iops: floats(),
    slices: floats(),
    zone: ints(),
    rack: ints(),
    region: ints(),
    pool: ints(),
    hostsOf: groupHosts(plant),
    racksOfRegion: Int32Array.from(plant.regions, (_, region) => racksOf(plant, region)),
    promisedIops: floats(),
    owner: ints(),
    calmUnits: ints(),
    pools: plant.pools.map(emptyTally),
    open: new Uint8Array(hosts.count).fill(1),
    roomVersion: 1,
  }
  for (let host = 0; host < hosts.count; host++) {
    const sku = hostSkus[hosts.sku[host]]
    const pool = pools[hosts.pool[host]]
    capacity.physicalMilli[host] = sku.vcpu * 1000
    capacity.targetMilli[host] = Math.floor(sku.vcpu * 1000 * pool.overcommitTarget)
    capacity.maxMilli[host] = Math.floor(sku.vcpu * 1000 * pool.overcommitMax)
    capacity.memMb[host] = sku.memMb
    capacity.ssdGb[host] = sku.ssdGb
    capacity.iops[host] = sku.iops
    capacity.slices[host] = sku.vgpuSlices
    capacity.zone[host] = hosts.zone[host]
    capacity.rack[host] = hosts.rack[host]
    capacity.region[host] = zones[hosts.zone[host]].region
    capacity.pool[host] = hosts.pool[host]
    const tally = capacity.pools[hosts.pool[host]]
    tally.hosts++
    tally.physicalMilli += capacity.physicalMilli[host]
    tally.maxMilli += capacity.maxMilli[host]
    tally.targetMilli += capacity.targetMilli[host]
    tally.memAll += sku.memMb
    tally.ssdAll += sku.ssdGb
    tally.iopsAll += sku.iops
    tally.slicesAll += sku.vgpuSlices
  }
  return capacity
}

/** Racks with hosts that a region has. */
function racksOf(plant: Plant, region: number): number {
  let count = 0
  for (let rack = 0; rack < plant.racks.count; rack++) {
    if (plant.zones[plant.racks.zone[rack]].region === region && plant.racks.hosts[rack].length > 0) count++
  }
  return count
}

function groupHosts(plant: Plant): Int32Array[] {
  const { hosts, pools, zones } = plant
  const groups: number[][] = Array.from({ length: pools.length * zones.length }, () => [])
  for (let host = 0; host < hosts.count; host++) {
    groups[hosts.pool[host] * zones.length + hosts.zone[host]].push(host)
  }
  return groups.map((group) => Int32Array.from(group))
}

/** Looks again at which hosts take new units. Tells whether any has come back. */
export function refreshOpen(capacity: Capacity, state: WorldState): boolean {
  const { open } = capacity
  const { hostConnected, hostReachable } = state.network
  const { hostRunning } = state.physical
  const { hostMaintenance } = state.condition
  let back = false
  for (let host = 0; host < open.length; host++) {
    const usable =
      hostRunning[host] & hostConnected[host] & hostReachable[host] & (hostMaintenance[host] === 0 ? 1 : 0)
    if (usable > open[host]) back = true
    open[host] = usable
  }
  if (back) capacity.roomVersion++
  return back
}
