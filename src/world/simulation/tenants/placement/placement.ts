import type { Durability } from '../../../../contract/vocabularies.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { durabilityOf, replicasPromised } from '../service-table.ts'
import type { TenantsState } from '../state.ts'
import { addUnit, moveUnit, removeUnit } from '../unit-table.ts'
import type { Capacity } from './capacity.ts'
import type { PlacementRequest, PlacementRules, UnitSpread } from './placement-rules.ts'
import { createPlacementRules } from './placement-rules.ts'

/** Bound of the acceptable hosts compared per search. */
const comparedHostsMax = 20
/** Cost of a zone other than the home zone. */
const awayFromHomeCost = 2

/** Finds hosts for units, and places them. For the search, a service's units are counted by host, rack and zone. */
export interface Placer {
  /** The host that accepts one more unit at the lowest cost; -1 if none does. */
  findHost(request: PlacementRequest, homeZone: number): number
  /** Mask of the placement rules that a host breaks. */
  brokenRules(request: PlacementRequest, host: number): number
  /** Adds a unit on a host to the counts, or removes it. */
  markHost(host: number, count: 1 | -1): void
  /** Adds all units of a service to the counts, or removes them. */
  markSpread(service: number, count: 1 | -1): void
  requestFor(account: Account, service: number): PlacementRequest
  place(account: Account, service: number, host: number): void
  remove(unit: number): void
  move(unit: number, host: number): void
}

export function createPlacer(context: TenantContext): Placer {
  const { world, state } = context
  const { capacity, units, services, byId } = state
  const { hosts, racks, zoneCapacity } = world.topology
  const spread: UnitSpread = {
    onHost: new Int32Array(hosts.capacity),
    inRack: new Int32Array(racks.capacity),
    inZone: new Int32Array(zoneCapacity),
  }
  const rules = createPlacementRules(context, spread)
  const markHost = (host: number, count: 1 | -1): void => {
    spread.onHost[host] += count
    spread.inRack[capacity.rack[host]] += count
    spread.inZone[capacity.zone[host]] += count
  }
  return {
    findHost: (request, homeZone) => findHost(context, rules, spread, request, homeZone),
    brokenRules: (request, host) => rules.brokenRules(request, host),
    markHost,
    markSpread(service, count) {
      for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
        markHost(units.host[unit], count)
      }
    },
    requestFor: (account, service) => requestFor(state, account, service),
    place(account, service, host) {
      addUnit(units, service, host)
      services.placed[service]++
      account.placedUnits++
      allocate(state, service, host, 1)
    },
    remove(unit) {
      const service = units.service[unit]
      const host = units.host[unit]
      const account = byId.get(services.customer[service])
      removeUnit(units, unit)
      services.placed[service]--
      if (account !== undefined) account.placedUnits--
      allocate(state, service, host, -1)
    },
    move(unit, host) {
      const service = units.service[unit]
      const from = units.host[unit]
      moveUnit(units, unit, host)
      allocate(state, service, from, -1)
      allocate(state, service, host, 1)
    },
  }
}

/** Searches the home zone first; services that must span zones go to the one with the fewest units. */
function findHost(
  { world, state, poolsFor }: TenantContext,
  rules: PlacementRules,
  spread: UnitSpread,
  request: PlacementRequest,
  homeZone: number,
): number {
  const { zones } = world.topology
  const spansZones = request.perZoneMax < request.units
  let best = -1
  let lowest = Number.POSITIVE_INFINITY
  for (let step = 0; step < zones.length; step++) {
    const zone = (homeZone + step) % zones.length
    if (request.region !== null && zones[zone].region !== request.region) continue
    if (spread.inZone[zone] >= request.perZoneMax) continue
    for (const pool of poolsFor[request.dedicated ? 1 : 0][request.classIndex]) {
      const host = searchGroup(state, rules, request, pool * zones.length + zone)
      if (host === -1) continue
      const zoneCost = spansZones ? spread.inZone[zone] : step > 0 ? awayFromHomeCost : 0
      const cost = rules.cost(request, host) + zoneCost
      if (cost < lowest) {
        lowest = cost
        best = host
      }
    }
    if (best !== -1 && !spansZones) return best
  }
  return best
}

