import { describe, expect, test } from 'vitest'
import { stepConference } from '../../../../../src/world/simulation/operator/chapters/conference.ts'
import { priceChange } from '../../../../../src/world/simulation/operator/chapters/pricing.ts'
import {
  committedDollars,
  reasonForZone,
  stepProjects,
  zoneDollars,
} from '../../../../../src/world/simulation/operator/chapters/projects.ts'
import { planStaff } from '../../../../../src/world/simulation/operator/plans/staff.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createPlanningFixture } from '../planning-fixture.ts'

/** A site of 24 hosts whose floor has room for `hostsMax`. */
function siteFor(hostsMax: number, reserves = 1e6) {
  const fixture = createPlanningFixture()
  Object.assign(fixture.context.site, { hostsMax })
  Object.assign(fixture.state, { reserves, costPerHour: 10, marginPerHour: 5 })
  fixture.state.company.nextGeneration = Infinity
  fixture.world.now = 100 * day
  return fixture
}

describe('a zone', () => {
  test.each<[number, Record<string, number>, string | null]>([
    [30, {}, '80 % of the floor for 30 hosts is in use'],
    [31, {}, null],
    [31, { 'room Pool 1': 86 }, 'the racks of the present zones are full'],
    [31, { 'room Pool 1': 85.9 }, null],
    [40, { 'power Pool 2': 99 }, 'the grid connections of the present zones are used up'],
    [41, { 'power Pool 2': 99 }, null],
    [31, { 'money Pool 1': 99 }, null],
  ])('on a floor for %i hosts with refusals %j', (hostsMax, refusals, reason) => {
    const { context, state } = siteFor(hostsMax)
    for (const [key, at] of Object.entries(refusals)) state.refusedAt.set(key, at * day)
    expect(reasonForZone(context)).toBe(reason)
  })

  test.each([
    // 35 % of $135,000, and a month of cost.
    ['waits for money', { reserves: 54_549 }, 0],
    ['is announced', { reserves: 54_550 }, 1],
    ['waits for a margin', { reserves: 1e6, marginPerHour: 0 }, 0],
  ])('%s', (_, changes, announced) => {
    const { context, state, texts } = siteFor(30)
    Object.assign(state, changes)
    stepProjects(context)
    expect(texts().filter((text) => text.startsWith('The company announces'))).toHaveLength(announced)
  })

  test('is built in four stages, paid in as many installments, with a delay, and opens', () => {
    const { context, state, world, built, texts } = siteFor(30)
    expect(zoneDollars(context.site)).toBe(135_000)
    const days: number[] = []
    for (let today = 0; today < 400 && built.length === 0; today++) {
      const before = texts().length
      stepProjects(context)
      if (texts().length > before) days.push(today)
      world.now += day
    }
    // Half of each range; the fixed stream draws no delay at a chance of 0.4.
    expect(days).toEqual([0, 45, 130, 178, 191])
    expect(texts().slice(0, 3)).toEqual([
      'The company announces Westholm C, a new zone for 30 hosts: $135,000 in 4 installments, open in about 6 months. Reason: 80 % of the floor for 30 hosts is in use.',
      'Westholm C: the plans go to the authorities. An installment of $33,750 is paid.',
      'Westholm C: the permit is granted, and construction begins. An installment of $33,750 is paid.',
    ])
    expect(built).toEqual([{ kind: 'Zone', region: 0, hosts: 7 }])
    expect([state.company.project, state.reserves < 1e6 - 135_000]).toEqual([null, true])
  })

  test('tells after four weeks who moved in', () => {
    const { context, state, world, texts } = siteFor(100)
    const { zone } = context.site.topology.hosts
    const inNew = zone.findIndex((row) => row === 1)
    const other = zone.findIndex((row) => row === 0)
    const customer = (id: number, hosts: number[], hostUnits: number[]) => ({ id, hosts, hostUnits })
    Object.assign(world.tenants, {
      active: [
        customer(7, [other, inNew, inNew + 1], [1, 2, 3]),
        customer(8, [other], [5]),
        customer(9, [inNew], [4]),
      ],
    })
    state.company.opened = { name: 'Westholm C', row: 1, at: world.now, newestCustomer: 8 }
    world.now += 28 * day - 1
    stepProjects(context)
    expect(texts()).toEqual([])
    world.now += 1
    stepProjects(context)
    stepProjects(context)
    expect(texts()).toEqual([
      'Four weeks after its opening, Westholm C runs 9 units of 2 customers, 1 of whom were there before it.',
    ])
  })

  test('pauses without money for an installment, says so once, and continues', () => {
    const { context, state, world, texts } = siteFor(30, 60_000)
    stepProjects(context)
    Object.assign(state, { reserves: 10_000 })
    for (const reserves of [10_000, 10_000, 33_750]) {
      world.now += 45 * day
      state.reserves = reserves
      stepProjects(context)
    }
    expect(texts().slice(2)).toEqual([
      'Work on Westholm C pauses: the next installment is $33,750, and reserves are $10,000.',
      'Westholm C: the permit is granted, and construction begins. An installment of $33,750 is paid.',
    ])
  })

  test.each([
    [[12, 12], 'Westholm B', 0],
    [[11, 12], 'Eastmoor B', 1],
    [[12, 11], 'Westholm B', 0],
  ])('is built in the region with the most hosts: %j', (hosts, name, region) => {
    const { context, state } = siteFor(30)
    const { topology, draft } = context.site
    ;(draft.regions as { name: string }[]).push({ name: 'Eastmoor' })
    hosts.forEach((count, zone) => {
      Object.assign(topology.zones[zone], { region: zone, hosts: Array.from({ length: count }, () => 0) })
      Object.assign(draft.zones[zone], { region: zone })
    })
    expect(topology.regions).toHaveLength(2)
    stepProjects(context)
    expect(state.company.project).toMatchObject({ zone: name, region, announced: 100 * day })
  })

  test('is a warning while it waits, and news otherwise', () => {
    const { context, state, world } = siteFor(30)
    const drawn = { ...context, chance: new FixedStream(0.1) }
    stepProjects(drawn)
    for (const reserves of [1e6, 0, 1e6]) {
      state.reserves = reserves
      world.now += 42 * day
      stepProjects(drawn)
    }
    expect(world.events.state.window.map(({ msg_key, severity }) => [msg_key, severity])).toEqual([
      ['event.zone-announced', 'Info'],
      ['event.zone-stage', 'Info'],
      ['event.zone-delayed', 'Warning'],
      ['event.zone-paused', 'Warning'],
      ['event.zone-stage', 'Info'],
    ])
  })

  test('may be delayed once in a stage', () => {
    const { context, world, texts } = siteFor(30)
    const drawn = { ...context, chance: new FixedStream(0.1) }
    stepProjects(drawn)
    for (let n = 0; n < 60; n++) {
      world.now += day
      stepProjects(drawn)
    }
    expect(texts().filter((text) => text.startsWith('The opening'))).toEqual([
      'The opening of Westholm C moves by 9 days: a neighbor objects to the permit.',
    ])
  })
})

