import type { TenantContext } from '../context.ts'

/** Bound of the private segments routed by a host's virtual switch. */
const privateSegmentsPerHost = 6

/** Rules for hosts that accept a unit, as bits of a mask. */
export const placementRule = {
  online: 1,
  region: 2,
  arch: 4,
  accelerator: 8,
  dedicated: 16,
  segment: 32,
  memory: 64,
  cpu: 128,
  disk: 256,
  iops: 512,
  slices: 1024,
  uncontended: 2048,
  racks: 4096,
  zones: 8192,
} as const

/** Requirements of a unit for its host. */
export interface PlacementRequest {
  readonly customerId: number
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly classIndex: number
  readonly milli: number
  readonly memMb: number
  readonly ssdGb: number
  readonly iops: number
  readonly slices: number
  /** Requested units of the service. */
  readonly units: number
  readonly arch: string | null
  readonly region: number | null
  readonly dedicated: boolean
  readonly uncontended: boolean
  readonly perHostMax: number
  readonly perRackMax: number
  readonly perZoneMax: number
}

/** Units of the current service by row. */
export interface UnitSpread {
  readonly onHost: Int32Array
  readonly inRack: Int32Array
  readonly inZone: Int32Array
}

export interface PlacementRules {
  /** Mask of the rules that a host breaks. */
  brokenRules(request: PlacementRequest, host: number): number
  /** Placement chooses the host with the lowest cost among those that break no rule. */
  cost(request: PlacementRequest, host: number): number
}

export function createPlacementRules(context: TenantContext, spread: UnitSpread): PlacementRules {
  const { capacity, load } = context.state
  const { topology } = context.world

  const ownershipFits = (request: PlacementRequest, host: number): boolean => {
    const owner = capacity.owner[host]
    if (!request.dedicated) return owner === 0 && !topology.pools[capacity.pool[host]].dedicated
    if (!topology.pools[capacity.pool[host]].dedicated) return false
    return owner === request.customerId || (owner === 0 && load.unitCount[host] === 0)
  }

  const brokenRules = (request: PlacementRequest, host: number): number => {
    const pool = topology.pools[capacity.pool[host]]
    const allocated = load.allocatedMilli[host] + request.milli
    const isUncontended = request.uncontended || capacity.uncontendedUnits[host] > 0
    let mask = 0
    if (capacity.open[host] === 0) mask |= placementRule.online
    if (request.region !== null && capacity.region[host] !== request.region) mask |= placementRule.region
    if (request.arch !== null && pool.arch !== request.arch) mask |= placementRule.arch
    if (!ownershipFits(request, host)) mask |= placementRule.dedicated
    if (load.allocatedMemMb[host] + request.memMb > capacity.memMb[host]) mask |= placementRule.memory
    if (allocated > capacity.maxMilli[host]) mask |= placementRule.cpu
    else if (isUncontended && allocated > capacity.physicalMilli[host]) mask |= placementRule.uncontended
    if (load.allocatedSsdGb[host] + request.ssdGb > capacity.ssdGb[host]) mask |= placementRule.disk
    if (capacity.allocatedIops[host] + request.iops > capacity.iops[host]) mask |= placementRule.iops
    if (load.allocatedSlices[host] + request.slices > capacity.slices[host]) mask |= placementRule.slices
    if (spread.inRack[capacity.rack[host]] >= request.perRackMax) mask |= placementRule.racks
    if (spread.onHost[host] >= request.perHostMax) mask |= placementRule.racks
    if (spread.inZone[capacity.zone[host]] >= request.perZoneMax) mask |= placementRule.zones
    if (mask === 0 && segmentsFull(context, request, host)) mask |= placementRule.segment
    return mask
  }

  /** Utilization after accepting the unit, plus penalties for units of the same service nearby. */
  const cost = (request: PlacementRequest, host: number): number => {
    const cpu = (load.allocatedMilli[host] + request.milli) / capacity.maxMilli[host]
    const mem = (load.allocatedMemMb[host] + request.memMb) / capacity.memMb[host]
    const overTarget = load.allocatedMilli[host] + request.milli > capacity.targetMilli[host] ? 0.5 : 0
    const ownHost = request.dedicated && capacity.owner[host] === request.customerId ? -0.6 : 0
    const colocation = spread.onHost[host] * 0.35 + spread.inRack[capacity.rack[host]] * 0.06
    return Math.max(cpu, mem) + overTarget + colocation + ownHost + Math.max(0, load.contention[host] - 0.8)
  }

  return { brokenRules, cost }
}

/** Whether the host routes the maximum number of private segments, without this one. */
function segmentsFull(
  { state: { units, services, byId } }: TenantContext,
  request: PlacementRequest,
  host: number,
): boolean {
  if (!request.privateSegment) return false
  const segments: number[] = []
  for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
    const other = byId.get(services.customer[units.service[unit]])
    if (other === undefined || !other.privateSegment) continue
    if (other.segmentId === request.segmentId) return false
    if (!segments.includes(other.segmentId)) segments.push(other.segmentId)
  }
  return segments.length >= privateSegmentsPerHost
}
