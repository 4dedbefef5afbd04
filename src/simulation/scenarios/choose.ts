import { portRole, type Plant } from '../plant/tables.ts'
import { sameTarget, zonesOf } from '../faults/targets.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { LinkRole, TargetChoice } from './scenario.ts'

/** Finds what a step of a scenario is aimed at. */

const rolesOfPorts: Readonly<Record<LinkRole, readonly number[]>> = {
  host: [portRole.HostNic, portRole.EdgeDown],
  'edge-uplink': [portRole.EdgeUp, portRole.AggregationDown],
  'aggregation-uplink': [portRole.AggregationUp, portRole.CoreDown],
  'core-uplink': [portRole.CoreUp, portRole.ApplianceInside],
  'zone-link': [portRole.CorePeer],
  appliance: [portRole.ApplianceOutside, portRole.ApplianceStick, portRole.CoreStick, portRole.GatewayLan],
  wan: [portRole.GatewayWan],
}

type RowKind = Exclude<FaultTarget['kind'], 'Customer' | 'Pool'>

function rowsOf(plant: Plant, kind: RowKind): number {
  switch (kind) {
    case 'Host':
      return plant.hosts.count
    case 'Switch':
      return plant.switches.count
    case 'Gateway':
      return plant.gateways.count
    case 'Appliance':
      return plant.appliances.count
    case 'Cable':
      return plant.cables.count
    case 'Port':
      return plant.ports.count
    case 'PowerFeed':
      return plant.feeds.count
    case 'CoolingUnit':
      return plant.coolingUnits.count
  }
}

function hasRole(plant: Plant, target: FaultTarget, role: TargetChoice['role']): boolean {
  if (role === null || target.kind === 'Customer') return role === null
  const isLink = (port: number): boolean => rolesOfPorts[role as LinkRole].includes(plant.ports.role[port])
  switch (target.kind) {
    case 'Switch':
      return plant.switches.role[target.row] === role
    case 'Appliance':
      return plant.appliances.kind[target.row] === role
    case 'Port':
      return plant.ports.cable[target.row] !== -1 && isLink(target.row)
    case 'Cable':
      return isLink(plant.cables.a[target.row]) || isLink(plant.cables.b[target.row])
    default:
      return false
  }
}

/** A port without a cable has nothing that could break. */
const isInUse = (plant: Plant, target: FaultTarget): boolean =>
  target.kind !== 'Port' || plant.ports.cable[target.row] !== -1

/** Everything that fits the choice, in the order of ids. */
export function candidates(state: WorldState, choice: TargetChoice): FaultTarget[] {
  const { kind, id, zone, role, side, tier } = choice
  if (kind === 'Customer') {
    return state.tenants.active
      .filter((tenant) => tenant.hosts.length > 0)
      .filter((tenant) => (id === null || tenant.id === id) && (tier === null || tenant.tier === tier))
      .map((tenant) => ({ kind, id: tenant.id }))
  }
  const { plant } = state
  const fitting: FaultTarget[] = []
  const count = rowsOf(plant, kind)
  for (let row = 0; row < count; row++) {
    if (id !== null && row !== id - 1) continue
    const target = { kind, row }
    if (!isInUse(plant, target) || !hasRole(plant, target, role)) continue
    if (side !== null && plant.feeds.side[row] !== (side === 'A' ? 0 : 1)) continue
    if (zone !== null && !zonesOf(state, target).includes(zone - 1)) continue
    fitting.push(target)
  }
  return fitting
}

/** How much goes on at a target, to find the busiest of a kind. */
function bustle(state: WorldState, target: FaultTarget): number {
  const { plant, network, physical, load } = state
  const onPort = (port: number): number => Math.max(network.portTxGbps[port], network.portRxGbps[port])
  switch (target.kind) {
    case 'Host':
      return load.cpuUsedMilli[target.row]
    case 'Switch':
      return network.switchFabricGbps[target.row]
    case 'Gateway':
      return network.gatewayFabricGbps[target.row]
    case 'Appliance':
      return network.applianceFabricGbps[target.row]
    case 'Port':
      return onPort(target.row)
    case 'Cable':
      return Math.max(onPort(plant.cables.a[target.row]), onPort(plant.cables.b[target.row]))
    case 'PowerFeed':
      return physical.feedLoadKw[target.row]
    case 'CoolingUnit':
      return physical.zoneHeatKw[plant.coolingUnits.zone[target.row]]
    case 'Customer':
      return state.tenants.byId.get(target.id)?.requestsPerSecond ?? 0
    case 'Pool':
      return 0
  }
}

function shuffled(state: WorldState, targets: readonly FaultTarget[]): FaultTarget[] {
  const random = state.random.stream('scenario.pick')
  const mixed = [...targets]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const moved = mixed[last]
    mixed[last] = mixed[other]
    mixed[other] = moved
  }
  return mixed
}

function inOrderOfPick(state: WorldState, targets: FaultTarget[], pick: TargetChoice['pick']): FaultTarget[] {
  switch (pick) {
    case 'first':
      return targets
    case 'last':
      return targets.toReversed()
    case 'random':
      return shuffled(state, targets)
    case 'busiest': {
      const ranked = targets.map((target) => ({ target, bustle: bustle(state, target) }))
      return ranked.toSorted((a, b) => b.bustle - a.bustle).map(({ target }) => target)
    }
    default:
      return targets.slice(pick - 1)
  }
}

/** The targets of a choice now. Only what is broken can be chosen for repair. */
export function chooseTargets(state: WorldState, choice: TargetChoice, onlyBroken: boolean): FaultTarget[] {
  const fitting = candidates(state, choice).filter(
    (target) => !onlyBroken || state.faults.active.some((fault) => sameTarget(fault.target, target)),
  )
  const count = choice.share === null ? choice.count : Math.ceil(choice.share * fitting.length)
  return inOrderOfPick(state, fitting, choice.pick).slice(0, count)
}
