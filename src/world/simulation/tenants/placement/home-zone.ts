import type { TenantContext } from '../context.ts'

/** The zone with the lowest share of allocated CPU, optionally within a region. */
export function homeZoneIn(context: TenantContext, requiredRegion: number | null): number {
  const { topology, load } = context.world
  const { capacity } = context.state
  let zone = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let row = 0; row < topology.zones.length; row++) {
    const { region, hosts } = topology.zones[row]
    if (requiredRegion !== null && region !== requiredRegion) continue
    let allocated = 0
    let all = 0
    for (const host of hosts) {
      allocated += load.allocatedMilli[host]
      all += capacity.maxMilli[host]
    }
    if (allocated / all < lowest) {
      lowest = allocated / all
      zone = row
    }
  }
  return zone
}
