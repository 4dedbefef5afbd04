import { describe, expect, test } from 'vitest'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { isOnShift } from '../../../../src/world/simulation/operations/technicians.ts'
import { createWorkOrderRecords } from '../../../../src/world/records/operations/work-orders.ts'
import type { FaultSpec } from '../../../../src/world/simulation/faults/model.ts'
import { day, hour, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import { finishedRetention, finishedMax } from '../../../../src/world/simulation/operations/operations.ts'
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
  test('is diagnosed first, and then its cause is repaired', () => {
    const world = worldAt(10)
    const { fault, incident } = world.injectFault(brokenDisk())
    world.run(4 * hour)
    expect(world.work.state.finished.map(({ kind }) => kind)).toEqual(['Diagnose', 'Replace'])
    expect(world.work.state.finished[1].steps.map(({ kind }) => kind)).toEqual([
      'Assign',
      'Travel',
      'FetchSpare',
      'Swap',
      'Test',
    ])
    expect(fault.ended).toBe(world.work.state.finished[1].resolved)
    expect(incident.workOrderIds).toEqual([1, 2])
    expect(world.state.condition.hostDiskBroken[0]).toBe(0)
  })

  test('shows the work on it in its timeline', () => {
    const world = worldAt(10)
    world.injectFault(brokenDisk())
    world.run(4 * hour)
    expect(world.notes.map(({ what }) => what)).toEqual([
      'WorkStarted',
      'WorkDone',
      'WorkStarted',
      'WorkDone',
    ])
  })

  test('with the cause of another one leads to no second repair', () => {
    const world = worldAt(10)
    const first = world.injectFault(brokenDisk())
    const second = { ...first.incident, id: 77, workOrderIds: [] as number[] }
    world.incidents.set(77, second)
    world.answerDiagnosis(() => first.fault)
    world.requestDiagnosis(second)
    world.run(30 * minute)
    expect(allOrders(world).filter(({ kind }) => kind === 'Replace')).toHaveLength(1)
    // The repair belongs to the incident of its fault, the only one that lists it.
    const repair = allOrders(world).find(({ kind }) => kind === 'Replace')!
    expect(repair.incidentId).toBe(first.incident.id)
    expect(first.incident.workOrderIds).toContain(repair.id)
    expect(second.workOrderIds).not.toContain(repair.id)
  })

  test('that is still open after its repair is diagnosed again', () => {
    const world = worldAt(10)
    const { incident } = world.injectFault(brokenDisk())
    Object.assign(incident, { band: 'Minor' })
    world.answerDiagnosis(() => null)
    world.run(2 * hour + 30 * minute)
    expect(allOrders(world).map(({ kind }) => kind)).toEqual(['Diagnose', 'Diagnose'])
    expect(incident.workOrderIds).toHaveLength(2)
  })

  test('is diagnosed again when another fault joins it', () => {
    const world = worldAt(10)
    const { incident } = world.injectFault(untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }))
    world.run(30 * minute)
    const later = world.faults.inject(brokenDisk(5))
    later.incidentId = incident.id
    world.run(12 * hour)
    expect(later.ended).not.toBeNull()
    expect(
      allOrders(world)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['Diagnose', 'Diagnose', 'Repair', 'Replace'])
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

  test('is not diagnosed again for a fault that turns out to belong elsewhere', () => {
    const world = worldAt(10)
    const { incident } = world.injectFault(untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }))
    world.run(45 * minute)
    const other = world.faults.inject(brokenDisk(5))
    other.incidentId = incident.id
    world.run(2 * minute)
    other.incidentId = null
    world.run(12 * hour)
    expect(allOrders(world).filter(({ kind }) => kind === 'Diagnose')).toHaveLength(1)
  })

  test('tells who continues work that another technician began', () => {
    const world = worldAt(8, 9n)
    while (world.work.dispatcher.inventory.take('ssd', world.state.now)) continue
    world.injectFault(brokenDisk(), 'Watch')
    world.run(2 * hour)
    const [order] = world.work.dispatcher.open
    expect(order.blocking).toBe('NoSpare')
    const { roster } = world.work.dispatcher
    const { name: first } = roster.technician(order.technicianId)
    roster.technician(order.technicianId).order = 999
    world.run(4 * day, () => order.resolved !== null)
    const { name: second } = roster.technician(order.technicianId)
    expect(second).not.toBe(first)
    const text = `${second} took over: ${order.label}.`
    expect(world.notes.map(({ detail }) => detail)).toContain(text)
    const events = world.state.events.state.window.map(({ msg_key: key, msg_args: args }) =>
      messageText(key, args),
    )
    expect(events).toContain(text)
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
    expect(note?.detail).toMatch(/ is already on it: Replace an SSD in .+\.$/)
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
      /^\S+ \S\. stopped: Replace an SSD in \S+ \(no longer needed\)\.$/,
    )
    expect(repair.current).toBe(repair.steps.length)
    expect(repair.steps.every(({ began, ended }) => began !== null && ended !== null)).toBe(true)
  })

  test('drops the step that a canceled repair was waiting for', () => {
    const world = worldAt(8, 9n)
    while (world.work.dispatcher.inventory.take('ssd', world.state.now)) continue
    const { fault } = world.injectFault(brokenDisk(), 'Minor')
    world.run(2 * hour)
    expect(world.work.dispatcher.open.map(({ blocking }) => blocking)).toEqual(['NoSpare'])
    world.faults.repair(fault)
    world.run(2 * minute)
    const repair = world.work.state.finished.at(-1)!
    expect(repair.steps.map(({ kind }) => kind)).toEqual(['Assign', 'Travel'])
    expect(repair.steps.at(-1)!.ended).toBeLessThan(repair.resolved!)
    expect(world.notes.at(-1)!.detail).toMatch(/^Called off: Replace an SSD in \S+ \(no longer needed\)\.$/)
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

describe('steps', () => {
  const kinds: FaultSpec[] = [
    brokenDisk(3),
    untilRepaired('PowerSupplyFailure', { kind: 'Host', row: 4 }),
    untilRepaired('FanFailure', { kind: 'Host', row: 5 }),
    untilRepaired('HostFailure', { kind: 'Host', row: 6 }),
    untilRepaired('HostFailure', { kind: 'Host', row: 7 }),
    untilRepaired('SwitchFailure', { kind: 'Switch', row: 0 }),
    untilRepaired('CableCut', { kind: 'Cable', row: 0 }),
    untilRepaired('CoolingFailure', { kind: 'CoolingUnit', row: 0 }),
    untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }),
    untilRepaired('Misconfiguration', { kind: 'Gateway', row: 0 }),
    untilRepaired('GatewayFailure', { kind: 'Gateway', row: 0 }),
    untilRepaired('TransceiverFailure', { kind: 'Port', row: 0 }, 0.2),
  ]

  test.each([1n, 2n, 3n, 4n, 5n])('of an order do not overlap (seed %s)', (seed) => {
    const world = worldAt(3, seed)
    for (const order of kinds) world.injectFault(order, 'Minor')
    world.run(2 * day)
    const orders = allOrders(world).filter(({ kind }) => kind !== 'Upkeep')
    expect(world.faults.active).toHaveLength(0)
    expect(orders.length).toBeGreaterThanOrEqual(2 * kinds.length)
    for (const order of orders) {
      let at = order.ordered
      for (const step of order.steps) {
        expect(step.began).toBeGreaterThanOrEqual(at)
        expect(step.ended).toBeGreaterThan(step.began!)
        at = step.ended!
      }
      expect(order.began).toBe(order.steps[0].began)
      expect(order.resolved).toBe(at)
    }
  })

  test.each([1n, 2n, 3n])(
    'of manual repairs take between 15 minutes and six hours together (seed %s)',
    (seed) => {
      const world = worldAt(10, seed)
      const hands = kinds.slice(0, 3)
      for (const order of hands) world.injectFault(order)
      world.run(day)
      for (const { ordered, resolved, kind } of world.work.state.finished) {
        if (kind !== 'Replace') continue
        const minutes = (resolved! - ordered) / minute
        expect(minutes).toBeGreaterThan(15)
        expect(minutes).toBeLessThan(360)
      }
    },
  )

  test('drain a host for the work on it, and restore it', () => {
    const world = worldAt(10, 5n)
    for (let row = 0; row < 8; row++) world.injectFault(untilRepaired('HostFailure', { kind: 'Host', row }))
    const { hostMaintenance } = world.state.condition
    let most = 0
    world.run(4 * day, () => {
      most = Math.max(most, ...hostMaintenance)
    })
    expect(most).toBe(1)
    expect([...hostMaintenance].every((out) => out === 0)).toBe(true)
    expect([...world.state.condition.hostBroken].every((broken) => broken === 0)).toBe(true)
  })
})

