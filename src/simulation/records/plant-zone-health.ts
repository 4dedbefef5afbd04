import type { ZoneRecord } from '../../contract/collections.ts'
import { clamp } from '../numeric.ts'
import type { Physical, WorldState } from '../state.ts'

/** How a zone is doing, judged from its devices, links, power and cooling. */

/** What each part counts in the health of a zone. */
const weights = {
  hosts: 0.42,
  switches: 0.14,
  gateways: 0.14,
  appliances: 0.1,
  links: 0.1,
  power: 0.05,
  cooling: 0.05,
}

const share = (rows: readonly number[], works: Uint8Array): number => {
  let working = 0
  for (const row of rows) if (works[row] !== 0) working++
  return rows.length === 0 ? 1 : working / rows.length
}

/** 1 when everything works and nothing is dropped, 0 when nothing works. */
export function health(state: WorldState, zone: number): number {
  const { plant, physical, network } = state
  const plan = plant.zones[zone]
  const { switchUp, applianceUp } = physical
  const layers =
    share(plan.edges, switchUp) + share(plan.aggregations, switchUp) + share(plan.cores, switchUp)
  const works =
    weights.hosts * share(plan.hosts, network.hostReachable) +
    weights.switches * (layers / 3) +
    weights.gateways * share(plan.gateways, network.gatewayAdvertising) +
    weights.appliances * share(plan.appliances, applianceUp) +
    weights.links * linksUp(state)[zone] +
    weights.power * share(plan.feeds, physical.feedLive) +
    weights.cooling * coolingShare(state, zone)
  const carried = network.zoneWanInGbps[zone] + network.zoneWanOutGbps[zone] + network.zoneEastWestGbps[zone]
  const dropped = network.zoneDroppedGbps[zone]
  return clamp(works * (dropped > 0 ? carried / (carried + dropped) : 1), 0, 1)
}

function coolingShare({ plant, physical, condition }: WorldState, zone: number): number {
  const units = plant.zones[zone].coolingUnits
  let working = 0
  for (const unit of units) if (condition.coolingBroken[unit] === 0) working++
  const heat = physical.zoneHeatKw[zone]
  const enough = heat > 0 ? Math.min(1, physical.zoneCoolingCapacityKw[zone] / heat) : 1
  return Math.min(enough, working / units.length)
}

interface LinkShares {
  version: number
  readonly up: Float64Array
  readonly all: Float64Array
}

/** Made anew when links came up or went down. */
const linkShares = new WeakMap<Physical, LinkShares>()

/** Share of the cables that begin in a zone whose link is up, by zone. */
function linksUp({ plant, physical }: WorldState): Float64Array {
  let shares = linkShares.get(physical)
  if (shares === undefined) {
    const zones = plant.zones.length
    shares = { version: -1, up: new Float64Array(zones), all: new Float64Array(zones) }
    linkShares.set(physical, shares)
  }
  if (shares.version === physical.topologyVersion) return shares.up
  shares.version = physical.topologyVersion
  shares.up.fill(0)
  shares.all.fill(0)
  const { cables, ports } = plant
  const tables = [plant.gateways, plant.switches, plant.appliances, plant.panels, plant.hosts]
  for (let cable = 0; cable < cables.count; cable++) {
    const a = cables.a[cable]
    const zone = tables[ports.deviceKind[a]].zone[ports.device[a]]
    shares.up[zone] += physical.portUp[a]
    shares.all[zone]++
  }
  for (let zone = 0; zone < shares.up.length; zone++) shares.up[zone] /= shares.all[zone]
  return shares.up
}

/** From these on, a zone is more than slightly off. */
const impairedBelow = 0.85
const impairedHosts = 0.9
/** A lost packet does not count, nor one link of thousands. */
const healthyFrom = 0.9999

export function status(
  { network, plant }: WorldState,
  record: ZoneRecord,
  zone: number,
): ZoneRecord['status'] {
  if (record.hosts_online === 0) return 'Down'
  const cooled = record.cooling_state === 'Normal' || record.cooling_state === 'Strained'
  // Without a gateway of its own, a zone is still served over those of others.
  const announced = plant.zones[zone].gateways.some((row) => network.gatewayAdvertising[row] === 1)
  const fewHosts = record.hosts_online < record.host_count * impairedHosts
  if (record.health < impairedBelow || fewHosts || !cooled || !announced) return 'Impaired'
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
