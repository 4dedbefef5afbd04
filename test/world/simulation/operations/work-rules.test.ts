import { describe, expect, test } from 'vitest'
import type { Band } from '../../../../src/contract/vocabularies.ts'
import { finishedMax, finishedRetention } from '../../../../src/world/simulation/operations/operations.ts'
import { priorityOf } from '../../../../src/world/simulation/operations/priority.ts'
import { createWorkOrder, roundUpToStep } from '../../../../src/world/simulation/operations/work-order.ts'
import type { WorkPlan } from '../../../../src/world/simulation/work/plans.ts'
import {
  planDiagnosis,
  planOnboarding,
  planUpkeep,
} from '../../../../src/world/simulation/operations/work-plans.ts'
import { day, hour, minute, stepLength } from '../../../../src/world/simulation/time.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import type { Topology } from '../../../../src/world/simulation/topology/tables.ts'
import { createQuietWorld } from '../quiet-world.ts'

describe('priority', () => {
  const topology = { switches: { role: ['edge', 'aggregation', 'core'] } } as unknown as Topology
  const bands: Band[] = ['Critical', 'Major', 'Minor', 'Watch']
  const plain = [0, 1, 2, 3]
  const backbone = [0, 1, 1, 1]

  test.each<[FaultTarget | null, number[]]>([
    [null, plain],
    [{ kind: 'Host', row: 0 }, plain],
    [{ kind: 'Cable', row: 0 }, plain],
    [{ kind: 'CoolingUnit', row: 0 }, plain],
    [{ kind: 'Switch', row: 0 }, plain],
    [{ kind: 'Switch', row: 1 }, backbone],
    [{ kind: 'Switch', row: 2 }, backbone],
    [{ kind: 'Gateway', row: 0 }, backbone],
    [{ kind: 'Appliance', row: 0 }, backbone],
    [{ kind: 'PowerFeed', row: 0 }, backbone],
  ])('of work at %j in each band', (target, expected) => {
    expect(bands.map((band) => priorityOf(topology, band, target))).toEqual(expected)
  })
})

test.each([
  [0, 10],
  [1, 10],
  [10_000_000, 10],
  [10_000_001, 20],
  [minute, 60],
])('%i µs take %i seconds of whole steps', (span, seconds) => {
  expect(roundUpToStep(span)).toBe(seconds * 1_000_000)
})

const stepsOf = ({ steps }: WorkPlan) => steps.map(({ kind, minutes }) => `${kind} ${minutes}`)

describe('plans', () => {
  test.each<[FaultTarget | null, string | null]>([
    [null, 'platform'],
    [{ kind: 'Host', row: 0 }, null],
    [{ kind: 'Pool', row: 0 }, null],
    [{ kind: 'Switch', row: 0 }, 'network'],
    [{ kind: 'Gateway', row: 0 }, 'network'],
    [{ kind: 'Appliance', row: 0 }, 'security'],
    [{ kind: 'Cable', row: 0 }, 'network'],
    [{ kind: 'Port', row: 0 }, 'network'],
    [{ kind: 'PowerFeed', row: 0 }, 'power'],
    [{ kind: 'CoolingUnit', row: 0 }, 'power'],
    [{ kind: 'Customer', id: 1 }, 'platform'],
  ])('to diagnose %j ask for %s', (suspect, skill) => {
    const plan = planDiagnosis(suspect, 'x', 'Link y is down.')
    const label = 'Diagnose "Link y is down"'
    expect(plan).toMatchObject({ kind: 'Diagnose', label, skill, skillOptional: true, onSite: false })
    expect(stepsOf(plan)).toEqual(skill === null ? ['Inspect 4'] : ['Assign 2', 'Inspect 9'])
  })

  test.each([
    ['Host', 'hardware', 'ssd', ['Travel 6', 'FetchSpare 6', 'Swap 25', 'Test 30']],
    ['PowerFeed', 'power', 'battery', ['Travel 6', 'FetchSpare 6', 'Swap 50', 'Test 60']],
    ['CoolingUnit', 'power', 'filter', ['Travel 6', 'FetchSpare 6', 'Clean 30', 'Test 8']],
  ] as const)('of upkeep at a %s', (kind, skill, part, steps) => {
    const plan = planUpkeep({ kind, row: 0 }, 'x')
    expect(plan).toMatchObject({ kind: 'Upkeep', skill, onSite: true })
    expect(stepsOf(plan)).toEqual(steps)
    expect(plan.steps.map(({ needs }) => needs)).toEqual([
      undefined,
      { kind: 'Spare', part },
      { kind: 'Access' },
      undefined,
    ])
  })

  test.each([
    [0, 3],
    [1, 3.5],
    [100, 53],
    [954, 480],
    [5_000, 480],
  ])('to onboard %i units take %d minutes for them', (units, minutes) => {
    const plan = planOnboarding('x', units)
    expect(plan).toMatchObject({ kind: 'Onboarding', skill: null, onSite: false })
    expect(stepsOf(plan)).toEqual(['Configure 6', `Provision ${minutes}`, 'Test 8'])
  })

  test('become orders that wait', () => {
    const about = {
      target: null,
      zone: 1,
      rack: 2,
      incidentId: 3,
      fault: null,
      customerId: 4,
      hasWideReach: true,
      priority: 5,
    }
    const order = createWorkOrder(7, hour, planOnboarding('x', 0), about)
    expect(order).toMatchObject({
      ...about,
      id: 7,
      ordered: hour,
      skillOptional: false,
      current: 0,
      stepEnds: null,
      began: null,
      technicianId: 0,
      isAssigned: false,
      needMet: false,
      isExpedited: false,
      drainedHost: -1,
      version: 1,
      blockedSince: 0,
    })
    expect(order.steps[1]).toEqual({
      kind: 'Provision',
      detail: 'Start its units (0)',
      needs: null,
      estimate: 3 * minute,
      began: null,
      ended: null,
    })
    expect(createWorkOrder(8, 0, planDiagnosis(null, 'x', ''), about).skillOptional).toBe(true)
  })
})

