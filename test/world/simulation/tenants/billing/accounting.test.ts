import { describe, expect, test } from 'vitest'
import { createAccounting } from '../../../../../src/world/simulation/tenants/billing/accounting.ts'
import {
  assessHosts,
  updateHostCosts,
} from '../../../../../src/world/simulation/tenants/billing/host-costs.ts'
import { day } from '../../../../../src/world/simulation/time.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

/** Host 0 costs $4380 a month and host 1 $8760: $0.1 and $0.2 a minute; add-ons $438. Half of host 1 is allocated. */
function createBooks() {
  const fixture = createTenantsFixture()
  const { state, context, addCustomer } = fixture
  const { accounting: books, load } = state
  books.costs.total.set([4_380, 8_760])
  Object.assign(books.costs, { directTotal: 10_950, facilityTotal: 2_190, addonsTotal: 438 })
  load.allocatedMilli.set([4_000, 8_000])
  return { ...fixture, accounting: createAccounting(context), books, account: addCustomer() }
}

describe('five minutes of a customer', () => {
  test('earns the price of its placed units, a cent for a million requests, and $4 for a TB', () => {
    const { accounting, account, addService, state, books } = createBooks()
    const row = addService(account, {
      unitMicroPerMinute: 200.06,
      placed: 3,
      servedRequests: 500_000,
      servedGbit: 8,
    })
    account.servedUntil = 1
    accounting.bookAccount(account)
    // 3000.9 + 5000 + 4000 µ$.
    expect(account.revenueMicro).toBe(12_001)
    expect([account.period.revenueMicro, books.open.revenue]).toEqual([12_001, 12_001])
    expect([state.services.revenueOfDay[30 * row], state.services.revenueTotal[row]]).toEqual([
      12_001, 12_001,
    ])
    expect(account.revenuePerHour).toBe(0.144012)
    // Transit at $1.30 a TB, which costs 1300 of the 4000 µ$.
    expect([account.transitMicro, books.open.transit, books.open.network]).toEqual([1_300, 1_300, 1_300])
    expect([state.services.transitOfDay[30 * row], state.services.transitTotal[row]]).toEqual([1_300, 1_300])
    expect([books.open.gbit, state.services.servedGbit[row], state.services.servedRequests[row]]).toEqual([
      8, 0, 0,
    ])
  })

  test('earns nothing before it is live, and what it serves in a step counts', () => {
    const { accounting, account, addService, state } = createBooks()
    account.live = false
    const row = addService(account, { unitMicroPerMinute: 1_000, placed: 3, servedRps: 10 })
    accounting.bookAccount(account)
    expect(account.revenueMicro).toBe(0)
    Object.assign(account, { live: true, servedUntil: -99 })
    state.services.placed[row] = 0
    // 100 steps of ten seconds.
    accounting.bookAccount(account)
    expect(account.revenueMicro).toBe(100)
  })

  test('costs its share of its hosts, by the CPU that is allocated to it', () => {
    const { accounting, account, addService, state, books } = createBooks()
    // A quarter of host 0 twice, and an eighth of host 1: $0.05 and $0.025 a minute.
    const row = addService(account, { vcpuMilli: 1_000 }, [0, 0, 1])
    accounting.bookAccount(account)
    expect([account.infrastructureMicro, books.open.infrastructure]).toEqual([375_000, 375_000])
    expect(account.costPerHourMicro).toBe(4_500_000)
    const { infrastructureOfDay, infrastructureTotal } = state.services
    expect([infrastructureOfDay[30 * row], infrastructureTotal[row]]).toEqual([375_000, 375_000])
  })

  test('bears add-ons by its traffic, at the price of the turn before', () => {
    const { accounting, account, addService, books } = createBooks()
    books.open.addonMicroPerGbit = 50
    addService(account, { servedGbit: 8 })
    accounting.bookAccount(account)
    expect([account.transitMicro, books.open.transit, books.open.network]).toEqual([1_700, 1_300, 1_700])
    expect(account.costPerHourMicro).toBe(20_400)
  })

  test('adds to its last hour, and what happened an hour before leaves it', () => {
    const { accounting, account, addService } = createBooks()
    addService(account, { unitMicroPerMinute: 200, placed: 1 })
    Object.assign(account, { turnFailed: 3, turnSlot: 11, failedLastHour: 10, revenueLastHourMicro: 20_000 })
    account.failedByTurn[11] = 4
    account.revenueByTurn[11] = 7_000
    accounting.bookAccount(account)
    expect([account.failedLastHour, account.failedByTurn[11]]).toEqual([9, 3])
    expect([account.revenueLastHourMicro, account.revenueByTurn[11]]).toEqual([14_000, 1_000])
    expect(account.turnSlot).toBe(0)
    accounting.bookAccount(account)
    expect(account.turnSlot).toBe(1)
  })
})