describe('a zone in construction', () => {
  test.each([
    [
      'the shortest stages, each of which is delayed',
      0,
      [0, 30, 37, 97, 104, 139, 146, 156, 163],
      [
        'a neighbor objects to the permit',
        'rain has filled the excavation',
        'a transformer is stuck at the factory',
        'the load test tripped a breaker',
      ],
    ],
    ['the longest stages', 1, [0, 60, 170, 230, 245], []],
  ])('takes %s', (_, draw, expected, reasons) => {
    const { context, world, built, texts } = siteFor(30)
    const drawn = { ...context, chance: new FixedStream(draw) }
    const days: number[] = []
    for (let today = 0; today < 300 && built.length === 0; today++) {
      const before = texts().length
      stepProjects(drawn)
      if (texts().length > before) days.push(today)
      world.now += day
    }
    expect(days).toEqual(expected)
    expect(texts().filter((text) => text.startsWith('The opening'))).toEqual(
      reasons.map((reason) => `The opening of Westholm C moves by 7 days: ${reason}.`),
    )
  })

  test.each([
    // A third of the 12, 24 and 25 hosts of another zone; and at least one of each of the seven pools.
    [12, 7],
    [24, 8],
    [25, 9],
  ])('opens beside zones for %i hosts with %i hosts', (zoneHosts, hosts) => {
    const { context, built, state, world } = siteFor(30)
    Object.assign(context.site.sizing, { zoneHosts })
    Object.assign(state.company, { project: lastStage(world.now) })
    stepProjects(context)
    expect(built).toEqual([{ kind: 'Zone', region: 0, hosts }])
  })

  const lastStage = (now: number) => ({
    region: 0,
    zone: 'Westholm C',
    dollars: 135_000,
    announced: now - 182 * day,
    stage: 3,
    stageEnds: now,
    isDelayed: true,
    isPaused: false,
  })

  test('pays the deposit of its hosts when it opens, and forgets refusals and notes its newest customer', () => {
    const { context, state, world, texts } = siteFor(30, 100_000)
    Object.assign(state.company, { project: lastStage(world.now) })
    Object.assign(world.tenants, { active: [{ id: 3 }, { id: 9 }, { id: 4 }] })
    state.refusedAt.set('room Pool 1', 99 * day)
    stepProjects(context)
    // A host of each of seven pools costs $500,900 in all, of which 15 % are paid.
    expect(state.reserves).toBeCloseTo(24_865, 6)
    expect(state.company.opened).toEqual({ name: 'Westholm C', row: 1, at: 100 * day, newestCustomer: 9 })
    expect([state.refusedAt.size, state.company.project]).toEqual([0, null])
    // The zone itself is not built here: its row is that of the last one.
    expect(texts()).toEqual([
      'Westholm C opens 182 days after its announcement, with 12 hosts and room for 30.',
    ])
    expect(world.events.state.window).toMatchObject([{ entity_kind: 'Zone', entity_id: 2 }])
  })

  test.each<[string, object, object, number]>([
    ['a floor that is filled to 60 %', { hostsMax: 40 }, {}, 135_000],
    ['a floor with more room', { hostsMax: 41 }, {}, 0],
    ['the first stage', { hostsMax: 40 }, { dollars: 1_000, stage: 0 }, 1_000],
    ['the second stage', { hostsMax: 40 }, { dollars: 1_000, stage: 1 }, 750],
    ['the last stage', { hostsMax: 100 }, { dollars: 1_000, stage: 3 }, 250],
  ])('commits reserves: %s', (_, site, project, dollars) => {
    const { context, state } = siteFor(30)
    Object.assign(context.site, site)
    if ('stage' in project) Object.assign(state.company, { project })
    expect(committedDollars(context)).toBe(dollars)
  })

  test('is not needed when all zones of the site are there', () => {
    const { context } = siteFor(30)
    Object.assign(context.site.topology, { zoneCapacity: 2 })
    expect([reasonForZone(context), committedDollars(context)]).toEqual([null, 0])
  })

  test.each<[string, object, boolean]>([
    ['ends', {}, true],
    ['has not ended', { stageEnds: 100 * day + 1 }, false],
  ])('continues when its stage %s', (_, about, isNext) => {
    const { context, state, world } = siteFor(30)
    Object.assign(state.company, { project: { ...lastStage(world.now), stage: 1, ...about } })
    stepProjects(context)
    expect(state.company.project?.stage).toBe(isNext ? 2 : 1)
  })
})

