/** The subject of an order, and the faults that it repairs. */
import type { Fault } from '../faults/model.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import type { WorkOrder } from './work-order.ts'

export const isAt = ({ target }: WorkOrder, other: FaultTarget): boolean =>
  target !== null && sameTarget(other, target)

export const isRemediedBy = (order: WorkOrder, { kind, target }: Fault): boolean =>
  (order.remedies ?? []).includes(kind) && isAt(order, target)
