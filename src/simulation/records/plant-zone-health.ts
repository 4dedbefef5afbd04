import type { ZoneRecord } from '../../contract/collections.ts'
import { clamp } from '../numeric.ts'
import type { WorldState } from '../state.ts'

/** How a zone is doing, judged from its devices, links, power and cooling. */

/** What each part counts in the health of a zone. */
const weights = { hosts: 0.45, switches: 0.15, gateways: 0.15, appliances: 0.1, power: 0.075, cooling: 0.075 }

const share = (rows: readonly number[], works: Uint8Array): number => {
  let working = 0
  for (const row of rows) if (works[row] !== 0) working++
  return rows.length === 0 ? 1 : working / rows.length
}

/** 1 when every device works and nothing is dropped, 0 when nothing does. */
export function health({ plant, physical, network }: WorldState, zone: number): number {
  const plan = plant.zones[zone]
  const { switchUp, applianceUp } = physical
  const switches =
    (share(plan.edges, switchUp) + share(plan.aggregations, switchUp) + share(plan.cores, switchUp)) / 3
  const heat = physical.zoneHeatKw[zone]
  const cooling = heat > 0 ? clamp(physical.zoneCoolingCapacityKw[zone] / heat, 0, 1) : 1
  const works =
    weights.hosts * share(plan.hosts, network.hostReachable) +
    weights.switches * switches +
    weights.gateways * share(plan.gateways, network.gatewayAdvertising) +
    weights.appliances * share(plan.appliances, applianceUp) +
    weights.power * share(plan.feeds, physical.feedLive) +
    weights.cooling * cooling
  const carried = network.zoneWanInGbps[zone] + network.zoneWanOutGbps[zone] + network.zoneEastWestGbps[zone]
  const dropped = network.zoneDroppedGbps[zone]
  return clamp(works * (dropped > 0 ? carried / (carried + dropped) : 1), 0, 1)
}

/** From these on, a zone is more than slightly off. */
const impairedBelow = 0.85
const impairedHosts = 0.9
/** Anything that does not work at all counts; a lost packet does not. */
const healthyFrom = 0.9999

export function status(
  { network, plant }: WorldState,
  record: ZoneRecord,
  zone: number,
): ZoneRecord['status'] {
  if (
    record.hosts_online === 0 ||
    plant.zones[zone].gateways.every((row) => network.gatewayAdvertising[row] === 0)
  ) {
    return 'Down'
  }
  const cooled = record.cooling_state === 'Normal' || record.cooling_state === 'Strained'
  if (record.health < impairedBelow || record.hosts_online < record.host_count * impairedHosts || !cooled) {
    return 'Impaired'
  }
  return record.health < healthyFrom || record.cooling_state === 'Strained' ? 'Degraded' : 'Healthy'
}

/** Air this warm at the racks is more than devices are made for. */
const hotCelsius = 32
const warmCelsius = 27
const strainedLoad = 0.95

export function coolingState(capacityKw: number, heatKw: number, inlet: number): ZoneRecord['cooling_state'] {
  if (capacityKw <= 0) return 'Failed'
  if (inlet >= hotCelsius) return 'Overheating'
  return heatKw > capacityKw * strainedLoad || inlet >= warmCelsius ? 'Strained' : 'Normal'
}
