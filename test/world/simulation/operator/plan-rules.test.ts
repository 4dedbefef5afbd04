import { describe, expect, test } from 'vitest'
import { linkIndex } from '../../../../src/world/simulation/operator/observation.ts'
import { planFacility, powerFor } from '../../../../src/world/simulation/operator/plans/facility.ts'
import { planNetwork } from '../../../../src/world/simulation/operator/plans/network.ts'
import { planRenewal } from '../../../../src/world/simulation/operator/plans/renewal.ts'
import { observeQueue, planStaff } from '../../../../src/world/simulation/operator/plans/staff.ts'
import { observeEmptyHosts, planSurplus } from '../../../../src/world/simulation/operator/plans/surplus.ts'
import type { Skill } from '../../../../src/world/simulation/work/plans.ts'
import type { WorkOrder } from '../../../../src/world/simulation/operations/work-order.ts'
import { createWorkOrder } from '../../../../src/world/simulation/operations/work-order.ts'
import { planDiagnosis } from '../../../../src/world/simulation/operations/work-plans.ts'
import { day, hour } from '../../../../src/world/simulation/time.ts'
import { reviewedTexts } from '../../../fixtures/reviewed-texts.ts'
import { createPlanningFixture, demand } from './planning-fixture.ts'

const hoursPerYear = 8_766

describe('power', () => {
  const order = 'Power zone 0 kw 3, $5400'

  test.each([
    [8.6, []],
    [8.61, [order]],
  ])('with a peak of %d kW on feeds of 10', (peak, expected) => {
    const { context, state, ordered } = createPlanningFixture()
    state.zonePeakKw[0] = peak
    planFacility(context)
    planFacility(context)
    expect(ordered()).toEqual(expected)
  })

  test.each([
    [9.2, 0, 'enough', 0],
    [9.21, 0, 'power on order', 1],
    // Slightly more than nine tenths of the hosts' full load counts.
    [0, 10.1, 'enough', 0],
    [0, 10.2, 'power on order', 1],
  ])('for a peak of %d kW and %d kW of new hosts is %s', (peak, added, expected, orders) => {
    const { context, state } = createPlanningFixture()
    state.zonePeakKw[0] = peak
    expect([powerFor(context, 0, added), powerFor(context, 0, added)]).toEqual([expected, expected])
    expect(state.purchases).toHaveLength(orders)
  })

  test.each([
    [17, 1e9, 'power on order'],
    [17.1, 1e9, 'power'],
    [10, 100, 'money'],
  ])('beyond %d kW with %d dollars: %s', (capacity, reserves, expected) => {
    const { context, state, world } = createPlanningFixture()
    world.topology.feeds.capacityKw.fill(capacity)
    Object.assign(state, { reserves })
    state.zonePeakKw[0] = 100
    expect(powerFor(context, 0, 0)).toBe(expected)
  })
})

describe('cooling', () => {
  test.each([
    [9.83, []],
    [9.85, ['Cooling zone 0 kw 6, $3720']],
  ])('of %d kW by two units of 6', (heat, expected) => {
    const { context, state, ordered } = createPlanningFixture()
    state.zonePeakHeatKw[0] = heat
    planFacility(context)
    planFacility(context)
    expect(ordered()).toEqual(expected)
  })

  test('is refused without room for a unit', () => {
    const { context, state, world, texts } = createPlanningFixture()
    const { coolingUnits } = world.topology
    Object.assign(coolingUnits, { count: coolingUnits.capacity })
    state.zonePeakHeatKw[1] = 40
    planFacility(context)
    expect(texts()).toEqual([expect.stringMatching(/^No room for a cooling unit of 9 kW for Westholm B\./)])
    expect(world.events.state.window).toMatchObject([{ entity_kind: 'Zone', entity_id: 2 }])
  })
})

