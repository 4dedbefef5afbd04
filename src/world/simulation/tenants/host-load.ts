import type { Owned } from '../part.ts'
import type { Topology } from '../topology/tables.ts'

/** Demand on each host, by row; updated before the flows of a step. */
export type HostLoad = Owned<ReturnType<typeof createHostLoad>>

export function createHostLoad(topology: Topology) {
  const floats = () => new Float64Array(topology.hosts.capacity)
  return {
    /** Legitimate user traffic demanded at reachable hosts. */
    wantedInGbps: floats(),
    wantedOutGbps: floats(),
    /** Traffic to other hosts of the zone; the traffic from them is equal. */
    wantedEastWestGbps: floats(),
    /** Traffic of data set copies, included in `wantedEastWestGbps`; link upgrades ignore it. */
    copyGbps: floats(),
    cpuDemandMilli: floats(),
    cpuUsedMilli: floats(),
    allocatedMilli: floats(),
    allocatedMemMb: floats(),
    allocatedSsdGb: floats(),
    allocatedSlices: floats(),
    iopsUsed: floats(),
    unitCount: new Uint32Array(topology.hosts.capacity),
    /** Units on the host that it cannot serve now. */
    strandedUnits: new Uint32Array(topology.hosts.capacity),
    /** CPU demand over physical CPU. */
    contention: floats(),
    /** That of the most contended host. */
    contentionMax: 0,
    /** Increases when demand for traffic changes; flows are recalculated only then. */
    version: 0,
  }
}
