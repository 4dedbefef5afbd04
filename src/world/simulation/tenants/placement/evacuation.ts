import type { TenantContext } from '../context.ts'
import { durabilityOf, replicasPromised } from '../service-table.ts'
import type { Placer } from './placement.ts'
import { canServeFrom } from './serving-hosts.ts'

/** Ticks before the units of a lost host are restarted elsewhere, by durability of their data. */
const graceTicks = { Ephemeral: 9, Replicated2: 18, Replicated3: 18, ErasureCoded: 24, Single: 120 } as const
const movesPerStep = 120
/** Rebalancing moves a unit from a host at or above the first contention to one at or below the second. */
const hotContention = 0.97
const coolContention = 0.72

/** Finds units that are no longer served by their hosts. Returns whether the reachability of any host has changed. */
export function findLostUnits(context: TenantContext): boolean {
  const { world, state } = context
  const { units, placement } = state
  const { lastReachable, lastConnected, lostUnits } = placement
  const { hostReachable, hostConnected } = world.network
  let changed = false
  for (let host = 0; host < lastReachable.length; host++) {
    if (hostReachable[host] === lastReachable[host] && hostConnected[host] === lastConnected[host]) continue
    lastReachable[host] = hostReachable[host]
    lastConnected[host] = hostConnected[host]
    changed = true
    for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
      if (canServeFrom(context, units.service[unit], host)) {
        units.downSince[unit] = -1
      } else if (units.downSince[unit] === -1) {
        units.downSince[unit] = world.tick
        lostUnits.push(unit)
      }
    }
  }
  return changed
}

/** Moves units off hosts that are drained or have been lost for the grace period. */
export function evacuateLostUnits(context: TenantContext, placer: Placer): void {
  const { world, state } = context
  const { services, units, capacity, placement } = state
  if (placement.lostUnits.length === 0) return
  let moves = 0
  const remaining: number[] = []
  for (const unit of placement.lostUnits) {
    if (units.downSince[unit] === -1) continue
    const service = units.service[unit]
    const isDrained = world.condition.hostMaintenance[units.host[unit]] !== 0
    const grace = graceTicks[durabilityOf(services, service)]
    const isDue = isDrained || world.tick - units.downSince[unit] >= grace
    const hasNewRoom = services.attemptedAtRoomVersion[service] < capacity.roomVersion
    if (!isDue || moves >= movesPerStep || !hasNewRoom) {
      remaining.push(unit)
      continue
    }
    moves++
    if (!relocate(context, placer, unit)) {
      services.attemptedAtRoomVersion[service] = capacity.roomVersion
      remaining.push(unit)
    }
  }
  placement.lostUnits = remaining
}

/** Moves a unit to another host. Returns whether there was one. */
function relocate({ state }: TenantContext, placer: Placer, unit: number): boolean {
  const { units, services, byId } = state
  const service = units.service[unit]
  const account = byId.get(services.customer[service])
  if (account === undefined) return false
  const request = placer.requestFor(account, service)
  const from = units.host[unit]
  placer.markSpread(service, 1)
  placer.markHost(from, -1)
  const host = placer.findHost(request, account.homeZone)
  placer.markHost(from, 1)
  placer.markSpread(service, -1)
  if (host === -1) return false
  placer.move(unit, host)
  return true
}

/** Moves one stateless unit off the next hot host, round robin. */
export function rebalanceHotHost(context: TenantContext, placer: Placer): void {
  const { units, capacity, load, placement } = context.state
  if (load.contentionMax < hotContention) return
  const hosts = capacity.open.length
  for (let visited = 0; visited < hosts; visited++) {
    const host = placement.rebalanceFrom >= hosts ? 0 : placement.rebalanceFrom
    placement.rebalanceFrom = host + 1
    if (load.contention[host] < hotContention || capacity.open[host] === 0) continue
    for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
      if (moveToCoolHost(context, placer, unit, host)) return
    }
  }
}

function moveToCoolHost({ state }: TenantContext, placer: Placer, unit: number, from: number): boolean {
  const { units, services, capacity, load, byId } = state
  const service = units.service[unit]
  const account = byId.get(services.customer[service])
  if (account === undefined || account.dedicatedHosts) return false
  if (replicasPromised[durabilityOf(services, service)] > 0) return false
  const request = placer.requestFor(account, service)
  placer.markSpread(service, 1)
  const host = placer.findHost(request, capacity.zone[from])
  placer.markSpread(service, -1)
  if (host === -1 || host === from || load.contention[host] > coolContention) return false
  placer.move(unit, host)
  return true
}
