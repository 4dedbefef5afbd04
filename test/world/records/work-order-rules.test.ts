import { expect, test } from 'vitest'
import { createWorkOrderRecords } from '../../../src/world/records/operations/work-orders.ts'
import type { WorkOrder } from '../../../src/world/simulation/operations/work-order.ts'

/** An order for two steps of which the first has ended. */
const order = (about: Partial<WorkOrder> = {}): WorkOrder =>
  ({
    id: 7,
    kind: 'Repair',
    label: 'Repair it',
    skill: 'network',
    incidentId: 4,
    steps: [
      { kind: 'Travel', detail: 'Go there', needs: null, estimate: 60, began: 100, ended: 170 },
      { kind: 'Swap', detail: 'Swap it', needs: null, estimate: 90, began: 180, ended: null },
    ],
    current: 1,
    began: 100,
    progressed: 180,
    resolved: null,
    technicianId: 3,
    blocking: 'NoSpare',
    version: 1,
    ...about,
  }) as WorkOrder

const records = (finished: WorkOrder[], open: WorkOrder[], isShown?: (one: WorkOrder) => boolean) => {
  const work = { state: { finished }, dispatcher: { open } }
  const created = createWorkOrderRecords(work as never, isShown)
  const update = (): void => created.update()
  update()
  return { work, workOrders: created.workOrders, update }
}

test('a work order states who does what, and when', () => {
  expect(records([], [order()]).workOrders).toEqual([
    {
      id: 7,
      kind: 'Repair',
      kind_label: 'Repair it',
      actor: 'Staff',
      actor_staff_id: 3,
      incident_id: 4,
      blocking: 'NoSpare',
      current_step: 1,
      started_at_ns: 100_000n,
      last_progress_at_ns: 180_000n,
      resolved_at_ns: null,
      steps: [
        {
          kind: 'Travel',
          detail: 'Go there',
          started_at_ns: 100_000n,
          completed_at_ns: 170_000n,
          estimated_duration_ns: 60_000n,
          actual_duration_ns: 70_000n,
        },
        {
          kind: 'Swap',
          detail: 'Swap it',
          started_at_ns: 180_000n,
          completed_at_ns: null,
          estimated_duration_ns: 90_000n,
          actual_duration_ns: null,
        },
      ],
    },
  ])
})

test.each<[Partial<WorkOrder>, object]>([
  [
    { skill: null, technicianId: 0 },
    { actor: 'Automation', actor_staff_id: null },
  ],
  [
    { began: null, progressed: null, incidentId: null, blocking: null },
    { started_at_ns: null, last_progress_at_ns: null, incident_id: null, blocking: null },
  ],
  [{ resolved: 0 }, { resolved_at_ns: 0n }],
])('a work order with %o states %o', (about, expected) => {
  expect(records([], [order(about)]).workOrders).toMatchObject([expected])
})

test('work orders are listed by id, finished or open, and only those that are shown', () => {
  const [finished, open] = [
    [order({ id: 5 }), order({ id: 9 })],
    [order({ id: 7 }), order({ id: 6 })],
  ]
  expect(records(finished, open).workOrders.map(({ id }) => id)).toEqual([5, 6, 7, 9])
  expect(records(finished, open, ({ id }) => id !== 7).workOrders.map(({ id }) => id)).toEqual([5, 6, 9])
})

test('the record of a work order follows its version, with as many steps', () => {
  const one = order()
  const { work, workOrders, update } = records([], [one])
  const [record] = workOrders
  const [travel, swap] = one.steps
  Object.assign(one, { label: 'Repair that', steps: [travel] })
  update()
  expect([record.kind_label, record.steps.length]).toEqual(['Repair it', 2])
  one.version++
  update()
  expect([record.kind_label, record.steps.map(({ kind }) => kind)]).toEqual(['Repair that', ['Travel']])
  Object.assign(one, { steps: [swap, travel, swap], version: 3 })
  update()
  expect(record.steps.map(({ kind }) => kind)).toEqual(['Swap', 'Travel', 'Swap'])
  expect(workOrders[0]).toBe(record)
  work.dispatcher.open = []
  update()
  expect(workOrders).toEqual([])
})
