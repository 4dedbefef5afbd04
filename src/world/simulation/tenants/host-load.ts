import type { Owned } from '../part.ts'
import type { Topology } from '../topology/tables.ts'

/** Demand on each host, by row; updated before the flows of a step. */
export type HostLoad = Owned<ReturnType<typeof createHostLoad>>

export function createHostLoad(topology: Topology) {
  const floats = () => new Float64Array(topology.hosts.capacity)
  return {
    /** Good traffic that users want, at reachable hosts. */
    wantedInGbps: floats(),
    wantedOutGbps: floats(),
    /** Traffic to other hosts of the zone; as much comes from them. */
    wantedEastWestGbps: floats(),
    /** What of it copies data sets: it is no measure of what links must carry every day. */
    copyGbps: floats(),
    cpuDemandMilli: floats(),
    cpuUsedMilli: floats(),
    allocatedMilli: floats(),
    allocatedMemMb: floats(),
    allocatedSsdGb: floats(),
    allocatedSlices: floats(),
    iopsUsed: floats(),
    unitCount: new Uint32Array(topology.hosts.capacity),
    /** Units that the host cannot serve now. */
    strandedUnits: new Uint32Array(topology.hosts.capacity),
    /** CPU demand over physical CPU. */
    contention: floats(),
    /** Incremented when demand for traffic changes; flows are recalculated only then. */
    version: 0,
  }
}
