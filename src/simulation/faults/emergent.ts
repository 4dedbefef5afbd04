import type { RootKind } from '../../contract/vocabularies.ts'
import { overflowGbps } from '../network/saturation.ts'
import type { Fault, FaultOrder, FaultTarget, WorldState } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import { failingTold, isServed, wellBelow } from './monitor-customers.ts'
import { targetKey, tightestHost, zonesOf } from './targets.ts'

/**
 * Shortages that nothing broken explains: a link or a fabric that carries too little, a pool that is too small.
 * Nobody injects them; they are found in the state, begin once they have lasted, and end when they are over.
 */

const foundAfter: Micros = 4 * minute
const overAfter: Micros = 8 * minute
/** Share of what a link or fabric carries that must be dropped to count. */
const droppedShare = 0.004
/** CPU wanted over physical CPU at which a host starves, and the share of a pool's hosts that must. */
const starving = 1.25
const starvingShare = 0.12
/** The same at a host of customers whose users wait already; and as long as these are told to wait. */
const crowded = 1.05
const stillCrowded = 1

/** Causes that explain a shortage by themselves, where they reach it. */
const explaining: ReadonlySet<RootKind> = new Set<RootKind>([
  'Attack',
  'DemandSurge',
  'BroadcastStorm',
  'FirmwareFault',
  'SwitchFailure',
  'GatewayFailure',
  'ApplianceFailure',
  'CableCut',
  'TransceiverFailure',
  'PortFlap',
  'AddonThrottling',
  'Misconfiguration',
  'PowerFeedLoss',
  'CoolingFailure',
])

const emergentKinds: ReadonlySet<RootKind> = new Set<RootKind>([
  'LinkSaturation',
  'FabricSaturation',
  'CapacityExhaustion',
])
export const isEmergent = (kind: RootKind): boolean => emergentKinds.has(kind)

interface Shortage {
  readonly order: FaultOrder
  /** Since when nothing else has explained it. */
  since: Micros
  seen: Micros
  fault: Fault | null
}

/** Somebody dealt with it: should it last all the same, it is found anew. */
const isOver = ({ fault }: Shortage): boolean => fault !== null && fault.ended !== null

export interface Emergent {
  /** Once a simulated minute. Begins and ends faults through what it is given. */
  step(active: readonly Fault[], begin: Begin, end: (fault: Fault) => void): void
  /** The shortage at a target, however young and whatever else explains it; null where there is none. */
  claim(target: FaultTarget, begin: Begin): Fault | null
}

type Begin = (order: FaultOrder) => Fault

export function createEmergent(state: WorldState): Emergent {
  const shortages = new Map<number, Shortage>()
  const see = (kind: RootKind, target: FaultTarget, magnitude: number): void => {
    const key = targetKey(target)
    const known = shortages.get(key)
    if (known !== undefined) known.seen = state.now
    else {
      const order = { kind, target, magnitude, lasts: null }
      shortages.set(key, { order, since: state.now, seen: state.now, fault: null })
    }
  }
  return {
    claim(target, begin) {
      const shortage = shortages.get(targetKey(target))
      if (shortage === undefined || isOver(shortage)) return null
      shortage.fault ??= begin(shortage.order)
      return shortage.fault
    },
    step(active, begin, end) {
      seeLinks(state, see)
      seeFabrics(state, see)
      seePools(state, see)
      seeUnplaced(state, see, (row) => shortages.has(targetKey({ kind: 'Pool', row })))
      for (const [key, shortage] of shortages) {
        if (isOver(shortage)) shortages.delete(key)
        else if (state.now - shortage.seen > overAfter) {
          if (shortage.fault !== null) end(shortage.fault)
          shortages.delete(key)
        } else if (shortage.fault === null && shortage.seen === state.now) {
          if (explained(state, shortage.order.target, active)) shortage.since = state.now
          else if (state.now - shortage.since >= foundAfter) shortage.fault = begin(shortage.order)
        }
      }
    },
  }
}

