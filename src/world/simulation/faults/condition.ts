import type { RandomStreams } from '../random.ts'
import type { Owned } from '../part.ts'
import type { DeviceTable, Topology } from '../topology/tables.ts'
import type { Micros } from '../time.ts'
import { day } from '../time.ts'

/** Age at which a host's SSDs reach their rated endurance at usual load. */
const ratedServiceLife: Micros = 1_600 * day

/** The condition of the equipment, by active faults and wear. A column is a count where faults can overlap. */
export type Condition = Owned<ReturnType<typeof createCondition>>

/** A site without faults, worn by its age. */
export function createCondition(topology: Topology, random: RandomStreams) {
  const { hosts, switches, gateways, appliances, feeds, coolingUnits, cables, ports } = topology
  return {
    /** Increases with every change except of wear. */
    version: 0,
    hostBroken: new Uint8Array(hosts.capacity),
    /** Those of `hostBroken` in which the host still answers pings. */
    hostHung: new Uint8Array(hosts.capacity),
    /** Drained and out of service for work; not a fault. */
    hostMaintenance: new Uint8Array(hosts.capacity),
    /** Those of `hostMaintenance` that a campaign drains, without a technician at the host. */
    hostCampaigns: new Uint8Array(hosts.capacity),
    /** Bit mask of feeds with a broken supply: 1 for A, 2 for B. */
    hostSupplyBroken: new Uint8Array(hosts.capacity),
    hostFanBroken: new Uint8Array(hosts.capacity),
    /** Airflow is blocked by dust or a fallen blanking panel, although the fans turn. */
    hostAirBlocked: new Uint8Array(hosts.capacity),
    hostDiskBroken: new Uint8Array(hosts.capacity),
    /** Share of CPU time lost to the correction of memory errors. */
    hostMemoryLoss: new Float64Array(hosts.capacity),
    /** Share of requests refused because of a wrong clock. */
    hostClockOff: new Float64Array(hosts.capacity),
    /** Wear of a host's SSDs, from 0 (new) to 1 (worn out). */
    hostWear: wearAtStart(hosts, random),
    switchBroken: new Uint8Array(switches.capacity),
    switchSupplyBroken: new Uint8Array(switches.capacity),
    /** Offline share of the fabric. */
    switchFabricLost: new Float64Array(switches.capacity),
    switchStorm: new Uint8Array(switches.capacity),
    gatewayBroken: new Uint8Array(gateways.capacity),
    /** Routes withdrawn by mistake. */
    gatewayWithdrawn: new Uint8Array(gateways.capacity),
    /** Share of the forwarding ceiling consumed by a misbehaving add-on. */
    gatewayThrottle: new Float64Array(gateways.capacity),
    /** Share of the forwarding ceiling taken by the traffic of strangers. */
    gatewayForeign: new Float64Array(gateways.capacity),
    applianceBroken: new Uint8Array(appliances.capacity),
    /** Share of legitimate traffic dropped by a wrong rule. */
    applianceMisrule: new Float64Array(appliances.capacity),
    /** Share of throughput lost without a license. */
    applianceUnlicensed: new Float64Array(appliances.capacity),
    feedBroken: new Uint8Array(feeds.capacity),
    /** Load at which a breaker opened, as a share of the capacity; 0 for another cause. */
    feedTrippedAt: new Float64Array(feeds.capacity),
    /** Time at which the batteries of a feed without its utility are empty; 0 for a feed on its utility. */
    feedBatteryEmpty: new Float64Array(feeds.capacity),
    coolingBroken: new Uint8Array(coolingUnits.capacity),
    /** Those of `coolingBroken` that have stopped for a water leak. */
    coolingLeaking: new Uint8Array(coolingUnits.capacity),
    /** Share of capacity lost by a cooling unit that still runs. */
    coolingLost: new Float64Array(coolingUnits.capacity),
    /** Cut, or unlit. */
    cableCut: new Uint8Array(cables.capacity),
    /** Those of `cableCut` that are whole but get no light from their carrier. */
    cableUnlit: new Uint8Array(cables.capacity),
    /** Position of the cut, from 0 to 1; equal for lines cut together. */
    cableCutPlace: new Float64Array(cables.capacity),
    /** Share of frames lost in the cable. */
    cableLoss: new Float64Array(cables.capacity),
    /** Share of frames lost at the port. */
    portLoss: new Float64Array(ports.capacity),
    portFlapping: new Uint8Array(ports.capacity),
    /** Time of installation or last overhaul. */
    coolingInstalled: coolingAge(coolingUnits.capacity, random),
  }
}

/** Wear grows with age, twice as fast on some hosts as on others. */
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