describe('when accounts are closed', () => {
  test('hosts, transit of attacks and add-ons are booked, and what no customer bears', () => {
    const { accounting, books, state, world } = createBooks()
    Object.assign(books.open, {
      revenue: 500_000,
      infrastructure: 100_000,
      transit: 2_000,
      network: 5_000,
      gbit: 50,
    })
    world.threats.gatewayHostileInGbps.set([0.05])
    accounting.closeTurn()
    // $13,140 a month are $0.25 and $0.05 a minute; 15 Gbit of attacks at $1.30 a TB 2437.5 µ$; add-ons $0.01 a minute.
    expect(books.totals).toMatchObject({
      revenue: 500_000,
      direct: 1_250_000,
      facility: 250_000,
      idleInfrastructure: 1_400_000,
      transit: 4_438,
      addons: 50_000,
      idleTransit: 49_438,
    })
    expect(books.open).toEqual({
      revenue: 0,
      infrastructure: 0,
      transit: 0,
      network: 0,
      gbit: 0,
      addonMicroPerGbit: 1_000,
    })
    expect(state.money).toMatchObject({
      revenue: 0.5,
      directCost: 1.25,
      facilityCost: 0.25,
      transitCost: 0.004438,
      addonCost: 0.05,
    })
    expect(state.money.revenuePerHour).toBe(6)
    expect(state.money.costPerHour).toBeCloseTo(18.653256, 9)
  })

  test('without traffic no one bears add-ons', () => {
    const { accounting, books } = createBooks()
    books.open.addonMicroPerGbit = 7
    accounting.closeTurn()
    expect([books.open.addonMicroPerGbit, books.totals.idleTransit]).toEqual([0, 50_000])
  })

  test('of a day, what was 30 days ago leaves the sums', () => {
    const { accounting, account, addService, state, world, books } = createBooks()
    const { services } = state
    const row = addService(account, { revenueTotal: 100, infrastructureTotal: 100, transitTotal: 100 })
    for (const column of [services.revenueOfDay, services.infrastructureOfDay, services.transitOfDay])
      column.set([1, 20, 30, 4], 30 * row)
    expect(accounting.dayRow).toBe(0)
    world.now = 32 * day - 1
    books.day = 29
    accounting.closeTurn()
    expect([books.day, accounting.dayRow]).toEqual([31, 1])
    expect([...services.revenueOfDay.subarray(30 * row, 30 * row + 4)]).toEqual([0, 0, 30, 4])
    expect([
      services.revenueTotal[row],
      services.infrastructureTotal[row],
      services.transitTotal[row],
    ]).toEqual([79, 79, 79])
    expect([services.infrastructureOfDay[30 * row], services.transitOfDay[30 * row + 1]]).toEqual([0, 0])
  })
})

test('credits, bonuses and fees are whole millionths, and totals of who left stay', () => {
  const { accounting, account, books, state } = createBooks()
  expect([accounting.credit(account, 1.000_000_4), state.money.credits]).toEqual([1, 1])
  expect(accounting.credit(account, -5)).toBe(0)
  accounting.bonus(2.5)
  accounting.eviction(3)
  expect(state.money).toMatchObject({ credits: 1, bonuses: 2.5, evictionFees: 3 })
  Object.assign(account, { revenueMicro: 10, infrastructureMicro: 3, transitMicro: 2 })
  accounting.close(account)
  accounting.close(account)
  expect(books.totals).toMatchObject({
    credits: 1_000_000,
    bonuses: 2_500_000,
    evictions: 3_000_000,
    goneRevenue: 20,
    goneCredits: 2_000_000,
    goneInfrastructure: 6,
    goneTransit: 4,
  })
  expect(account.creditsMicro).toBe(1_000_000)
})

describe('what hosts cost a month', () => {
  const { world, state } = createTenantsFixture()
  const { topology, facility } = world
  const { costs } = state.accounting

  test('$9800 and $26 500 are paid off in three years, and zones rent racks and devices', () => {
    expect([...costs.depreciation.subarray(0, 2)].map(Math.round)).toEqual([736, 272])
    // Height in rack units: 2 and 1.
    expect([...costs.basis.subarray(0, 2)]).toEqual([2 / 3, 1 / 3])
    // Two racks, switches $564, a gateway $88, five appliances $471, a patch panel $1.
    expect(costs.zoneRent[0]).toBe(1_560 + 564 + 88 + 471 + 1)
  })

  test('power, and their share of rent, instalments, cooling and wages', () => {
    Object.assign(world, { operations: { costPerHour: 10 } })
    costs.depreciation.set([736, 272])
    costs.zoneRent[0] = 1_000
    costs.zoneWorks[0] = 200
    facility.hostWatts.set([500, 100])
    facility.rackWatts.fill(0)
    facility.rackWatts[0] = 1_000
    updateHostCosts(costs, world)
    // 365 kWh at $0.11 are $40.15. The zone: 1200, $25.696 for cooling 1 kW, and $7300 of wages.
    expect(costs.direct[0]).toBeCloseTo(776.15, 6)
    expect(costs.direct[1]).toBeCloseTo(280.03, 6)
    expect(costs.facility[0]).toBeCloseTo(5_683.797333, 5)
    expect(costs.facility[1]).toBeCloseTo(2_841.898667, 5)
    expect(costs.total[0]).toBeCloseTo(776.15 + 5_683.797333, 5)
    expect(costs.directTotal).toBeCloseTo(1_056.18, 6)
    expect(costs.facilityTotal).toBeCloseTo(8_525.696, 6)
  })

  test('a taller host bears more of its zone', () => {
    topology.hosts.uSize.set([3, 1])
    assessHosts(costs, topology)
    expect([...costs.basis.subarray(0, 2)]).toEqual([0.75, 0.25])
  })
})
