import type { RandomStreams } from '../random.ts'
import type { Condition } from './model.ts'
import type { DeviceTable, Topology } from '../topology/tables.ts'
import { day, type Micros } from '../time.ts'

/** Age at which the SSDs of a host reach the end of their rated life at its usual load. */
const ratedServiceLife: Micros = 1_600 * day

/** A plant in which nothing is broken, as worn as its age makes it. */
export function createCondition(topology: Topology, random: RandomStreams): Condition {
  const { hosts, switches, gateways, appliances, feeds, coolingUnits, cables, ports } = topology
  return {
    version: 0,
    hostBroken: new Uint8Array(hosts.capacity),
    hostHung: new Uint8Array(hosts.capacity),
    hostMaintenance: new Uint8Array(hosts.capacity),
    hostSupplyBroken: new Uint8Array(hosts.capacity),
    hostFanBroken: new Uint8Array(hosts.capacity),
    hostAirBlocked: new Uint8Array(hosts.capacity),
    hostDiskBroken: new Uint8Array(hosts.capacity),
    hostWear: wearAtStart(hosts, random),
    switchBroken: new Uint8Array(switches.capacity),
    switchSupplyBroken: new Uint8Array(switches.capacity),
    switchFabricLost: new Float64Array(switches.capacity),
    switchStorm: new Uint8Array(switches.capacity),
    gatewayBroken: new Uint8Array(gateways.capacity),
    gatewayWithdrawn: new Uint8Array(gateways.capacity),
    gatewayThrottle: new Float64Array(gateways.capacity),
    applianceBroken: new Uint8Array(appliances.capacity),
    applianceMisrule: new Float64Array(appliances.capacity),
    feedBroken: new Uint8Array(feeds.capacity),
    coolingBroken: new Uint8Array(coolingUnits.capacity),
    coolingLost: new Float64Array(coolingUnits.capacity),
    cableCut: new Uint8Array(cables.capacity),
    cableCutPlace: new Float64Array(cables.capacity),
    cableLoss: new Float64Array(cables.capacity),
    portLoss: new Float64Array(ports.capacity),
    portFlapping: new Uint8Array(ports.capacity),
    coolingInstalled: coolingAge(coolingUnits.capacity, random),
  }
}

/** Hosts wear with their age, some twice as fast as others. */
function wearAtStart(hosts: DeviceTable, random: RandomStreams): Float64Array {
  const stream = random.stream('faults.wear-at-start')
  return Float64Array.from(hosts.installed, (installed) => {
    const share = Math.max(0, -installed / ratedServiceLife)
    return Math.min(0.8, share * stream.uniform(0.5, 1))
  })
}

function coolingAge(count: number, random: RandomStreams): Float64Array {
  const stream = random.stream('faults.cooling-age')
  return Float64Array.from({ length: count }, () => -stream.below(1_500) * day)
}
