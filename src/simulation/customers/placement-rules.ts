import type { Business } from './business.ts'

/** Private segments whose routes the virtual switch of one host holds. */
export const privateSegmentsPerHost = 6

/** Rules that a host must meet to take a unit, in the order in which a lack of them is told. */
export const rule = {
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
  calm: 2048,
  racks: 4096,
  zones: 8192,
} as const

/** What a unit asks of the host that takes it, whether its customer has signed or only asks. */
export interface Ask {
  readonly customerId: number
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly classIndex: number
  readonly milli: number
  readonly memMb: number
  readonly ssdGb: number
  readonly iops: number
  readonly slices: number
  /** Units of the service, when all are placed. */
  readonly units: number
  readonly arch: string | null
  readonly region: number | null
  readonly dedicated: boolean
  readonly uncontended: boolean
  /** How many units of the service one host, rack and zone may hold. */
  readonly perHostMax: number
  readonly perRackMax: number
  readonly perZoneMax: number
}

/** Where the units of the service stand that is being placed: counts by row, zero but for its own. */
export interface Standing {
  readonly onHost: Int32Array
  readonly inRack: Int32Array
  readonly inZone: Int32Array
}

export interface Rules {
  /** The rules that a host breaks. */
  broken(ask: Ask, where: Standing, host: number): number
  /** How little a host is wanted, of those that break none. */
  cost(ask: Ask, where: Standing, host: number): number
}

export function createRules(business: Business): Rules {
  const { state, capacity } = business
  const { load, plant } = state

  const ownershipFits = (ask: Ask, host: number): boolean => {
    const owner = capacity.owner[host]
    if (!ask.dedicated) return owner === 0 && !plant.pools[capacity.pool[host]].dedicated
    if (!plant.pools[capacity.pool[host]].dedicated) return false
    return owner === ask.customerId || (owner === 0 && load.unitCount[host] === 0)
  }

  const broken = (ask: Ask, where: Standing, host: number): number => {
    const pool = plant.pools[capacity.pool[host]]
    const promised = load.allocatedMilli[host] + ask.milli
    const calm = ask.uncontended || capacity.calmUnits[host] > 0
    let mask = 0
    if (capacity.open[host] === 0) mask |= rule.online
    if (ask.region !== null && capacity.region[host] !== ask.region) mask |= rule.region
    if (ask.arch !== null && pool.arch !== ask.arch) mask |= rule.arch
    if (!ownershipFits(ask, host)) mask |= rule.dedicated
    if (load.allocatedMemMb[host] + ask.memMb > capacity.memMb[host]) mask |= rule.memory
    if (promised > capacity.maxMilli[host]) mask |= rule.cpu
    else if (calm && promised > capacity.physicalMilli[host]) mask |= rule.calm
    if (load.allocatedSsdGb[host] + ask.ssdGb > capacity.ssdGb[host]) mask |= rule.disk
    if (capacity.promisedIops[host] + ask.iops > capacity.iops[host]) mask |= rule.iops
    if (load.allocatedSlices[host] + ask.slices > capacity.slices[host]) mask |= rule.slices
    if (where.inRack[capacity.rack[host]] >= ask.perRackMax) mask |= rule.racks
    if (where.onHost[host] >= ask.perHostMax) mask |= rule.racks
    if (where.inZone[capacity.zone[host]] >= ask.perZoneMax) mask |= rule.zones
    if (mask === 0 && segmentsFull(business, ask, host)) mask |= rule.segment
    return mask
  }

  /** Fullness after taking the unit, and company of its own kind on the host and in the rack. */
  const cost = (ask: Ask, where: Standing, host: number): number => {
    const cpu = (load.allocatedMilli[host] + ask.milli) / capacity.maxMilli[host]
    const mem = (load.allocatedMemMb[host] + ask.memMb) / capacity.memMb[host]
    const overTarget = load.allocatedMilli[host] + ask.milli > capacity.targetMilli[host] ? 0.5 : 0
    const own = ask.dedicated && capacity.owner[host] === ask.customerId ? -0.6 : 0
    const company = where.onHost[host] * 0.35 + where.inRack[capacity.rack[host]] * 0.06
    return Math.max(cpu, mem) + overTarget + company + own + Math.max(0, load.contention[host] - 0.8)
  }

  return { broken, cost }
}

/** Whether the host holds routes of as many private segments as it can, and not of this one. */
function segmentsFull({ units, services, byId }: Business, ask: Ask, host: number): boolean {
  if (!ask.privateSegment) return false
  const seen: number[] = []
  for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
    const other = byId.get(services.customer[units.service[unit]])
    if (other === undefined || !other.privateSegment) continue
    if (other.segmentId === ask.segmentId) return false
    if (!seen.includes(other.segmentId)) seen.push(other.segmentId)
  }
  return seen.length >= privateSegmentsPerHost
}
