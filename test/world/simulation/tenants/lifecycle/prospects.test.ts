import { describe, expect, test } from 'vitest'
import type { Tier } from '../../../../../src/contract/vocabularies.ts'
import type { Contract, Prospect } from '../../../../../src/world/simulation/tenants/contract.ts'
import {
  createProspect,
  timeToNextArrival,
} from '../../../../../src/world/simulation/tenants/lifecycle/arrivals.ts'
import {
  createProspects,
  refusalOf,
} from '../../../../../src/world/simulation/tenants/lifecycle/prospects.ts'
import { createPlacer } from '../../../../../src/world/simulation/tenants/placement/placement.ts'
import { day, hour, second } from '../../../../../src/world/simulation/time.ts'
import { FixedStream } from '../../fixed-stream.ts'
import { createTenantsFixture, drawAlways, plainContract } from '../tenants-fixture.ts'

/** The draw for which an exponential waiting time equals its mean. */
const meanDraw = 1 / Math.E

test.each([
  // 0.14 a day: the rate of four hosts is twice that of one.
  [0.75, meanDraw, 617_143],
  [1, meanDraw, 342_857],
  [0.75, 0.999_999_999_9, 1],
])(
  'at a reputation of %f and a draw of %f the next prospect arrives after %i s',
  (reputation, draw, seconds) => {
    const { context, state, world } = createTenantsFixture(4)
    expect(world.topology.hosts.rows).toHaveLength(4)
    state.reputation.value = reputation
    expect(timeToNextArrival(context, new FixedStream(draw))).toBe(seconds * second)
  },
)

const now = 100 * day
const former = { ...plainContract, name: 'Old Friend' }

/** A prospect that arrives in a world with customers of these satisfactions. */
function arrive(
  draw: number,
  satisfactions: readonly number[] = [],
  left = now - 30 * day,
  tier: Tier = 'Silver',
) {
  const { world, context, state, addCustomer, takeEvents } = createTenantsFixture()
  world.now = now
  state.reputation.value = 0.7
  for (const satisfaction of satisfactions) addCustomer({ satisfaction, name: `Customer ${satisfaction}` })
  state.formerCustomers.push({ contract: former, left })
  const contracts = { draft: () => ({ ...plainContract, tier }) }
  const arrived = () => createProspect(context, contracts, createPlacer(context), new FixedStream(draw))
  return { state, arrived, takeEvents }
}

describe('who asks for an offer', () => {
  const stranger = 'Amber Mill Shoes asks for a Silver plan for 4 units.'
  const returned = 'Old Friend, which left on day 70, asks for a Silver plan for 4 units again.'
  const recommended = 'Amber Mill Shoes, recommended by Customer 0.83, asks for a Silver plan for 4 units.'

  test.each<[string, number, readonly number[], number, string]>([
    ['a former customer, in 15 % of cases', 0.149, [], now - 30 * day, returned],
    ['not in the others', 0.151, [], now - 30 * day, stranger],
    ['not within 30 days', 0.149, [], now - 30 * day + 1, stranger],
    ['half of them sent by customers, if all are delighted', 0.499, [0.83], now, recommended],
    ['half are not', 0.5, [0.83], now, stranger],
    ['a quarter if half of them are', 0.249, [0.83, 0.82], now, recommended],
    ['not more', 0.25, [0.83, 0.82], now, stranger],
  ])('%s', (_, draw, satisfactions, left, text) => {
    const { arrived, takeEvents } = arrive(draw, satisfactions, left)
    expect(arrived().isFamiliar).toBe(text !== stranger)
    expect(takeEvents()).toEqual([text])
  })

  test('no former customer at a reputation below 0.7, and each returns once', () => {
    const { state, arrived } = arrive(0)
    state.reputation.value = 0.699
    expect(arrived().isFamiliar).toBe(false)
    state.reputation.value = 0.7
    expect(arrived().contract.name).toBe('Old Friend')
    expect(arrived()).toMatchObject({ id: 3, isFamiliar: false })
  })

  test('customers that are not live recommend no one', () => {
    const { state, arrived } = arrive(0.3, [0.9], now)
    state.accounts[0].live = false
    expect(arrived().isFamiliar).toBe(false)
  })
})

