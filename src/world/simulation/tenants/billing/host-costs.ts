import { hoursPerMonth } from '../../../../contract/fields.ts'
import type { WorldView } from '../../state.ts'
import type { Topology } from '../../topology/tables.ts'
import { dollarsPerKwh, dollarsPerRackMonth, monthsToPayOff, overheadPerWatt } from '../prices.ts'
import { addonMonthDollars } from './addon-prices.ts'

/** Cost of each host in dollars per month, by row. */
export interface HostCosts {
  /** Depreciation and power. */
  readonly direct: Float64Array
  /** Share of its zone's space, network, cooling and wages. */
  readonly facility: Float64Array
  readonly total: Float64Array
  /** Share of its zone's facility cost, by height in rack units. */
  readonly basis: Float64Array
  /** Depreciation of each host, and rent of each zone. */
  readonly depreciation: Float64Array
  readonly zoneRent: Float64Array
  directTotal: number
  facilityTotal: number
  readonly addonsTotal: number
  /** Monthly installments of construction works in each zone: racks, links, network devices, cooling, power. */
  readonly zoneWorks: Float64Array
}

const kwhPerWattMonth = hoursPerMonth / 1000

export function createHostCosts(topology: Topology): HostCosts {
  const { hosts, zoneCapacity, gateways } = topology
  const byHost = () => new Float64Array(hosts.capacity)
  let addonsTotal = 0
  for (let gateway = 0; gateway < gateways.count; gateway++)
    addonsTotal += addonMonthDollars(topology, gateway)
  const costs: HostCosts = {
    direct: byHost(),
    facility: byHost(),
    total: byHost(),
    basis: byHost(),
    depreciation: byHost(),
    zoneRent: new Float64Array(zoneCapacity),
    directTotal: 0,
    facilityTotal: 0,
    addonsTotal,
    zoneWorks: new Float64Array(zoneCapacity),
  }
  assessHosts(costs, topology)
  return costs
}

/** Updates the costs derived from the topology: depreciation, rent, and the hosts' shares of the rent. */
export function assessHosts(costs: HostCosts, topology: Topology): void {
  const { hosts, hostSkus, zones } = topology
  const heights = new Float64Array(zones.length)
  for (const host of hosts.rows) heights[hosts.zone[host]] += hosts.uSize[host]
  for (const host of hosts.rows) {
    costs.basis[host] = hosts.uSize[host] / heights[hosts.zone[host]]
    costs.depreciation[host] = hostSkus[hosts.sku[host]].priceDollars / monthsToPayOff
  }
  for (let zone = 0; zone < zones.length; zone++) costs.zoneRent[zone] = rentOfZone(topology, zone)
}

export function updateHostCosts(
  costs: HostCosts,
  { topology, facility, operations }: Pick<WorldView, 'topology' | 'facility' | 'operations'>,
): void {
  const { hosts, racks, zones } = topology
  const wattsOfZone = new Float64Array(zones.length)
  for (let rack = 0; rack < racks.count; rack++) wattsOfZone[racks.zone[rack]] += facility.rackWatts[rack]
  const wagesPerHost = (operations.costPerHour * hoursPerMonth) / hosts.rows.length
  const facilityOfZone = zones.map((zone, row) => {
    const overhead = wattsOfZone[row] * overheadPerWatt * kwhPerWattMonth * dollarsPerKwh
    return costs.zoneRent[row] + costs.zoneWorks[row] + overhead + wagesPerHost * zone.hosts.length
  })
  costs.directTotal = 0
  costs.facilityTotal = 0
  for (const host of hosts.rows) {
    const power = facility.hostWatts[host] * kwhPerWattMonth * dollarsPerKwh
    const direct = costs.depreciation[host] + power
    const share = facilityOfZone[hosts.zone[host]] * costs.basis[host]
    costs.direct[host] = direct
    costs.facility[host] = share
    costs.total[host] = direct + share
    costs.directTotal += direct
    costs.facilityTotal += share
  }
}

/** Floor space, and the network equipment shared by all hosts of a zone. */
function rentOfZone(topology: Topology, row: number): number {
  const zone = topology.zones[row]
  let dollars = zone.racks.length * dollarsPerRackMonth
  for (const device of [...zone.edges, ...zone.aggregations, ...zone.cores]) {
    dollars += topology.switchSkus[topology.switches.sku[device]].opexDollars
  }
  for (const device of zone.gateways)
    dollars += topology.gatewaySkus[topology.gateways.sku[device]].opexDollars
  for (const device of new Set([...zone.firewalls, ...zone.appliances])) {
    dollars += topology.applianceSkus[topology.appliances.sku[device]].opexDollars
  }
  for (const device of zone.panels) dollars += topology.panelSkus[topology.panels.sku[device]].opexDollars
  return dollars
}
