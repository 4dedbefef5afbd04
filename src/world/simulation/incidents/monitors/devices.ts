import { showsStopped } from '../../facility/cooling.ts'
import { hostWarningCelsius, inletWarningCelsius } from '../../facility/limits.ts'
import { portRole } from '../../topology/tables.ts'
import type { ObservedWorld } from '../../state.ts'
import type { BlastRadius } from '../correlation/blast-radius.ts'
import type { SignalName } from './signals.ts'
import type { SymptomTracker } from './symptom-tracker.ts'

/**
 * Monitoring of hosts, switches, gateways, appliances, power and cooling. A device is not reported as silent if a
 * device it depends on is silent too.
 */

export function watchFacility(world: ObservedWorld, tracker: SymptomTracker): void {
  const { topology, facility, now } = world
  for (let row = 0; row < topology.feeds.count; row++) {
    if (facility.feedLive[row] === 0) tracker.report('feed-dead', 'PowerFeed', row, 1, now)
    const empty = world.condition.feedBatteryEmpty[row]
    if (empty > 0) tracker.report('feed-on-battery', 'PowerFeed', row, empty, now)
  }
  for (let row = 0; row < topology.coolingUnits.count; row++) {
    const isSeen =
      isPowered(world, topology.coolingUnits.zone[row]) || tracker.has('cooling-stopped', 'CoolingUnit', row)
    if (showsStopped(world, row) && isSeen) tracker.report('cooling-stopped', 'CoolingUnit', row, 1, now)
  }
  for (let zone = 0; zone < topology.zones.length; zone++) {
    let hottest = 0
    for (const rack of topology.zones[zone].racks)
      hottest = Math.max(hottest, facility.rackInletCelsius[rack])
    if (hottest > inletWarningCelsius) tracker.report('zone-hot', 'Zone', zone, hottest, now)
  }
}

/** Whether a zone has any live feed. */
export function isPowered({ topology, facility }: ObservedWorld, zone: number): boolean {
  const [a, b] = topology.zones[zone].feeds
  return facility.feedLive[a] > 0 || facility.feedLive[b] > 0
}

function hasAnnouncedRoutes({ topology, network }: ObservedWorld, zone: number): boolean {
  return topology.zones[zone].gateways.some((gateway) => network.gatewayAdvertising[gateway] > 0)
}

export function watchHosts(world: ObservedWorld, tracker: SymptomTracker, blastRadius: BlastRadius): void {
  const { facility, network, condition } = world
  const { hostRunning, hostCelsius, hostHeatTripped } = facility
  const { hostFanBroken, hostDiskBroken, hostSupplyBroken, hostMemoryLoss, hostClockOff } = condition
  const { hostReachable } = network
  for (const row of world.topology.hosts.rows) {
    const answers = hostRunning[row] > 0 && hostReachable[row] > 0
    const cool = hostCelsius[row] <= hostWarningCelsius && hostHeatTripped[row] === 0
    const broken = hostFanBroken[row] + hostDiskBroken[row] + hostSupplyBroken[row]
    if (answers && cool && broken + hostMemoryLoss[row] + hostClockOff[row] === 0) continue
    if (!answers && !isHung(world, row) && isSilent(world, tracker, row, blastRadius))
      tracker.report('host-silent', 'Host', row, 1, world.now)
    if (!cool) tracker.report('host-hot', 'Host', row, hostCelsius[row], world.now)
    const isPoweredOn = facility.hostPowered[row] > 0
    const isSeen = (signal: SignalName): boolean => isPoweredOn || tracker.has(signal, 'Host', row)
    if (hostFanBroken[row] > 0 && isSeen('host-fan')) tracker.report('host-fan', 'Host', row, 1, world.now)
    if (hostDiskBroken[row] > 0 && isSeen('host-disk')) tracker.report('host-disk', 'Host', row, 1, world.now)
    if (hostSupplyBroken[row] > 0 && isSeen('host-supply'))
      tracker.report('host-supply', 'Host', row, 1, world.now)
    if (answers && hostMemoryLoss[row] > 0)
      tracker.report('host-memory', 'Host', row, memoryErrorsPerHour(world, row), world.now)
    if (answers && hostClockOff[row] > 0)
      tracker.report('host-clock', 'Host', row, clockOffsetSeconds(world, row), world.now)
  }
}

/** Corrected errors that take all CPU time of a host, and the offset of a clock at which every request is refused. */
const memoryErrorsMax = 9_600
const clockOffsetMaxSeconds = 1_900

export const memoryErrorsPerHour = ({ condition }: ObservedWorld, row: number): number =>
  Math.round(memoryErrorsMax * condition.hostMemoryLoss[row])
export const clockOffsetSeconds = ({ condition }: ObservedWorld, row: number): number =>
  Math.round(clockOffsetMaxSeconds * condition.hostClockOff[row])

