import { describe, expect, test } from 'vitest'
import { createWorkOrderRecords } from '../../../src/simulation/records/work-orders.ts'
import type { FaultOrder } from '../../../src/simulation/state.ts'
import { day, hour, minute } from '../../../src/simulation/time.ts'
import { finishedKeptFor, finishedKeptMost } from '../../../src/simulation/work/desk.ts'
import type { Order } from '../../../src/simulation/work/orders.ts'
import { type StillWorld, stillWorld } from '../still-world.ts'

const untilRepaired = (
  kind: FaultOrder['kind'],
  target: FaultOrder['target'],
  magnitude = 1,
): FaultOrder => ({
  kind,
  target,
  magnitude,
  lasts: null,
})
const brokenDisk = (row = 0): FaultOrder => untilRepaired('DiskFailure', { kind: 'Host', row })
const allOrders = ({ orders }: StillWorld): Order[] => [...orders.values()]
const monday = (clock: number): number => 7 * day + clock * hour

function worldAt(clock: number, seed = 1n): StillWorld {
  const world = stillWorld(seed)
  world.state.now = monday(clock)
  world.state.tick = world.state.now / 10_000_000
  return world
}

describe('an incident', () => {
  test('is looked into first, and then its true cause is repaired', () => {
    const world = worldAt(10)
    const { fault, incident } = world.breakDown(brokenDisk())
    world.run(4 * hour)
    expect(world.work.finished.map(({ kind }) => kind)).toEqual(['Diagnose', 'Replace'])
    expect(world.work.finished[1].steps.map(({ kind }) => kind)).toEqual([
      'Assign',
      'Travel',
      'FetchSpare',
      'Swap',
      'Test',
    ])
    expect(fault.ended).toBe(world.work.finished[1].resolved)
    expect(incident.workOrderIds).toEqual([1, 2])
    expect(world.state.condition.hostDiskBroken[0]).toBe(0)
  })

  test('reads in its timeline what was done for it', () => {
    const world = worldAt(10)
    world.breakDown(brokenDisk())
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
    const first = world.breakDown(brokenDisk())
    const second = { ...first.incident, id: 77, workOrderIds: [] as number[] }
    world.incidents.set(77, second)
    world.faults.connect({ diagnose: () => first.fault, noteWork: () => {} })
    second.workOrderIds.push(world.work.orderForIncident(second))
    world.run(30 * minute)
    expect(allOrders(world).filter(({ kind }) => kind === 'Replace')).toHaveLength(1)
    expect(second.workOrderIds.at(-1)).toBe(first.incident.workOrderIds.at(-1))
  })

  test('that is still open when its work is done is looked into again', () => {
    const world = worldAt(10)
    const { incident } = world.breakDown(brokenDisk())
    world.faults.connect({ diagnose: () => null, noteWork: () => {} })
    world.run(2 * hour + 30 * minute)
    expect(allOrders(world).map(({ kind }) => kind)).toEqual(['Diagnose', 'Diagnose'])
    expect(incident.workOrderIds).toHaveLength(2)
  })

  test('is looked into again when something else breaks there', () => {
    const world = worldAt(10)
    const { incident } = world.breakDown(untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }))
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

  test('brings no work on a rush on somebody else, which nobody has seen yet', () => {
    const world = worldAt(10)
    const { incident } = world.breakDown(brokenDisk())
    const rush = world.faults.inject(untilRepaired('DemandSurge', { kind: 'Customer', id: 3 }, 2))
    rush.incidentId = incident.id
    world.run(4 * hour)
    expect(world.work.finished.map(({ kind }) => kind)).toEqual(['Diagnose', 'Replace'])
    expect(rush.ended).toBeNull()
  })

  test('brings work on a rush whose customer feels it', () => {
    const world = worldAt(10)
    const tenant = world.serve({ failing: 0.2 })
    const { incident } = world.breakDown(brokenDisk())
    const rush = world.faults.inject(untilRepaired('DemandSurge', { kind: 'Customer', id: tenant.id }, 2))
    rush.incidentId = incident.id
    world.run(4 * hour)
    expect(rush.ended).not.toBeNull()
  })

  test('whose fault shows up as another incident takes the repair along', () => {
    const world = worldAt(10)
    const { fault, incident } = world.breakDown(brokenDisk())
    world.run(20 * minute)
    const [repair] = world.work.floor.open
    expect(repair.kind).toBe('Replace')
    const next = { ...incident, id: 77, workOrderIds: [] as number[] }
    world.incidents.set(77, next)
    fault.incidentId = 77
    world.run(2 * minute)
    expect(repair.incidentId).toBe(77)
    expect(next.workOrderIds).toEqual([repair.id])
    const records = createWorkOrderRecords(world.work)
    records.update()
    expect(records.workOrders.find(({ id }) => id === repair.id)!.incident_id).toBe(77)
    const told = world.notes.find(({ incidentId }) => incidentId === 77)
    expect(told?.detail).toMatch(/ is at it: Replace the SSD of .+\.$/)
  })

  test('whose fault ends by itself has its repair called off', () => {
    const world = worldAt(10)
    const { fault } = world.breakDown(brokenDisk())
    world.run(30 * minute)
    world.faults.repair(fault)
    world.run(2 * minute)
    const [, repair] = world.work.finished
    expect(repair.label).toMatch(/^Replace the SSD of .*, called off$/)
    expect(repair.current).toBe(repair.steps.length)
    expect(repair.steps.every(({ began, ended }) => began !== null && ended !== null)).toBe(true)
  })

  test('whose repair is called off while it waits ends with the step that it waited for', () => {
    const world = worldAt(8, 9n)
    while (world.work.floor.shelf.take('ssd', world.state.now)) continue
    const { fault } = world.breakDown(brokenDisk(), 'Minor')
    world.run(2 * hour)
    expect(world.work.floor.open.map(({ blocking }) => blocking)).toEqual(['NoSpare'])
    world.faults.repair(fault)
    world.run(2 * minute)
    const repair = world.work.finished.at(-1)!
    expect(repair.steps.map(({ kind }) => kind)).toEqual(['Assign', 'Travel', 'FetchSpare'])
    expect(repair.steps.at(-1)!.ended).toBe(repair.resolved)
  })

  test('whose cause is not where it was suspected is followed further by whoever looks into it', () => {
    const world = worldAt(10)
    const { fault, incident } = world.breakDown(brokenDisk())
    const asked: unknown[] = []
    world.faults.connect({
      diagnose(_, from) {
        asked.push(from)
        return from === null ? fault : 'elsewhere'
      },
      noteWork: () => {},
    })
    const records = createWorkOrderRecords(world.work)
    records.update()
    world.run(hour)
    records.update()
    const [diagnosis] = records.workOrders
    expect(asked).toEqual([fault.target, null])
    expect(diagnosis.steps.map(({ kind }) => kind)).toEqual(['Inspect', 'Inspect'])
    expect(diagnosis.steps[1].detail).toBe(
      'Nothing is wrong there: follow the requests that fail, hop by hop',
    )
    expect(diagnosis.steps[1].completed_at_ns).toBe(diagnosis.resolved_at_ns)
    expect(incident.workOrderIds).toHaveLength(2)
  })
})

