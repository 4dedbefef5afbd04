import type { Business } from './business.ts'

/** Where a newcomer has its units first of all: the zone with most CPU to promise, of a region if that matters. */
export function homeZoneIn(business: Business, wanted: number | null): number {
  const { plant, load } = business.state
  const { capacity } = business
  let zone = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let row = 0; row < plant.zones.length; row++) {
    const { region, hosts } = plant.zones[row]
    if (wanted !== null && region !== wanted) continue
    let promised = 0
    let all = 0
    for (const host of hosts) {
      promised += load.allocatedMilli[host]
      all += capacity.maxMilli[host]
    }
    if (promised / all < lowest) {
      lowest = promised / all
      zone = row
    }
  }
  return zone
}
