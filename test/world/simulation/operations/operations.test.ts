import { describe, expect, test } from 'vitest'
import { createWorkOrderRecords } from '../../../../src/world/records/operations/work-orders.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { WorkOrder } from '../../../../src/world/simulation/operations/work-order.ts'
import { createQuietWorld } from '../quiet-world.ts'
import type { QuietWorld } from '../quiet-world.ts'

const untilRepaired = (kind: FaultSpec['kind'], target: FaultSpec['target'], magnitude = 1): FaultSpec => ({
  kind,
  target,
  magnitude,
  lasts: null,
})
const brokenDisk = (row = 0): FaultSpec => untilRepaired('DiskFailure', { kind: 'Host', row })
const allOrders = ({ orders }: QuietWorld): WorkOrder[] => [...orders.values()]
const monday = (clock: number): number => 7 * day + clock * hour

function worldAt(clock: number, seed = 1n): QuietWorld {
  const world = createQuietWorld(seed)
  world.state.now = monday(clock)
  world.state.tick = world.state.now / 10_000_000
  return world
}

describe('an incident', () => {
  test('shows the work on it in its timeline', () => {
    const world = worldAt(10)
    world.injectFault(brokenDisk())
    world.run(4 * hour)
    expect(world.notes.map(({ what }) => what)).toEqual(
      'WorkStarted WorkDone WorkStarted WorkStarted WorkStarted WorkDone'.split(' '),
    )
    expect(world.notes.at(-3)!.detail).toMatch(
      / is on the way: Replace an SSD in .+\. On site at about 10:\d\d\.$/,
    )
  })

  test('at a cooling unit that leaks and then stops takes one visit, which mends both', () => {
    const world = worldAt(10)
    const target = { kind: 'CoolingUnit', row: 0 } as const
    const leak = world.faults.inject(untilRepaired('CoolingFailure', target, 0.5))
    const { fault, incident } = world.injectFault(untilRepaired('CoolingFailure', target))
    leak.incidentId = incident.id
    world.run(12 * hour)
    expect(allOrders(world).map(({ kind }) => kind)).toEqual(['Diagnose', 'Repair'])
    expect(fault.ended).not.toBeNull()
    expect(leak.ended).toBe(fault.ended)
  })

  test('whose host has lost two SSDs has two orders that read differently', () => {
    const world = worldAt(10)
    const { incident } = world.injectFault(brokenDisk())
    world.faults.inject(brokenDisk()).incidentId = incident.id
    world.run(20 * minute)
    expect(world.work.dispatcher.open.map(({ label }) => label)).toEqual([
      'Replace an SSD in whm-a-b01-u01',
      'Replace a second SSD in whm-a-b01-u01',
    ])
    const started = world.notes.filter(({ detail }) => / started: Replace /.test(detail))
    expect(started.map(({ repaired }) => repaired)).toEqual([[1], [2]])
  })

  test('orders no work for a surge of another customer that is not visible yet', () => {
    const world = worldAt(10)
    const { incident } = world.injectFault(brokenDisk())
    const rush = world.faults.inject(untilRepaired('DemandSurge', { kind: 'Customer', id: 3 }, 2))
    rush.incidentId = incident.id
    world.run(4 * hour)
    expect(world.work.state.finished.map(({ kind }) => kind)).toEqual(['Diagnose', 'Replace'])
    expect(rush.ended).toBeNull()
  })

  test('orders work for a surge whose customer is affected', () => {
    const world = worldAt(10)
    const tenant = world.addTenant({ failing: 0.2 })
    const { incident } = world.injectFault(brokenDisk())
    const rush = world.faults.inject(untilRepaired('DemandSurge', { kind: 'Customer', id: tenant.id }, 2))
    rush.incidentId = incident.id
    world.run(4 * hour)
    expect(rush.ended).not.toBeNull()
  })

  test('passes the repair on when its fault causes another incident', () => {
    const world = worldAt(10)
    const { fault, incident } = world.injectFault(brokenDisk())
    world.run(20 * minute)
    const [repair] = world.work.dispatcher.open
    expect(repair.kind).toBe('Replace')
    const next = { ...incident, id: 77, workOrderIds: [] as number[] }
    world.incidents.set(77, next)
    fault.incidentId = 77
    world.run(2 * minute)
    expect(repair.incidentId).toBe(77)
    expect(next.workOrderIds).toEqual([repair.id])
    expect(incident.workOrderIds).not.toContain(repair.id)
    const records = createWorkOrderRecords(world.work)
    records.update()
    expect(records.workOrders.find(({ id }) => id === repair.id)!.incident_id).toBe(77)
    const note = world.notes.find(({ incidentId }) => incidentId === 77)
    expect(note?.detail).toMatch(/ is already on it: Replace an SSD in .+\. On site at about 10:\d\d\.$/)
  })

  test('tells that incident what a repair waits for, instead of who is on it', () => {
    const world = worldAt(10)
    const { inventory } = world.work.dispatcher
    while (inventory.take('ssd', world.state.now)) continue
    const { fault, incident } = world.injectFault(brokenDisk())
    world.run(40 * minute)
    const [{ blocking }] = world.work.dispatcher.open
    expect(blocking).toBe('NoSpare')
    world.incidents.set(77, { ...incident, id: 77, workOrderIds: [] as number[] })
    fault.incidentId = 77
    world.run(2 * minute)
    const note = world.notes.find(({ incidentId }) => incidentId === 77)
    expect(note).toMatchObject({ what: 'WorkBlocked' })
    expect(note?.detail).toMatch(/^On hold because no spare part is in stock: Replace an SSD in /)
  })

  test('whose fault ends by itself has its repair canceled', () => {
    const world = worldAt(10)
    const { fault } = world.injectFault(brokenDisk())
    world.run(30 * minute)
    world.faults.repair(fault)
    world.run(2 * minute)
    const [, repair] = world.work.state.finished
    expect(repair.label).toMatch(/^Replace an SSD in .*, called off$/)
    expect(world.notes.at(-1)!.detail).toMatch(
      /^\S+ \S\. was called off: Replace an SSD in \S+ \(no longer needed\)\.$/,
    )
    expect(repair.current).toBe(repair.steps.length)
    expect(repair.steps.every(({ began, ended }) => began !== null && ended !== null)).toBe(true)
  })

  test('that is over before its order is taken leaves one without a step', () => {
    const world = worldAt(10)
    const { roster } = world.work.dispatcher
    for (const technician of roster.staff) technician.order = 999
    roster.state.automationSlotsFree = 0
    const { fault, incident } = world.injectFault(brokenDisk(), 'Minor')
    world.run(2 * minute)
    const [diagnosis] = world.work.dispatcher.open
    world.faults.repair(fault)
    world.run(2 * minute)
    expect(diagnosis).toMatchObject({ kind: 'Diagnose', steps: [], current: 0, began: null, technicianId: 0 })
    expect(diagnosis.resolved).not.toBeNull()
    const records = createWorkOrderRecords(world.work)
    records.update()
    expect(records.workOrders.find(({ id }) => id === diagnosis.id)).toMatchObject({
      started_at_ns: null,
      actor_staff_id: null,
      current_step: 0,
      steps: [],
    })
    expect(world.notes.at(-1)).toMatchObject({ incidentId: incident.id, what: 'WorkCalledOff' })
    expect(world.notes.at(-1)!.detail).toMatch(/^Called off: Diagnose .+ \(no longer needed\)\.$/)
  })

  test('whose suspect is intact is traced further by the same technician', () => {
    const world = worldAt(10)
    const { fault, incident } = world.injectFault(brokenDisk())
    const asked: unknown[] = []
    world.answerDiagnosis((_, from) => {
      asked.push(from)
      return from === null ? fault : 'elsewhere'
    })
    const records = createWorkOrderRecords(world.work)
    records.update()
    world.run(hour)
    records.update()
    const [diagnosis] = records.workOrders
    expect(asked).toEqual([fault.target, null])
    expect(diagnosis.steps.map(({ kind }) => kind)).toEqual(['Inspect', 'Inspect'])
    expect(diagnosis.steps[1].detail).toBe('No fault found there: trace failing requests hop by hop')
    expect(diagnosis.steps[1].completed_at_ns).toBe(diagnosis.resolved_at_ns)
    expect(incident.workOrderIds).toHaveLength(2)
  })
})

