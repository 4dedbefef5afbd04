import type { Durability } from '../../contract/vocabularies.ts'
import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { replicasPromised } from './contracts.ts'

/** Hosts that fit and are compared before one is taken. */
const comparedHosts = 20
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

export interface Placer {
  /** The host that takes one more unit; -1 where none does. */
  findHost(ask: Ask, standing: Standing, homeZone: number): number
  /** The rules that a host breaks. */
  broken(ask: Ask, standing: Standing, host: number): number
  readonly standing: Standing
  /** Marks where the units of a service stand, and forgets it again. */
  mark(service: number, by: 1 | -1): void
  askOf(account: Account, service: number): Ask
  put(account: Account, service: number, host: number): void
  take(unit: number): void
  move(unit: number, host: number): void
}

export function createPlacer(business: Business): Placer {
  const { state, capacity, units, services, poolsFor } = business
  const { load, plant } = state
  const zones = plant.zones.length
  const cursors = new Int32Array(plant.pools.length * zones)
  const standing: Standing = {
    onHost: new Int32Array(plant.hosts.count),
    inRack: new Int32Array(plant.racks.count),
    inZone: new Int32Array(zones),
  }

  const segmentsFull = (ask: Ask, host: number): boolean => {
    if (!ask.privateSegment) return false
    const seen: number[] = []
    for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
      const other = business.byId.get(services.customer[units.service[unit]])
      if (other === undefined || !other.privateSegment) continue
      if (other.segmentId === ask.segmentId) return false
      if (!seen.includes(other.segmentId)) seen.push(other.segmentId)
    }
    return seen.length >= privateSegmentsPerHost
  }

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
    if (mask === 0 && segmentsFull(ask, host)) mask |= rule.segment
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

  const searchGroup = (ask: Ask, where: Standing, group: number): number => {
    const hosts = capacity.hostsOf[group]
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    let fitting = 0
    let at = hosts.length === 0 ? 0 : cursors[group] % hosts.length
    for (let looked = 0; looked < hosts.length && fitting < comparedHosts; looked++) {
      const host = hosts[at]
      at = at + 1 === hosts.length ? 0 : at + 1
      if (broken(ask, where, host) !== 0) continue
      fitting++
      const price = cost(ask, where, host)
      if (price < lowest) {
        lowest = price
        best = host
      }
    }
    cursors[group] = at
    return best
  }

  const findHost = (ask: Ask, where: Standing, homeZone: number): number => {
    const pools = poolsFor[ask.dedicated ? 1 : 0][ask.classIndex]
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    for (let step = 0; step < zones; step++) {
      const zone = (homeZone + step) % zones
      if (ask.region !== null && plant.zones[zone].region !== ask.region) continue
      if (where.inZone[zone] >= ask.perZoneMax) continue
      for (const pool of pools) {
        const host = searchGroup(ask, where, pool * zones + zone)
        if (host === -1) continue
        // A customer that wants several zones goes where it has least; others stay together.
        const price =
          cost(ask, where, host) + (ask.perZoneMax < ask.units ? where.inZone[zone] : step > 0 ? 2 : 0)
        if (price < lowest) {
          lowest = price
          best = host
        }
      }
      if (best !== -1 && ask.perZoneMax >= ask.units) return best
    }
    return best
  }

  const occupy = (service: number, host: number, sign: 1 | -1): void => {
    load.allocatedMilli[host] += sign * services.vcpuMilli[service]
    load.allocatedMemMb[host] += sign * services.memMb[service]
    load.allocatedSsdGb[host] += sign * services.ssdGb[service]
    load.allocatedSlices[host] += sign * services.slices[service]
    capacity.promisedIops[host] += sign * services.iops[service]
    load.unitCount[host] += sign
    const tally = capacity.pools[capacity.pool[host]]
    tally.milli += sign * services.vcpuMilli[service]
    tally.memMb += sign * services.memMb[service]
    tally.ssdGb += sign * services.ssdGb[service]
    tally.iops += sign * services.iops[service]
    tally.slices += sign * services.slices[service]
    tally.units += sign
    const account = business.byId.get(services.customer[service])
    if (account === undefined) return
    account.unlisted = true
    if (account.contract.uncontended) capacity.calmUnits[host] += sign
    if (account.dedicatedHosts) {
      const owner = load.unitCount[host] === 0 ? 0 : account.id
      tally.owned += (owner === 0 ? 0 : 1) - (capacity.owner[host] === 0 ? 0 : 1)
      capacity.owner[host] = owner
    }
    if (sign === -1) capacity.roomVersion++
    business.unitsChanged = true
  }

  return {
    findHost,
    broken,
    standing,
    mark(service, by) {
      for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
        const host = units.host[unit]
        standing.onHost[host] += by
        standing.inRack[capacity.rack[host]] += by
        standing.inZone[capacity.zone[host]] += by
      }
    },
    askOf: (account, service) => askOf(business, account, service),
    put(account, service, host) {
      units.add(service, host)
      services.placed[service]++
      account.placedUnits++
      occupy(service, host, 1)
    },
    take(unit) {
      const service = units.service[unit]
      const host = units.host[unit]
      const account = business.byId.get(services.customer[service])
      units.remove(unit)
      services.placed[service]--
      if (account !== undefined) account.placedUnits--
      occupy(service, host, -1)
    },
    move(unit, host) {
      const service = units.service[unit]
      const from = units.host[unit]
      units.move(unit, host)
      occupy(service, from, -1)
      occupy(service, host, 1)
    },
  }
}

function askOf(business: Business, account: Account, service: number): Ask {
  const { services } = business
  const { contract } = account
  return {
    customerId: account.id,
    segmentId: account.segmentId,
    privateSegment: account.privateSegment,
    classIndex: services.class[service],
    milli: services.vcpuMilli[service],
    memMb: services.memMb[service],
    ssdGb: services.ssdGb[service],
    iops: services.iops[service],
    slices: services.slices[service],
    units: services.requested[service],
    arch: contract.requiredArch,
    region: account.homeRegion,
    dedicated: account.dedicatedHosts,
    uncontended: contract.uncontended,
    perHostMax: perHostMax(services.durabilityOf(service), services.requested[service]),
    ...spreadLimits(business, account.homeRegion, contract, services.requested[service]),
  }
}

/** Replicas of the same data are not lost with one host. */
export function perHostMax(durability: Durability, units: number): number {
  const replicas = replicasPromised[durability]
  return replicas > 1 ? Math.max(1, Math.floor(units / replicas)) : Math.max(1, units)
}

/** How many units of a service one rack and one zone may hold at most. */
export function spreadLimits(
  business: Business,
  region: number,
  contract: { readonly multiZone: boolean; readonly faultIsolation: boolean },
  units: number,
): Pick<Ask, 'perRackMax' | 'perZoneMax'> {
  const racks = Math.max(1, Math.min(3, business.capacity.racksOfRegion[region]))
  return {
    perRackMax: contract.faultIsolation ? Math.max(1, Math.ceil(units / racks)) : units,
    perZoneMax: contract.multiZone ? Math.max(1, Math.ceil(units / 2)) : units,
  }
}
