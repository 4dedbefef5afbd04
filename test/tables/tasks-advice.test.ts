import { expect, test } from 'vitest'
import type { IncidentRecord, ProspectRecord, WorkOrderRecord } from '../../src/contract/collections.ts'
import { ProspectSchema } from '../../src/contract/records/customers.ts'
import { IncidentSchema, WorkOrderSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import { frameOf, rowsNamed, worldOf } from './framed-worlds.ts'

const diagnosed = 'Tala J. finished after 13 min: Diagnose the problem at power feed A.'

const incident = emptyRecord(IncidentSchema, {
  id: 7n,
  band: 'Major',
  confirmed: true,
  timeline: [{ at_ns: 1n, kind: 'WorkDone', detail: diagnosed }],
})

const order = (given: Partial<WorkOrderRecord>): WorkOrderRecord =>
  emptyRecord(WorkOrderSchema, {
    id: 3n,
    kind_label: 'Restore power feed A',
    incident_id: 7n,
    ...given,
  })

const prospect = (fit_recommendation: ProspectRecord['fit_recommendation']): ProspectRecord =>
  emptyRecord(ProspectSchema, { id: 1n, name: 'Alder', fit_can_serve_now: true, fit_recommendation })

async function tasksWith(
  workOrders: readonly WorkOrderRecord[],
  prospects: readonly ProspectRecord[] = [],
  incidents: readonly IncidentRecord[] = [incident],
) {
  const snapshot = snapshotWith({ incidents, workOrders, prospects } as never)
  return rowsNamed('tasks', worldOf(frameOf(snapshot)))
}

const adviceOn = async (kind: string, workOrders: readonly WorkOrderRecord[]) =>
  (await tasksWith(workOrders)).find((task) => task['kind'] === kind)!['advice']

test('an incident for which work was finished says what comes next', async () => {
  expect(await adviceOn('incident', [])).toBe(`${diagnosed} No other work is ordered yet.`)
  expect(await adviceOn('incident', [order({})])).toBe('Restore power feed A is ordered.')
  expect(await adviceOn('incident', [order({ blocking: 'NoSpare' })])).toMatch(
    /^Restore power feed A waits: /,
  )
  expect(await adviceOn('incident', [order({ started_at_ns: 2n })])).toBe(diagnosed)
  expect(await adviceOn('incident', [order({ resolved_at_ns: 2n })])).toMatch(/No other work/)
})

test('routine work does not stand above a Major incident that is being worked on', async () => {
  const routine = order({
    id: 4n,
    incident_id: null,
    kind_label: 'Clean',
    blocking: 'NobodyOnShift',
  })
  const kinds = (await tasksWith([order({ started_at_ns: 2n }), routine])).map((task) => task['kind'])
  expect(kinds).toStrictEqual(['incident', 'work'])
})

test('advice to add capacity first does not contradict what fits', async () => {
  const [add] = await tasksWith([], [prospect('AddCapacity')], [])
  expect(add['advice']).toBe(
    'Add capacity first. It could be placed now, and would leave too little in reserve.',
  )
  const [accept] = await tasksWith([], [prospect('Accept')], [])
  expect(accept['advice']).toBe('Accept. All of it can be placed now.')
})