describe('steps', () => {
  const kinds: FaultOrder[] = [
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

  test.each([1n, 2n, 3n, 4n, 5n])('of all orders follow each other in time (seed %s)', (seed) => {
    const world = worldAt(3, seed)
    for (const order of kinds) world.breakDown(order, 'Minor')
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

  test.each([1n, 2n, 3n])('of repairs by hand take from a quarter to six hours in all (seed %s)', (seed) => {
    const world = worldAt(10, seed)
    const hands = kinds.slice(0, 3)
    for (const order of hands) world.breakDown(order)
    world.run(day)
    for (const { ordered, resolved, kind } of world.work.finished) {
      if (kind !== 'Replace') continue
      const minutes = (resolved! - ordered) / minute
      expect(minutes).toBeGreaterThan(15)
      expect(minutes).toBeLessThan(360)
    }
  })

  test('take a host out of service while it is worked on, and put it back', () => {
    const world = worldAt(10, 5n)
    for (let row = 0; row < 8; row++) world.breakDown(untilRepaired('HostFailure', { kind: 'Host', row }))
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

describe('hands', () => {
  test('are on one order at a time', () => {
    const world = worldAt(10, 6n)
    for (let row = 0; row < 20; row++) world.breakDown(brokenDisk(row))
    world.run(4 * day, () => {
      const busy = world.work.floor.open.filter(({ inHand, skill }) => inHand && skill !== null)
      const ids = busy.map(({ memberId }) => memberId)
      expect(new Set(ids).size).toBe(ids.length)
    })
    expect(world.faults.active).toHaveLength(0)
  })

  test('serve the graver incident first', () => {
    const world = worldAt(10, 7n)
    for (let row = 0; row < 12; row++) world.breakDown(brokenDisk(row), 'Watch')
    world.run(20 * minute)
    const { fault } = world.breakDown(brokenDisk(20), 'Critical')
    world.run(8 * hour)
    const repairs = world.work.finished.filter(({ kind }) => kind === 'Replace')
    const place = repairs.findIndex((order) => order.fault === fault)
    expect(place).toBeGreaterThanOrEqual(0)
    expect(place).toBeLessThan(8)
  })

  test('work in a rack one at a time', () => {
    const world = worldAt(10, 8n)
    for (let n = 0; n < 10; n++) world.work.floor.crew.hireOneMore('hardware')
    const rack = world.state.plant.racks.hosts.findIndex((hosts) => hosts.length > 3)
    for (const row of world.state.plant.racks.hosts[rack].slice(0, 4)) world.breakDown(brokenDisk(row))
    let waited = false
    world.run(6 * hour, () => {
      const inside = world.work.floor.open.filter(
        (order) =>
          order.rack === rack && order.steps[order.current].kind === 'Swap' && order.stepEnds !== null,
      )
      expect(inside.length).toBeLessThanOrEqual(1)
      waited ||= world.work.floor.open.some(({ blocking }) => blocking === 'WaitingForAccess')
    })
    expect(waited).toBe(true)
    expect(world.faults.active).toHaveLength(0)
  })
})

describe('what keeps an order waiting', () => {
  test('a shelf without the spare part, until it is delivered', () => {
    const world = worldAt(8, 9n)
    const { shelf } = world.work.floor
    while (shelf.take('ssd', world.state.now)) continue
    world.breakDown(brokenDisk(), 'Minor')
    world.run(2 * hour)
    expect(world.work.floor.open.map(({ blocking }) => blocking)).toEqual(['NoSpare'])
    expect(world.state.events.window.at(-1)).toMatchObject({ kind: 'WorkBlocked', severity: 'Warning' })
    world.run(3 * day)
    expect(world.faults.active).toHaveLength(0)
  })

  test('a courier brings a part that a Critical incident waits for within hours', () => {
    const world = worldAt(8, 9n)
    while (world.work.floor.shelf.take('ssd', world.state.now)) continue
    world.breakDown(brokenDisk(), 'Critical')
    world.run(11 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('a night without anybody who knows how, until somebody comes', () => {
    const world = worldAt(0, 10n)
    // Everybody who could do it is busy elsewhere for the night.
    const { crew } = world.work.floor
    crew.staff.splice(0, crew.staff.length, ...crew.staff.filter(({ shift }) => shift !== 2))
    crew.staff.forEach((member, index) => Object.assign(member, { id: index + 1 }))
    world.breakDown(untilRepaired('TransceiverFailure', { kind: 'Port', row: 0 }, 0.2), 'Minor')
    world.run(80 * minute)
    const waiting = world.work.floor.open.filter(({ incidentId }) => incidentId !== null)
    expect(waiting.map(({ blocking }) => blocking)).toEqual(['NobodyOnShift'])
    world.run(8 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('for a Critical incident somebody is called in from home', () => {
    const world = worldAt(0, 10n)
    const { crew } = world.work.floor
    crew.staff.splice(0, crew.staff.length, ...crew.staff.filter(({ shift }) => shift !== 2))
    crew.staff.forEach((member, index) => Object.assign(member, { id: index + 1 }))
    world.breakDown(untilRepaired('TransceiverFailure', { kind: 'Port', row: 0 }, 0.2), 'Critical')
    world.run(4 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('nothing for long, where a whole zone runs on the other one of a pair', () => {
    const world = worldAt(0, 10n)
    const { crew } = world.work.floor
    crew.staff.splice(0, crew.staff.length, ...crew.staff.filter(({ shift }) => shift !== 2))
    crew.staff.forEach((member, index) => Object.assign(member, { id: index + 1 }))
    const row = world.state.plant.switches.role.indexOf('core')
    world.breakDown(untilRepaired('SwitchFailure', { kind: 'Switch', row }), 'Watch')
    world.run(4 * hour)
    expect(world.faults.active).toHaveLength(0)
  })

  test('the supplier of a power feed', () => {
    const world = worldAt(10, 11n)
    world.breakDown(untilRepaired('PowerFeedLoss', { kind: 'PowerFeed', row: 0 }), 'Critical')
    const seen = new Set<string | null>()
    world.run(8 * hour, () => {
      for (const { blocking } of world.work.floor.open) seen.add(blocking)
    })
    expect(seen).toContain('WaitingForVendor')
    expect(world.faults.active).toHaveLength(0)
  })

  test("a customer's escort to its own hosts", () => {
    const world = worldAt(10, 12n)
    world.serve({ dedicatedHosts: true, compliance: 'HIPAA' })
    world.breakDown(brokenDisk(0))
    const seen = new Set<string | null>()
    world.run(4 * hour, () => {
      for (const { blocking } of world.work.floor.open) seen.add(blocking)
    })
    expect(seen).toContain('WaitingForAccess')
    expect(world.faults.active).toHaveLength(0)
  })
})

describe('other work', () => {
  test('onboarding ends with the customer going live', () => {
    const world = worldAt(10)
    const tenant = world.serve({ lifecycle: 'Onboarding' })
    world.work.orderOnboarding(tenant.id, 12)
    world.run(2 * hour)
    expect(world.live).toEqual([tenant.id])
    expect(world.work.finished[0].steps.map(({ kind }) => kind)).toEqual(['Configure', 'Provision', 'Test'])
  })

  test('onboarding of a customer that has left is called off', () => {
    const world = worldAt(10)
    world.work.orderOnboarding(999, 12)
    world.run(2 * hour)
    expect(world.live).toEqual([])
    expect(world.work.finished[0].label).toBe('Bring customer 999 on board, called off')
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

  test('costs wages by the shift and spare parts by the day', () => {
    const world = worldAt(10)
    world.run(2 * hour)
    const byDay = world.work.costPerHour
    expect(byDay).toBeGreaterThan(10)
    world.work.floor.shelf.take('gateway', world.state.now)
    world.run(hour)
    expect(world.work.costPerHour).toBeGreaterThan(byDay + 50)
  })
})

test.each(['small', 'medium', 'large'])(
  'people work by day, in the evening, and a few at night (%s)',
  (scale) => {
    const { work } = stillWorld(1n, scale as 'small')
    const week = (clock: number): number =>
      [0, 1, 2, 3, 4, 5, 6].reduce((sum, n) => sum + work.staffOnShift(monday(clock) + n * day), 0)
    expect(week(10)).toBeGreaterThanOrEqual(week(18))
    expect(week(18)).toBeGreaterThan(week(2))
    expect(week(18)).toBeGreaterThanOrEqual(2 * 7)
    expect(week(2)).toBeGreaterThan(0)
  },
)

describe('records', () => {
  test('keep finished orders for two days, the newest 500 of them', () => {
    const world = worldAt(10)
    world.serve()
    for (let n = 0; n < 20; n++) world.work.floor.crew.addSlot()
    for (let n = 0; n < 700; n++) world.work.orderOnboarding(1, 1)
    const records = createWorkOrderRecords(world.work)
    let most = 0
    world.run(day, () => {
      most = Math.max(most, world.work.finished.length)
    })
    expect(most).toBe(finishedKeptMost)
    world.run(finishedKeptFor)
    records.update()
    expect(records.workOrders.filter(({ kind }) => kind === 'Onboarding')).toHaveLength(0)
    const ids = records.workOrders.map(({ id }) => Number(id))
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  })

  test('stay the same objects and follow the order', () => {
    const world = worldAt(10)
    world.breakDown(brokenDisk())
    const records = createWorkOrderRecords(world.work)
    records.update()
    const [first] = records.workOrders
    expect(first).toMatchObject({
      id: 1,
      kind: 'Diagnose',
      started_at_ns: null,
      resolved_at_ns: null,
      current_step: 0,
    })
    world.run(hour)
    records.update()
    expect(records.workOrders[0]).toBe(first)
    expect(first.resolved_at_ns).toBe(BigInt(world.work.finished[0].resolved!) * 1000n)
    expect(first.current_step).toBe(first.steps.length)
    expect(first.steps[0].actual_duration_ns).toBe(
      (first.steps[0].completed_at_ns as bigint) - (first.steps[0].started_at_ns as bigint),
    )
  })

  test('are the same for the same seed', () => {
    const text = (seed: bigint): string => {
      const world = worldAt(3, seed)
      for (let row = 0; row < 10; row++) world.breakDown(brokenDisk(row))
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
