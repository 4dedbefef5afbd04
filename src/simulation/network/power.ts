import type { Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import { coolingPowerShare } from './cooling.ts'

/**
 * Power. Every device has a supply on feed A and one on feed B of its zone, and shares its draw between those
 * that live. A rack without power or with open breakers takes all its devices with it.
 */

/** Feeds that supply a rack, as bits: 1 for A, 2 for B. */
export function feedsOfZone(state: WorldState, zone: number): number {
  const [a, b] = state.plant.zones[zone].feeds
  return state.physical.feedLive[a] + 2 * state.physical.feedLive[b]
}

const countOf = [0, 1, 1, 2] as const

export function settleFeeds(state: WorldState): void {
  const { feedLive } = state.physical
  for (let feed = 0; feed < feedLive.length; feed++) feedLive[feed] = state.condition.feedBroken[feed] ? 0 : 1
}

const liveFeeds = (state: WorldState, zone: number, rack: number, brokenSupplies: number): number => {
  if (rack >= 0 && state.physical.rackTripped[rack]) return 0
  return feedsOfZone(state, zone) & ~brokenSupplies
}

/** Counts the feeds that each device has, and gives it power. */
export function settleSupplies(state: WorldState): void {
  const { plant, physical, condition } = state
  const { hosts, switches, gateways, appliances } = plant
  for (let host = 0; host < hosts.count; host++) {
    const broken = condition.hostSupplyBroken[host]
    const feeds = countOf[liveFeeds(state, hosts.zone[host], hosts.rack[host], broken)]
    physical.hostFeeds[host] = feeds
    physical.hostPowered[host] = feeds > 0 ? 1 : 0
  }
  for (let sw = 0; sw < switches.count; sw++) {
    const broken = condition.switchSupplyBroken[sw]
    physical.switchFeeds[sw] = countOf[liveFeeds(state, switches.zone[sw], switches.rack[sw], broken)]
  }
  for (let gateway = 0; gateway < gateways.count; gateway++) {
    physical.gatewayFeeds[gateway] =
      countOf[liveFeeds(state, gateways.zone[gateway], gateways.rack[gateway], 0)]
  }
  for (let row = 0; row < appliances.count; row++) {
    physical.applianceFeeds[row] = countOf[liveFeeds(state, appliances.zone[row], appliances.rack[row], 0)]
  }
}

/** Work that a host that is too hot still does, against what it would do. */
export const throttledCpu = 0.7
/** Fans that make up for a broken neighbour draw more. */
const fanWatts = 25

/** What every device draws, by rack, by zone and by feed. */
export function drawPower(state: WorldState): void {
  const { plant, physical } = state
  physical.rackWatts.fill(0)
  physical.feedLoadKw.fill(0)
  drawHosts(state)
  for (let sw = 0; sw < plant.switches.count; sw++) {
    const watts = physical.switchFeeds[sw] ? plant.switchSkus[plant.switches.sku[sw]].watts : 0
    const broken = state.condition.switchSupplyBroken[sw]
    draw(state, plant.switches.zone[sw], plant.switches.rack[sw], watts, broken)
  }
  for (let gateway = 0; gateway < plant.gateways.count; gateway++) {
    const watts = physical.gatewayFeeds[gateway] ? plant.gatewaySkus[plant.gateways.sku[gateway]].watts : 0
    draw(state, plant.gateways.zone[gateway], plant.gateways.rack[gateway], watts, 0)
  }
  for (let row = 0; row < plant.appliances.count; row++) {
    const watts = physical.applianceFeeds[row] ? plant.applianceSkus[plant.appliances.sku[row]].watts : 0
    draw(state, plant.appliances.zone[row], plant.appliances.rack[row], watts, 0)
  }
}

function drawHosts(state: WorldState): void {
  const { plant, physical, condition, load } = state
  const { hosts, hostSkus } = plant
  for (let host = 0; host < hosts.count; host++) {
    let watts = 0
    if (physical.hostPowered[host] && !condition.hostBroken[host] && !physical.hostHeatTripped[host]) {
      const sku = hostSkus[hosts.sku[host]]
      const used = load.cpuUsedMilli[host] / (sku.vcpu * 1000)
      const busy = used < 1 ? used : 1
      const throttled = physical.hostThrottled[host] ? throttledCpu : 1
      watts = sku.idleWatts + (sku.busyWatts - sku.idleWatts) * busy * throttled
      if (condition.hostFanBroken[host]) watts += fanWatts
    }
    physical.hostWatts[host] = watts
    if (watts > 0) draw(state, hosts.zone[host], hosts.rack[host], watts, condition.hostSupplyBroken[host])
  }
}

function draw(state: WorldState, zone: number, rack: number, watts: number, brokenSupplies: number): void {
  if (watts === 0) return
  const { physical, plant } = state
  const live = feedsOfZone(state, zone) & ~brokenSupplies
  if (rack >= 0) physical.rackWatts[rack] += watts
  const [a, b] = plant.zones[zone].feeds
  const kw = live === 3 ? watts / 2000 : watts / 1000
  if (live & 1) physical.feedLoadKw[a] += kw
  if (live & 2) physical.feedLoadKw[b] += kw
}

/** Cooling draws power too, from the feeds that live. */
export function drawCooling(state: WorldState): void {
  const { plant, physical } = state
  for (let zone = 0; zone < plant.zones.length; zone++) {
    const live = feedsOfZone(state, zone)
    const removed = Math.min(physical.zoneHeatKw[zone], physical.zoneCoolingCapacityKw[zone])
    const kw = (removed * coolingPowerShare) / (live === 3 ? 2 : 1)
    const [a, b] = plant.zones[zone].feeds
    if (live & 1) physical.feedLoadKw[a] += kw
    if (live & 2) physical.feedLoadKw[b] += kw
  }
}

/** A feed carries this share of its capacity at most before racks whose breakers opened may come back. */
const closeBelow = 0.9

/**
 * Where a feed is asked for more than it can give, breakers of racks open until the rest fits: racks with hosts
 * first, by what they draw. They close again one by one, where there is room.
 */
export function settleBreakers(state: WorldState): boolean {
  const { plant } = state
  let changed = false
  for (let zone = 0; zone < plant.zones.length; zone++) {
    const overload = overloadKw(state, zone)
    if (overload > 0) changed = openBreakers(state, zone, overload) || changed
    else changed = closeOneBreaker(state, zone, -overload) || changed
  }
  return changed
}

/** Kilowatts by which the feed of a zone that is worst off is asked for too much; negative where there is room. */
function overloadKw(state: WorldState, zone: number): number {
  const { plant, physical } = state
  let worst = Number.NEGATIVE_INFINITY
  for (const feed of plant.zones[zone].feeds) {
    if (!physical.feedLive[feed]) continue
    const limit = plant.feeds.capacityKw[feed]
    const over = physical.feedLoadKw[feed] > limit ? physical.feedLoadKw[feed] - limit : 0
    worst = Math.max(worst, over > 0 ? over : physical.feedLoadKw[feed] - limit * closeBelow)
  }
  return worst === Number.NEGATIVE_INFINITY ? 0 : worst
}

function openBreakers(state: WorldState, zone: number, overload: number): boolean {
  const { plant, physical } = state
  const { rackTripped, rackWatts } = physical
  const candidates = plant.zones[zone].racks.filter((rack) => !rackTripped[rack] && rackWatts[rack] > 0)
  const rank = (rack: number) => (plant.racks.hosts[rack].length > 0 ? 0 : 1)
  candidates.sort((one, other) => rank(one) - rank(other) || rackWatts[other] - rackWatts[one] || one - other)
  let left = overload
  for (const rack of candidates) {
    if (left <= 0) break
    rackTripped[rack] = 1
    left -= (rackWatts[rack] / 1000) * (1 + coolingPowerShare)
  }
  return left < overload
}

function closeOneBreaker(state: WorldState, zone: number, spareKw: number): boolean {
  const { plant, physical } = state
  for (const rack of plant.zones[zone].racks) {
    if (!physical.rackTripped[rack]) continue
    if (usualKw(plant, rack) * (1 + coolingPowerShare) > spareKw) continue
    physical.rackTripped[rack] = 0
    return true
  }
  return false
}

/** What the hosts of a rack draw at half load. */
function usualKw(plant: Plant, rack: number): number {
  let watts = 0
  for (const host of plant.racks.hosts[rack]) {
    const sku = plant.hostSkus[plant.hosts.sku[host]]
    watts += (sku.idleWatts + sku.busyWatts) / 2
  }
  return watts / 1000
}
