import { describe, expect, test } from 'vitest'
import {
  contentionFactor,
  diskFactor,
  promisedP99,
  queueingFactor,
  replicationTerm,
} from '../../../../src/world/simulation/tenants/quality/latency.ts'
import { roleIndex } from '../../../../src/world/simulation/tenants/demand/service-classes.ts'
import { type Account, createSlaPeriod } from '../../../../src/world/simulation/tenants/account.ts'
import { updateAccountQuality } from '../../../../src/world/simulation/tenants/quality/account-quality.ts'
import { availabilityOf, periodP99 } from '../../../../src/world/simulation/tenants/quality/sla.ts'
import { term } from '../../../../src/world/simulation/tenants/service-table.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor } from './running-simulation.ts'
import { classOf } from '../../../../src/world/simulation/tenants/service-table.ts'

describe('what makes requests slow', () => {
  test('contention is not felt below 70 percent and grows faster and faster above', () => {
    expect([0.5, 0.7, 0.9, 1, 1.2].map((load) => Math.round(contentionFactor(load) * 100) / 100)).toEqual([
      0, 0, 0.5, 1, 5,
    ])
  })

  test('a queue is as long as work, and runs away towards full use', () => {
    expect(queueingFactor(0.5)).toBe(1)
    expect(queueingFactor(0.9)).toBeCloseTo(9)
    expect(queueingFactor(1.1)).toBeGreaterThan(queueingFactor(0.98))
  })

  test('a broken disk takes six times as long', () => {
    expect(diskFactor(0, false)).toBe(1)
    expect(diskFactor(0.5, false)).toBe(1.5)
    expect(diskFactor(0.5, true)).toBe(9)
  })

  test('copies in another zone, and copies that are being made again, hold writes up', () => {
    expect(replicationTerm('Ephemeral', true, 0)).toBe(0)
    expect(replicationTerm('Replicated3', true, 0)).toBeGreaterThan(replicationTerm('Replicated3', false, 0))
    expect(replicationTerm('Replicated3', false, 1)).toBe(2.5 * replicationTerm('Replicated3', false, 0))
  })

  test('a dearer plan promises less latency for the same services', () => {
    const unit = {
      class: 'web',
      count: 4,
      vcpu: 8,
      memMb: 1,
      ssdGb: 1,
      iops: 1,
      slices: 0,
      durability: 'Ephemeral',
    } as const
    const promised = (['Bronze', 'Silver', 'Gold', 'Platinum'] as const).map((tier) =>
      promisedP99([unit], tier, false),
    )
    expect(promised).toEqual([...promised].toSorted((a, b) => b - a))
    expect(new Set(promised).size).toBe(4)
  })
})

test('on a calm day latency stays within its budget and almost no request fails', () => {
  const sim = createRunningSimulation(41, 'medium')
  const late = new Set<Account>()
  const waiting = new Set<Account>()
  runFor(sim, 24 * hour, () => {
    for (const account of accountsOf(sim)) {
      // Users of a customer that waits for units outnumber those that it has.
      if (account.placedUnits < account.requestedUnits) waiting.add(account)
      else if (account.p99Ms > account.p99BudgetMs) late.add(account)
    }
  })
  expect(waiting.size).toBeLessThan(5)
  const placed = accountsOf(sim).filter((account) => !waiting.has(account))
  expect([...late].filter((account) => !waiting.has(account))).toEqual([])
  expect(placed.filter(({ period }) => availabilityOf(period) < 0.9999)).toEqual([])
  expect(placed.filter((account) => periodP99(account) > account.p99BudgetMs)).toEqual([])
})

test('a broken disk slows down the services on it, and their records show it', () => {
  const sim = createRunningSimulation(42, 'medium')
  runFor(sim, hour)
  const { services } = sim.customers.state
  const account = accountsOf(sim).find(({ services: rows }) =>
    rows.some((row) => classOf(services, row) === 'block-storage' || classOf(services, row) === 'database'),
  )
  if (account === undefined) throw new Error('no service of this world keeps data')
  const [before, quality] = [account.p99Ms, account.blockQuality]
  for (const host of account.hosts) sim.state.condition.hostDiskBroken[host] = 1
  runFor(sim, 2 * minute)
  expect(account.p99Ms).toBeGreaterThan(before * 1.2)
  expect(account.topTerm).toBe(term.Storage)
  expect(account.blockQuality).toBeLessThan(quality)
  for (const host of account.hosts) sim.state.condition.hostDiskBroken[host] = 0
  runFor(sim, 2 * minute)
  expect(account.p99Ms).toBeLessThan(before * 1.15)
})

test('a customer whose demand outgrows its units fails what they cannot work through', () => {
  const sim = createRunningSimulation(43, 'medium')
  runFor(sim, 11 * hour)
  const [account] = accountsOf(sim)
  expect(account.failing).toBeLessThan(0.001)
  sim.state.faults.inject({
    kind: 'DemandSurge',
    target: { kind: 'Customer', id: account.id },
    magnitude: 12,
    lasts: hour,
  })
  runFor(sim, 40 * minute)
  expect(account.failing).toBeGreaterThan(0.3)
  expect(account.cpuLoad).toBeGreaterThan(0.8)
  expect(account.p99Ms).toBeGreaterThan(account.p99BudgetMs)
  expect(account.unservedGbps).toBeGreaterThan(0)
})

test('the 99th percentile of a period is that of its requests, not of its minutes', () => {
  const period = createSlaPeriod(0, hour)
  const account = { period, p99Ms: 0, p50Ms: 0, minuteTotal: 0 }
  period.latency[20] = 9_950
  period.latency[40] = 50
  const quiet = periodP99(account as Parameters<typeof periodP99>[0])
  period.latency[40] = 500
  const spiky = periodP99(account as Parameters<typeof periodP99>[0])
  expect(spiky).toBeGreaterThan(15 * quiet)
})

test('jobs are short of what was booked, not of all that their customer would like to run', () => {
  const { state } = createRunningSimulation(3, 'small').customers
  const { services } = state
  const jobs = state.accounts.flatMap((account) =>
    account.services
      .filter((service) => services.role[service] === roleIndex.job)
      .map((service) => ({ account, service })),
  )
  const { account, service } = jobs[0]
  account.services.splice(0, account.services.length, service)
  const starving = (serving: number, unitDemand: number, successRatio: number): number => {
    services.requested[service] = 4
    services.rps[service] = 10
    services.serving[service] = serving
    services.unitDemandMilli[service] = unitDemand * services.vcpuMilli[service]
    services.successRatio[service] = successRatio
    updateAccountQuality(state, account, undefined)
    return account.starving
  }
  // Twice what was booked is wanted: half of it is all that can be asked for.
  expect(starving(4, 2, 0.5)).toBe(0)
  expect(starving(4, 2, 0.25)).toBeCloseTo(0.5)
  // Half of the booked units found no host.
  expect(starving(2, 2, 0.5)).toBeCloseTo(0.5)
  expect(starving(4, 0.8, 0.9)).toBeCloseTo(0.1)
})