test('a diagnosis moves to the incident that continues its own, and does not begin again', () => {
  const world = worldAt(10)
  const { fault, incident } = world.injectFault(untilRepaired('SwitchFailure', { kind: 'Switch', row: 0 }))
  world.run(minute)
  const heir = { ...incident, id: 2, workOrderIds: [] }
  world.incidents.delete(incident.id)
  world.incidents.set(heir.id, heir)
  fault.incidentId = heir.id
  world.requestDiagnosis(heir)
  world.run(minute)
  expect(allOrders(world).map(({ kind, incidentId }) => [kind, incidentId])).toEqual([['Diagnose', 2]])
  expect(heir.workOrderIds).toEqual([1])
  expect(world.notes.at(-1)).toMatchObject({ incidentId: 2, what: 'WorkStarted' })
  expect(world.notes.at(-1)!.detail).toMatch(/ is already on it: Diagnose "Something fails"\./)
})

describe('other work', () => {
  test('onboarding ends with the customer going live', () => {
    const world = worldAt(10)
    const tenant = world.addTenant({ lifecycle: 'Onboarding' })
    world.work.orderOnboarding(tenant.id, 12)
    world.run(2 * hour)
    expect(world.live).toEqual([tenant.id])
    expect(world.work.state.finished[0].steps.map(({ kind }) => kind)).toEqual([
      'Configure',
      'Provision',
      'Test',
    ])
  })

  test('onboarding of a customer that has left is canceled', () => {
    const world = worldAt(10)
    world.work.orderOnboarding(999, 12)
    world.run(2 * hour)
    expect(world.live).toEqual([])
    expect(world.work.state.finished[0].label).toBe('Onboard customer 999, called off')
  })
})
