import { describe, expect, test } from 'vitest'
import type { Symptom } from '../../../../src/world/simulation/incidents/model.ts'
import { threatClassCount } from '../../../../src/contract/vocabularies.ts'
import { signalNames, signals } from '../../../../src/world/simulation/incidents/monitors/signals.ts'
import {
  createCustomerMonitor,
  createCustomerMonitorState,
  reachingGateways,
} from '../../../../src/world/simulation/incidents/monitors/customers.ts'
import { createSymptomTracker } from '../../../../src/world/simulation/incidents/monitors/symptom-tracker.ts'
import type { Tenant } from '../../../../src/world/simulation/tenants/tenant.ts'
import { hour, minute, second } from '../../../../src/world/simulation/time.ts'
import { createQuietWorld } from '../quiet-world.ts'

/** Limits of the customer monitor, and delays of symptoms. */

/** Reported signals with the rows of their subjects and their readings. */
const seenIn = (symptoms: ReadonlyMap<number, Symptom>) =>
  [...symptoms.values()].map(({ signal, subject, reading }) => [
    signal,
    'row' in subject ? subject.row : subject.id,
    Math.round(reading * 1e6) / 1e6,
  ])

describe('a customer', () => {
  const seenAt = (given: Partial<Tenant>, before: Partial<Tenant> = {}, incidentId: number | null = 1) => {
    const { state, addTenant } = createQuietWorld(1n)
    state.facility.hostRunning.fill(1)
    state.network.hostReachable.fill(1)
    const tenant = addTenant(before)
    const monitor = createCustomerMonitor(state, createCustomerMonitorState())
    const symptoms = new Map<number, Symptom>()
    const tracker = createSymptomTracker(symptoms)
    monitor.watch(tracker)
    for (const symptom of symptoms.values()) symptom.incidentId = incidentId
    Object.assign(tenant, given)
    state.now += minute
    monitor.watch(tracker)
    return seenIn(symptoms)
      .filter((_, at) => [...symptoms.values()][at].lastSeen === state.now)
      .map(([signal, , reading]) => [signal, reading])
  }
  test.each<[Partial<Tenant>, Partial<Tenant>, unknown[]]>([
    [{}, {}, []],
    [{ failing: 0.01 }, {}, []],
    [{ failing: 0.011 }, {}, [['customer-failing', 1.1]]],
    [{ failing: 0.0071 }, { failing: 0.02 }, [['customer-failing', 0.71]]],
    [{ failing: 0.0069 }, { failing: 0.02 }, []],
    [{ p99Ms: 200 }, {}, []],
    [{ p99Ms: 201 }, {}, [['customer-slow', 201]]],
    [{ p99Ms: 141 }, { p99Ms: 201 }, [['customer-slow', 141]]],
    [{ p99Ms: 139 }, { p99Ms: 201 }, []],
    [{ starving: 0.05 }, {}, []],
    [{ starving: 0.051 }, {}, [['customer-starved', 5.1]]],
    [{ starving: 0.0351 }, { starving: 0.06 }, [['customer-starved', 3.51]]],
    [{ starving: 0.0349 }, { starving: 0.06 }, []],
    [{ strandedUnits: 2 }, {}, [['customer-stranded', 2]]],
    [{ breached: true }, {}, [['customer-breached', 1]]],
    [{ breached: true, lifecycle: 'Probation' }, {}, [['customer-breached', 1]]],
    [{ breached: true, lifecycle: 'Leaving' }, {}, [['customer-breached', 1]]],
    [{ breached: true, lifecycle: 'Onboarding' }, {}, []],
    // Redundancy is lost to a failure, or was never there.
    [
      { redundancyBroken: true, strandedUnits: 1 },
      {},
      [
        ['customer-stranded', 1],
        ['customer-redundancy', 1],
      ],
    ],
    [{ redundancyBroken: true }, {}, []],
    [{ redundancyBroken: true, strandedUnits: 1 }, { redundancyBroken: true }, [['customer-stranded', 1]]],
  ])('with %j after %j', (given, before, expected) => {
    expect(seenAt(given, before)).toEqual(expected)
  })

  test.each<[Partial<Tenant>, Partial<Tenant>]>([
    [{ failing: 0.0071 }, { failing: 0.02 }],
    [{ p99Ms: 200 }, { p99Ms: 201 }],
    [{ starving: 0.05 }, { starving: 0.06 }],
  ])('with %j after %j that no incident has is not reported', (given, before) => {
    expect(seenAt(given, before, null)).toEqual([])
  })

  test.each([
    [4 * hour - 1, true],
    [4 * hour, false],
  ])('that lost its redundancy %d µs ago is reported: %s', (since, isReported) => {
    const { state, addTenant } = createQuietWorld(1n)
    const tenant = addTenant()
    const monitor = createCustomerMonitor(state, createCustomerMonitorState())
    const tracked = new Map<number, Symptom>()
    monitor.watch(createSymptomTracker(tracked))
    Object.assign(tenant, { redundancyBroken: true, strandedUnits: 1 })
    monitor.watch(createSymptomTracker(tracked))
    state.now += since
    const symptoms = new Map<number, Symptom>()
    monitor.watch(createSymptomTracker(symptoms))
    expect(seenIn(symptoms).some(([signal]) => signal === 'customer-redundancy')).toBe(isReported)
  })
})

