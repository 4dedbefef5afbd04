import { rederiveThreats } from '../network/threats/hostile-traffic.ts'
import { countBytes } from '../network/counters.ts'
import type { NetworkState } from '../network/state.ts'
import { rederiveNetwork } from '../network/state.ts'
import type { FacilityState } from '../facility/state.ts'
import type { WorldWith } from '../state.ts'
import type { TenantsPart } from '../tenants/tenants.ts'
import type { HostCosts } from '../tenants/billing/host-costs.ts'
import { assessHosts } from '../tenants/billing/host-costs.ts'
import { measureHosts } from '../tenants/placement/capacity.ts'
import type { Site } from '../topology/construction/site.ts'
import { carryOut } from '../topology/construction/works.ts'
import type { Works } from '../topology/works.ts'

type BuiltWorld = WorldWith<{ readonly facility: FacilityState; readonly network: NetworkState }>

/** Carries out construction works in a running world: the site changes, and all parts update what follows from it. */
export type Construction = (works: Works) => void

export function createConstruction(
  world: BuiltWorld,
  site: Site,
  { state, accounting }: Pick<TenantsPart, 'state' | 'accounting'>,
): Construction {
  return (works) => {
    const { topology } = site
    // Counts the traffic of the old links before they change.
    countBytes(world)
    const unitsBefore = topology.coolingUnits.count
    carryOut(site, works, world.now)
    rederiveNetwork(world.network, topology)
    rederiveThreats(world.threats, topology)
    measureHosts(state.capacity, topology)
    assessHosts(accounting.costs, topology)
    for (let unit = unitsBefore; unit < topology.coolingUnits.count; unit++)
      world.condition.coolingInstalled[unit] = world.now
    if (works.kind === 'Renewal') renewHost(world, works.host)
    if (works.kind === 'Removal') for (const host of works.hosts) forgetHost(world, accounting.costs, host)
    world.facility.conditionVersion = -1
  }
}

function renewHost({ condition, facility }: BuiltWorld, host: number): void {
  condition.hostWear[host] = 0
  facility.hostDarkMinutes[host] = 0
}

/** Clears the state of a removed host and of the peer ports of its links; counters are kept. */
function forgetHost(
  { topology, condition, facility, network }: BuiltWorld,
  costs: HostCosts,
  host: number,
): void {
  condition.hostMaintenance[host] = 0
  condition.hostWear[host] = 0
  for (const column of [
    facility.hostFeeds,
    facility.hostPowered,
    facility.hostRunning,
    facility.hostWatts,
    facility.hostHeatTripped,
    facility.hostThrottled,
    network.hostReachable,
    network.hostConnected,
    costs.direct,
    costs.facility,
    costs.total,
    costs.basis,
    costs.depreciation,
  ])
    column[host] = 0
  network.connectivityVersion++
  const { ports } = topology
  for (let port = 0; port < ports.count; port++) {
    if (ports.peer[port] !== -1) continue
    network.portUp[port] = 0
    network.portTxGbps[port] = 0
    network.portRxGbps[port] = 0
    network.portDroppedGbps[port] = 0
  }
}
