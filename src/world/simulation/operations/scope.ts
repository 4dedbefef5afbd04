/** The subject of an order, and the faults that it repairs. */
import type { Fault } from '../faults/model.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { WorkOrder } from './work-order.ts'
import type { WorldView } from '../state.ts'

export const isAt = ({ target }: WorkOrder, other: FaultTarget): boolean =>
  target !== null && sameTarget(other, target)

export const isRemediedBy = (order: WorkOrder, { kind, target }: Fault): boolean =>
  (order.remedies ?? []).includes(kind) && isAt(order, target)

/** Whether an order ends a fault. */
export const repairs = ({ faults }: WorldView, order: WorkOrder, fault: Fault): boolean =>
  isRemediedBy(order, fault) || (order.fault !== null && faults.isMendedWith(order.fault, fault))

/** Whether the reason for an order no longer exists. */
export function isObsolete(world: WorldView, order: WorkOrder): boolean {
  if (order.fault !== null) return order.fault.ended !== null
  if (order.customerId !== null) return !world.tenants.byId.has(order.customerId)
  if (order.kind !== 'Diagnose' || order.incidentId === null || world.incidents.has(order.incidentId))
    return false
  return !world.faults.active.some((fault) => fault.incidentId === order.incidentId)
}