const monday = 7 * day

function worldAt(clock: number) {
  const world = createQuietWorld(1n, 8)
  world.state.now = monday + clock * hour
  world.state.tick = world.state.now / stepLength
  return world
}

describe('an open incident without an open order is diagnosed again', () => {
  const diskFailure = {
    kind: 'DiskFailure',
    target: { kind: 'Host', row: 0 },
    magnitude: 1,
    lasts: null,
  } as const

  test.each([
    ['Watch', 2 * hour],
    ['Minor', 2 * hour],
    ['Major', 15 * minute],
    ['Critical', 15 * minute],
  ] as const)('of band %s some time after a diagnosis without result', (band, span) => {
    const world = worldAt(8)
    const { incident } = world.injectFault(diskFailure)
    Object.assign(incident, { band })
    world.answerDiagnosis(() => null)
    world.run(stepLength)
    const [first] = world.orders.values()
    while (first.resolved === null) world.run(stepLength)
    world.run(span - minute)
    expect(world.orders.size).toBe(1)
    world.run(2 * minute)
    expect(world.orders.size).toBe(2)
    expect(world.work.state.lastWorked.size).toBe(0)
  })

  test('after its repair', () => {
    const world = worldAt(8)
    const { incident } = world.injectFault(diskFailure)
    const isRepaired = () =>
      [...world.orders.values()].some(({ kind, resolved }) => kind === 'Replace' && resolved !== null)
    while (!isRepaired()) world.run(stepLength)
    const repair = [...world.orders.values()].find(({ kind }) => kind === 'Replace')!
    expect(world.work.state.lastWorked.get(incident.id)).toEqual({ at: repair.resolved, isFound: true })
    expect(world.work.state.completedByKind).toEqual(
      new Map([
        ['Diagnose', 1],
        ['Replace', 1],
      ]),
    )
    expect([world.work.state.completedByAutomation, world.work.state.confirmedCauses]).toEqual([
      1,
      new Map([['DiskFailure', 1]]),
    ])
    // The incident is resolved, which leaves nothing to diagnose.
    world.run(30 * minute)
    expect(world.work.state.lastWorked.size).toBe(0)
  })

  test.each([
    ['Critical', 3 * minute],
    ['Major', 3 * minute],
    ['Minor', 20 * minute],
    ['Watch', 20 * minute],
  ] as const)('of band %s that outlasts its repair, after %d µs to the next minute', (band, span) => {
    const world = worldAt(8)
    const cable = { kind: 'Cable', row: world.state.topology.cables.rows[0] } as const
    world.injectFault({ kind: 'LinkSaturation', target: cable, magnitude: 1, lasts: null }, band)
    const count = () => world.orders.size
    const repaired = () => world.work.state.finished.find(({ fault }) => fault !== null)?.resolved ?? null
    while (repaired() === null) world.run(stepLength)
    const before = count()
    while (count() === before) world.run(stepLength)
    const next = [...world.orders.values()].at(-1)!
    expect([next.kind, next.ordered]).toEqual(['Diagnose', Math.ceil((repaired()! + span) / minute) * minute])
  })

  test.each([
    [2, 1],
    [4, 2],
  ])(
    'though its repair is open, for a fault that joined it: after %i minutes %i diagnoses',
    (minutes, count) => {
      const world = worldAt(8)
      world.work.dispatcher.inventory.state.stock.set('ssd', 0)
      const { incident } = world.injectFault(diskFailure)
      world.run(30 * minute)
      world.faults.inject({ ...diskFailure, target: { kind: 'Host', row: 1 } }).incidentId = incident.id
      world.work.state.lastWorked.set(incident.id, { at: -Infinity, isFound: true })
      world.run(minutes * minute)
      expect([...world.orders.values()].filter(({ kind }) => kind === 'Diagnose')).toHaveLength(count)
    },
  )
})

test('finished orders are kept for two days, 500 at the most', () => {
  expect([finishedRetention, finishedMax]).toEqual([2 * day, 500])
})

test('at most 100 orders of upkeep are open', () => {
  const world = createQuietWorld(1n, 150)
  world.state.condition.hostWear.fill(0.9)
  world.state.now = monday + 21 * hour
  world.state.tick = world.state.now / stepLength
  world.work.dispatcher.roster.state.staff.length = 1
  world.run(2 * hour + minute)
  const upkeep = world.work.dispatcher.open.filter(({ kind }) => kind === 'Upkeep')
  expect(upkeep).toHaveLength(100)
  expect(new Set(upkeep.map(({ target }) => JSON.stringify(target))).size).toBe(100)
  expect(upkeep.every(({ priority }) => priority === 5)).toBe(true)
})

test('what spare parts cost is averaged over twelve hours', () => {
  const world = worldAt(9)
  world.work.dispatcher.inventory.takeSpending()
  world.work.dispatcher.inventory.state.unbilledDollars = 1_200
  world.run(stepLength)
  expect(world.work.state.sparesPerHour).toBeCloseTo(100, 9)
  world.run(hour)
  expect(world.work.state.sparesPerHour).toBeCloseTo(91.666_667, 6)
})
