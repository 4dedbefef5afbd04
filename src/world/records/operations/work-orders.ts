import type { WorkOrderRecord } from '../../../contract/collections.ts'
import { WorkOrderSchema, WorkStepSchema } from '../../../contract/records/operations.ts'
import { recordFactory } from '../record-list.ts'
import type { Micros } from '../../simulation/time.ts'
import { toNs } from '../../simulation/time.ts'
import type { Operations, WorkOrder, WorkStep } from '../../simulation/operations/view.ts'

const nsOf = (at: Micros | null): bigint | null => (at === null ? null : toNs(at))

function writeStep(record: WorkOrderRecord['steps'][number], step: WorkStep): void {
  record.kind = step.kind
  record.detail = step.detail
  record.started_at_ns = nsOf(step.began)
  record.completed_at_ns = nsOf(step.ended)
  record.estimated_duration_ns = toNs(step.estimate)
  record.actual_duration_ns =
    step.began === null || step.ended === null ? null : toNs(step.ended - step.began)
}

const newStep = recordFactory(WorkStepSchema)
const newOrder = recordFactory(WorkOrderSchema)

function createStepRecord(step: WorkStep): WorkOrderRecord['steps'][number] {
  const record = newStep({})
  writeStep(record, step)
  return record
}

const createOrderRecord = ({ id, kind, skill }: WorkOrder): WorkOrderRecord =>
  newOrder({ id, kind, actor: skill === null ? 'Automation' : 'Staff', steps: [] })

function writeRecord(record: WorkOrderRecord, order: WorkOrder): void {
  record.kind_label = order.label
  record.actor_staff_id = order.technicianId === 0 ? null : order.technicianId
  record.started_at_ns = nsOf(order.began)
  record.last_progress_at_ns = nsOf(order.progressed)
  record.resolved_at_ns = nsOf(order.resolved)
  record.current_step = order.current
  record.blocking = order.blocking
  record.incident_id = order.incidentId
  record.steps.length = Math.min(record.steps.length, order.steps.length)
  record.steps.forEach((step, index) => writeStep(step, order.steps[index]))
  for (const step of order.steps.slice(record.steps.length)) record.steps.push(createStepRecord(step))
}

interface Entry {
  readonly record: WorkOrderRecord
  version: number
}

interface WorkOrderRecords {
  /** Open orders and retained finished orders, ascending by id. */
  readonly workOrders: WorkOrderRecord[]
  update(): void
}

export function createWorkOrderRecords(
  work: Operations,
  isShown: (order: WorkOrder) => boolean = () => true,
): WorkOrderRecords {
  let entries = new Map<number, Entry>()
  const workOrders: WorkOrderRecord[] = []
  return {
    workOrders,
    update() {
      const orders = [...work.state.finished, ...work.dispatcher.open]
        .filter(isShown)
        .toSorted((a, b) => a.id - b.id)
      const kept = new Map<number, Entry>()
      workOrders.length = 0
      for (const order of orders) {
        const entry = entries.get(order.id) ?? { record: createOrderRecord(order), version: -1 }
        if (entry.version !== order.version) writeRecord(entry.record, order)
        entry.version = order.version
        kept.set(order.id, entry)
        workOrders.push(entry.record)
      }
      entries = kept
    },
  }
}
