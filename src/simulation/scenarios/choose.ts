import { type Column, type Plant, portRole } from '../plant/tables.ts'
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

const tables: Readonly<Record<RowKind, (plant: Plant) => Column>> = {
  Host: (plant) => plant.hosts,
  Switch: (plant) => plant.switches,
  Gateway: (plant) => plant.gateways,
  Appliance: (plant) => plant.appliances,
  Cable: (plant) => plant.cables,
  Port: (plant) => plant.ports,
  PowerFeed: (plant) => plant.feeds,
  CoolingUnit: (plant) => plant.coolingUnits,
}

function hasRole(plant: Plant, target: FaultTarget, role: TargetChoice['role']): boolean {
  if (role === null || target.kind === 'Customer') return role === null
  const isLink = (port: number): boolean => rolesOfPorts[role as LinkRole].includes(plant.ports.role[port])
  const { kind, row } = target
  if (kind === 'Switch') return plant.switches.role[row] === role
  if (kind === 'Appliance') return plant.appliances.kind[row] === role
  if (kind === 'Port') return plant.ports.cable[row] !== -1 && isLink(row)
  return kind === 'Cable' && (isLink(plant.cables.a[row]) || isLink(plant.cables.b[row]))
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
  const { count } = tables[kind](plant)
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

const onPort = ({ network }: WorldState, port: number): number =>
  Math.max(network.portTxGbps[port], network.portRxGbps[port])

/** How much goes on at each of a kind, to find the busiest. */
const bustleOfRow: Readonly<Record<RowKind, (state: WorldState, row: number) => number>> = {
  Host: ({ load }, row) => load.cpuUsedMilli[row],
  Switch: ({ network }, row) => network.switchFabricGbps[row],
  Gateway: ({ network }, row) => network.gatewayFabricGbps[row],
  Appliance: ({ network }, row) => network.applianceFabricGbps[row],
  Port: onPort,
  Cable: (state, row) =>
    Math.max(onPort(state, state.plant.cables.a[row]), onPort(state, state.plant.cables.b[row])),
  PowerFeed: ({ physical }, row) => physical.feedLoadKw[row],
  CoolingUnit: ({ plant, physical }, row) => physical.zoneHeatKw[plant.coolingUnits.zone[row]],
}

function bustle(state: WorldState, target: FaultTarget): number {
  if (target.kind === 'Customer') return state.tenants.byId.get(target.id)?.requestsPerSecond ?? 0
  return target.kind === 'Pool' ? 0 : bustleOfRow[target.kind](state, target.row)
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
  if (typeof pick === 'number') return targets.slice(pick - 1)
  if (pick === 'last') return targets.toReversed()
  if (pick === 'random') return shuffled(state, targets)
  if (pick === 'first') return targets
  const ranked = targets.map((target) => ({ target, bustle: bustle(state, target) }))
  return ranked.toSorted((a, b) => b.bustle - a.bustle).map(({ target }) => target)
}

/** The targets of a choice now. Only what is broken can be chosen for repair. */
export function chooseTargets(state: WorldState, choice: TargetChoice, onlyBroken: boolean): FaultTarget[] {
  const fitting = candidates(state, choice).filter(
    (target) => !onlyBroken || state.faults.active.some((fault) => sameTarget(fault.target, target)),
  )
  const count = choice.share === null ? choice.count : Math.ceil(choice.share * fitting.length)
  return inOrderOfPick(state, fitting, choice.pick).slice(0, count)
}
