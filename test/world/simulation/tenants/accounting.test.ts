import { expect, test } from 'vitest'
import { createTenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { countRequests } from '../../../../src/world/simulation/tenants/quality/requests.ts'
import { isNight, sweepSeeds } from '../../../fixtures/seeds.ts'
import { accountsOf, createRunningSimulation, runFor, sum } from './running-simulation.ts'

/** Sums of all bookings on customers, former ones included. */
function onCustomers(sim: Simulation) {
  const { totals } = sim.customers.accounting
  const accounts = accountsOf(sim)
  const all = (of: (account: (typeof accounts)[number]) => number) => sum(accounts.map(of))
  return {
    revenue: totals.goneRevenue + all((account) => account.revenueMicro),
    credits: totals.goneCredits + all((account) => account.creditsMicro),
    infrastructure: totals.goneInfrastructure + all((account) => account.infrastructureMicro),
    transit: totals.goneTransit + all((account) => account.transitMicro),
  }
}

test.each(sweepSeeds(1, 1, 3))(
  'totals are the sums of their parts, to the millionth of a dollar: seed %s',
  (seed) => {
    const sim = createRunningSimulation(Number(seed), 60, 'usual')
    for (let quarter = 0; quarter < (isNight ? 8 : 3); quarter++) {
      runFor(sim, 6 * hour)
      const { totals } = sim.customers.accounting
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
  },
)

test('the cost that no customer bears is that of empty hosts', () => {
  const sim = createRunningSimulation(4, 60)
  runFor(sim, 30 * minute)
  const { accounting, state } = sim.customers
  const idleBefore = accounting.totals.idleInfrastructure
  runFor(sim, hour)
  const { load } = sim.state
  const empty = [...load.unitCount.keys()].filter((host) => load.unitCount[host] === 0)
  const idleHour = (accounting.totals.idleInfrastructure - idleBefore) / 1e6
  const rent = sum(empty.map((host) => accounting.costs.total[host])) / 730
  expect(empty.length).toBeGreaterThan(0)
  expect(state.units.count).toBeGreaterThan(100)
  expect(idleHour / rent).toBeGreaterThan(0.95)
  expect(idleHour / rent).toBeLessThan(1.05)
})

test("a record's sums are made of the cents that it shows", () => {
  const sim = createRunningSimulation(5, 60)
  runFor(sim, 5 * hour)
  const records = createTenantRecords(sim.state, sim.customers, () => [])
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
  const sim = createRunningSimulation(6, 'small')
  runFor(sim, 4 * hour)
  const atNight = sim.state.money.revenuePerHour
  runFor(sim, 16 * hour)
  expect(sim.state.money.revenuePerHour).toBeGreaterThan(1.1 * atNight)
  expect(sim.state.money.revenuePerHour).toBeGreaterThan(sim.state.money.costPerHour)
})

// A month of a world: by night.
test.runIf(isNight)('margins forget what is more than 30 days ago', () => {
  const sim = createRunningSimulation(7, 2)
  const { services } = sim.customers.state
  runFor(sim, 3 * day)
  const [account] = accountsOf(sim)
  const [service] = account.services
  const earlyDays = services.revenueTotal[service]
  expect(services.revenueTotal[service]).toBeGreaterThan(0)
  runFor(sim, 31 * day)
  if (accountsOf(sim)[0] !== account) throw new Error('the customer has left')
  expect(services.revenueTotal[service]).toBeLessThan(account.revenueMicro)
  expect(services.revenueTotal[service] / earlyDays).toBeGreaterThan(5)
  const ring = services.revenueOfDay.subarray(service * 30, service * 30 + 30)
  expect(sum(ring)).toBe(services.revenueTotal[service])
})

test('the failed requests of the last hour are those of an hour, to the request', () => {
  const sim = createRunningSimulation(6, 24)
  runFor(sim, 30 * minute)
  // A third of the gateways: the share of failed requests varies with the traffic.
  const target = { kind: 'Gateway', row: 0 } as const
  const records = createTenantRecords(sim.state, sim.customers, () => [])
  const lifetimes = new Map<number, number[]>()
  let failingNow = 0
  const compare = (): void => {
    records.update()
    for (const { id, turnFailed } of accountsOf(sim)) {
      const { failed_last_hour } = records.customers.find((customer) => Number(customer.id) === id)!
      const values = lifetimes.get(id)!
      // The hour ends within the last five minutes, at the customer's turn.
      const hours = values.slice(-31).map((value, index) => value - values[values.length - 31 + index - 360])
      expect(hours).toContain(failed_last_hour)
      if (turnFailed > 0) failingNow++
    }
  }
  // The second fault is within the last half-hour, so that requests still fail when the figures are read.
  for (const span of [90 * minute, 30 * minute]) {
    sim.state.faults.inject({ kind: 'AddonThrottling', target, magnitude: 0.97, lasts: null })
    runFor(sim, span, () => {
      for (const account of accountsOf(sim)) {
        countRequests(account, sim.state.tick)
        lifetimes.set(account.id, [...(lifetimes.get(account.id) ?? []), account.failedRequests])
      }
      if (sim.state.now >= 2 * hour && sim.state.tick % 41 === 0) compare()
    })
  }
  expect(failingNow).toBeGreaterThan(0)
})

test('a latency spike is a latency above the promise in the figures that the record shows', () => {
  const sim = createRunningSimulation(8, 24)
  runFor(sim, 30 * minute)
  const records = createTenantRecords(sim.state, sim.customers, () => [])
  const [account, other] = accountsOf(sim)
  account.p99Ms = account.p99BudgetMs + 0.4
  other.p99Ms = other.p99BudgetMs + 0.6
  records.update()
  const [level, above] = [account, other].map(
    ({ id }) => records.customers.find((customer) => Number(customer.id) === id)!,
  )
  expect(level.p99_recent_ms).toBe(level.sla_p99_budget_ms)
  expect(level.in_latency_spike).toBe(false)
  expect(above.in_latency_spike).toBe(true)
})
