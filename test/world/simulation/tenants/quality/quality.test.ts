import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../../src/world/simulation/tenants/account.ts'
import { accumulateServed } from '../../../../../src/world/simulation/tenants/quality/delivered-traffic.ts'
import {
  isNoticeable,
  thermalSpeed,
  updateHostConditions,
} from '../../../../../src/world/simulation/tenants/quality/observe-hosts.ts'
import { stepQuality } from '../../../../../src/world/simulation/tenants/quality/quality.ts'
import { countRequests } from '../../../../../src/world/simulation/tenants/quality/requests.ts'
import {
  satisfactionLabel,
  updateSatisfaction,
} from '../../../../../src/world/simulation/tenants/quality/satisfaction.ts'
import { round } from '../../../../../src/world/simulation/numeric.ts'
import { createTenantsFixture, customer } from '../tenants-fixture.ts'

const counted = (account: Account, steps = 1, everySteps = steps): Account => {
  for (let until = everySteps; until <= steps; until += everySteps) countRequests(account, until)
  return account
}

describe('requests of a step of ten seconds', () => {
  test.each([
    [3, 0.5, 1, 30, 15],
    [0.25, 0, 1, 2, 0],
    [0.25, 0, 2, 5, 0],
    [0.04, 1, 2, 0, 0],
    [0.04, 1, 5, 2, 2],
    [1, 0.05, 1, 10, 0],
    [1, 0.05, 2, 20, 1],
    [1, 0.05, 4, 40, 2],
  ])(
    'at %f a second, of which %f fail, are whole after %i steps: %i and %i',
    (rps, failing, steps, total, failed) => {
      const counts = [total, failed]
      for (const everySteps of [steps, 1]) {
        const account = counted(customer({ requestsPerSecond: rps, failing }), steps, everySteps)
        expect([account.totalRequests, account.failedRequests]).toEqual(counts)
        expect([account.turnTotal, account.turnFailed]).toEqual(counts)
        expect([account.period.total, account.period.failed]).toEqual(counts)
      }
    },
  )

  test.each([
    [99, 0],
    [100, 0],
    [100.1, 10],
  ])('with a p99 of %f ms of 100 promised add %i s above the promise', (p99Ms, seconds) => {
    expect(counted(customer({ p99Ms })).period.secondsOverLatency).toBe(seconds)
  })

  test.each([
    [0.5, 0],
    [0.51, 40],
  ])('of which %f fail make an outage of %i s after 30 s of outage', (failing, seconds) => {
    expect(counted(customer({ failing, outageSeconds: 30 })).outageSeconds).toBe(seconds)
  })

  test('make the same sums in one call and in a call for each step', () => {
    const sums = (everySteps: number) => {
      const account = customer({ requestsPerSecond: 0.37, failing: 0.513, p99Ms: 101, outageSeconds: 30 })
      const { totalRequests, failedRequests, period, outageSeconds } = counted(account, 600, everySteps)
      return [totalRequests, failedRequests, period.secondsOverLatency, outageSeconds]
    }
    expect(sums(1)).toEqual(sums(600))
    expect(sums(1)).toEqual([2_220, 1_138, 6_000, 6_030])
  })
})

test.each([
  [20, 1],
  [70, 1],
  [74, 0.725],
  [78, 0.45],
  [90, 0.45],
])('at %f °C a host works at %f of its speed', (celsius, speed) => {
  expect(thermalSpeed(celsius)).toBeCloseTo(speed, 9)
})

test.each([
  [0.02, 0, false],
  [0.021, 0, true],
  [1.04, 1, false],
  [1.06, 1, true],
  [0.94, 1, true],
])('a delay of %f ms after one of %f is noticeable: %s', (ms, lastMs, noticeable) => {
  expect(isNoticeable(ms, lastMs)).toBe(noticeable)
})

describe('conditions of a host', () => {
  const { context, world, state } = createTenantsFixture()
  const { network, facility, load } = world
  const conditions = state.quality.hosts
  facility.hostCelsius.fill(40)
  network.hostDeliveredIn.fill(1)
  network.hostDeliveredOut.fill(1)
  const update = (change: () => void): number[] => {
    updateHostConditions(context, conditions)
    expect(updateHostConditions(context, conditions)).toBe(false)
    expect(conditions.changed[0]).toBe(0)
    change()
    const changed = updateHostConditions(context, conditions)
    expect(conditions.changed[0]).toBe(Number(changed))
    expect(conditions.changed[1]).toBe(0)
    const { speed, contentionFactor, diskFactor } = conditions
    return [
      Number(changed),
      ...[speed[0], contentionFactor[0], diskFactor[0]].map((value) => round(value, 6)),
    ]
  }

  test.each<[string, () => void, readonly number[]]>([
    ['calm', () => {}, [0, 1, 0, 1]],
    [
      'a contention of 0.9 makes it wait, and not slower',
      () => void (load.contention[0] = 0.9),
      [0, 1, 0.5, 1],
    ],
    ['a contention of 1', () => void (load.contention[0] = 1), [0, 1, 1, 1]],
    ['a contention of 1.25', () => void (load.contention[0] = 1.25), [1, 0.8, 5.5, 1]],
    ['heat on top', () => void (facility.hostCelsius[0] = 78), [1, 0.36, 5.5, 1]],
    ['cool and idle', () => void ((load.contention[0] = 0), (facility.hostCelsius[0] = 40)), [1, 1, 0, 1]],
    [
      'half of its disk operations',
      () => void (load.iopsUsed[0] = state.capacity.iops[0] / 2),
      [1, 1, 0, 1.5],
    ],
    ['a broken disk', () => void (world.condition.hostDiskBroken[0] = 1), [1, 1, 0, 9]],
    ['less traffic to it', () => void (network.hostDeliveredIn[0] = 0.9), [1, 1, 0, 9]],
    ['less traffic from it', () => void (network.hostDeliveredOut[0] = 0.8), [1, 1, 0, 9]],
    ['a short queue', () => void (network.hostQueueMs[0] = 0.01), [0, 1, 0, 9]],
    ['a queue', () => void (network.hostQueueMs[0] = 3), [1, 1, 0, 9]],
    ['inspection', () => void (network.hostInspectionMs[0] = 2), [1, 1, 0, 9]],
  ])('%s', (_, change, expected) => {
    expect(update(change)).toEqual(expected)
  })

  test('are those of network and inspection', () => {
    const { deliveredIn, deliveredOut, queueMs, inspectionMs } = conditions
    expect([deliveredIn[0], deliveredOut[0], queueMs[0], inspectionMs[0]]).toEqual([0.9, 0.8, 3, 2])
  })
})