/** Searches the hosts of a pool in a zone, continuing from the end of the last search. */
function searchGroup(
  { capacity, placement: { searchFrom } }: TenantsState,
  rules: PlacementRules,
  request: PlacementRequest,
  group: number,
): number {
  const hosts = capacity.hostsOf[group]
  let best = -1
  let lowest = Number.POSITIVE_INFINITY
  let acceptable = 0
  let at = hosts.length === 0 ? 0 : searchFrom[group] % hosts.length
  for (let visited = 0; visited < hosts.length && acceptable < comparedHostsMax; visited++) {
    const host = hosts[at]
    at = at + 1 === hosts.length ? 0 : at + 1
    if (rules.brokenRules(request, host) !== 0) continue
    acceptable++
    const cost = rules.cost(request, host)
    if (cost < lowest) {
      lowest = cost
      best = host
    }
  }
  searchFrom[group] = at
  return best
}

/** Allocates resources of a host for a unit of the service, or releases them. */
function allocate(state: TenantsState, service: number, host: number, sign: 1 | -1): void {
  const { services, capacity, load, byId } = state
  load.allocatedMilli[host] += sign * services.vcpuMilli[service]
  load.allocatedMemMb[host] += sign * services.memMb[service]
  load.allocatedSsdGb[host] += sign * services.ssdGb[service]
  load.allocatedSlices[host] += sign * services.slices[service]
  capacity.allocatedIops[host] += sign * services.iops[service]
  load.unitCount[host] += sign
  const usage = capacity.pools[capacity.pool[host]]
  usage.milli += sign * services.vcpuMilli[service]
  usage.memMb += sign * services.memMb[service]
  usage.ssdGb += sign * services.ssdGb[service]
  usage.iops += sign * services.iops[service]
  usage.slices += sign * services.slices[service]
  usage.units += sign
  const account = byId.get(services.customer[service])
  if (account === undefined) return
  account.hostsOutdated = true
  if (account.contract.uncontended) capacity.uncontendedUnits[host] += sign
  if (account.dedicatedHosts) {
    const owner = load.unitCount[host] === 0 ? 0 : account.id
    usage.dedicatedHosts += (owner === 0 ? 0 : 1) - (capacity.owner[host] === 0 ? 0 : 1)
    capacity.owner[host] = owner
  }
  if (sign === -1) capacity.roomVersion++
  state.unitsChanged = true
}

function requestFor(
  { services, capacity }: TenantsState,
  account: Account,
  service: number,
): PlacementRequest {
  const { contract } = account
  const units = services.requested[service]
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
    units,
    arch: contract.requiredArch,
    region: account.homeRegion,
    dedicated: account.dedicatedHosts,
    uncontended: contract.uncontended,
    perHostMax: perHostMax(durabilityOf(services, service), units),
    ...spreadLimits(capacity, account.homeRegion, contract, units),
  }
}

/** Maximum units per host that keeps replicas on different hosts. */
export function perHostMax(durability: Durability, units: number): number {
  const replicas = replicasPromised[durability]
  return replicas > 1 ? Math.max(1, Math.floor(units / replicas)) : Math.max(1, units)
}

/** Maximum units of a service in one rack and in one zone. */
export function spreadLimits(
  capacity: Capacity,
  region: number,
  contract: { readonly multiZone: boolean; readonly faultIsolation: boolean },
  units: number,
): Pick<PlacementRequest, 'perRackMax' | 'perZoneMax'> {
  const racks = Math.max(1, Math.min(3, capacity.racksOfRegion[region]))
  return {
    perRackMax: contract.faultIsolation ? Math.max(1, Math.ceil(units / racks)) : units,
    perZoneMax: contract.multiZone ? Math.max(1, Math.ceil(units / 2)) : units,
  }
}
