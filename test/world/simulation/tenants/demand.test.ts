import { describe, expect, test } from 'vitest'
import { curveAt, curveNames } from '../../../../src/world/simulation/tenants/demand/curves.ts'
import { peakGbpsPerHost } from '../../../../src/world/simulation/topology/sizing.ts'
import { day, hour, minute } from '../../../../src/world/simulation/time.ts'
import { accountsOf, createRunningSimulation, runFor, sum } from './running-simulation.ts'

const monday = 0
const saturday = 5 * day

describe('curves', () => {
  test('shops are busiest in the evening, banks in office hours, batch at night', () => {
    expect(curveAt('evening', monday + 20 * hour)).toBeGreaterThan(
      1.4 * curveAt('evening', monday + 10 * hour),
    )
    expect(curveAt('office', monday + 10 * hour)).toBeGreaterThan(2 * curveAt('office', monday + 20 * hour))
    expect(curveAt('night', monday + 2 * hour)).toBeGreaterThan(3 * curveAt('night', monday + 12 * hour))
  })

  test('players come at weekends, when offices are empty', () => {
    expect(curveAt('leisure', saturday + 20 * hour)).toBeGreaterThan(curveAt('leisure', monday + 20 * hour))
    expect(curveAt('office', saturday + 12 * hour)).toBeLessThan(0.7 * curveAt('office', monday + 12 * hour))
  })

  test.each(curveNames)('%s is between nothing and everything, and at least halves within a day', (name) => {
    for (let from = 0; from < 7 * day; from += day) {
      const heights = Array.from({ length: 144 }, (_, i) => curveAt(name, from + i * 10 * minute))
      expect(Math.max(...heights)).toBeLessThanOrEqual(1)
      expect(Math.min(...heights)).toBeGreaterThan(0.05)
      expect(Math.max(...heights)).toBeGreaterThan(2 * Math.min(...heights))
    }
  })

  test('nothing jumps: from one minute to the next a curve moves by less than a fiftieth', () => {
    for (const name of curveNames) {
      for (let at = 0; at < 7 * day; at += minute) {
        expect(Math.abs(curveAt(name, at + minute) - curveAt(name, at))).toBeLessThan(0.02)
      }
    }
  })
})

test("every customer's day and night differ by a factor of two", () => {
  const sim = createRunningSimulation(11, 'medium')
  const least = new Map<number, number>()
  const most = new Map<number, number>()
  runFor(sim, day, () => {
    if (sim.state.tick % 60 !== 59) return
    for (const { id, requestsPerSecond, signed } of accountsOf(sim)) {
      if (signed > 0) continue
      least.set(id, Math.min(least.get(id) ?? Number.POSITIVE_INFINITY, requestsPerSecond))
      most.set(id, Math.max(most.get(id) ?? 0, requestsPerSecond))
    }
  })
  expect(least.size).toBeGreaterThan(30)
  const even = [...least].filter(([id, low]) => (most.get(id) ?? 0) <= 2 * low)
  expect(even).toEqual([])
})

test('evening traffic is what the network was sized for, and hosts are busy but not swamped', () => {
  const sim = createRunningSimulation(12, 'medium')
  const { load, topology } = sim.state
  const wanted = topology.hosts.count * peakGbpsPerHost
  let peak = 0
  let busiest = 0
  runFor(sim, day, () => {
    peak = Math.max(peak, sum(load.wantedOutGbps))
    busiest = Math.max(busiest, sum(load.cpuUsedMilli))
    expect(Math.max(...load.contention)).toBeLessThan(1.2)
  })
  expect(peak).toBeGreaterThan(0.6 * wanted)
  expect(peak).toBeLessThan(1.1 * wanted)
  const facility = sum(sim.customers.state.capacity.physicalMilli)
  expect(busiest / facility).toBeGreaterThan(0.3)
  expect(busiest / facility).toBeLessThan(0.8)
})

test.each(['small', 'medium', 300] as const)(
  'CPU and memory allocated sit at 55 to 70 percent: %s',
  (scale) => {
    const sim = createRunningSimulation(13, scale)
    const { capacity } = sim.customers.state
    const shared = capacity.pools.filter((_, row) => !sim.state.topology.pools[row].dedicated)
    const share = (part: 'milli' | 'memMb', whole: 'maxMilli' | 'memMbTotal') =>
      sum(shared.map((pool) => pool[part])) / sum(shared.map((pool) => pool[whole]))
    expect(share('milli', 'maxMilli')).toBeGreaterThan(scale === 'small' ? 0.45 : 0.55)
    expect(share('milli', 'maxMilli')).toBeLessThan(0.7)
    expect(share('memMb', 'memMbTotal')).toBeGreaterThan(scale === 'small' ? 0.4 : 0.5)
    expect(share('memMb', 'memMbTotal')).toBeLessThan(0.7)
  },
)

test('demand wanders: two minutes are alike, and no two hours are', () => {
  const sim = createRunningSimulation(14, 'small')
  runFor(sim, 12 * hour)
  const [account] = accountsOf(sim)
  const wander: number[] = []
  runFor(sim, 10 * hour, () => {
    if (sim.state.tick % 6 === 0) wander.push(account.demandDrift)
  })
  const differ = (apart: number): number => {
    let total = 0
    for (let i = apart; i < wander.length; i++) total += Math.abs(wander[i] - wander[i - apart])
    return total / (wander.length - apart)
  }
  expect(differ(1)).toBeGreaterThan(0)
  expect(differ(120)).toBeGreaterThan(3 * differ(1))
})

test('a surge multiplies what a customer asks for, and ends', () => {
  const sim = createRunningSimulation(15, 'small')
  runFor(sim, hour)
  const [account] = accountsOf(sim)
  const before = account.requestsPerSecond
  sim.state.faults.inject({
    kind: 'DemandSurge',
    target: { kind: 'Customer', id: account.id },
    magnitude: 3,
    lasts: 30 * minute,
  })
  runFor(sim, 20 * minute)
  expect(account.requestsPerSecond).toBeGreaterThan(1.5 * before)
  runFor(sim, 40 * minute)
  expect(account.requestsPerSecond).toBeLessThan(1.3 * before)
})
