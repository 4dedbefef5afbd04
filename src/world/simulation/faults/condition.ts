import type { RandomStreams } from '../random.ts'
import type { Owned } from '../part.ts'
import type { DeviceTable, Topology } from '../topology/tables.ts'
import type { Micros } from '../time.ts'
import { day } from '../time.ts'

/** Age at which the SSDs of a host reach the end of their rated life at its usual load. */
const ratedServiceLife: Micros = 1_600 * day

/** The condition of the equipment. It follows from the active faults and from wear; counts where faults may overlap. */
export type Condition = Owned<ReturnType<typeof createCondition>>

/** A plant in which nothing is broken, as worn as its age makes it. */
export function createCondition(topology: Topology, random: RandomStreams) {
  const { hosts, switches, gateways, appliances, feeds, coolingUnits, cables, ports } = topology
  return {
    /** Increases whenever a column other than wear has changed. */
    version: 0,
    hostBroken: new Uint8Array(hosts.capacity),
    /** Of these faults, those in which the host still answers pings. */
    hostHung: new Uint8Array(hosts.capacity),
    /** Out of service for work: drained, serves nothing, but is not a fault. */
    hostMaintenance: new Uint8Array(hosts.capacity),
    /** Bit 0: the supply on feed A is broken; bit 1: the supply on feed B. */
    hostSupplyBroken: new Uint8Array(hosts.capacity),
    hostFanBroken: new Uint8Array(hosts.capacity),
    /** Dust or a fallen blanking panel keeps air from the host, although its fans turn. */
    hostAirBlocked: new Uint8Array(hosts.capacity),
    hostDiskBroken: new Uint8Array(hosts.capacity),
    /** Wear of a host's SSDs, from 0 (new) to 1 (worn out). */
    hostWear: wearAtStart(hosts, random),
    switchBroken: new Uint8Array(switches.capacity),
    switchSupplyBroken: new Uint8Array(switches.capacity),
    /** Share of the fabric that is offline. */
    switchFabricLost: new Float64Array(switches.capacity),
    switchStorm: new Uint8Array(switches.capacity),
    gatewayBroken: new Uint8Array(gateways.capacity),
    /** The gateway has withdrawn its routes by mistake. */
    gatewayWithdrawn: new Uint8Array(gateways.capacity),
    /** Share of the forwarding ceiling that a misbehaving add-on takes. */
    gatewayThrottle: new Float64Array(gateways.capacity),
    applianceBroken: new Uint8Array(appliances.capacity),
    /** Share of good traffic that a wrong rule drops. */
    applianceMisrule: new Float64Array(appliances.capacity),
    feedBroken: new Uint8Array(feeds.capacity),
    coolingBroken: new Uint8Array(coolingUnits.capacity),
    /** Share of the capacity that a cooling unit has lost although it runs. */
    coolingLost: new Float64Array(coolingUnits.capacity),
    cableCut: new Uint8Array(cables.capacity),
    /** The place of the cut, from 0 to 1: the same for lines that were cut together. */
    cableCutPlace: new Float64Array(cables.capacity),
    /** Share of frames lost in the cable. */
    cableLoss: new Float64Array(cables.capacity),
    /** Share of frames lost at the port. */
    portLoss: new Float64Array(ports.capacity),
    portFlapping: new Uint8Array(ports.capacity),
    /** When a cooling unit was installed or last renewed. */
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
