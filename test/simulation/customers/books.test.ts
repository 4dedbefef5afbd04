import { expect, test } from 'vitest'
import { createCustomerRecords } from '../../../src/simulation/records/tenancy.ts'
import { day, hour, minute } from '../../../src/simulation/time.ts'
import type { Simulation } from '../../../src/simulation/world.ts'
import { accountsOf, livingWorld, run, sum } from './living.ts'

/** Everything that was booked on customers, those who have left included. */
function onCustomers(sim: Simulation) {
  const { totals } = sim.customers.books
  const accounts = accountsOf(sim)
  const all = (of: (account: (typeof accounts)[number]) => number) => sum(accounts.map(of))
  return {
    revenue: totals.goneRevenue + all((account) => account.revenueMicro),
    credits: totals.goneCredits + all((account) => account.creditsMicro),
    infrastructure: totals.goneInfrastructure + all((account) => account.infrastructureMicro),
    transit: totals.goneTransit + all((account) => account.transitMicro),
  }
}

test.each([1, 2, 3])('totals are the sums of their parts, to the millionth of a dollar: seed %i', (seed) => {
  const sim = livingWorld(seed, 60, 'usual')
  for (let quarter = 0; quarter < 8; quarter++) {
    run(sim, 6 * hour)
    const { totals } = sim.customers.books
    const booked = onCustomers(sim)
    expect(booked.revenue).toBe(totals.revenue)
    expect(booked.credits).toBe(totals.credits)
    expect(booked.infrastructure + totals.idleInfrastructure).toBe(totals.direct + totals.facility)
    expect(booked.transit + totals.idleTransit).toBe(totals.transit + totals.addons)
    const { money } = sim.state
    expect(money.revenue).toBe(totals.revenue / 1e6)
    expect(money.directCost + money.facilityCost).toBeCloseTo((totals.direct + totals.facility) / 1e6, 6)
    expect(money.bonuses).toBe(totals.bonuses / 1e6)
    expect(money.evictionFees).toBe(totals.evictions / 1e6)
  }
})

test('what nobody bears is the cost of hosts on which nobody stands', () => {
  const sim = livingWorld(4, 60)
  run(sim, 30 * minute)
  const { books, business } = sim.customers
  const idleBefore = books.totals.idleInfrastructure
  run(sim, hour)
  const { load } = sim.state
  const empty = [...load.unitCount.keys()].filter((host) => load.unitCount[host] === 0)
  const idleHour = (books.totals.idleInfrastructure - idleBefore) / 1e6
  const rent = sum(empty.map((host) => books.costs.total[host])) / 730
  expect(empty.length).toBeGreaterThan(0)
  expect(business.units.count).toBeGreaterThan(100)
  expect(idleHour / rent).toBeGreaterThan(0.95)
  expect(idleHour / rent).toBeLessThan(1.05)
})

test("a record's sums are made of the cents that it shows", () => {
  const sim = livingWorld(5, 60)
  run(sim, 5 * hour)
  const records = createCustomerRecords(sim.state, sim.customers, () => [])
  records.update()
  const cents = (dollars: number) => Math.round(dollars * 100)
  for (const customer of records.customers) {
    const services = customer.service_margins
    expect(sum(services.map((entry) => cents(entry.revenue_dollars)))).toBe(
      cents(customer.margin_revenue_dollars),
    )
    expect(sum(services.map((entry) => cents(entry.cost_dollars)))).toBe(cents(customer.margin_cost_dollars))
    expect(sum(services.map((entry) => cents(entry.margin_dollars)))).toBe(cents(customer.margin_dollars))
    expect(cents(customer.cost_infrastructure_dollars) + cents(customer.cost_transit_dollars)).toBe(
      cents(customer.margin_cost_dollars),
    )
    expect(customer.margin_revenue_dollars).toBeGreaterThan(0)
    expect(customer.revenue_last_hour_dollars).toBeLessThan(customer.revenue_total_dollars)
  }
})

test('revenue follows use: an evening hour brings more than one at night', () => {
  const sim = livingWorld(6, 'small')
  run(sim, 4 * hour)
  const atNight = sim.state.money.revenuePerHour
  run(sim, 16 * hour)
  expect(sim.state.money.revenuePerHour).toBeGreaterThan(1.1 * atNight)
  expect(sim.state.money.revenuePerHour).toBeGreaterThan(sim.state.money.costPerHour)
})

test('margins forget what is more than 30 days ago', () => {
  const sim = livingWorld(7, 2)
  const { services } = sim.customers.business
  run(sim, 3 * day)
  const [account] = accountsOf(sim)
  const [service] = account.services
  const earlyDays = services.revenueKept[service]
  expect(services.revenueKept[service]).toBeGreaterThan(0)
  run(sim, 31 * day)
  if (accountsOf(sim)[0] !== account) throw new Error('the customer has left')
  expect(services.revenueKept[service]).toBeLessThan(account.revenueMicro)
  expect(services.revenueKept[service] / earlyDays).toBeGreaterThan(5)
  const ring = services.revenueOfDay.subarray(service * 30, service * 30 + 30)
  expect(sum(ring)).toBe(services.revenueKept[service])
})
