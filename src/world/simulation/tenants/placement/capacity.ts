import type { Arch, ServiceClass } from '../../../../contract/vocabularies.ts'
import { classTraits } from '../demand/service-classes.ts'
import type { Topology } from '../../topology/tables.ts'
import type { Owned } from '../../part.ts'
import type { WorldView } from '../../state.ts'

/** Capacity of each host and pool. `HostLoad` has their use, except for columns that only placement needs. */
export type Capacity = Owned<ReturnType<typeof createCapacity>>

/** Resources of a pool, and their allocated amounts. */
export interface PoolUsage {
  hosts: number
  dedicatedHosts: number
  milli: number
  physicalMilli: number
  maxMilli: number
  targetMilli: number
  memMb: number
  memMbTotal: number
  ssdGb: number
  ssdGbTotal: number
  iops: number
  iopsTotal: number
  slices: number
  slicesTotal: number
  units: number
}

/** Totals over the hosts of a pool. */
const emptyTotals = {
  hosts: 0,
  physicalMilli: 0,
  maxMilli: 0,
  targetMilli: 0,
  memMbTotal: 0,
  ssdGbTotal: 0,
  iopsTotal: 0,
  slicesTotal: 0,
} as const satisfies Partial<PoolUsage>

const emptyUsage = (): PoolUsage => ({
  ...emptyTotals,
  dedicatedHosts: 0,
  milli: 0,
  memMb: 0,
  ssdGb: 0,
  iops: 0,
  slices: 0,
  units: 0,
})

export function createCapacity(topology: Topology) {
  const { hosts } = topology
  const floats = () => new Float64Array(hosts.capacity)
  const ints = () => new Int32Array(hosts.capacity)
  const capacity = {
    physicalMilli: floats(),
    /** Allocatable CPU: at the overcommit target, and at the overcommit limit. */
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
    /** Hosts of a pool in a zone: [pool * zones + zone]. */
    hostsOf: [] as Int32Array[],
    racksOfRegion: new Int32Array(topology.regions.length),
    allocatedIops: floats(),
    /** Id of the customer that the host is dedicated to; 0 for none. */
    owner: ints(),
    /** Units that tolerate no contention: the CPU of their host is not overcommitted. */
    uncontendedUnits: ints(),
    pools: topology.pools.map(emptyUsage),
    /** 1 if the host accepts new units: it runs, is reachable and is not in maintenance. */
    open: new Uint8Array(hosts.capacity).fill(1),
    /** Increases when capacity is freed: a unit is removed, or a host returns. */
    roomVersion: 0,
  }
  measureHosts(capacity, topology)
  return capacity
}

/** Updates the capacity derived from the topology, by host and pool. */
export function measureHosts(capacity: Capacity, topology: Topology): void {
  const { hosts, hostSkus, pools, zones } = topology
  groupHosts(topology).forEach((group, index) => {
    capacity.hostsOf[index] = group
  })
  for (let region = 0; region < topology.regions.length; region++)
    capacity.racksOfRegion[region] = racksInRegion(topology, region)
  for (const usage of capacity.pools) Object.assign(usage, emptyTotals)
  for (const host of hosts.rows) {
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
    const usage = capacity.pools[hosts.pool[host]]
    usage.hosts++
    usage.physicalMilli += capacity.physicalMilli[host]
    usage.maxMilli += capacity.maxMilli[host]
    usage.targetMilli += capacity.targetMilli[host]
    usage.memMbTotal += sku.memMb
    usage.ssdGbTotal += sku.ssdGb
    usage.iopsTotal += sku.iops
    usage.slicesTotal += sku.vgpuSlices
  }
  capacity.roomVersion++
}

function racksInRegion(topology: Topology, region: number): number {
  let count = 0
  for (let rack = 0; rack < topology.racks.count; rack++) {
    if (topology.zones[topology.racks.zone[rack]].region === region && topology.racks.hosts[rack].length > 0)
      count++
  }
  return count
}

function groupHosts(topology: Topology): Int32Array[] {
  const { hosts, pools, zones } = topology
  const groups: number[][] = Array.from({ length: pools.length * zones.length }, () => [])
  for (const host of hosts.rows) {
    groups[hosts.pool[host] * zones.length + hosts.zone[host]].push(host)
  }
  return groups.map((group) => Int32Array.from(group))
}

export function updateOpenHosts(capacity: Capacity, world: WorldView): void {
  const { open } = capacity
  const { hostConnected, hostReachable } = world.network
  const { hostRunning } = world.facility
  const { hostMaintenance } = world.condition
  let reopened = false
  for (let host = 0; host < open.length; host++) {
    const usable =
      hostRunning[host] & hostConnected[host] & hostReachable[host] & (hostMaintenance[host] === 0 ? 1 : 0)
    if (usable > open[host]) reopened = true
    open[host] = usable
  }
  if (reopened) capacity.roomVersion++
}

/** Whether the rules of a pool admit units of a class. */
export function poolAccepts(
  pool: Topology['pools'][number],
  name: ServiceClass,
  dedicated: boolean,
  arch: Arch | null,
): boolean {
  return (
    pool.classes.includes(name) &&
    pool.dedicated === dedicated &&
    (arch === null || pool.arch === arch) &&
    pool.accelerator === classTraits[name].accelerator
  )
}