test.each([
  [0, 280],
  [1, 400],
])('the first new generation of hosts comes at a draw of %i after %i days', (draw, days) => {
  const { context, state, world } = siteFor(100)
  state.company.nextGeneration = 0
  world.now = 0
  stepProjects({ ...context, chance: new FixedStream(draw) })
  expect(state.company.nextGeneration).toBe(days * day)
})

test.each([
  ['the fourth of five', 3, 0, 580],
  ['the fourth of five, at the other end of the range', 3, 1, 780],
  ['the fifth of five', 4, 0, 100],
])('after %s comes another generation on day %i', (_, generation, draw, next) => {
  const { context, state } = siteFor(100)
  Object.assign(context.site, { generation })
  state.company.nextGeneration = 100 * day
  stepProjects({ ...context, chance: new FixedStream(draw) })
  expect(state.company.nextGeneration).toBe(next * day)
})

test('a new generation of hosts has a third more CPU', () => {
  const { context, state, built, texts } = siteFor(100)
  Object.assign(context, { construct: () => void (context.site.generation = 2) })
  state.company.nextGeneration = 100 * day
  stepProjects(context)
  expect(texts()).toEqual([
    'A new generation of hosts is on sale: Kestrel R2-128 has 33 % more CPU than Kestrel R1-96, in the same height and with the same power.',
  ])
  expect([built, state.company.nextGeneration]).toEqual([[], 680 * day])
})