describe('links', () => {
  test.each([
    // Role, peak, current Gbit/s: ordered Gbit/s, dollars.
    [0, 0.619, 10, null, 0],
    [0, 0.62, 10, 25, 4 * 25 * 34],
    [1, 1.2, 10, 25, 4 * 25 * 34],
    [1, 1.21, 10, 40, 4 * 40 * 34],
    [2, 0.7, 25, 40, 2 * 40 * 34],
    [3, 0.8, 40, 100, 5 * 100 * 34],
    [3, 0.7, 100, 400, 5 * 400 * 34],
    [4, 0.62, 10, 25, 2 * 25 * 120],
    [4, 3, 100, 400, 2 * 400 * 120],
  ])('of role %i that are used to %d of %i Gbit/s', (role, peak, now, gbps, dollars) => {
    const { context, state, world, ordered } = createPlanningFixture()
    world.topology.ports.capacityGbps.fill(now)
    state.linkPeak[linkIndex(1, role)] = peak
    planNetwork(context)
    planNetwork(context)
    const names = ['AggregationUp', 'CoreUp', 'ApplianceOutside', 'ApplianceOneArm', 'GatewayWan']
    const order = `Links zone 1 role ${names[role]} gbps ${gbps}, $${dollars}`
    expect(ordered()).toEqual(gbps === null ? [] : [order])
    expect(state.purchases.map(({ due }) => due / day)).toEqual(gbps === null ? [] : [role === 4 ? 34.5 : 10])
  })

  test('of 400 Gbit/s cannot become faster', () => {
    const { context, state, world, texts } = createPlanningFixture()
    world.topology.ports.capacityGbps.fill(400)
    state.linkPeak[0] = 0.9
    planNetwork(context)
    expect(texts()).toEqual([
      expect.stringMatching(
        /^No room for faster ports for the 4 links from aggregation to core switches of Westholm A\./,
      ),
    ])
  })

  test('are as fast as their slowest', () => {
    const { context, state, world, texts } = createPlanningFixture()
    world.topology.ports.capacityGbps.fill(40)
    const { cables } = world.topology
    for (const cable of cables.rows.slice(0, Math.ceil(cables.rows.length / 2)))
      world.topology.ports.capacityGbps[cables.a[cable]] = 40
    state.linkPeak[4] = 0.7
    planNetwork(context)
    expect(texts()).toEqual([
      'Ordered 100 Gbit/s for the 2 WAN lines of Westholm A for $24,000, delivery in 35 days: they were 70 % full at the peak.',
    ])
  })
})

describe('network devices', () => {
  test.each([
    ['Switch', 'switchPeak', 0.619, []],
    ['Switch', 'switchPeak', 0.62, ['Device device Switch row 0 fabricGbps 100, $7800']],
    ['Gateway', 'gatewayPeak', 0.62, ['Device device Gateway row 0 fabricGbps 40, $9880']],
    ['Appliance', 'appliancePeak', 2.9, ['Device device Appliance row 0 fabricGbps 100, $27664']],
  ] as const)('a %s whose %s is %d', (_, peaks, peak, expected) => {
    const { context, state, ordered } = createPlanningFixture()
    state[peaks][0] = peak
    planNetwork(context)
    planNetwork(context)
    expect(ordered()).toEqual(expected)
  })

  test.each([
    [4.999, 0],
    [5, 1],
  ])('that are %d years old are replaced one at a time: %i', (years, orders) => {
    const { context, world, ordered } = createPlanningFixture()
    world.now = Math.floor(years * hoursPerYear) * hour
    planNetwork(context)
    planNetwork(context)
    expect(ordered()).toEqual(orders === 0 ? [] : ['Device device Switch row 0 fabricGbps 60, $5928'])
  })
})

describe('an order for the network or the facility names its subject and its reason', () => {
  type Fixture = ReturnType<typeof createPlanningFixture>
  const orders = reviewedTexts(new URL('./texts/', import.meta.url)).blocks('orders')
  test.each<[string, (fixture: Fixture) => void]>([
    ['a switch', ({ state }) => void (state.switchPeak[1] = 0.62)],
    ['a gateway', ({ state }) => void (state.gatewayPeak[1] = 0.62)],
    ['an overloaded appliance', ({ state }) => void (state.appliancePeak[3] = 2.9)],
    ['an old switch', ({ world }) => void world.topology.switches.installed.fill(-5.5 * hoursPerYear * hour)],
    ['links', ({ state }) => void (state.linkPeak[linkIndex(1, 2)] = 0.7)],
    ['power', ({ state }) => void (state.zonePeakKw[1] = 14.4)],
    ['cooling', ({ state }) => void (state.zonePeakHeatKw[1] = 18.4)],
  ])('%s', (name, prepare) => {
    const fixture = createPlanningFixture()
    prepare(fixture)
    planNetwork(fixture.context)
    planFacility(fixture.context)
    const [event] = fixture.world.events.state.window
    const { entity_kind: kind, entity_id: id } = event
    const [{ zone }] = fixture.state.purchases
    const [text, ...more] = fixture.texts()
    expect([`${kind} ${id}, zone ${zone}: ${text}`, ...more]).toEqual(orders.get(name))
  })

  test.each([
    // The first gateway has 20, the first appliance 10 Gbit/s.
    ['Gateway', 20, 0],
    ['Gateway', 40, 1],
    ['Appliance', 10, 0],
    ['Appliance', 100, 1],
  ] as const)(
    'a %s with %i Gbit/s on order, and %i old switches are replaced',
    (device, fabricGbps, count) => {
      const { context, state, world } = createPlanningFixture()
      world.topology.switches.installed.fill(-6 * hoursPerYear * hour)
      state.purchases.push({ works: [{ kind: 'Device', device, row: 0, fabricGbps }] } as never)
      planNetwork(context)
      expect(state.purchases).toHaveLength(1 + count)
    },
  )
})

