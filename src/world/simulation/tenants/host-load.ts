import type { Topology } from '../topology/tables.ts'

/** Demand on each host, by row; updated before the flows of a step. */
export interface HostLoad {
  /** Good traffic that users want, at reachable hosts. */
  readonly wantedInGbps: Float64Array
  readonly wantedOutGbps: Float64Array
  /** Traffic to other hosts of the zone; as much comes from them. */
  readonly wantedEastWestGbps: Float64Array
  /** What of it copies data sets: it is no measure of what links must carry every day. */
  readonly copyGbps: Float64Array
  readonly cpuDemandMilli: Float64Array
  readonly cpuUsedMilli: Float64Array
  readonly allocatedMilli: Float64Array
  readonly allocatedMemMb: Float64Array
  readonly allocatedSsdGb: Float64Array
  readonly allocatedSlices: Float64Array
  readonly iopsUsed: Float64Array
  readonly unitCount: Uint32Array
  /** Units that the host cannot serve now. */
  readonly strandedUnits: Uint32Array
  /** CPU demand over physical CPU. */
  readonly contention: Float64Array
  /** Incremented when demand for traffic changes; flows are recalculated only then. */
  version: number
}

export function createHostLoad(topology: Topology): HostLoad {
  const floats = () => new Float64Array(topology.hosts.capacity)
  return {
    wantedInGbps: floats(),
    wantedOutGbps: floats(),
    wantedEastWestGbps: floats(),
    copyGbps: floats(),
    cpuDemandMilli: floats(),
    cpuUsedMilli: floats(),
    allocatedMilli: floats(),
    allocatedMemMb: floats(),
    allocatedSsdGb: floats(),
    allocatedSlices: floats(),
    iopsUsed: floats(),
    unitCount: new Uint32Array(topology.hosts.capacity),
    strandedUnits: new Uint32Array(topology.hosts.capacity),
    contention: floats(),
    version: 0,
  }
}
