import type { Band, Blocking } from '../../../contract/vocabularies.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { Topology } from '../topology/tables.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { hour, minute, secondOfDay } from '../time.ts'
import type { WorkOrder } from './work-order.ts'

const priorityOfBand: Readonly<Record<Band, number>> = { Critical: 0, Major: 1, Minor: 2, Watch: 3 }
/** Orders of a team are as urgent as the gravest incident. */
export const teamPriority = priorityOfBand.Critical
export const onboardingPriority = 4
export const upkeepPriority = 5

/** Whether work is for a Major or Critical incident, or for what is as urgent. */
export const isGrave = ({ priority }: { readonly priority: number }): boolean =>
  priority <= priorityOfBand.Major

/** Maximum wait for a technician before a call-out, by priority; lower priorities get no call-out. */
const callOutAfter: readonly Micros[] = [5 * minute, 5 * minute, 90 * minute, 4 * hour]

/** When someone is called out for an order that waits for a technician since then; Infinity for never. */
export const callOutAt = ({ priority }: WorkOrder, since: Micros): Micros =>
  since + (callOutAfter[priority] ?? Infinity)

export const waitsForTechnician = ({ blocking }: WorkOrder): boolean => technicianWaits.has(blocking)

/** Whether the expected end of a wait for a technician is a call-out. */
export const isCallOutDue = (order: WorkOrder): boolean =>
  waitsForTechnician(order) &&
  order.waitsUntil! < Infinity &&
  order.waitsUntil === callOutAt(order, order.blockedSince)

/** Time after an expected end of a wait at which another one is announced. */
const renewAfter: Micros = 2 * minute

/** Whether the end of a wait, as it was told, has passed, and the next is not near; or was a call-out that is put off. */
export function isToldWaitOver({ toldUntil, waitsUntil, isCallOutTold }: WorkOrder, now: Micros): boolean {
  if (toldUntil === null) return false
  const hasPassed = now >= toldUntil + renewAfter && (waitsUntil ?? Infinity) >= now + renewAfter
  return hasPassed || (isCallOutTold && (waitsUntil ?? 0) > toldUntil)
}

export const technicianWaits: ReadonlySet<Blocking | null> = new Set<Blocking>([
  'NobodyOnShift',
  'EveryoneBusy',
])

export const isGraveBand = (band: Band): boolean => isGrave({ priority: priorityOfBand[band] })

/** Whether a target is one of a redundant pair on which a whole zone depends. */
function isBackbone(topology: Topology, target: FaultTarget): boolean {
  if (target.kind === 'Switch') return topology.switches.role[target.row] !== 'edge'
  return target.kind === 'Gateway' || target.kind === 'Appliance' || target.kind === 'PowerFeed'
}

/** Priority of work for an incident; a backbone device, whose redundancy is lost, has at least that of Major. */
export function priorityOf(topology: Topology, band: Band, target: FaultTarget | null): number {
  const priority = priorityOfBand[band]
  return target !== null && isBackbone(topology, target) ? Math.min(priorityOfBand.Major, priority) : priority
}

/** Upkeep waits while a zone lacks a feed. */
export const waitsForFeeds = (
  { topology, facility }: Pick<WorldView, 'topology' | 'facility'>,
  { kind, zone }: Pick<WorkOrder, 'kind' | 'zone'>,
): boolean =>
  kind === 'Upkeep' && zone >= 0 && topology.zones[zone].feeds.some((feed) => facility.feedLive[feed] === 0)

/** Start window of upkeep. */
const maintenanceFromHour = 22
const maintenanceUntilHour = 6
export function isMaintenanceWindow(now: Micros): boolean {
  const at = secondOfDay(now) / 3600
  return at >= maintenanceFromHour || at < maintenanceUntilHour
}