describe('hosts are replaced', () => {
  test.each([
    ['at 4.5 years', 4.5, 0, []],
    ['after 4.5 years', 4.6, 0, [0]],
    ['at a condition of 25 %', 0, 0.75, []],
    ['below a condition of 25 %', 0, 0.76, [3]],
  ])('%s', (_, years, wear, expected) => {
    const { context, world, state } = createPlanningFixture()
    world.now = years * hoursPerYear * hour
    if (years > 0) world.topology.hosts.installed.fill(world.now, 1)
    world.condition.hostWear[3] = wear
    planRenewal(context)
    planRenewal(context)
    expect(state.purchases.flatMap(({ works }) => works)).toEqual(
      expected.map((host) => ({ kind: 'Renewal', host })),
    )
  })

  /** The host is one of 24; the first generation of its pool is row 0, and the newest row 1. */
  test.each<[string, number, number, number, 'Investing' | 'Careful', number]>([
    ['of an older model after three years, if the floor is filled to 85 %', 28, 3.01, 0, 'Investing', 1],
    ['not after three years', 28, 3, 0, 'Investing', 0],
    ['of the newest model after 4.5 years', 28, 4.5, 1, 'Investing', 0],
    ['not while there is room', 29, 4.5, 0, 'Investing', 0],
    ['not by a company that saves', 28, 4.6, 0, 'Careful', 0],
  ])('%s', (_, hostsMax, years, sku, stance, count) => {
    const { context, world, state } = createPlanningFixture()
    const { hosts } = world.topology
    Object.assign(context.site, { hostsMax })
    state.company.stance = stance
    world.now = Math.round(years * hoursPerYear) * hour
    hosts.installed.fill(world.now)
    hosts.installed[3] = 0
    hosts.sku[3] = sku
    planRenewal(context)
    expect(state.purchases).toHaveLength(count)
  })

  test('for the price of the newer model and its installation, and sold', () => {
    const { context, world, state, ordered, texts } = createPlanningFixture()
    world.condition.hostWear[3] = 0.8
    planRenewal(context)
    expect(ordered()).toEqual(['Renewal host 3, $14768'])
    expect(state.purchases[0].resaleDollars).toBeCloseTo(9_800 * 0.85 * 0.52, 6)
    expect(texts()[0]).toMatch(/: it is 0 years old, and its condition is 20 %\.$/)
  })

  test('one at a time of 24, the most worn first', () => {
    const { context, world, state } = createPlanningFixture()
    world.condition.hostWear.set([0.8, 0.95, 0.9])
    planRenewal(context)
    planRenewal(context)
    expect(state.purchases.flatMap(({ works }) => works)).toEqual([{ kind: 'Renewal', host: 1 }])
  })

  test('three at a time of 260, the most worn first', () => {
    const { context, world, state } = createPlanningFixture(260)
    world.condition.hostWear.set([0.8, 0.95, 0.8, 0.9, 0.85])
    planRenewal(context)
    planRenewal(context)
    expect(state.purchases.flatMap(({ works }) => works)).toEqual(
      [1, 3, 4].map((host) => ({ kind: 'Renewal', host })),
    )
  })

  type Fixture = ReturnType<typeof createPlanningFixture>
  const filledTo =
    (share: number) =>
    ({ context: { capacity } }: Fixture) =>
      void (capacity.pools[0].milli = share * capacity.pools[0].maxMilli)
  const onSale = { pool: 0, zone: 0, hosts: [3], because: '', due: 0, workOrder: null }
  test.each<[string, (fixture: Fixture) => void, number[]]>([
    ['in a pool filled to 80 %', filledTo(0.8), [3]],
    ['not in a fuller one', filledTo(0.81), []],
    ['not while broken', ({ world }) => void (world.condition.hostBroken[3] = 1), []],
    ['not while in maintenance', ({ world }) => void (world.condition.hostMaintenance[3] = 1), []],
    ['not while to be sold', ({ state }) => void state.sales.push(onSale), []],
    [
      'not without the money, nor a cheaper one after it',
      ({ state, world }) => {
        state.reserves = 2_000
        world.condition.hostWear[5] = 0.77
      },
      [],
    ],
  ])('%s', (_, prepare, expected) => {
    const fixture = createPlanningFixture()
    fixture.world.condition.hostWear[3] = 0.8
    prepare(fixture)
    planRenewal(fixture.context)
    expect(fixture.state.purchases.flatMap(({ works }) => works)).toEqual(
      expected.map((host) => ({ kind: 'Renewal', host })),
    )
  })
})