describe('a customer gets another quality', () => {
  /** Whether a step updates the customer, whose recorded failing share is outdated. */
  const isUpdated = (
    change: (fixture: ReturnType<typeof createTenantsFixture>, account: Account, row: number) => void,
  ): boolean => {
    const fixture = createTenantsFixture()
    const { context, state, world, addCustomer, addService } = fixture
    const account = addCustomer()
    const row = addService(account, { rps: 1 }, [0])
    world.network.hostDeliveredIn.fill(1)
    stepQuality(context)
    account.failing = -1
    change(fixture, account, row)
    world.network.flowVersion++
    stepQuality(context)
    expect(state.quality.knownForAll[0]).toBe(state.load.version)
    return account.failing !== -1
  }

  test.each<[string, Parameters<typeof isUpdated>[0], boolean]>([
    ['never without a reason', () => {}, false],
    ['when demand has changed', ({ state }) => void state.load.version++, true],
    ['when placement has changed', ({ state }) => void state.version++, true],
    ['when one of its hosts has changed', ({ world }) => void (world.network.hostDeliveredIn[0] = 0.5), true],
    ['not when another host has', ({ world }) => void (world.network.hostDeliveredIn[1] = 0.5), false],
    [
      'in an attack',
      ({ world }) =>
        void world.threats.remainders.set(1, {
          class: 'Scan',
          magnitude: 1,
          gbps: 0,
          requestsPerSecond: 0,
          breach: false,
        }),
      true,
    ],
    [
      'when it needs it',
      ({ state }, account) => void (account.needsQualityUpdate = state.quality.isPending = true),
      true,
    ],
  ])('%s', (_, change, updated) => {
    expect(isUpdated(change)).toBe(updated)
  })

  test('until an attack and a failover are over', () => {
    const { context, world, state, addCustomer, addService } = createTenantsFixture()
    const account = addCustomer()
    const row = addService(account, { rps: 1, failoverUntil: 2 }, [0])
    stepQuality(context)
    expect(account.needsQualityUpdate).toBe(true)
    world.tick = 2
    stepQuality(context)
    expect(account.needsQualityUpdate).toBe(false)
    world.threats.remainders.set(1, {
      class: 'Scan',
      magnitude: 1,
      gbps: 0,
      requestsPerSecond: 0,
      breach: false,
    })
    stepQuality(context)
    expect(account.needsQualityUpdate).toBe(true)
    expect(state.services.successRatio[row]).toBe(0)
  })
})

test('what is served accumulates at the rates before they change', () => {
  const { state, addCustomer, addService } = createTenantsFixture()
  const account = addCustomer({ servedUntil: 10 })
  const row = addService(account, { servedRps: 4, carriedInGbps: 0.5, carriedOutGbps: 1.5 })
  const { servedRequests, servedGbit } = state.services
  accumulateServed(state.services, account, 10)
  expect([servedRequests[row], servedGbit[row]]).toEqual([0, 0])
  accumulateServed(state.services, account, 13)
  expect([servedRequests[row], servedGbit[row], account.servedUntil]).toEqual([120, 60, 13])
})

test.each([
  [0.1999, 'Furious'],
  [0.2, 'Unhappy'],
  [0.4, 'Uneasy'],
  [0.55, 'Content'],
  [0.72, 'Happy'],
  [0.88, 'Delighted'],
])('a satisfaction of %f is %s', (satisfaction, label) => {
  expect(satisfactionLabel(satisfaction)).toBe(label)
})

test.each([
  [0, 0.94],
  [0.2, 0.740058],
  [0.85, 0.090246],
])('failures that weigh %f leave a satisfaction of %f', (weight, satisfaction) => {
  const { context, addCustomer } = createTenantsFixture()
  const account = addCustomer({ usualSatisfaction: 0.5 })
  account.grievances[0] = weight
  updateSatisfaction(context, account)
  expect(account.satisfaction).toBeCloseTo(satisfaction, 6)
  // Smoothing of the expectation: 1/864 a turn, a time constant of three days.
  expect((account.usualSatisfaction - 0.5) / (account.satisfaction - 0.5)).toBeCloseTo(1 / 864, 9)
})