describe('technicians', () => {
  test('work on one order at a time', () => {
    const world = worldAt(10, 6n)
    for (let row = 0; row < 20; row++) world.injectFault(brokenDisk(row))
    world.run(4 * day, () => {
      const busy = world.work.dispatcher.open.filter(
        ({ isAssigned: inHand, skill }) => inHand && skill !== null,
      )
      const ids = busy.map(({ technicianId: memberId }) => memberId)
      expect(new Set(ids).size).toBe(ids.length)
    })
    expect(world.faults.active).toHaveLength(0)
  })

  test('are assigned to the incident of the higher band first', () => {
    const world = worldAt(10, 7n)
    for (let row = 0; row < 12; row++) world.injectFault(brokenDisk(row), 'Watch')
    world.run(20 * minute)
    const { fault } = world.injectFault(brokenDisk(20), 'Critical')
    world.run(8 * hour)
    const repairs = world.work.state.finished.filter(({ kind }) => kind === 'Replace')
    const place = repairs.findIndex((order) => order.fault === fault)
    expect(place).toBeGreaterThanOrEqual(0)
    expect(place).toBeLessThan(8)
  })

  test('enter a rack one at a time', () => {
    const world = worldAt(10, 8n)
    for (let n = 0; n < 10; n++) world.work.dispatcher.roster.hire('hardware', 0)
    const rack = world.state.topology.racks.hosts.findIndex((hosts) => hosts.length > 3)
    for (const row of world.state.topology.racks.hosts[rack].slice(0, 4)) world.injectFault(brokenDisk(row))
    let waited = false
    world.run(6 * hour, () => {
      const inside = world.work.dispatcher.open.filter(
        (order) =>
          order.rack === rack && order.steps[order.current].kind === 'Swap' && order.stepEnds !== null,
      )
      expect(inside.length).toBeLessThanOrEqual(1)
      waited ||= world.work.dispatcher.open.some(({ blocking }) => blocking === 'WaitingForAccess')
    })
    expect(waited).toBe(true)
    expect(world.faults.active).toHaveLength(0)
  })
})