describe('staff', () => {
  /** A network order that has waited for two hours. */
  function waitingOrder(about: Partial<WorkOrder>): WorkOrder {
    const context = { target: null, zone: 0, rack: -1, incidentId: null, fault: null, customerId: null }
    const plan = planDiagnosis({ kind: 'Cable', row: 0 }, 'x', '')
    return { ...createWorkOrder(1, 0, plan, { ...context, hasWideReach: false, priority: 4 }), ...about }
  }

  test.each<[string, Partial<WorkOrder>, number]>([
    ['for two hours', {}, 1],
    ['for less', { ordered: 1 }, 0],
    ['because no one is on shift', { blocking: 'NobodyOnShift' }, 1],
    ['for a spare part', { blocking: 'NoSpare' }, 0],
    ['as upkeep', { priority: 5 }, 0],
    ['for the automation', { skill: null }, 0],
    ['no more', { isAssigned: true }, 0],
  ])('counts what waits %s', (_, about, count) => {
    const { context, world, state, operations } = createPlanningFixture()
    world.now = 2 * hour
    operations.dispatcher.state.open = [waitingOrder(about), waitingOrder(about)]
    observeQueue(context)
    expect(state.waiting.get('network')).toBeCloseTo((2 * count) / 72, 12)
    operations.dispatcher.state.open = []
    state.waiting.set('network', 0.72)
    observeQueue(context)
    expect(state.waiting.get('network')).toBeCloseTo(0.71, 12)
  })

  test.each<[Record<string, number>, string | null]>([
    [{ network: 1.2 }, null],
    [
      { network: 1.3 },
      'Hired a technician for network for $12,000, to start in 33 days: 1.3 work orders on average wait for that skill.',
    ],
    [
      { network: 1.3, power: 1.44 },
      'Hired a technician for power for $12,000, to start in 33 days: 1.4 work orders on average wait for that skill.',
    ],
  ])('with %j waiting', (waiting, expected) => {
    const { context, state, texts } = createPlanningFixture()
    for (const [skill, count] of Object.entries(waiting)) state.waiting.set(skill as Skill, count)
    planStaff(context)
    planStaff(context)
    expect(texts()).toEqual(expected === null ? [] : [expected])
  })

  test.each([
    [24, 0, 0, null],
    [16, 0, 0, 'hardware'],
    [16, 1, 0, null],
    [16, 1, 1, 'network'],
    [4, 1, 0, 'network'],
  ])('a site begun with %i hosts, of 24 now, has hired %i and lost %i', (first, hired, left, expected) => {
    const { context, state } = createPlanningFixture()
    Object.assign(context.site.sizing, { hosts: first })
    Object.assign(state.totals, { hired, left })
    planStaff(context)
    expect(state.purchases.map(({ hires, works }) => [hires, works])).toEqual(
      expected === null ? [] : [[expected, []]],
    )
  })

  test.each([
    [59, 1],
    [60, 0],
    [119, 0],
  ])('the automation of 100 hosts had its last slot for %i: %i more', (before, slots) => {
    const { context, state, operations } = createPlanningFixture(100)
    const { roster } = operations.dispatcher
    const free = roster.state.automationSlotsFree
    state.automatedHosts = before
    planStaff(context)
    expect(roster.state.automationSlotsFree - free).toBe(slots)
    expect(state.automatedHosts).toBe(slots === 0 ? before : 100)
  })
})

