import type { Durability } from '../../contract/vocabularies.ts'
import type { Account } from './account.ts'
import type { Business } from './business.ts'
import { replicasPromised } from './contracts.ts'

import { type Ask, createRules, type Rules, type Standing } from './placement-rules.ts'

/** Hosts that fit and are compared before one is taken. */
const comparedHosts = 20

export interface Placer {
  /** The host that takes one more unit; -1 where none does. */
  findHost(ask: Ask, standing: Standing, homeZone: number): number
  /** The rules that a host breaks. */
  broken(ask: Ask, standing: Standing, host: number): number
  readonly standing: Standing
  /** Marks one more unit on a host, or one less. */
  markHost(host: number, by: 1 | -1): void
  /** Marks where the units of a service stand, and forgets it again. */
  mark(service: number, by: 1 | -1): void
  askOf(account: Account, service: number): Ask
  put(account: Account, service: number, host: number): void
  take(unit: number): void
  move(unit: number, host: number): void
}

export function createPlacer(business: Business): Placer {
  const { capacity, units, services } = business
  const { plant } = business.state
  const rules = createRules(business)
  const findHost = createSearch(business, rules)
  const standing: Standing = {
    onHost: new Int32Array(plant.hosts.count),
    inRack: new Int32Array(plant.racks.count),
    inZone: new Int32Array(plant.zones.length),
  }
  const markHost = (host: number, by: 1 | -1): void => {
    standing.onHost[host] += by
    standing.inRack[capacity.rack[host]] += by
    standing.inZone[capacity.zone[host]] += by
  }
  return {
    findHost,
    broken: (ask, where, host) => rules.broken(ask, where, host),
    standing,
    markHost,
    mark(service, by) {
      for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
        markHost(units.host[unit], by)
      }
    },
    askOf: (account, service) => askOf(business, account, service),
    put(account, service, host) {
      units.add(service, host)
      services.placed[service]++
      account.placedUnits++
      occupy(business, service, host, 1)
    },
    take(unit) {
      const service = units.service[unit]
      const host = units.host[unit]
      const account = business.byId.get(services.customer[service])
      units.remove(unit)
      services.placed[service]--
      if (account !== undefined) account.placedUnits--
      occupy(business, service, host, -1)
    },
    move(unit, host) {
      const service = units.service[unit]
      const from = units.host[unit]
      units.move(unit, host)
      occupy(business, service, from, -1)
      occupy(business, service, host, 1)
    },
  }
}

/** Looks for the host that takes one more unit: in the home zone first, of some that fit the one wanted most. */
function createSearch(business: Business, rules: Rules): Placer['findHost'] {
  const { capacity, poolsFor } = business
  const { plant } = business.state
  const zones = plant.zones.length
  /** Where the search of a pool in a zone goes on. */
  const cursors = new Int32Array(plant.pools.length * zones)

  const searchGroup = (ask: Ask, where: Standing, group: number): number => {
    const hosts = capacity.hostsOf[group]
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    let fitting = 0
    let at = hosts.length === 0 ? 0 : cursors[group] % hosts.length
    for (let looked = 0; looked < hosts.length && fitting < comparedHosts; looked++) {
      const host = hosts[at]
      at = at + 1 === hosts.length ? 0 : at + 1
      if (rules.broken(ask, where, host) !== 0) continue
      fitting++
      const price = rules.cost(ask, where, host)
      if (price < lowest) {
        lowest = price
        best = host
      }
    }
    cursors[group] = at
    return best
  }

  return (ask, where, homeZone) => {
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
          rules.cost(ask, where, host) + (ask.perZoneMax < ask.units ? where.inZone[zone] : step > 0 ? 2 : 0)
        if (price < lowest) {
          lowest = price
          best = host
        }
      }
      if (best !== -1 && ask.perZoneMax >= ask.units) return best
    }
    return best
  }
}

/** Takes room on a host for a unit of the service, or gives it back. */
function occupy(business: Business, service: number, host: number, sign: 1 | -1): void {
  const { services, capacity } = business
  const { load } = business.state
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
