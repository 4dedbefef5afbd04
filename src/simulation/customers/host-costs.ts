import type { Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import { addonMonthDollars } from '../plant/addon-prices.ts'
import {
  dollarsPerKwh,
  dollarsPerRackMonth,
  hoursPerMonth,
  monthsToPayOff,
  overheadPerWatt,
} from './prices.ts'

/** What hosts and what stands around them cost a month, in dollars. */
export interface HostCosts {
  readonly direct: Float64Array
  readonly facility: Float64Array
  readonly total: Float64Array
  /** Share of its zone's facility cost that falls on a host: by its height. */
  readonly basis: Float64Array
  directTotal: number
  facilityTotal: number
  readonly addonsTotal: number
  update(state: WorldState): void
}

const kwhPerWattMonth = hoursPerMonth / 1000

export function hostCosts(plant: Plant): HostCosts {
  const { hosts, zones } = plant
  const floats = () => new Float64Array(hosts.count)
  const paidOff = Float64Array.from(hosts.sku, (sku) => plant.hostSkus[sku].priceDollars / monthsToPayOff)
  const heights = new Float64Array(zones.length)
  for (let host = 0; host < hosts.count; host++) heights[hosts.zone[host]] += hosts.uSize[host]
  const rents = zones.map((_, zone) => zoneRent(plant, zone))
  const facilityOfZone = new Float64Array(zones.length)
  const wattsOfZone = new Float64Array(zones.length)
  const basis = floats()
  for (let host = 0; host < hosts.count; host++) basis[host] = hosts.uSize[host] / heights[hosts.zone[host]]
  let addons = 0
  for (let gateway = 0; gateway < plant.gateways.count; gateway++) addons += addonMonthDollars(plant, gateway)
  return {
    direct: floats(),
    facility: floats(),
    total: floats(),
    basis,
    directTotal: 0,
    facilityTotal: 0,
    addonsTotal: addons,
    update(state) {
      const { hostWatts, rackWatts } = state.physical
      wattsOfZone.fill(0)
      for (let rack = 0; rack < plant.racks.count; rack++)
        wattsOfZone[plant.racks.zone[rack]] += rackWatts[rack]
      const wages = (state.work.costPerHour * hoursPerMonth) / hosts.count
      for (let zone = 0; zone < zones.length; zone++) {
        const overhead = wattsOfZone[zone] * overheadPerWatt * kwhPerWattMonth * dollarsPerKwh
        facilityOfZone[zone] = rents[zone] + overhead + wages * zones[zone].hosts.length
      }
      this.directTotal = 0
      this.facilityTotal = 0
      for (let host = 0; host < hosts.count; host++) {
        const direct = paidOff[host] + hostWatts[host] * kwhPerWattMonth * dollarsPerKwh
        const facility = facilityOfZone[hosts.zone[host]] * basis[host]
        this.direct[host] = direct
        this.facility[host] = facility
        this.total[host] = direct + facility
        this.directTotal += direct
        this.facilityTotal += facility
      }
    },
  }
}

/** Floor space, and the network gear that all hosts of a zone share. */
function zoneRent(plant: Plant, zone: number): number {
  const plan = plant.zones[zone]
  let dollars = plan.racks.length * dollarsPerRackMonth
  for (const row of [...plan.edges, ...plan.aggregations, ...plan.cores]) {
    dollars += plant.switchSkus[plant.switches.sku[row]].opexDollars
  }
  for (const row of plan.gateways) dollars += plant.gatewaySkus[plant.gateways.sku[row]].opexDollars
  for (const row of new Set([...plan.firewalls, ...plan.appliances])) {
    dollars += plant.applianceSkus[plant.appliances.sku[row]].opexDollars
  }
  for (const row of plan.panels) dollars += plant.panelSkus[plant.panels.sku[row]].opexDollars
  return dollars
}