type See = (kind: RootKind, target: FaultTarget, magnitude: number) => void

function seeLinks(state: WorldState, see: See): void {
  const { ports } = state.plant
  for (let port = 0; port < ports.count; port++) {
    const dropped = overflowGbps(state, port)
    if (dropped > 0 && dropped > droppedShare * ports.capacityGbps[port] && ports.cable[port] >= 0) {
      see('LinkSaturation', { kind: 'Cable', row: ports.cable[port] }, dropped)
    }
  }
}

function seeFabrics({ plant, network }: WorldState, see: See): void {
  for (let row = 0; row < plant.switches.count; row++) {
    const capacity = plant.switchSkus[plant.switches.sku[row]].fabricGbps
    const dropped = network.switchDroppedGbps[row]
    if (dropped > droppedShare * capacity) see('FabricSaturation', { kind: 'Switch', row }, dropped)
  }
  for (let row = 0; row < plant.gateways.count; row++) {
    const dropped = network.gatewayDroppedGbps[row]
    if (dropped > droppedShare * network.gatewayCeilingGbps[row]) {
      see('FabricSaturation', { kind: 'Gateway', row }, dropped)
    }
  }
}

function seePools({ plant, physical, load }: WorldState, see: See): void {
  const { pool } = plant.hosts
  const { hostRunning } = physical
  const { contention } = load
  const running = new Int32Array(plant.pools.length)
  const starved = new Int32Array(plant.pools.length)
  for (let host = 0; host < pool.length; host++) {
    running[pool[host]] += hostRunning[host]
    if (contention[host] > starving) starved[pool[host]]++
  }
  for (let row = 0; row < running.length; row++) {
    if (starved[row] > Math.max(1, starvingShare * running[row])) {
      see('CapacityExhaustion', { kind: 'Pool', row }, starved[row])
    }
  }
}

/**
 * Customers whose units found no room, or too little of it, and whose users feel it. A pool that was short stays so
 * until they are well below what is told, as what is told of them does.
 */
function seeUnplaced(state: WorldState, see: See, wasShort: (pool: number) => boolean): void {
  for (const tenant of state.tenants.active) {
    if (!isServed(tenant)) continue
    const share = Math.max(tenant.failing / failingTold, tenant.p99Ms / tenant.p99BudgetMs)
    if (share < wellBelow) continue
    const host = tightestHost(state, tenant.id)
    if (host < 0) continue
    const row = state.plant.hosts.pool[host]
    const lasts = wasShort(row)
    if (share < 1 && !lasts) continue
    const lacking = tenant.requestedUnits - tenant.placedUnits
    if (lacking > 0 || state.load.contention[host] > (lasts ? stillCrowded : crowded)) {
      see('CapacityExhaustion', { kind: 'Pool', row }, Math.max(1, lacking))
    }
  }
}

/** Whether something that is wrong elsewhere in the same zones, or takes from the same pool, is behind it. */
function explained(state: WorldState, target: FaultTarget, active: readonly Fault[]): boolean {
  if (target.kind === 'Pool') return isPoolDisturbed(state, target.row, active)
  const zones = zonesOf(state, target)
  return active.some(
    (fault) =>
      explaining.has(fault.kind) && zonesOf(state, fault.target).some((zone) => zones.includes(zone)),
  )
}

/** Whether a pool lacks hosts that should run, or serves a rush of users. */
function isPoolDisturbed(state: WorldState, pool: number, active: readonly Fault[]): boolean {
  const { plant, physical, condition, tenants } = state
  const inPool = (host: number): boolean => plant.hosts.pool[host] === pool
  const isDown = (host: number): boolean =>
    physical.hostRunning[host] === 0 && condition.hostMaintenance[host] === 0
  for (let host = 0; host < plant.hosts.count; host++) if (inPool(host) && isDown(host)) return true
  return active.some(
    ({ kind, target }) =>
      kind === 'DemandSurge' &&
      target.kind === 'Customer' &&
      (tenants.byId.get(target.id)?.hosts.some(inPool) ?? false),
  )
}
