import type { ZoneRecord } from '../../../contract/collections.ts'
import { displayThresholds, thresholds } from '../../../contract/thresholds.ts'
import { showsStopped, shownCoolingKw } from '../../simulation/facility/view.ts'
import { clamp } from '../../simulation/numeric.ts'
import type { NetworkView } from '../../simulation/network/view.ts'
import type { ReadonlyColumn } from '../../simulation/part.ts'
import type { RecordedWorld } from '../world.ts'

/** Health and status of a zone, derived from its devices, links, power and cooling. */

/** Weights of the components of a zone's health. */
const weights = {
  hosts: 0.42,
  switches: 0.14,
  gateways: 0.14,
  appliances: 0.1,
  links: 0.1,
  power: 0.05,
  cooling: 0.05,
}

const share = (rows: readonly number[], works: ReadonlyColumn): number =>
  rows.length === 0 ? 1 : rows.filter((row) => works[row] !== 0).length / rows.length

/** From 0, nothing works, to 1, everything works and no traffic is dropped. */
export function health(state: RecordedWorld, zone: number): number {
  const { topology, facility, network } = state
  const plan = topology.zones[zone]
  const { switchUp, applianceUp } = facility
  const layers =
    share(plan.edges, switchUp) + share(plan.aggregations, switchUp) + share(plan.cores, switchUp)
  const works =
    weights.hosts * share(plan.hosts, network.hostReachable) +
    weights.switches * (layers / 3) +
    weights.gateways * share(plan.gateways, network.gatewayAdvertising) +
    weights.appliances * share(plan.appliances, applianceUp) +
    weights.links * linksUp(state)[zone] +
    weights.power * share(plan.feeds, facility.feedLive) +
    weights.cooling * coolingShare(state, zone)
  const carried = network.zoneWanInGbps[zone] + network.zoneWanOutGbps[zone] + network.zoneEastWestGbps[zone]
  const dropped = network.zoneDroppedGbps[zone]
  return clamp(works * (dropped > 0 ? carried / (carried + dropped) : 1), 0, 1)
}

function coolingShare(state: RecordedWorld, zone: number): number {
  const { topology, facility } = state
  const units = topology.zones[zone].coolingUnits
  const working = units.filter((unit) => !showsStopped(state, unit)).length
  const heat = facility.zoneHeatKw[zone]
  const enough = heat > 0 ? Math.min(1, shownCoolingKw(state, zone) / heat) : 1
  return Math.min(enough, working / units.length)
}

interface LinkShares {
  version: number
  readonly up: Float64Array
  readonly all: Float64Array
}

/** By network: recalculated when connectivity changes. */
const linkShares = new WeakMap<NetworkView, LinkShares>()

/** By zone: share of links up among the cables that start in the zone. */
function linksUp({ topology, network }: RecordedWorld): Float64Array {
  let shares = linkShares.get(network)
  if (shares === undefined) {
    const zones = topology.zoneCapacity
    shares = { version: -1, up: new Float64Array(zones), all: new Float64Array(zones) }
    linkShares.set(network, shares)
  }
  if (shares.version === network.connectivityVersion) return shares.up
  shares.version = network.connectivityVersion
  shares.up.fill(0)
  shares.all.fill(0)
  const { cables, ports } = topology
  const tables = [topology.gateways, topology.switches, topology.appliances, topology.panels, topology.hosts]
  for (const cable of cables.rows) {
    const a = cables.a[cable]
    const zone = tables[ports.deviceKind[a]].zone[ports.device[a]]
    shares.up[zone] += network.portUp[a]
    shares.all[zone]++
  }
  for (let zone = 0; zone < topology.zones.length; zone++) shares.up[zone] /= shares.all[zone]
  return shares.up
}

const { zoneHealthDegraded, zoneHealthImpaired } = displayThresholds

export function status(
  { network, topology }: RecordedWorld,
  record: ZoneRecord,
  zone: number,
): ZoneRecord['status'] {
  if (record.hosts_online === 0) return 'Down'
  const cooled = record.cooling_state === 'Normal' || record.cooling_state === 'Strained'
  // A zone without a gateway of its own is still served through other zones.
  const announced = topology.zones[zone].gateways.some((row) => network.gatewayAdvertising[row] === 1)
  const fewHosts = record.hosts_online < record.host_count * thresholds.hostsOnlineShareLow
  if (record.health < zoneHealthImpaired || fewHosts || !cooled || !announced) return 'Impaired'
  return record.health < zoneHealthDegraded || record.cooling_state === 'Strained' ? 'Degraded' : 'Healthy'
}

export function coolingState(capacityKw: number, heatKw: number, inlet: number): ZoneRecord['cooling_state'] {
  if (capacityKw <= 0) return 'Failed'
  if (inlet >= thresholds.inletHotCelsius) return 'Overheating'
  return heatKw > capacityKw * thresholds.coolingLoadHigh || inlet >= thresholds.inletWarmCelsius
    ? 'Strained'
    : 'Normal'
}
