import type { Topology } from '../topology/tables.ts'
import { liveFeedsOfZone } from './feeds.ts'
import { coolingKw } from './cooling.ts'
import { throttledCapacityShare } from './limits.ts'
import type { FacilityWorld } from '../state.ts'

/**
 * Power. Every device has a supply on feed A and one on feed B of its zone, and splits its draw between the live
 * feeds. A rack without power, or with open breakers, takes all its devices down.
 */

const countOf = [0, 1, 1, 2] as const

/** Returns whether a feed went dead or returned. */
export function updateFeeds(state: FacilityWorld): boolean {
  const { feedLive } = state.facility
  let changed = false
  for (let feed = 0; feed < feedLive.length; feed++) {
    const empty = state.condition.feedBatteryEmpty[feed]
    const isLive = state.condition.feedBroken[feed] || (empty > 0 && empty <= state.now) ? 0 : 1
    if (isLive === feedLive[feed]) continue
    feedLive[feed] = isLive
    changed = true
  }
  return changed
}

const liveFeeds = (state: FacilityWorld, zone: number, rack: number, brokenSupplies: number): number => {
  if (rack >= 0 && state.facility.rackTripped[rack]) return 0
  return liveFeedsOfZone(state, zone) & ~brokenSupplies
}

/** Counts the live supplies of each device. */
export function updateSupplies(state: FacilityWorld): void {
  const { topology, facility, condition } = state
  const { hosts, switches, gateways, appliances } = topology
  for (const host of hosts.rows) {
    const broken = condition.hostSupplyBroken[host]
    const feeds = countOf[liveFeeds(state, hosts.zone[host], hosts.rack[host], broken)]
    facility.hostFeeds[host] = feeds
    facility.hostPowered[host] = feeds > 0 ? 1 : 0
  }
  for (let sw = 0; sw < switches.count; sw++) {
    const broken = condition.switchSupplyBroken[sw]
    facility.switchFeeds[sw] = countOf[liveFeeds(state, switches.zone[sw], switches.rack[sw], broken)]
  }
  for (let gateway = 0; gateway < gateways.count; gateway++) {
    facility.gatewayFeeds[gateway] =
      countOf[liveFeeds(state, gateways.zone[gateway], gateways.rack[gateway], 0)]
  }
  for (let row = 0; row < appliances.count; row++) {
    facility.applianceFeeds[row] = countOf[liveFeeds(state, appliances.zone[row], appliances.rack[row], 0)]
  }
}

/** Loss in transformers and batteries, as a share of device power. */
const conversionLoss = 0.05
/** Extra draw of fans that compensate for a failed one. */
const fanWatts = 25

/** Sums the power draw of devices by rack, by zone and by feed. */
export function sumPowerDraw(state: FacilityWorld): void {
  const { topology, facility } = state
  facility.rackWatts.fill(0)
  facility.feedLoadKw.fill(0)
  sumHostDraw(state)
  for (let sw = 0; sw < topology.switches.count; sw++) {
    const watts = facility.switchFeeds[sw] ? topology.switchSkus[topology.switches.sku[sw]].watts : 0
    const broken = state.condition.switchSupplyBroken[sw]
    addDraw(state, topology.switches.zone[sw], topology.switches.rack[sw], watts, broken)
  }
  for (let gateway = 0; gateway < topology.gateways.count; gateway++) {
    const watts = facility.gatewayFeeds[gateway]
      ? topology.gatewaySkus[topology.gateways.sku[gateway]].watts
      : 0
    addDraw(state, topology.gateways.zone[gateway], topology.gateways.rack[gateway], watts, 0)
  }
  for (let row = 0; row < topology.appliances.count; row++) {
    const watts = facility.applianceFeeds[row]
      ? topology.applianceSkus[topology.appliances.sku[row]].watts
      : 0
    addDraw(state, topology.appliances.zone[row], topology.appliances.rack[row], watts, 0)
  }
}

function sumHostDraw(state: FacilityWorld): void {
  const { topology, facility, condition, load } = state
  const { hosts, hostSkus } = topology
  for (const host of hosts.rows) {
    let watts = 0
    if (facility.hostPowered[host] && !condition.hostBroken[host] && !facility.hostHeatTripped[host]) {
      const sku = hostSkus[hosts.sku[host]]
      const used = load.cpuUsedMilli[host] / (sku.vcpu * 1000)
      const busy = used < 1 ? used : 1
      const throttled = facility.hostThrottled[host] ? throttledCapacityShare : 1
      watts = sku.idleWatts + (sku.busyWatts - sku.idleWatts) * busy * throttled
      if (condition.hostFanBroken[host]) watts += fanWatts
    }
    facility.hostWatts[host] = watts
    if (watts > 0) addDraw(state, hosts.zone[host], hosts.rack[host], watts, condition.hostSupplyBroken[host])
  }
}

