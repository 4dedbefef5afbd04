import type { FacilityWorld } from '../state.ts'

/** Live feeds of a zone, as bits: 1 for A, 2 for B. */
export function liveFeedsOfZone({ topology, facility }: FacilityWorld, zone: number): number {
  const [a, b] = topology.zones[zone].feeds
  return facility.feedLive[a] + 2 * facility.feedLive[b]
}