describe('an order waits for', () => {
  test('a spare part that is out of stock, until it is delivered', () => {
    const world = worldAt(8, 9n)
    const { inventory } = world.work.dispatcher
    while (inventory.take('ssd', world.state.now)) continue
    world.injectFault(brokenDisk(), 'Minor')
    world.run(2 * hour)
    expect(world.work.dispatcher.open.map(({ blocking }) => blocking)).toEqual(['NoSpare'])
    expect(world.state.events.state.window.at(-1)).toMatchObject({ kind: 'WorkBlocked', severity: 'Warning' })
    world.run(3 * day)
    expect(world.faults.active).toHaveLength(0)
  })

  test('a courier, which brings a part for a Critical incident within hours', () => {
    const world = worldAt(8, 9n)
    while (world.work.dispatcher.inventory.take('ssd', world.state.now)) continue
    world.injectFault(brokenDisk(), 'Critical')
    world.run(11 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('a technician with the skill, until the next shift', () => {
    const world = worldAt(0, 10n)
    // No technician is on the night shift.
    const { roster } = world.work.dispatcher
    roster.state.staff.splice(0, roster.staff.length, ...roster.staff.filter(({ shift }) => shift !== 2))
    roster.staff.forEach((technician, index) => Object.assign(technician, { id: index + 1 }))
    world.injectFault(untilRepaired('TransceiverFailure', { kind: 'Port', row: 0 }, 0.2), 'Minor')
    world.run(80 * minute)
    const waiting = world.work.dispatcher.open.filter(({ incidentId }) => incidentId !== null)
    expect(waiting.map(({ blocking }) => blocking)).toEqual(['NobodyOnShift'])
    world.run(8 * hour)
    expect(world.faults.active).toHaveLength(0)
    // The work takes minutes, regardless of the wait.
    const [order] = waiting
    expect(order.began! - order.ordered).toBeGreaterThan(hour)
    const minutes = Math.round((order.resolved! - order.began!) / minute)
    const note = world.notes.find(({ what, detail }) => what === 'WorkDone' && detail.includes(order.label))
    expect(note?.detail).toContain(` finished after ${minutes} min: `)
  })

  test('a technician who is called out for a Critical incident', () => {
    const world = worldAt(0, 10n)
    const { roster } = world.work.dispatcher
    roster.state.staff.splice(0, roster.staff.length, ...roster.staff.filter(({ shift }) => shift !== 2))
    roster.staff.forEach((technician, index) => Object.assign(technician, { id: index + 1 }))
    world.injectFault(untilRepaired('TransceiverFailure', { kind: 'Port', row: 0 }, 0.2), 'Critical')
    world.run(4 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('a technician only briefly, if a zone depends on the other device of a pair', () => {
    const world = worldAt(0, 10n)
    const { roster } = world.work.dispatcher
    roster.state.staff.splice(0, roster.staff.length, ...roster.staff.filter(({ shift }) => shift !== 2))
    roster.staff.forEach((technician, index) => Object.assign(technician, { id: index + 1 }))
    const row = world.state.topology.switches.role.indexOf('core')
    world.injectFault(untilRepaired('SwitchFailure', { kind: 'Switch', row }), 'Watch')
    world.run(4 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('the supplier of a power feed', () => {
    const world = worldAt(10, 11n)
    world.injectFault(untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }), 'Critical')
    const seen = new Set<string | null>()
    world.run(8 * hour, () => {
      for (const { blocking } of world.work.dispatcher.open) seen.add(blocking)
    })
    expect(seen).toContain('WaitingForVendor')
    expect(world.faults.active).toHaveLength(0)
  })

  test("a customer's escort to its own hosts", () => {
    const world = worldAt(10, 12n)
    world.addTenant({ dedicatedHosts: true, compliance: 'HIPAA' })
    world.injectFault(brokenDisk(0))
    const seen = new Set<string | null>()
    world.run(4 * hour, () => {
      for (const { blocking } of world.work.dispatcher.open) seen.add(blocking)
    })
    expect(seen).toContain('WaitingForAccess')
    expect(world.faults.active).toHaveLength(0)
  })
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

  test('worn disks are renewed before they break, at night', () => {
    const world = worldAt(8)
    world.state.condition.hostWear.fill(0)
    world.state.condition.hostWear[2] = 0.9
    world.run(12 * hour)
    expect(allOrders(world).filter(({ target }) => target?.kind === 'Host')).toHaveLength(0)
    world.run(2 * day)
    const upkeep = allOrders(world).find(({ target }) => target?.kind === 'Host' && target.row === 2)!
    expect(upkeep.label).toMatch(/^Renew the worn SSDs of .* \(90 % worn\)$/)
    expect((upkeep.began! / hour) % 24 >= 22 || (upkeep.began! / hour) % 24 < 6).toBe(true)
    expect(world.state.condition.hostWear[2]).toBe(0)
  })

  test('costs include wages of the shift, and spare parts averaged over the day', () => {
    const world = worldAt(10)
    world.run(2 * hour)
    const byDay = world.work.costPerHour
    expect(byDay).toBeGreaterThan(2)
    world.work.dispatcher.inventory.take('gateway', world.state.now)
    world.run(hour)
    expect(world.work.costPerHour).toBeGreaterThan(byDay + 50)
  })
})

test.each(['small', 'medium', 'large'])(
  'technicians are on shift by day, in the evening, and a few at night (%s)',
  (scale) => {
    const { work } = createQuietWorld(1n, scale as 'small')
    const week = (clock: number): number =>
      [0, 1, 2, 3, 4, 5, 6].reduce((sum, n) => sum + work.staffOnShift(monday(clock) + n * day), 0)
    expect(week(10)).toBeGreaterThanOrEqual(week(18))
    expect(week(18)).toBeGreaterThan(week(2))
    expect(week(18)).toBeGreaterThanOrEqual(2 * 7)
    expect(week(2)).toBeGreaterThan(0)
  },
)

test('who finishes work after the end of a shift counts as on shift', () => {
  const { work } = createQuietWorld(1n, 'small')
  const { roster } = work.dispatcher
  const night = monday(2)
  const before = work.staffOnShift(night)
  const off = roster.staff.find((technician) => !isOnShift(technician, night))!
  off.order = 1
  expect(work.staffOnShift(night)).toBe(before + 1)
})

describe('records', () => {
  test('keep finished orders for two days, the newest 500 of them', () => {
    const world = worldAt(10)
    world.addTenant()
    for (let n = 0; n < 20; n++) world.work.dispatcher.roster.addAutomationSlot()
    for (let n = 0; n < 700; n++) world.work.orderOnboarding(1, 1)
    const records = createWorkOrderRecords(world.work)
    let most = 0
    world.run(day, () => {
      most = Math.max(most, world.work.state.finished.length)
    })
    expect(most).toBe(finishedMax)
    world.run(finishedRetention)
    records.update()
    expect(records.workOrders.filter(({ kind }) => kind === 'Onboarding')).toHaveLength(0)
    const ids = records.workOrders.map(({ id }) => Number(id))
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  })

  test('stay the same objects and follow the order', () => {
    const world = worldAt(10)
    world.injectFault(brokenDisk())
    const records = createWorkOrderRecords(world.work)
    world.run(stepLength)
    records.update()
    const [first] = records.workOrders
    expect(first).toMatchObject({
      id: 1,
      kind: 'Diagnose',
      resolved_at_ns: null,
      current_step: 0,
    })
    world.run(hour)
    records.update()
    expect(records.workOrders[0]).toBe(first)
    expect(first.resolved_at_ns).toBe(BigInt(world.work.state.finished[0].resolved!) * 1000n)
    expect(first.current_step).toBe(first.steps.length)
    expect(first.steps[0].actual_duration_ns).toBe(
      (first.steps[0].completed_at_ns as bigint) - (first.steps[0].started_at_ns as bigint),
    )
  })

  test('are the same for the same seed', () => {
    const text = (seed: bigint): string => {
      const world = worldAt(3, seed)
      for (let row = 0; row < 10; row++) world.injectFault(brokenDisk(row))
      world.run(day)
      const records = createWorkOrderRecords(world.work)
      records.update()
      return JSON.stringify(records.workOrders, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    }
    expect(text(21n)).toBe(text(21n))
    expect(text(21n)).not.toBe(text(22n))
  })
})
