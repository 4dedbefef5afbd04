import { isCarrierLine } from '../../topology/optics.ts'
import type { RandomStream } from '../../random.ts'
import type { HazardWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import { rackOf, sameTarget, zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { Topology } from '../../topology/tables.ts'
import type { Fault, FaultSpec } from '../model.ts'

/** A fault that may follow another, from a transferred load or a shared cause. */
export interface Aftereffect {
  /** Probability of the aftereffect. */
  readonly chance: number
  /** Delay after the first fault; the aftereffect is canceled if that fault ends earlier. */
  readonly delayMinutes: readonly [min: number, max: number]
  /** The fault that follows; null without a possible target. */
  follow(world: HazardWorld, fault: Fault, stream: RandomStream): FaultSpec | null
}

/** A scheduled fault. */
export interface PendingFault {
  readonly at: Micros
  readonly spec: FaultSpec
  /** The id of a fault that must still be active; null for an independent fault. */
  readonly whileActive: number | null
}

export const pendingMax = 200

/** Draws the aftereffects of a fault that has just begun. */
export function drawAftereffects(
  world: HazardWorld,
  aftereffects: readonly Aftereffect[],
  fault: Fault,
  rate: number,
  stream: RandomStream,
): PendingFault[] {
  return aftereffects.flatMap((aftereffect) => {
    const {
      chance,
      delayMinutes: [min, max],
    } = aftereffect
    if (!stream.chance(Math.min(1, chance * rate))) return []
    const at = world.now + Math.round(stream.uniform(min, max)) * minute
    const spec = aftereffect.follow(world, fault, stream)
    return spec === null ? [] : [{ at, spec, whileActive: fault.id }]
  })
}

/** Whether the target already has the same fault, other than from the fault being followed. */
export const isBroken = (
  active: readonly Fault[],
  { kind, target, magnitude }: FaultSpec,
  whileActive: number | null,
): boolean =>
  active.some(
    (fault) =>
      fault.id !== whileActive &&
      fault.kind === kind &&
      fault.magnitude === magnitude &&
      sameTarget(fault.target, target),
  )

const pickOther = (
  targets: readonly FaultTarget[],
  { target }: Fault,
  stream: RandomStream,
): FaultTarget | null => {
  const others = targets.filter((each) => !sameTarget(each, target))
  return others.length === 0 ? null : stream.pick(others)
}

/** Devices of the same kind that share a device's load: those of its rack, or otherwise of its zone. */
function peersOf({ topology }: HazardWorld, target: FaultTarget): FaultTarget[] {
  const { gateways, appliances, coolingUnits, feeds, zones } = topology
  const { kind } = target
  const of = (rows: readonly number[]): FaultTarget[] => rows.map((row) => ({ ...target, row }))
  if (kind === 'Switch') return of(peerSwitches(topology, target.row))
  if (kind === 'Gateway') return of(zones[gateways.zone[target.row]].gateways)
  if (kind === 'Appliance') return of(zones[appliances.zone[target.row]].firewalls)
  if (kind === 'CoolingUnit') return of(zones[coolingUnits.zone[target.row]].coolingUnits)
  return kind === 'PowerFeed' ? of(zones[feeds.zone[target.row]].feeds) : []
}

function peerSwitches({ switches, zones }: Topology, row: number): number[] {
  const { zone, role, rack } = switches
  const { edges, aggregations, cores } = zones[zone[row]]
  const all = [...edges, ...aggregations, ...cores].filter((each) => role[each] === role[row])
  const near = all.filter((each) => rack[each] === rack[row])
  return near.length > 1 ? near : all
}

const aftereffect =
  (follow: Aftereffect['follow']) =>
  (chance: number, delayMinutes: Aftereffect['delayMinutes']): Aftereffect => ({
    chance,
    delayMinutes,
    follow,
  })

/** The device that takes over the load of a failed one fails too. */
export const overloadPeer = (
  chance: number,
  delayMinutes: Aftereffect['delayMinutes'],
  { kind, magnitude = 1 }: Pick<FaultSpec, 'kind'> & { readonly magnitude?: number },
): Aftereffect =>
  aftereffect((world, fault, stream) => {
    const target = pickOther(peersOf(world, fault.target), fault, stream)
    return target === null ? null : { kind, target, magnitude, lasts: null }
  })(chance, delayMinutes)

/** The same part fails on another host of the rack, from the same delivery and at the same temperature. */
export const failInSameRack = aftereffect(({ topology }, fault, stream) => {
  const rack = rackOf(topology, fault.target)
  const hosts = (rack === null ? [] : topology.racks.hosts[rack]).map(
    (row): FaultTarget => ({ kind: 'Host', row }),
  )
  const target = pickOther(hosts, fault, stream)
  return target === null ? null : { kind: fault.kind, target, magnitude: 1, lasts: null }
})

/** The other power supply of a device fails under the full load. */
export const loseOtherSupply = aftereffect((_, { kind, target, magnitude }) =>
  magnitude === 1 || magnitude === 2 ? { kind, target, magnitude: 3 - magnitude, lasts: null } : null,
)

/** The same fault recurs on the same device. */
export const failAgain = aftereffect((_, { kind, target, magnitude }) => ({
  kind,
  target,
  magnitude,
  lasts: null,
}))

/** A host or switch that survives on its other feed loses that supply too. */
export const failSurvivingSupply = aftereffect(({ topology }, { target }, stream) => {
  if (target.kind !== 'PowerFeed') return null
  const { hosts, edges } = topology.zones[topology.feeds.zone[target.row]]
  const isSwitch = edges.length > 0 && stream.chance(0.3)
  const row = isSwitch ? stream.pick(edges) : stream.pick(hosts)
  return {
    kind: 'PowerSupplyFailure',
    target: { kind: isSwitch ? 'Switch' : 'Host', row },
    magnitude: topology.feeds.side[target.row] === 0 ? 2 : 1,
    lasts: null,
  }
})

/** A cooling unit of the zone fails to restart. */
export const stopCooling = aftereffect(({ topology }, { target }, stream) => {
  if (target.kind !== 'PowerFeed') return null
  const row = stream.pick(topology.zones[topology.feeds.zone[target.row]].coolingUnits)
  return { kind: 'CoolingFailure', target: { kind: 'CoolingUnit', row }, magnitude: 1, lasts: null }
})

/** Water trips the breaker of a power feed. */
export const tripFeedByWater = aftereffect(({ topology }, { target }, stream) => {
  if (target.kind !== 'CoolingUnit') return null
  const row = stream.pick(topology.zones[topology.coolingUnits.zone[target.row]].feeds)
  return { kind: 'PowerFeedLoss', target: { kind: 'PowerFeed', row }, magnitude: 1, lasts: null }
})

/** Inrush of the compressors that restart on the surviving feed, as a share of its capacity. */
const inrushShare = 0.1

/** The breaker of the surviving feed opens if it would be overloaded; the magnitude is its load. */
export const tripOverloadedPeer = aftereffect(
  ({ topology: { feeds, zones }, facility: { feedLoadKw } }, { target }) => {
    if (target.kind !== 'PowerFeed') return null
    const both = zones[feeds.zone[target.row]].feeds
    const row = both[0] === target.row ? both[1] : both[0]
    const loadKw = feedLoadKw[both[0]] + feedLoadKw[both[1]]
    const magnitude = Math.round(100 * (loadKw / feeds.capacityKw[row] + inrushShare)) / 100
    return magnitude > 1
      ? { kind: 'PowerFeedLoss', target: { kind: 'PowerFeed', row }, magnitude, lasts: null }
      : null
  },
)

/** Another carrier line in the same duct, shared by the zone, is cut too. */
export const cutSameDuct = aftereffect((world, fault, stream) => {
  const { cables } = world.topology
  const { target } = fault
  if (target.kind !== 'Cable' || !isCarrierLine(world.topology, target.row)) return null
  const zones = zonesOf(world, target)
  const lines: FaultTarget[] = []
  for (const row of cables.rows) {
    const line: FaultTarget = { kind: 'Cable', row }
    if (
      cables.kind[row] === cables.kind[target.row] &&
      zonesOf(world, line).some((zone) => zones.includes(zone))
    )
      lines.push(line)
  }
  const other = pickOther(lines, fault, stream)
  if (other === null) return null
  return { kind: 'CableCut', target: other, magnitude: 1, lasts: null, place: fault.place }
})
