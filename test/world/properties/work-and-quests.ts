import type { Collections, WorkOrderRecord } from '../../../src/contract/collections.ts'
import type { Check } from './checked-world.ts'

/** No technician works on two orders at once, and exactly one quest is next. */
export const workAndQuestViolations: Check = ({ snapshot: { collections } }) => [
  ...doubleWorkViolations(collections.workOrders),
  ...questViolations(collections),
]

/** Whether a step is in progress. */
const isInProgress = ({ steps, current_step, resolved_at_ns, blocking }: WorkOrderRecord): boolean =>
  resolved_at_ns === null && blocking === null && (steps[current_step]?.started_at_ns ?? null) !== null

function doubleWorkViolations(workOrders: Collections['workOrders']): string[] {
  const busy = new Map<number, number>()
  const wrong: string[] = []
  for (const order of workOrders) {
    if (order.actor_staff_id === null || !isInProgress(order)) continue
    const person = Number(order.actor_staff_id)
    const other = busy.get(person)
    if (other !== undefined) wrong.push(`person ${person} works on orders ${other} and ${order.id} at once`)
    busy.set(person, Number(order.id))
  }
  return wrong
}

function questViolations({ quests }: Collections): string[] {
  const next = quests.filter(({ state }) => state === 'Next').length
  const left = quests.some(({ state }) => state !== 'Done') ? 1 : 0
  return next === left ? [] : [`${next} quests are next, expected ${left}`]
}
