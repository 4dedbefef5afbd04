import type { WorldView } from '../state.ts'
import type { Capacity, PoolUsage } from '../tenants/placement/capacity.ts'
import { upgradableRoles } from '../topology/works.ts'
import { linksByRole } from './links.ts'
import type { OperatorState } from './model.ts'

/** The operator's observations of the world, on which forecasts are based. */

/** Hourly decay of a peak, with a half-life of two weeks. */
const peakMemory = 0.998
/** Share of the excess by which an hour above the peak raises it, so that a storm of an hour justifies no order. */
const peakRise = 0.25

const retainedDays = 28
/** Shares of memory and disks equivalent to the same share of CPU. */
const memWeight = 70 / 74
const ssdWeight = 0.85

/** Use of a pool by its scarcest resource, as a share of its allocatable capacity. */
export function poolFill(usage: PoolUsage): number {
  return Math.max(
    usage.milli / usage.maxMilli,
    (usage.memMb / usage.memMbTotal) * memWeight,
    (usage.ssdGb / usage.ssdGbTotal) * ssdWeight,
    usage.slicesTotal === 0 ? 0 : usage.slices / usage.slicesTotal,
    (usage.dedicatedHosts / usage.hosts) * ssdWeight,
  )
}

/** Use of all pools, weighted by their hosts. */
export function fillOfPools({ pools }: Capacity): number {
  const hosts = pools.reduce((sum, pool) => sum + pool.hosts, 0)
  return pools.reduce((sum, pool) => sum + poolFill(pool) * pool.hosts, 0) / hosts
}

/** Once a day: records the use of each pool, in hosts. */
export function recordPoolUse(state: OperatorState, { pools }: Capacity): void {
  pools.forEach((usage, pool) => {
    const history = state.poolUse[pool]
    history.push(poolFill(usage) * usage.hosts)
    if (history.length > retainedDays) history.shift()
  })
}

/** Daily growth of a pool's use in hosts: the slope of a linear regression over the last weeks; at least 0. */
export function growthPerDay(history: readonly number[]): number {
  const { length } = history
  if (length < 5) return 0
  const middle = (length - 1) / 2
  const mean = history.reduce((sum, use) => sum + use, 0) / length
  let above = 0
  let below = 0
  history.forEach((use, day) => {
    above += (day - middle) * (use - mean)
    below += (day - middle) ** 2
  })
  return Math.max(0, above / below)
}

const raise = (peaks: Float64Array, at: number, value: number): void => {
  const peak = peaks[at] * peakMemory
  peaks[at] = value > peak ? peak + (value - peak) * peakRise : peak
}

export function recordPeaks(state: OperatorState, world: WorldView): void {
  recordLinkPeaks(state, world)
  recordDevicePeaks(state, world)
  const { topology, facility } = world
  topology.zones.forEach(({ feeds }, zone) => {
    raise(state.zonePeakKw, zone, facility.feedLoadKw[feeds[0]] + facility.feedLoadKw[feeds[1]])
    raise(state.zonePeakHeatKw, zone, facility.zoneHeatKw[zone])
  })
}

/** Records the most loaded group of the links of a role in a zone, in the busier direction. */
function recordLinkPeaks(state: OperatorState, world: WorldView): void {
  linksByRole(world.topology).forEach((groups, at) => {
    const loads = groups.map((links) => loadOf(links, world)).filter((load) => load !== null)
    if (loads.length > 0) raise(state.linkPeak, at, Math.max(...loads))
  })
}

/** Load of a group of links; null while none is up. */
function loadOf(links: readonly number[], { topology, network }: WorldView): number | null {
  const { cables, ports } = topology
  let up = 0
  let down = 0
  let capacity = 0
  for (const cable of links) {
    const port = cables.a[cable]
    if (network.portUp[port] === 0) continue
    up += network.portTxGbps[port]
    down += network.portRxGbps[port]
    capacity += ports.capacityGbps[port]
  }
  return capacity > 0 ? Math.max(up, down) / capacity : null
}

function recordDevicePeaks(state: OperatorState, { topology, network }: WorldView): void {
  const { switches, gateways, appliances } = topology
  for (let row = 0; row < switches.count; row++) {
    const { fabricGbps } = topology.switchSkus[switches.sku[row]]
    raise(state.switchPeak, row, network.switchFabricGbps[row] / fabricGbps)
  }
  for (let row = 0; row < gateways.count; row++) {
    const { fabricGbps } = topology.gatewaySkus[gateways.sku[row]]
    raise(state.gatewayPeak, row, network.gatewayFabricGbps[row] / fabricGbps)
  }
  for (let row = 0; row < appliances.count; row++) {
    const { fabricGbps } = topology.applianceSkus[appliances.sku[row]]
    raise(state.appliancePeak, row, network.applianceFabricGbps[row] / fabricGbps)
  }
}

/** Index of a link role in a zone. */
export const linkIndex = (zone: number, role: number): number => zone * upgradableRoles.length + role