test.each<[Tier, number, number]>([
  ['Bronze', 830, 0],
  ['Silver', 1_048, 21],
  ['Gold', 1_330, 53],
  ['Platinum', 1_816, 145],
])('a %s prospect would pay $%i a month and gets a bonus of $%i', (tier, monthlyDollars, bonusDollars) => {
  expect(arrive(0.5, [], now, tier).arrived()).toMatchObject({ monthlyDollars, bonusDollars })
})

test.each([
  [0.25, 95, 11.25],
  [0.75, 165, 23.75],
])('at a draw of %f it waits for %i hours, and is decided on after %i', (draw, patience, decision) => {
  expect(arrive(draw, [], now).arrived()).toMatchObject({
    arrived: now,
    expires: now + patience * hour,
    decides: now + decision * hour,
    countedUnserved: null,
    placementAt: now,
    placement: { recommendation: 'Accept' },
  })
})

test.each([
  // 30 % sign without any reputation, 95 % at a perfect reputation.
  [0, false, 0.299, null],
  [0, false, 0.301, 'it has heard about our outages'],
  [0, true, 0.419, null],
  [0, true, 0.421, 'it has heard about our outages'],
  [0.6, false, 0.689, null],
  [0.6, false, 0.691, 'it has heard about our outages'],
  [1, false, 0.949, null],
  [1, false, 0.951, 'it runs its systems itself after all'],
  [0, false, 0.949, 'it has heard about our outages'],
  [0, false, 0.951, 'it runs its systems itself after all'],
])(
  'at a reputation of %f, familiar: %s, a draw of %f is refused because %s',
  (reputation, familiar, draw, reason) => {
    expect(refusalOf(reputation, familiar, new FixedStream(draw))).toBe(reason)
  },
)

/** A world with prospects, in which the operator decides on due ones. */
function createMarket(draw = 0) {
  const fixture = createTenantsFixture()
  const { world, context, state, takeEvents } = fixture
  drawAlways(world, draw)
  state.reputation.value = 0.75
  Object.assign(world, { now, tick: 5 })
  const contracts = { draft: () => ({ ...plainContract, name: `Drafted ${state.prospects.lastId + 1}` }) }
  const prospects = createProspects(context, contracts, createPlacer(context))
  state.prospects.nextArrival = 1_000 * day
  const signed: number[] = []
  const add = (changes: Partial<Prospect> = {}, contract: Partial<Contract> = {}): Prospect => {
    const { arrived } = arrive(0.5, [], now)
    const prospect = { ...arrived(), id: ++state.prospects.lastId, decides: now, ...changes }
    Object.assign(prospect, { contract: { ...plainContract, ...contract } })
    state.prospects.list = [...state.prospects.list, prospect]
    state.takenNames.add(prospect.contract.name)
    return prospect
  }
  /** One minute of the operator's decisions: ids of signed prospects, and texts of events. */
  const decide = (): (number | string)[] => {
    prospects.step(({ id }) => signed.push(id))
    return [...signed.splice(0), ...takeEvents()]
  }
  const fillHosts = (milli: number): void => void world.load.allocatedMilli.fill(milli)
  return { ...fixture, add, decide, fillHosts }
}

const noNothing = { units: 0, vcpu: 0, memMb: 0, ssdGb: 0, slices: 0, gbps: 0 }

describe('the operator decides', () => {
  test.each<[string, Partial<Prospect>, Partial<Contract>, (number | string)[]]>([
    ['that a prospect that fits may sign', {}, {}, [1]],
    ['not before it is due', { decides: now + 1 }, {}, []],
    ['when it would leave', { decides: now + hour, expires: now }, {}, [1]],
    [
      'against what it cannot meet',
      {},
      { requiredArch: 'arm64' },
      ['Amber Mill Shoes went elsewhere. Reason: our data center cannot meet its requirements.'],
    ],
  ])('%s', (_, changes, contract, outcome) => {
    const { state, add, decide } = createMarket()
    add(changes, contract)
    expect(decide()).toEqual(outcome)
    expect(state.prospects.list).toHaveLength(outcome.length === 0 ? 1 : 0)
  })

  test('and a prospect that has heard about outages goes elsewhere', () => {
    const { state, world, add, decide } = createMarket(0.8)
    const { id } = add()
    expect(decide()).toEqual(['Amber Mill Shoes went elsewhere. Reason: it has heard about our outages.'])
    expect([...state.takenNames]).toEqual([])
    expect(world.events.state.window.at(-1)).toMatchObject({ entity_kind: 'Prospect', entity_id: id })
  })

  test('once a minute, in its step', () => {
    const { world, add, decide } = createMarket()
    add()
    world.tick = 6
    expect(decide()).toEqual([])
    world.tick = 11
    expect(decide()).toEqual([1])
  })

  test('on four a minute', () => {
    const { add, decide } = createMarket(0.8)
    for (let i = 0; i < 5; i++) add({ placementAt: now - 1 })
    expect(decide()).toHaveLength(4)
    expect(decide()).toHaveLength(1)
  })
})