test('hostile traffic reaches a customer at all gateways of its zones, by class', () => {
  const { state, addTenant } = createQuietWorld(1n)
  const { topology, threats } = state
  const { id } = addTenant({ hosts: Int32Array.from(topology.zones, ({ hosts }) => hosts[0]) })
  const gateways = topology.zones.flatMap((zone) => zone.gateways)
  for (const row of gateways)
    for (let threat = 0; threat < threatClassCount; threat++)
      threats.gatewayReaching[row * threatClassCount + threat] = 10 * (row + 1) + threat
  expect(gateways).toEqual([0, 1])
  expect([0, 2].map((threat) => reachingGateways(state, id, threat))).toEqual([30, 34])
})

test('each signal has its delay and harm', () => {
  const shown = signalNames.map((name) => `${name} ${signals[name].delay / second} s ${signals[name].harm}`)
  expect(shown).toEqual(
    [
      'feed-dead 30 s 0.2, feed-on-battery 30 s 0, cooling-stopped 60 s 0.1, zone-hot 120 s 0.1',
      'switch-silent 60 s 0.9, gateway-silent 60 s 0.9, appliance-silent 60 s 0.85',
      'gateway-withdrawn 60 s 0.9, link-down 60 s 0.65, switch-storm 30 s 0.85',
      'switch-degraded 60 s 0.65, switch-supply 90 s 0.05, gateway-throttled 120 s 0.65',
      'host-silent 60 s 0.9, host-hot 60 s 0.6, host-fan 90 s 0.1, host-disk 60 s 0.65',
      'host-supply 90 s 0.05, host-memory 60 s 0.65, host-clock 60 s 0.65, link-flapping 60 s 0.65',
      'link-errors 60 s 0.65, customer-flood 60 s 0.85, customer-probed 120 s 0.6',
      'link-full 60 s 0.8, switch-dropping 60 s 0.8, gateway-dropping 60 s 0.8',
      'appliance-dropping 60 s 0.8, customer-breached 30 s 0.5, customer-failing 60 s 0',
      'customer-stranded 60 s 0, customer-slow 180 s 0, customer-starved 300 s 0',
      'customer-redundancy 300 s 0',
    ].flatMap((line) => line.split(', ')),
  )
})

describe('demand relative to its usual', () => {
  test.each<[minutes: number, given: Partial<Tenant>, ratio: number]>([
    [1, {}, 1],
    [1, { requestsPerSecond: 20 }, 2],
    // Every 5 minutes the usual demand follows by 1/288.
    [4.9, { requestsPerSecond: 20 }, 2],
    [5, { requestsPerSecond: 20 }, 1.993_08],
    [5, { requestsPerSecond: 0 }, 0],
    [5, { usualRequestsPerSecond: 20 }, 0.500_87],
    [5, { requestsPerSecond: 20, usualRequestsPerSecond: 0 }, 1],
  ])('after %d min with %j is %d', (minutes, given, ratio) => {
    const { state, addTenant } = createQuietWorld(1n)
    const tenant = addTenant()
    const monitor = createCustomerMonitor(state, createCustomerMonitorState())
    expect(monitor.demandRatio(tenant.id)).toBe(1)
    monitor.followDemand()
    Object.assign(tenant, given)
    state.now += minutes * minute
    monitor.followDemand()
    expect(monitor.demandRatio(tenant.id)).toBeCloseTo(ratio, 6)
    expect(monitor.demandRatio(7)).toBe(1)
  })
})

describe('a symptom', () => {
  const tracked = () => {
    const symptoms = new Map<number, Symptom>()
    return { symptoms, tracker: createSymptomTracker(symptoms) }
  }
  test.each([
    ['host-silent', 60 * second - 1, 0],
    ['host-silent', 60 * second, 1],
    ['customer-slow', 3 * minute - 1, 0],
    ['customer-slow', 3 * minute, 1],
    ['customer-redundancy', 5 * minute, 1],
    ['feed-dead', 30 * second, 1],
  ] as const)('%s that has lasted for %d µs is due: %i', (signal, age, count) => {
    const { tracker } = tracked()
    tracker.report(signal, 'Host', 1, 1, 0)
    tracker.report(signal, 'Host', 1, 1, age)
    expect(tracker.settle(age, () => {}).length).toBe(count)
    expect(tracker.settle(age + 1, () => {}).length).toBe(0)
  })

  test.each([
    ['is kept', null, 45 * second, 1, 0],
    ['is dropped', null, 45 * second + 1, 0, 0],
    ['of an incident is kept', 7, 2 * minute, 1, 0],
    ['of an incident clears', 7, 2 * minute + 1, 0, 1],
  ])('%s', (_, incidentId, unseenFor, kept, cleared) => {
    const { symptoms, tracker } = tracked()
    tracker.report('host-silent', 'Host', 1, 1, 0)
    symptoms.values().next().value!.incidentId = incidentId
    let clearedCount = 0
    tracker.settle(unseenFor, () => clearedCount++)
    expect([symptoms.size, clearedCount]).toEqual([kept, cleared])
  })

  test.each([
    [[10, 19], 0],
    [[10, 20], 1],
    [[10, 5, 9], 0],
    [[10, 5, 10], 2],
    [[10, 20, 39], 1],
    [[10, 20, 40], 2],
  ])('with readings %o got worse at reading %i', (readings, at) => {
    const { symptoms, tracker } = tracked()
    readings.forEach((reading, now) => tracker.report('link-full', 'Cable', 1, reading, now))
    expect([...symptoms.values()].map(({ worsenedAt }) => worsenedAt)).toEqual([at])
  })
})
