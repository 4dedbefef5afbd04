import { demandMinutes, isDue, schedule } from '../../schedule.ts'
import { day, minute } from '../../time.ts'
import type { DeviceTable, Topology } from '../../topology/tables.ts'
import { portRole } from '../../topology/tables.ts'
import type { TenantContext } from '../context.ts'
import type { Contract } from '../contract.ts'
import { classTraits, roleAmong } from '../demand/service-classes.ts'

/** Gbit per KB. */
export const gbitPerKb = 8.192e-6
/** Upper limit of a zone's network utilization by contracts and growth; the remainder is a reserve for failures. */
const utilizationMax = 0.65
/** Peaks decay over two weeks, and thus cover a whole week. */
const peakMemory = 1 - (demandMinutes * minute) / (14 * day)

interface Traffic {
  readonly in: number
  readonly out: number
  readonly eastWest: number
}

/** When demand moves: updates the recent peak demand for traffic of each zone. */
export function updateZonePeaks({ world, state }: TenantContext): void {
  if (!isDue(schedule.demand, world.tick)) return
  const { zones } = world.topology
  const { wantedInGbps, wantedOutGbps, wantedEastWestGbps, copyGbps } = world.load
  const { zonePeaks } = state.demand
  for (let zone = 0; zone < zones.length; zone++) {
    const now = { in: 0, out: 0, eastWest: 0 }
    for (const host of zones[zone].hosts) {
      now.in += wantedInGbps[host]
      now.out += wantedOutGbps[host]
      now.eastWest += wantedEastWestGbps[host] - copyGbps[host]
    }
    zonePeaks.in[zone] = Math.max(now.in, zonePeaks.in[zone] * peakMemory)
    zonePeaks.out[zone] = Math.max(now.out, zonePeaks.out[zone] * peakMemory)
    zonePeaks.eastWest[zone] = Math.max(now.eastWest, zonePeaks.eastWest[zone] * peakMemory)
  }
}

/** Whether the network of a zone has room for more peak traffic: WAN lines, gateways, firewalls, uplinks. */
export function hasNetworkRoom({ world, state }: TenantContext, zone: number, added: Traffic): boolean {
  const { topology } = world
  const { zonePeaks } = state.demand
  const plan = topology.zones[zone]
  const out = zonePeaks.out[zone] + added.out
  const toUsers = Math.max(out, zonePeaks.in[zone] + added.in)
  const both = out + zonePeaks.in[zone] + added.in
  const inside = toUsers + zonePeaks.eastWest[zone] + added.eastWest
  const { gateways, switches, appliances } = topology
  const fabricOf = (rows: readonly number[], skuOf: (row: number) => { readonly fabricGbps: number }) =>
    rows.reduce((sum, row) => sum + skuOf(row).fabricGbps, 0)
  const gatewayFabric = fabricOf(plan.gateways, (row) => topology.gatewaySkus[gateways.sku[row]])
  const firewallFabric = fabricOf(plan.firewalls, (row) => topology.applianceSkus[appliances.sku[row]])
  return (
    toUsers <= utilizationMax * portCapacity(topology, gateways, plan.gateways, portRole.GatewayWan) &&
    toUsers <= utilizationMax * portCapacity(topology, gateways, plan.gateways, portRole.GatewayLan) &&
    both <= utilizationMax * gatewayFabric &&
    (plan.firewalls.length === 0 || both <= utilizationMax * firewallFabric) &&
    inside <= utilizationMax * portCapacity(topology, switches, plan.edges, portRole.EdgeUp)
  )
}

/** Total capacity of the cabled ports of a role, over some devices of a table. */
function portCapacity(
  { ports }: Topology,
  devices: DeviceTable,
  rows: readonly number[],
  role: number,
): number {
  let gbps = 0
  for (const row of rows) {
    const first = devices.firstPort[row]
    for (let port = first; port < first + devices.portCount[row]; port++) {
      if (ports.role[port] === role && ports.cable[port] !== -1) gbps += ports.capacityGbps[port]
    }
  }
  return gbps
}

/** Peak traffic of a contract. */
export function contractTraffic({ state }: TenantContext, { services }: Contract): Traffic {
  const { trafficFactor } = state.demand
  const sum = { in: 0, out: 0, eastWest: 0 }
  const classes = services.map((service) => service.class)
  for (const service of services) {
    const traits = classTraits[service.class]
    const rps = (service.count * service.vcpu * 1000 * traits.busyShare) / traits.cpuMsPerRequest
    sum.eastWest += rps * traits.kbEastWestPerRequest * gbitPerKb * trafficFactor.eastWest
    if (roleAmong(service.class, classes) === 'behind') continue
    sum.in += rps * traits.kbInPerRequest * gbitPerKb * trafficFactor.in
    sum.out += rps * traits.kbOutPerRequest * gbitPerKb * trafficFactor.out
  }
  return sum
}
