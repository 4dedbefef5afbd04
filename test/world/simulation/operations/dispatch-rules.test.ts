import { describe, expect, test } from 'vitest'
import { Dispatcher } from '../../../../src/world/simulation/operations/dispatcher.ts'
import { isMaintenanceWindow } from '../../../../src/world/simulation/operations/priority.ts'
import type { Technician } from '../../../../src/world/simulation/operations/technicians.ts'
import type { Skill } from '../../../../src/world/simulation/work/plans.ts'
import { skills } from '../../../../src/world/simulation/work/plans.ts'
import type { WorkOrder, WorkOrderContext } from '../../../../src/world/simulation/operations/work-order.ts'
import { createWorkOrder } from '../../../../src/world/simulation/operations/work-order.ts'
import type { PlannedStep, WorkPlan } from '../../../../src/world/simulation/work/plans.ts'
import { day, hour, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import { FixedStream } from '../fixed-stream.ts'
import { createQuietWorld } from '../quiet-world.ts'

const monday = 7 * day

interface DispatchFixture {
  readonly dispatcher: Dispatcher
  readonly calls: string[]
  /** Adds an order with one step of 10 minutes, or with other steps. */
  add(about?: Partial<WorkOrderContext>, plan?: Partial<WorkPlan>): WorkOrder
  /** Runs until a given time; returns the first time at which the condition held, in minutes from the beginning. */
  until(span: number, isDone?: () => boolean): number | null
  now(): number
}

/** A dispatcher at an hour of a Monday, with these technicians; every draw returns the middle of its range. */
function dispatcherAt(
  clock: number,
  staff: readonly Partial<Technician>[] = [{}],
  draw = 0.5,
): DispatchFixture {
  const { state } = createQuietWorld(1n, 8)
  const random = { stream: () => new FixedStream(draw) }
  const world = Object.create(state, { random: { value: random } }) as typeof state
  const calls: string[] = []
  const note = (what: string) => (order: WorkOrder) => void calls.push(`${what} ${order.id}`)
  const dispatcher = new Dispatcher(world, {
    taken: (order, how) => note(how.replace('event.work-', ''))(order),
    travels: note('travels to'),
    interrupted: note('interrupted'),
    blocked: note('blocked'),
    stepDone: note('step of'),
    finished: note('finished'),
  })
  const { roster } = dispatcher
  const [model] = roster.staff
  const named = staff.map((one, index) => ({
    ...model,
    skill: 'hardware' as const,
    secondSkill: null,
    shift: 0,
    dayOff: 4,
    region: state.topology.zones[0].region,
    zone: 0,
    ...one,
    id: index + 1,
  }))
  roster.state.staff.splice(0, Infinity, ...named)
  const from = monday + clock * hour
  state.now = from
  let lastId = 0
  return {
    dispatcher,
    calls,
    now: () => state.now,
    add(about = {}, plan = {}) {
      const steps: PlannedStep[] = [{ kind: 'Swap', detail: 'Swap it', minutes: 10 }]
      const whole: WorkPlan = {
        kind: 'Replace',
        label: 'Work',
        skill: 'hardware',
        onSite: true,
        steps,
        ...plan,
      }
      const context = { target: null, zone: 0, rack: -1, incidentId: null, fault: null, customerId: null }
      const order = createWorkOrder(++lastId, state.now, whole, {
        ...context,
        hasWideReach: false,
        priority: 2,
        ...about,
      })
      dispatcher.add(order)
      return order
    },
    until(span, isDone = () => false) {
      for (const end = state.now + span; state.now < end; state.now += stepLength) {
        dispatcher.step()
        if (isDone()) return (state.now - from) / minute
      }
      return null
    },
  }
}

const spareStep = {
  kind: 'FetchSpare',
  detail: 'Fetch an SSD',
  minutes: 10,
  needs: { kind: 'Spare', part: 'ssd' },
} as const
const accessStep = { kind: 'Swap', detail: 'Swap it', minutes: 10, needs: { kind: 'Access' } } as const

test.each([
  [0, 0],
  [1, 0],
  [2, 60],
  [3, 300],
  [4, null],
  [5, null],
])('for priority %i a courier brings a missing part after %s minutes', (priority, minutes) => {
  const fixture = dispatcherAt(7)
  fixture.dispatcher.inventory.state.stock.set('ssd', 0)
  const order = fixture.add({ priority }, { steps: [spareStep] })
  if (priority === 5) order.began = monday
  expect(fixture.until(7 * hour, () => order.isExpedited)).toBe(minutes)
})

test('a courier is sent once', () => {
  const fixture = dispatcherAt(7)
  const { inventory } = fixture.dispatcher
  while (inventory.take('ssd', fixture.now())) continue
  inventory.takeSpending()
  fixture.add({ priority: 0 }, { steps: [spareStep] })
  fixture.until(2 * hour)
  expect(inventory.takeSpending()).toBe(90)
})

test.each([
  [0, 5],
  [1, 5],
  [2, 90],
  [3, 240],
  [4, null],
])('for priority %i a technician is called out after %s minutes', (priority, minutes) => {
  const fixture = dispatcherAt(7, [{ shift: 1 }])
  const order = fixture.add({ priority })
  expect(fixture.until(7 * hour, () => order.isAssigned)).toBe(minutes)
})

test('who is called out comes in first: 22.5 minutes, then the step', () => {
  const fixture = dispatcherAt(7, [{ shift: 1 }])
  const order = fixture.add({ priority: 0 }, { steps: [{ kind: 'Swap', detail: 'Swap it', minutes: 10 }] })
  expect(order.waitsUntil).toBe(null)
  fixture.until(stepLength)
  expect([order.blocking, order.waitsUntil, fixture.calls]).toEqual([
    'NobodyOnShift',
    monday + 7 * hour + 5 * minute,
    ['blocked 1'],
  ])
  fixture.until(hour, () => order.isAssigned)
  const [step] = order.steps
  expect(step.detail).toBe('Come in from home, then swap it')
  expect(step.estimate).toBe(32.5 * minute)
  expect(order.stepEnds).toBe(fixture.now() + 33.5 * minute)
  expect(fixture.calls).toEqual(['blocked 1', 'started 1'])
})

test.each([
  ['with the skill, from the least', 0, 'hardware', 7 * minute],
  ['with the skill, on average', 0.5, 'hardware', 11 * minute],
  ['with the skill, to the most', 1, 'hardware', 15 * minute],
  // 17.6 minutes are 105.6 steps.
  ['without the skill', 0.5, 'power', 17 * minute + 40_000_000],
])('a step of 10 minutes takes a technician %s', (_, draw, skill, span) => {
  const fixture = dispatcherAt(8, [{ skill: skill as Skill }], draw)
  const order = fixture.add({}, { skillOptional: true })
  fixture.until(stepLength)
  expect(order.stepEnds! - fixture.now() + stepLength).toBe(span)
})

test('work is left to those with the skill while one is on shift', () => {
  const fixture = dispatcherAt(8, [{ skill: 'power' }, { order: 99 }])
  const order = fixture.add({}, { skillOptional: true })
  fixture.until(hour)
  expect([order.isAssigned, order.blocking]).toEqual([false, 'EveryoneBusy'])
  const other = dispatcherAt(8, [{ skill: 'power' }])
  const strict = other.add()
  other.until(stepLength)
  expect(strict.blocking).toBe('NobodyOnShift')
})

test.each([
  ['inside the zone', 0, 6],
  ['from another', 1, 24],
])('a way %s is estimated when it begins', (_, zone, minutes) => {
  const fixture = dispatcherAt(8, [{ zone }])
  const order = fixture.add({}, { steps: [{ kind: 'Travel', detail: 'Go there', minutes: 15 }] })
  fixture.until(stepLength)
  expect(order.steps[0].estimate).toBe(minutes * minute)
  expect(fixture.dispatcher.roster.staff[0].zone).toBe(0)
})

test.each([
  [21.99, false],
  [22, true],
  [0, true],
  [5.99, true],
  [6, false],
  [12, false],
])('at %d h the maintenance window is open: %s', (clock, isOpen) => {
  expect(isMaintenanceWindow(monday + clock * hour)).toBe(isOpen)
})

const allDay = [{ shift: 0 }, { shift: 1 }, { shift: 2 }]

test.each([
  ['upkeep waits for the window', 5, 8, 14 * 60],
  ['upkeep in the window begins at once', 5, 22, 0],
  ['other work begins at any hour', 4, 8, 0],
])('%s', (_, priority, clock, minutes) => {
  const fixture = dispatcherAt(clock, allDay)
  const order = fixture.add({ priority })
  expect(fixture.until(day, () => order.isAssigned)).toBe(minutes)
})

test.each([
  ['that has waited a day', day, null, false],
  ['that has waited longer', day + minute, null, true],
  ['that has begun', 0, monday, true],
])('upkeep %s outside of the window', (_, waited, began, isAssigned) => {
  const fixture = dispatcherAt(8, allDay)
  const order = fixture.add({ priority: 5 })
  Object.assign(order, { ordered: fixture.now() - waited, began })
  fixture.until(stepLength)
  expect(order.isAssigned).toBe(isAssigned)
})

test('the more urgent comes first, then what much depends on, then the older', () => {
  const fixture = dispatcherAt(8)
  const about = [
    { priority: 3 },
    { priority: 2 },
    { priority: 2, hasWideReach: true },
    { priority: 2 },
    { priority: 1 },
  ]
  for (const one of about) fixture.add(one)
  fixture.until(2 * hour)
  expect(fixture.calls.filter((text) => text.startsWith('started'))).toEqual(
    [5, 3, 2, 4, 1].map((id) => `started ${id}`),
  )
})

test('the automation takes as many orders as it has slots', () => {
  const fixture = dispatcherAt(8)
  const { state } = fixture.dispatcher.roster
  expect(state.automationSlotsFree).toBe(3)
  const orders = [1, 2, 3, 4].map(() => fixture.add({}, { skill: null, onSite: false }))
  fixture.until(stepLength)
  expect([orders.map(({ isAssigned }) => isAssigned), state.automationSlotsFree]).toEqual([
    [true, true, true, false],
    0,
  ])
  fixture.until(11 * minute)
  expect([orders.map(({ resolved }) => resolved !== null), orders[3].isAssigned]).toEqual([
    [true, true, true, false],
    true,
  ])
  fixture.until(11 * minute)
  expect([state.automationSlotsFree, fixture.dispatcher.open]).toEqual([3, []])
})

test.each([
  [1, true],
  [2, false],
])('work of priority %i for the automation begins without a free slot: %s', (priority, isBegun) => {
  const fixture = dispatcherAt(8)
  const { state } = fixture.dispatcher.roster
  for (let n = 0; n < 3; n++) fixture.add({}, { skill: null, onSite: false })
  fixture.until(stepLength)
  const order = fixture.add({ priority }, { skill: null, onSite: false })
  const next = fixture.add({}, { skill: null, onSite: false })
  fixture.until(stepLength)
  expect([order.isAssigned, state.automationSlotsFree]).toEqual([isBegun, isBegun ? -1 : 0])
  fixture.until(hour)
  expect([order.resolved === null, next.resolved === null, state.automationSlotsFree]).toEqual([
    false,
    false,
    3,
  ])
})

describe('an order', () => {
  test('of two steps goes through both and frees its technician', () => {
    const fixture = dispatcherAt(8)
    const steps: PlannedStep[] = [
      { kind: 'Swap', detail: 'Swap it', minutes: 10 },
      { kind: 'Test', detail: 'Test it', minutes: 20 },
    ]
    const order = fixture.add({}, { steps })
    const { version } = order
    expect(fixture.until(hour, () => order.resolved !== null)).toBe(33)
    expect(order.steps.map(({ began, ended }) => [began! - order.ordered, ended! - order.ordered])).toEqual([
      [0, 11 * minute],
      [11 * minute, 33 * minute],
    ])
    expect(order).toMatchObject({ current: 2, isAssigned: false, stepEnds: null, began: order.ordered })
    expect([order.progressed, order.resolved]).toEqual([fixture.now(), fixture.now()])
    expect(order.version).toBe(version + 5)
    expect(fixture.calls).toEqual(['started 1', 'step of 1', 'step of 1', 'finished 1'])
    expect(fixture.dispatcher.roster.staff[0].order).toBe(0)
    expect(fixture.dispatcher.open).toEqual([])
  })

  test('that is canceled keeps the step under way and drops the others', () => {
    const fixture = dispatcherAt(8)
    const steps = [spareStep, spareStep, spareStep]
    const running = fixture.add({}, { steps })
    const waiting = fixture.add({}, { steps })
    fixture.until(15 * minute)
    fixture.dispatcher.cancel(running)
    fixture.dispatcher.cancel(waiting)
    expect(running.steps.map(({ ended }) => ended! - running.ordered)).toEqual([11 * minute, 15 * minute])
    expect([running.current, waiting.current, waiting.steps]).toEqual([2, 0, []])
    expect([running.blocking, running.stepEnds, running.isAssigned]).toEqual([null, null, false])
    expect(fixture.dispatcher.roster.staff[0].order).toBe(0)
  })

  test('waits for the vendor without its technician, and continues when the vendor is there', () => {
    const fixture = dispatcherAt(8)
    const steps: PlannedStep[] = [
      {
        kind: 'Swap',
        detail: 'Swap it',
        minutes: 10,
        needs: { kind: 'Vendor', wait: 'the vendor has yet to answer', minutes: [20, 61] },
      },
    ]
    const order = fixture.add({}, { steps })
    fixture.until(stepLength)
    expect(order).toMatchObject({
      blocking: 'WaitingForVendor',
      blockedSince: order.ordered,
      isAssigned: false,
    })
    expect(order.waitsUntil).toBe(order.ordered + 40.5 * minute)
    expect(fixture.dispatcher.roster.staff[0].order).toBe(0)
    expect(fixture.until(hour, () => order.began !== null)).toBe(41)
    expect(order).toMatchObject({ blocking: null, waitsUntil: null, isAssigned: true })
    expect(fixture.calls).toEqual(['blocked 1', 'started 1'])
  })

  test('waits for a part until it is delivered, and takes it once', () => {
    const fixture = dispatcherAt(7)
    const { inventory } = fixture.dispatcher
    inventory.state.stock.set('ssd', 0)
    inventory.state.deliveries.push({ part: 'ssd', due: fixture.now() + 30 * minute })
    const order = fixture.add({ priority: 4 }, { steps: [spareStep] })
    expect(fixture.until(hour, () => order.began !== null)).toBe(30)
    expect([inventory.count('ssd'), inventory.state.deliveries.length, order.needMet]).toEqual([0, 1, true])
  })

  test('enters a rack when the one before has left it', () => {
    const fixture = dispatcherAt(8, [{}, {}])
    const [first, second] = [1, 2].map(() => fixture.add({ rack: 3 }, { steps: [accessStep] }))
    expect(fixture.until(hour, () => second.began !== null)).toBe(11)
    expect([first.resolved! - first.ordered, second.blockedSince - second.ordered]).toEqual([11 * minute, 0])
    expect(fixture.calls).toEqual(['started 1', 'blocked 2', 'step of 1', 'finished 1', 'started 2'])
  })

  test('that another technician continues is said to be taken over', () => {
    const fixture = dispatcherAt(8, [{}, { order: 99 }])
    fixture.dispatcher.inventory.state.stock.set('ssd', 0)
    fixture.dispatcher.inventory.state.deliveries.push({ part: 'ssd', due: fixture.now() + 30 * minute })
    const order = fixture.add(
      { priority: 4 },
      { steps: [{ kind: 'Inspect', detail: 'Look', minutes: 10 }, spareStep] },
    )
    fixture.until(20 * minute)
    const [one, other] = fixture.dispatcher.roster.staff
    Object.assign(one, { order: 99 })
    Object.assign(other, { order: 0 })
    fixture.until(hour)
    expect(order.technicianId).toBe(2)
    expect(fixture.calls).toEqual(
      'started 1, step of 1, blocked 1, taken-over 1, step of 1, finished 1'.split(', '),
    )
  })

  test('without anyone on shift begins with the next shift', () => {
    const fixture = dispatcherAt(14, [{ shift: 1 }])
    const order = fixture.add({ priority: 4 })
    expect(fixture.until(2 * hour, () => order.isAssigned)).toBe(60)
    expect(order.waitsUntil).toBe(null)
  })

  test('on hold for staff waits for who comes and is busy', () => {
    const fixture = dispatcherAt(14, [{ shift: 1, order: 99 }])
    const order = fixture.add({ priority: 4 })
    expect(fixture.until(2 * hour, () => order.blocking !== null)).toBe(0)
    expect(fixture.until(2 * hour, () => order.blocking === 'EveryoneBusy')).toBe(60)
    expect(order.isAssigned).toBe(false)
  })

  test('is expected to begin when another has to wait for a vendor', () => {
    const fixture = dispatcherAt(8)
    const needs = { kind: 'Vendor', wait: 'the crew is on the way', minutes: [40, 40] } as const
    const steps: PlannedStep[] = [
      { kind: 'Inspect', detail: 'Look at it', minutes: 10 },
      { kind: 'Swap', detail: 'Swap it', minutes: 20, needs },
    ]
    fixture.add({}, { steps })
    const second = fixture.add()
    expect(fixture.until(hour, () => second.blocking !== null)).toBe(1)
    expect(second.waitsUntil! - second.ordered).toBe(11 * minute)
  })

  test('states after a minute that everyone is busy, and until when', () => {
    const fixture = dispatcherAt(8)
    const steps: PlannedStep[] = [
      { kind: 'Swap', detail: 'Swap it', minutes: 10 },
      { kind: 'Test', detail: 'Test it', minutes: 20 },
    ]
    fixture.add({}, { steps })
    const second = fixture.add()
    expect(fixture.until(hour, () => second.blocking !== null)).toBe(1)
    expect([second.blocking, second.waitsUntil! - second.ordered]).toEqual(['EveryoneBusy', 31 * minute])
    expect(fixture.until(hour, () => second.isAssigned)).toBe(33)
    expect(fixture.calls.join(', ')).toBe('started 1, blocked 2, step of 1, step of 1, finished 1, started 2')
  })

  test.each([
    ['a Critical interrupts a Watch', 0, 3, 30, true],
    ['a Major interrupts a Watch', 1, 3, 30, true],
    ['a Major interrupts upkeep', 1, 5, 30, true],
    ['a Critical interrupts a Minor', 0, 2, 30, true],
    ['a Major leaves a Minor alone', 1, 2, 30, false],
    ['a Minor leaves an onboarding alone', 2, 4, 30, false],
    ['a Critical leaves alone what ends within five minutes', 0, 3, 4, false],
  ])('%s', (_, priority, other, minutes, isInterrupted) => {
    const fixture = dispatcherAt(8)
    const first = fixture.add({ priority: other }, { steps: [{ kind: 'Swap', detail: 'Swap it', minutes }] })
    if (other === 5) Object.assign(first, { began: monday })
    fixture.until(stepLength)
    const urgent = fixture.add({ priority })
    fixture.until(stepLength)
    expect([first.isAssigned, urgent.isAssigned]).toEqual([!isInterrupted, isInterrupted])
    expect(fixture.calls.includes('interrupted 1')).toBe(isInterrupted)
  })

  test('that was interrupted needs the rest of its time', () => {
    const fixture = dispatcherAt(8)
    const first = fixture.add({ priority: 3 }, { steps: [{ kind: 'Swap', detail: 'Swap it', minutes: 40 }] })
    fixture.until(13 * minute)
    const urgent = fixture.add({ priority: 0 })
    fixture.until(hour, () => first.resolved !== null)
    expect([urgent.resolved!, first.resolved!].map((at) => (at - first.ordered) / minute)).toEqual([24, 55])
    expect(first.steps[0].began).toBe(first.ordered)
    expect(fixture.calls.join(', ')).toBe(
      'started 1, interrupted 1, started 2, step of 2, finished 2, resumed 1, step of 1, finished 1',
    )
  })

  test('interrupts the least urgent work', () => {
    const fixture = dispatcherAt(8, [{}, {}])
    const steps: PlannedStep[] = [{ kind: 'Swap', detail: 'Swap it', minutes: 30 }]
    fixture.add({ priority: 3 }, { steps })
    fixture.add({ priority: 4 }, { steps })
    fixture.until(stepLength)
    fixture.add({ priority: 1 })
    fixture.until(stepLength)
    expect(fixture.calls).toEqual(['started 1', 'started 2', 'interrupted 2', 'started 3'])
  })

  test.each([
    [1, 5],
    [2, null],
  ])(
    'of priority %i that no one with the skill can take goes to another after %s minutes',
    (priority, at) => {
      const fixture = dispatcherAt(8, [{ skill: 'power' }])
      const order = fixture.add({ priority })
      expect(fixture.until(3 * hour, () => order.isAssigned)).toBe(at)
    },
  )

  test('for remote work may go to any region', () => {
    const fixture = dispatcherAt(
      8,
      skills.map((skill) => ({ skill, region: 99, shift: 0, dayOff: 5 })),
    )
    const [remote, onSite] = [false, true].map((is) => fixture.add({}, { onSite: is }))
    fixture.until(stepLength)
    expect([remote.isAssigned, onSite.isAssigned]).toEqual([true, false])
  })

  test('begins in the step in which the one before it ends, or has to wait', () => {
    const short: PlannedStep = { kind: 'Inspect', detail: 'Look', minutes: 5 }
    for (const steps of [[short], [short, spareStep]]) {
      const fixture = dispatcherAt(8)
      fixture.dispatcher.inventory.state.stock.set('ssd', 0)
      fixture.add({ priority: 3 }, { steps })
      const next = fixture.add({ priority: 4 })
      expect(fixture.until(hour, () => next.began !== null)).toBe(5.5)
    }
  })

  test('on hold that is canceled is on hold no more', () => {
    const fixture = dispatcherAt(8)
    fixture.dispatcher.inventory.state.stock.set('ssd', 0)
    const order = fixture.add({ priority: 4 }, { steps: [spareStep] })
    const { version } = order
    fixture.until(stepLength)
    expect([order.blocking, order.version]).toEqual(['NoSpare', version + 1])
    fixture.dispatcher.cancel(order)
    expect([order.blocking, order.version]).toEqual([null, version + 2])
  })

  test('without a zone leaves its technician where it is', () => {
    const fixture = dispatcherAt(8, [{ zone: 1 }])
    fixture.add({ zone: -1 }, { onSite: false, steps: [{ kind: 'Travel', detail: 'Go there', minutes: 15 }] })
    fixture.until(stepLength)
    expect(fixture.dispatcher.roster.staff[0].zone).toBe(1)
  })
})