describe('unserved demand', () => {
  test('is what a prospect waits for, every four hours, and is withdrawn when it signs', () => {
    const { world, state, add, decide, fillHosts } = createMarket()
    const prospect = add()
    fillHosts(128_000)
    expect(decide()).toEqual([])
    const [demand] = state.unservedDemand.values()
    expect(demand).toEqual({ units: 4, vcpu: 64, memMb: 131_072, ssdGb: 2_000, slices: 0, gbps: 0 })
    expect(prospect).toMatchObject({ countedUnserved: 'hosts', decides: now + 4 * hour })
    world.now = now + 4 * hour
    // It is counted once.
    expect([decide(), demand.units, prospect.decides]).toEqual([[], 4, now + 8 * hour])
    fillHosts(0)
    world.now = now + 8 * hour
    expect(decide()).toEqual([1])
    expect(demand).toEqual(noNothing)
  })

  test('for lack of network is traffic, and is withdrawn like the rest', () => {
    const { world, state, add, decide } = createMarket()
    const prospect = add()
    state.demand.zonePeaks.out.fill(10_000)
    expect(decide()).toEqual([])
    const [demand] = state.unservedDemand.values()
    // 64 virtual CPUs answer 5120 requests/s of 32.5 kB.
    expect(demand.gbps).toBeCloseTo(1.363149, 6)
    expect({ ...demand, gbps: 0 }).toEqual(noNothing)
    expect(prospect.countedUnserved).toBe('network')
    state.demand.zonePeaks.out.fill(0)
    world.now = now + 4 * hour
    expect(decide()).toEqual([1])
    expect(demand).toEqual(noNothing)
  })

  test.each([
    ['hosts', 'our pools have no room to spare for it'],
    ['network', 'our network has no room for it'],
  ])('for lack of %s stays when the prospect goes elsewhere', (lack, reason) => {
    const { state, add, decide, fillHosts } = createMarket()
    add({ expires: now })
    if (lack === 'hosts') fillHosts(128_000)
    else state.demand.zonePeaks.out.fill(10_000)
    expect(decide()).toEqual([`Amber Mill Shoes went elsewhere. Reason: ${reason}.`])
    const [demand] = state.unservedDemand.values()
    expect(demand.units + Math.round(demand.gbps)).toBe(lack === 'hosts' ? 4 : 1)
  })
})

describe('prospects arrive', () => {
  test.each([
    [0, 0, 1],
    [0, 1, 0],
    [199, 0, 200],
    [200, 0, 200],
  ])('where %i wait, %i µs from now: %i', (waiting, delay, after) => {
    const { state, add, decide } = createMarket(meanDraw)
    if (waiting > 0) {
      const [first] = [add({ decides: now + day })]
      state.prospects.list = Array.from({ length: waiting }, () => first)
    }
    state.prospects.nextArrival = now + delay
    decide()
    expect(state.prospects.list).toHaveLength(after)
    // The next arrival follows after the mean of 242 hours for two hosts.
    expect(state.prospects.nextArrival - now).toBe(delay === 0 ? 872_772 * second : delay)
  })

  test.each([
    [3 * hour - 1, 0],
    [3 * hour, 3 * hour],
  ])('and whether they fit, %i µs ago, is tried again after three hours', (age, renewed) => {
    const { add, decide } = createMarket()
    const prospect = add({ decides: now + day, placementAt: now - age })
    decide()
    expect(prospect.placementAt).toBe(now - age + renewed)
  })
})