/** Whether a host answers pings only, and still has units: monitoring notices it by them. */
const isHung = ({ condition, load }: ObservedWorld, row: number): boolean =>
  condition.hostHung[row] > 0 && load.unitCount[row] > 0

/**
 * Whether a host does not answer although it should: it has power and network, and is not in maintenance, unless it
 * was silent before the maintenance began.
 */
function isSilent(
  world: ObservedWorld,
  tracker: SymptomTracker,
  row: number,
  blastRadius: BlastRadius,
): boolean {
  const { topology, facility, condition } = world
  const zone = topology.hosts.zone[row]
  const isExpected = condition.hostMaintenance[row] > 0 && !tracker.has('host-silent', 'Host', row)
  if (isExpected) return false
  if (!isPowered(world, zone)) return tracker.has('host-silent', 'Host', row)
  if (facility.hostRunning[row] === 0) return true
  return (
    hasAnnouncedRoutes(world, zone) &&
    blastRadius.edgeSwitchesOf(row).some((edge) => facility.switchUp[edge] > 0)
  )
}

export function watchNetworkDevices(world: ObservedWorld, tracker: SymptomTracker): void {
  watchSwitches(world, tracker)
  watchGateways(world, tracker)
  watchAppliances(world, tracker)
}

/** Minimum drops for a report, as a share of the fabric's capacity. */
const droppedShareMin = 0.002

function watchSwitches(world: ObservedWorld, tracker: SymptomTracker): void {
  const { topology, facility, network, condition, now } = world
  for (let row = 0; row < topology.switches.count; row++) {
    if (facility.switchUp[row] === 0) {
      if (isPowered(world, topology.switches.zone[row]) || tracker.has('switch-silent', 'Switch', row))
        tracker.report('switch-silent', 'Switch', row, 1, now)
      continue
    }
    if (condition.switchSupplyBroken[row] > 0) tracker.report('switch-supply', 'Switch', row, 1, now)
    if (condition.switchStorm[row] > 0) tracker.report('switch-storm', 'Switch', row, 1, now)
    const lost = condition.switchFabricLost[row]
    if (lost > 0) tracker.report('switch-degraded', 'Switch', row, 100 * lost, now)
    const dropped = network.switchDroppedGbps[row]
    if (dropped > droppedShareMin * topology.switchSkus[topology.switches.sku[row]].fabricGbps) {
      tracker.report('switch-dropping', 'Switch', row, dropped, now)
    }
  }
}

/** Minimum shortfall of a gateway's rated forwarding for a report, as a share. */
const throttledShareMin = 0.22

function watchGateways(world: ObservedWorld, tracker: SymptomTracker): void {
  const { topology, facility, network, now } = world
  for (let row = 0; row < topology.gateways.count; row++) {
    if (facility.gatewayUp[row] === 0) {
      if (isPowered(world, topology.gateways.zone[row]) || tracker.has('gateway-silent', 'Gateway', row))
        tracker.report('gateway-silent', 'Gateway', row, 1, now)
      continue
    }
    if (network.gatewayAdvertising[row] === 0 && hasCarrierLink(world, row))
      tracker.report('gateway-withdrawn', 'Gateway', row, 1, now)
    const fabric = topology.gatewaySkus[topology.gateways.sku[row]].fabricGbps
    const missing = 1 - network.gatewayCeilingGbps[row] / fabric
    if (missing > throttledShareMin) tracker.report('gateway-throttled', 'Gateway', row, 100 * missing, now)
    const dropped = network.gatewayDroppedGbps[row]
    if (dropped > droppedShareMin * fabric) tracker.report('gateway-dropping', 'Gateway', row, dropped, now)
  }
}

/** Whether a gateway has a link to a carrier. Without one it announces no routes, and the links are reported. */
function hasCarrierLink({ topology, network }: ObservedWorld, gateway: number): boolean {
  const first = topology.gateways.firstPort[gateway]
  for (let port = first; port < first + topology.gateways.portCount[gateway]; port++)
    if (topology.ports.role[port] === portRole.GatewayWan && network.portUp[port] > 0) return true
  return false
}

function watchAppliances(world: ObservedWorld, tracker: SymptomTracker): void {
  const { topology, facility, network, now } = world
  for (let row = 0; row < topology.appliances.count; row++) {
    if (facility.applianceUp[row] === 0) {
      if (
        isPowered(world, topology.appliances.zone[row]) ||
        tracker.has('appliance-silent', 'Appliance', row)
      )
        tracker.report('appliance-silent', 'Appliance', row, 1, now)
      continue
    }
    const dropped = network.applianceDroppedGbps[row]
    const fabric = topology.applianceSkus[topology.appliances.sku[row]].fabricGbps
    if (dropped > droppedShareMin * fabric)
      tracker.report('appliance-dropping', 'Appliance', row, dropped, now)
  }
}