test.each([
  ['a competitor', { margin: 0.51 }, -0.04, 'a competitor offers the same for less'],
  ['no competitor', { margin: 0.5 }, null, null],
  ['demand', { unserved: 1, fill: 0.67 }, 0.04, 'demand for more hosts was turned away'],
  ['demand with room', { unserved: 1, fill: 0.66 }, null, null],
  ['empty pools', { fill: 0.39 }, -0.04, 'pools are only 39 % full'],
  ['fuller pools', { fill: 0.4 }, null, null],
  ['the lower bound', { fill: 0.3, level: 0.729 }, null, null],
  ['a level above the lower bound', { fill: 0.3, level: 0.73 }, -0.04, 'pools are only 30 % full'],
  ['the upper bound', { unserved: 3, fill: 0.7, level: 1.2981 }, null, null],
  [
    'a level below the upper bound',
    { unserved: 3, fill: 0.7, level: 1.298 },
    0.04,
    'demand for more hosts was turned away',
  ],
])('%s changes list prices', (_, market, share, reason) => {
  const change = priceChange({ level: 1, fill: 0.5, unserved: 0, margin: 0.2, ...market })
  expect([change?.share ?? null, change?.reason ?? null]).toEqual([share, reason])
})

test.each([
  ['Investing', ['Hired a technician for power', 'Ines K. has left.']],
  ['Careful', []],
] as const)('who has left a company that is %s is replaced: %j', (stance, expected) => {
  const { context, state, texts } = siteFor(100)
  const vacancy = { name: 'Ines K.', skill: 'power', region: 0 } as const
  state.vacancies.push(vacancy)
  state.company.stance = stance
  planStaff(context)
  expect(state.vacancies).toEqual(expected.length > 0 ? [] : [vacancy])
  expect(state.purchases.map(({ hires, region }) => [hires, region])).toEqual(
    expected.length > 0 ? [['power', 0]] : [],
  )
  expect(texts().flatMap((text) => [text.slice(0, 28), text.slice(-17)])).toEqual(expected)
})

test('a conference costs money, brings prospects, and is over', () => {
  const { context, state, world, tariff, texts } = siteFor(100, 50_000)
  Object.assign(world.tenants, { active: Array.from({ length: 5 }) })
  state.company.conferenceAt = 141 * day
  for (const at of [140, 141, 142]) {
    world.now = at * day
    stepConference(context)
  }
  expect(texts()).toEqual(['The conference brought 30 guests. More prospects will ask in the next weeks.'])
  expect([state.reserves, tariff.asked]).toEqual([46_400, [['promote', 21 * day]]])
})
