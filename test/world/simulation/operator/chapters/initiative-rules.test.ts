import { describe, expect, test } from 'vitest'
import { stepInitiatives } from '../../../../../src/world/simulation/operator/chapters/initiatives.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createPlanningFixture } from '../planning-fixture.ts'

/** A company with a cost of $10 an hour, which is $7,300 a month, on the day of its first initiative. */
function companyOn(at = 28, used = 0) {
  const fixture = createPlanningFixture()
  const { state, world, context } = fixture
  Object.assign(state, { reserves: 50_000, marginPerHour: 1, costPerHour: 10 })
  for (const pool of context.capacity.pools) pool.milli = pool.maxMilli * used
  world.now = at * day
  const live = (days: number): void => {
    for (let passed = 0; passed < days; passed++) {
      stepInitiatives(context)
      world.now += day
    }
  }
  return { ...fixture, live, staff: context.operations.dispatcher.roster.staff }
}

describe('every seven weeks something begins that lasts four', () => {
  test.each([
    [27, 0],
    [28, 1],
    [29, 0],
    [76, 0],
    [77, 1],
    [126, 1],
  ])('day %d: %d', (at, begun) => {
    const { live, texts } = companyOn(at)
    live(1)
    expect(texts()).toHaveLength(begun)
  })

  test('empty pools are advertised, technicians learn, auditors come, and again', () => {
    const { live, texts, tariff, state, world } = companyOn()
    live(1)
    expect(texts()).toEqual(['The company advertises for 28 days, for $292: its pools are 0 % full.'])
    expect(tariff.asked).toEqual([['promote', 28 * day]])
    expect(state.reserves).toBe(49_708)
    live(27)
    expect(texts()).toHaveLength(1)
    live(147)
    expect([...new Set(world.events.state.window.map(({ msg_key }) => msg_key))]).toEqual(
      [
        'event.advertising-began event.advertising-ended event.course-began event.staff-trained',
        'event.course-ended event.audit-began event.audit-passed',
      ].flatMap((line) => line.split(' ')),
    )
    expect(world.events.state.window.at(-1)?.msg_key).toBe('event.advertising-began')
  })
})

test('pools two thirds full are not advertised', () => {
  const full = companyOn(28, 0.66)
  full.live(1)
  expect(full.texts()).toEqual([expect.stringMatching(/^Technicians learn/)])
  const emptier = companyOn(28, 0.65)
  emptier.live(1)
  expect(emptier.texts()).toEqual([expect.stringMatching(/^The company advertises/)])
})

test.each([
  [0.9, 0, /^The company advertises/],
  [1, 0, /^Technicians learn/],
  [0, 0.1, /^Technicians learn/],
])('empty pools that turned away %d units and %d Gbit/s: %s', (units, gbps, text) => {
  const { live, texts, world } = companyOn()
  const demand = { units, vcpu: 1, memMb: 0, ssdGb: 0, slices: 0, gbps }
  Object.assign(world.tenants, { unservedDemand: new Map([[1, demand]]) })
  live(1)
  expect(texts()).toEqual([expect.stringMatching(text)])
})

test('a fifth of the staff learns, who know one skill, in four weeks and for money', () => {
  const { live, texts, staff, state } = companyOn(28, 1)
  const learners = staff
    .filter(({ secondSkill }) => secondSkill === null)
    .slice(0, Math.ceil(staff.length / 5))
  live(28)
  expect(learners.map(({ secondSkill }) => secondSkill)).toEqual(learners.map(() => null))
  expect(state.reserves).toBe(50_000 - 1_800 * learners.length)
  live(1)
  expect(learners.map(({ secondSkill }) => secondSkill)).not.toContain(null)
  expect(texts().at(-1)).toBe(
    `The course for technicians is over. With a second skill now: ${learners.length}.`,
  )
})

test('who saves neither advertises nor teaches', () => {
  const { live, texts, state } = companyOn()
  state.company.stance = 'Careful'
  live(1)
  expect(texts()).toEqual([
    'Auditors of the customers look at service, power and staff over the next 28 days.',
  ])
})

describe('auditors', () => {
  const audited = () => {
    const company = companyOn()
    company.state.company.stance = 'Careful'
    return company
  }

  test('praise', () => {
    const { live, texts, tariff } = audited()
    live(29)
    expect(texts()[1]).toBe('The auditors of the customers object to nothing, and prospects hear of it.')
    expect(tariff.asked).toEqual([['promote', 14 * day]])
  })

  test('object to a feed that cannot carry its zone, and to vacant places', () => {
    const { live, texts, tariff, state, world } = audited()
    const { feeds, zones } = world.topology
    zones.forEach((zone, row) => {
      state.zonePeakKw[row] = feeds.capacityKw[zone.feeds[0]] * (0.915 + 0.01 * row)
    })
    state.vacancies.push({ name: 'Ada', skill: 'network', region: 0 })
    live(29)
    expect(texts()[1]).toBe(
      `The auditors of the customers object: one power feed cannot carry ${world.topology.zones[1].displayName} alone; ` +
        'technicians who left have no successor yet: 1.',
    )
    expect(tariff.asked).toEqual([])
  })

  test.each([
    [20, 2, 'The auditors of the customers object to nothing, and prospects hear of it.', 'Info'],
    [
      19,
      2,
      'The auditors of the customers object: 2 of 19 customers get less than they were sold.',
      'Warning',
    ],
  ])('of %i customers, of whom %i get too little', (customers, breached, text, severity) => {
    const { live, texts, world } = audited()
    const active = Array.from({ length: customers }, (_, id) => ({ id, breached: id < breached }))
    Object.assign(world.tenants, { active })
    live(29)
    expect(texts()[1]).toBe(text)
    expect(world.events.state.window[1].severity).toBe(severity)
  })
})

describe('what began', () => {
  const customersTo = (newest: number) => Array.from({ length: newest }, (_, index) => ({ id: index + 1 }))

  test('counts the customers that came while it lasted', () => {
    const { live, texts, world, state } = companyOn()
    Object.assign(world.tenants, { active: customersTo(7).toReversed() })
    live(1)
    expect(state.company).toMatchObject({
      initiative: { kind: 'Advertising', ends: 56 * day, newestCustomer: 7, technicians: [] },
      nextInitiative: 1,
    })
    Object.assign(world.tenants, { active: customersTo(10) })
    live(28)
    expect(texts()[1]).toBe(
      'The advertising of the last four weeks is over. Customers who signed meanwhile: 3.',
    )
    expect(state.company.initiative).toBeNull()
  })

  test.each([
    ['in turn', 2, {}, 'Audit', 3],
    ['the first after the last', 3, {}, 'Advertising', 1],
    ['the next, if there is no occasion', 0, { stance: 'Careful' }, 'Audit', 3],
  ])('is chosen %s', (_, nextInitiative, about, kind, next) => {
    const { live, state } = companyOn()
    Object.assign(state.company, { nextInitiative, ...about })
    live(1)
    expect([state.company.initiative?.kind, state.company.nextInitiative]).toEqual([kind, next])
  })

  test('teaches those who are there and know one skill', () => {
    const { live, staff, state, texts } = companyOn(28, 1)
    // Eight technicians: two learn.
    for (const technician of staff) technician.secondSkill = null
    staff[0].isGone = true
    live(1)
    expect(state.company.initiative?.technicians).toEqual([2, 3])
    staff[1].isGone = true
    live(28)
    expect(staff.slice(0, 4).map(({ secondSkill }) => secondSkill)).toEqual([null, null, 'power', null])
    expect(texts().at(-1)).toBe('The course for technicians is over. With a second skill now: 1.')
  })
})
