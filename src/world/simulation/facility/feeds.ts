import type { ObservedWorld } from '../state.ts'

type PoweredWorld = Pick<ObservedWorld, 'topology' | 'facility'>
/** Live feeds of a zone, as bits: 1 for A, 2 for B. */
export function liveFeedsOfZone({ topology, facility }: PoweredWorld, zone: number): number {
  const [a, b] = topology.zones[zone].feeds
  return facility.feedLive[a] + 2 * facility.feedLive[b]
}