describe('hosts that are not needed', () => {
  /** All ten hosts of the first pool have been empty for six weeks, and its use was two hosts for four weeks. */
  function fixtureWithSurplus() {
    const fixture = createPlanningFixture()
    fixture.state.poolUse[0].push(...Array.from({ length: 28 }, () => 2))
    const { hosts } = fixture.world.topology
    for (const host of hosts.rows) if (hosts.pool[host] === 0) fixture.state.emptyHours[host] = 1_008
    return fixture
  }

  type PlanningFixture = ReturnType<typeof fixtureWithSurplus>
  const withReserves =
    (reserves: number) =>
    ({ state, world }: PlanningFixture): void => {
      state.reserves = reserves
      world.money.costPerHour = 0
    }
  const onOrder = { works: [{ kind: 'Hosts', zone: 0, pool: 0, count: 1 }] }
  const onSale = { pool: 0, zone: 1, hosts: [], because: '', due: 0, workOrder: null }
  test.each<[string, (fixture: PlanningFixture) => void, number[]]>([
    ['are sold, four at a time, and one stays in the zone', () => {}, [2, 3, 4, 9]],
    ['need four weeks of observation', ({ state }) => void state.poolUse[0].pop(), []],
    ['have been empty for six weeks', ({ state }) => state.emptyHours.set([1_007, 1_007], 2), [4, 9, 10]],
    [
      'go all, if none of the pool was in use',
      ({ state }) => {
        state.poolUse[0].fill(0)
        state.emptyHours.set([0, 0], 2)
      },
      [4, 9, 10],
    ],
    ['are not in maintenance', ({ world }) => void (world.condition.hostMaintenance[3] = 1), [2, 4, 9, 10]],
    ['are in the worst condition', ({ world }) => world.condition.hostWear.set([0.5, 0.4], 9), [2, 3, 9, 10]],
    ['leave the pool half used', ({ state }) => void state.poolUse[0].fill(4.2), [2]],
    ['leave the pool half used at its peak', ({ state }) => void (state.poolUse[0][3] = 4.2), [2]],
    [
      'leave the pool half used by what it grows to',
      ({ state }) => state.poolUse[0].forEach((_, at) => (state.poolUse[0][at] = 2 + at / 50)),
      [2],
    ],
    ['are none beyond that', ({ state }) => void state.poolUse[0].fill(4.6), []],
    ['leave four', ({ world }) => void (world.topology.zones[0].hosts as number[]).splice(6), [2, 3]],
    ['can be paid off', withReserves(5_000), []],
    ['are paid off by their proceeds, but for a little', withReserves(20_000), [2, 3, 4, 9]],
    ['are not what was turned away', ({ world }) => demand(world, { vcpu: 60 }), []],
    ['are not on order', ({ state }) => void state.purchases.push(onOrder as never), []],
    ['are not on sale', ({ state }) => void state.sales.push(onSale), []],
  ])('%s', (_, prepare, expected) => {
    const fixture = fixtureWithSurplus()
    prepare(fixture)
    const before = fixture.state.sales.length
    planSurplus(fixture.context)
    expect(fixture.state.sales.slice(before).flatMap(({ hosts }) => hosts)).toEqual(expected)
  })

  test.each([
    // All four hosts of the second pool are empty, of which each zone has two.
    ['both, if it was never in use', 0, [0, 6]],
    ['one, if it was in use on a day of four weeks', 0.1, [0]],
  ])('of a zone are sold: %s', (_, use, expected) => {
    const { context, state } = createPlanningFixture()
    state.poolUse[1].push(use, ...Array.from({ length: 27 }, () => 0))
    state.emptyHours.fill(1_008)
    planSurplus(context)
    expect(state.sales.map(({ pool, hosts }) => [pool, hosts])).toEqual([[1, expected]])
  })

  test.each([
    // Three hosts owe $9,800 each and are worth $8,330, and one owes $14,200 and is worth $12,070.
    [6_540, 1],
    [6_539, 0],
  ])('are sold with reserves of %i dollars: %i', (reserves, count) => {
    const { context, state, world } = fixtureWithSurplus()
    state.reserves = reserves
    world.money.costPerHour = 0
    planSurplus(context)
    expect(state.sales).toHaveLength(count)
  })

  test('are sold within days, with a reason', () => {
    const { context, state } = fixtureWithSurplus()
    planSurplus(context)
    expect(state.sales).toEqual([
      {
        pool: 0,
        zone: 0,
        hosts: [2, 3, 4, 9],
        because: 'empty for 6 weeks and not needed before August',
        due: 8.5 * day,
        workOrder: null,
      },
    ])
  })

  test.each([
    [2, /4 hosts of Westholm A/],
    [4.2, /^Plans to sell whm-a-b01-u05 of Westholm A in /],
  ])('with %d hosts in use are announced as %s', (used, name) => {
    const { context, state, texts } = fixtureWithSurplus()
    state.poolUse[0].fill(used)
    planSurplus(context)
    expect(texts()).toEqual([expect.stringMatching(name)])
  })

  test('are counted while they are empty', () => {
    const { context, state, world } = createPlanningFixture()
    world.load.unitCount[1] = 1
    state.emptyHours.set([5, 5])
    observeEmptyHosts(context)
    expect(Array.from(state.emptyHours.slice(0, 3))).toEqual([6, 0, 1])
  })
})