function addDraw(
  state: FacilityWorld,
  zone: number,
  rack: number,
  watts: number,
  brokenSupplies: number,
): void {
  if (watts === 0) return
  const { facility, topology } = state
  const live = liveFeedsOfZone(state, zone) & ~brokenSupplies
  if (rack >= 0) facility.rackWatts[rack] += watts
  const [a, b] = topology.zones[zone].feeds
  const kw = live === 3 ? watts / 2000 : watts / 1000
  if (live & 1) facility.feedLoadKw[a] += kw
  if (live & 2) facility.feedLoadKw[b] += kw
}

/** Adds the draw of cooling, ventilation and power conversion to the live feeds. */
export function sumOverheadDraw(state: FacilityWorld): void {
  const { topology, facility } = state
  for (let zone = 0; zone < topology.zones.length; zone++) {
    const live = liveFeedsOfZone(state, zone)
    const overheadKw = live === 0 ? 0 : coolingKw(state, zone) + conversionLoss * facility.zoneHeatKw[zone]
    facility.zoneOverheadKw[zone] = overheadKw
    const kw = overheadKw / (live === 3 ? 2 : 1)
    const [a, b] = topology.zones[zone].feeds
    if (live & 1) facility.feedLoadKw[a] += kw
    if (live & 2) facility.feedLoadKw[b] += kw
  }
}

/** Power of a rack with its share of the zone's overhead. */
const withOverheadKw = ({ facility }: FacilityWorld, zone: number, kw: number): number =>
  facility.zoneHeatKw[zone] > 0 ? kw * (1 + facility.zoneOverheadKw[zone] / facility.zoneHeatKw[zone]) : kw

/** Hysteresis: breakers close only while the load of the feed stays below this share of its capacity. */
const reclosingLoadMax = 0.9

/**
 * When a feed is overloaded, rack breakers open until the remaining load fits: racks with hosts first, in descending
 * order of draw. They close again one at a time when there is capacity.
 */
export function updateBreakers(state: FacilityWorld): boolean {
  const { topology } = state
  let changed = false
  for (let zone = 0; zone < topology.zones.length; zone++) {
    const overload = loadAboveKw(state, zone, 1)
    if (overload > 0) changed = openBreakers(state, zone, overload) || changed
    else changed = closeOneBreaker(state, zone, -loadAboveKw(state, zone, reclosingLoadMax)) || changed
  }
  return changed
}

/** Load of a zone's most loaded feed above a share of its capacity, in kilowatts; 0 without a live feed. */
function loadAboveKw({ topology, facility }: FacilityWorld, zone: number, share: number): number {
  let most = -Infinity
  for (const feed of topology.zones[zone].feeds) {
    if (!facility.feedLive[feed]) continue
    most = Math.max(most, facility.feedLoadKw[feed] - share * topology.feeds.capacityKw[feed])
  }
  return most === -Infinity ? 0 : most
}

function openBreakers(state: FacilityWorld, zone: number, overload: number): boolean {
  const { topology, facility } = state
  const { rackTripped, rackWatts } = facility
  const candidates = topology.zones[zone].racks.filter((rack) => !rackTripped[rack] && rackWatts[rack] > 0)
  const rank = (rack: number) => (topology.racks.hosts[rack].length > 0 ? 0 : 1)
  candidates.sort((one, other) => rank(one) - rank(other) || rackWatts[other] - rackWatts[one] || one - other)
  let left = overload
  for (const rack of candidates) {
    if (left <= 0) break
    rackTripped[rack] = 1
    left -= withOverheadKw(state, zone, rackWatts[rack] / 1000)
  }
  return left < overload
}

function closeOneBreaker(state: FacilityWorld, zone: number, spareKw: number): boolean {
  const { topology, facility } = state
  for (const rack of topology.zones[zone].racks) {
    if (!facility.rackTripped[rack]) continue
    if (withOverheadKw(state, zone, halfLoadKw(topology, rack)) > spareKw) continue
    facility.rackTripped[rack] = 0
    return true
  }
  return false
}

/** Power draw of a rack's hosts at half load. */
function halfLoadKw(topology: Topology, rack: number): number {
  let watts = 0
  for (const host of topology.racks.hosts[rack]) {
    const sku = topology.hostSkus[topology.hosts.sku[host]]
    watts += (sku.idleWatts + sku.busyWatts) / 2
  }
  return watts / 1000
}
