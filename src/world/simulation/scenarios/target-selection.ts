import type { Column, Topology } from '../topology/tables.ts'
import { portRole } from '../topology/tables.ts'
import { nameOf, zonesOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { WorldView } from '../state.ts'
import type { LinkRole, TargetSelector } from './scenario.ts'
import { comparableName } from './target-names.ts'

const portRolesOfLink: Readonly<Record<LinkRole, readonly number[]>> = {
  host: [portRole.HostNic, portRole.EdgeDown],
  'edge-uplink': [portRole.EdgeUp, portRole.AggregationDown],
  'aggregation-uplink': [portRole.AggregationUp, portRole.CoreDown],
  'core-uplink': [portRole.CoreUp, portRole.ApplianceInside],
  'zone-link': [portRole.CorePeer],
  appliance: [portRole.ApplianceOutside, portRole.ApplianceOneArm, portRole.CoreOneArm, portRole.GatewayLan],
  wan: [portRole.GatewayWan],
}

type RowKind = Exclude<FaultTarget['kind'], 'Customer' | 'Pool'>

const tables: Readonly<Record<RowKind, (topology: Topology) => Column>> = {
  Host: (topology) => topology.hosts,
  Switch: (topology) => topology.switches,
  Gateway: (topology) => topology.gateways,
  Appliance: (topology) => topology.appliances,
  Cable: (topology) => topology.cables,
  Port: (topology) => topology.ports,
  PowerFeed: (topology) => topology.feeds,
  CoolingUnit: (topology) => topology.coolingUnits,
}

function hasRole(topology: Topology, target: FaultTarget, role: TargetSelector['role']): boolean {
  if (role === null || target.kind === 'Customer') return role === null
  const isLink = (port: number): boolean =>
    portRolesOfLink[role as LinkRole].includes(topology.ports.role[port])
  const { kind, row } = target
  if (kind === 'Switch') return topology.switches.role[row] === role
  if (kind === 'Appliance') return topology.appliances.kind[row] === role
  if (kind === 'Port') return topology.ports.cable[row] !== -1 && isLink(row)
  return kind === 'Cable' && (isLink(topology.cables.a[row]) || isLink(topology.cables.b[row]))
}

/** Ports without a cable are never selected. */
const isInUse = (topology: Topology, target: FaultTarget): boolean =>
  target.kind !== 'Port' || topology.ports.cable[target.row] !== -1

/** Rows of the entities in place. */
function rowsOf(topology: Topology, kind: RowKind): Iterable<number> {
  if (kind === 'Host') return topology.hosts.rows
  return kind === 'Cable' ? topology.cables.rows : Array(tables[kind](topology).count).keys()
}

/** Everything of a kind that a fault can be at. */
export function allTargets(state: WorldView, kind: FaultTarget['kind']): Iterable<FaultTarget> {
  if (kind === 'Customer') return state.tenants.active.map(({ id }) => ({ kind, id }))
  if (kind === 'Pool') return state.topology.pools.map((_, row) => ({ kind, row }))
  return Iterator.from(rowsOf(state.topology, kind))
    .map((row) => ({ kind, row }))
    .filter((target) => isInUse(state.topology, target))
}

/** All targets that match the selector, ascending by id. */
export function matchingTargets(state: WorldView, selector: TargetSelector): FaultTarget[] {
  const targets = targetsOfKind(state, selector)
  if (selector.name === null) return targets
  const wanted = comparableName(selector.name)
  return targets.filter((target) => comparableName(nameOf(state, target)) === wanted)
}

function isInZone(state: WorldView, target: FaultTarget, zone: number | string): boolean {
  if (typeof zone === 'number') return zonesOf(state, target).includes(zone - 1)
  const wanted = comparableName(zone)
  return zonesOf(state, target).some((row) => {
    const { name, displayName } = state.topology.zones[row]
    return [name, displayName].some((known) => comparableName(known) === wanted)
  })
}

function targetsOfKind(state: WorldView, selector: TargetSelector): FaultTarget[] {
  const { kind, id, zone, role, side, tier } = selector
  if (kind === 'Customer') {
    return state.tenants.active
      .filter((tenant) => tenant.hosts.length > 0)
      .filter((tenant) => (id === null || tenant.id === id) && (tier === null || tenant.tier === tier))
      .map((tenant) => ({ kind, id: tenant.id }))
  }
  const { topology } = state
  const matching: FaultTarget[] = []
  for (const row of rowsOf(topology, kind)) {
    if (id !== null && row !== id - 1) continue
    const target = { kind, row }
    if (!isInUse(topology, target) || !hasRole(topology, target, role)) continue
    if (side !== null && topology.feeds.side[row] !== (side === 'A' ? 0 : 1)) continue
    if (zone !== null && !isInZone(state, target, zone)) continue
    matching.push(target)
  }
  return matching
}

const portGbps = ({ network }: WorldView, port: number): number =>
  Math.max(network.portTxGbps[port], network.portRxGbps[port])

/** Activity that ranks the targets of each kind for the pick `busiest`. */
const activityOfRow: Readonly<Record<RowKind, (state: WorldView, row: number) => number>> = {
  Host: ({ load }, row) => load.cpuUsedMilli[row],
  Switch: ({ network }, row) => network.switchFabricGbps[row],
  Gateway: ({ network }, row) => network.gatewayFabricGbps[row],
  Appliance: ({ network }, row) => network.applianceFabricGbps[row],
  Port: portGbps,
  Cable: (state, row) =>
    Math.max(portGbps(state, state.topology.cables.a[row]), portGbps(state, state.topology.cables.b[row])),
  PowerFeed: ({ facility }, row) => facility.feedLoadKw[row],
  CoolingUnit: ({ topology, facility }, row) => facility.zoneHeatKw[topology.coolingUnits.zone[row]],
}

function activity(state: WorldView, target: FaultTarget): number {
  if (target.kind === 'Customer') return state.tenants.byId.get(target.id)?.requestsPerSecond ?? 0
  return target.kind === 'Pool' ? 0 : activityOfRow[target.kind](state, target.row)
}

function shuffle(state: WorldView, targets: readonly FaultTarget[]): FaultTarget[] {
  const random = state.random.stream('scenario.pick')
  const shuffled = [...targets]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = random.below(last + 1)
    const swapped = shuffled[last]
    shuffled[last] = shuffled[other]
    shuffled[other] = swapped
  }
  return shuffled
}

function orderByPick(state: WorldView, targets: FaultTarget[], pick: TargetSelector['pick']): FaultTarget[] {
  if (typeof pick === 'number') return targets.slice(pick - 1)
  if (pick === 'last') return targets.toReversed()
  if (pick === 'random') return shuffle(state, targets)
  if (pick === 'first') return targets
  const ranked = targets.map((target) => ({ target, activity: activity(state, target) }))
  return ranked.toSorted((a, b) => b.activity - a.activity).map(({ target }) => target)
}

/** The current targets of a step: the applicable ones among those that match. */
export function selectTargets(
  state: WorldView,
  selector: TargetSelector,
  applies: (target: FaultTarget) => boolean,
): FaultTarget[] {
  const matching = matchingTargets(state, selector).filter(applies)
  const count = selector.share === null ? selector.count : Math.ceil(selector.share * matching.length)
  return orderByPick(state, matching, selector.pick).slice(0, count)
}
