import { describe, expect, test } from 'vitest'
import { updateServiceQuality } from '../../../../../src/world/simulation/tenants/quality/service-quality.ts'
import type { HostConditions } from '../../../../../src/world/simulation/tenants/host-conditions.ts'
import { createTenantsFixture } from '../tenants-fixture.ts'

type HostColumn = Exclude<keyof HostConditions, 'changed'>
type ServiceOptions = Parameters<ReturnType<typeof createTenantsFixture>['addService']>[1]

/** A service of a customer with near users (id 0) on hosts 0 and 1, which are healthy except for `hosts`. */
function qualityOf(
  service: ServiceOptions,
  hosts: Partial<Record<HostColumn | 'contention', readonly [number, number]>> = {},
  multiZone = false,
) {
  const { context, state, world, addCustomer, addService } = createTenantsFixture()
  const account = addCustomer({ id: 0, multiZone })
  const row = addService(account, service, [0, 1])
  const conditions = state.quality.hosts
  for (const column of [
    conditions.deliveredIn,
    conditions.deliveredOut,
    conditions.speed,
    conditions.diskFactor,
  ])
    column.fill(1)
  for (const [name, values] of Object.entries(hosts)) {
    if (name === 'contention') world.load.contention.set(values)
    else conditions[name as HostColumn].set(values)
  }
  state.demand.trafficFactor.in = 2
  state.demand.trafficFactor.out = 3
  world.tick = 100
  updateServiceQuality(context, account, row)
  const { services } = state
  const terms = [...services.terms.subarray(7 * row, 7 * row + 7)].map((ms) => Math.round(ms * 1e6) / 1e6)
  return { services, row, terms }
}

describe('the share of requests that a service answers', () => {
  test.each<[string, ServiceOptions, Parameters<typeof qualityOf>[1], number]>([
    ['is all of them on hosts in good order', {}, {}, 1],
    ['is the mean over its hosts of what arrives', {}, { deliveredIn: [0.5, 1] }, 0.75],
    ['and of what gets back', {}, { deliveredIn: [0.5, 1], deliveredOut: [0.5, 0.5] }, 0.375],
    ['does not depend on users behind a front end', { role: 'behind' }, { deliveredIn: [0.5, 1] }, 1],
    ['is what its allocated CPU can do', { unitDemandMilli: 2_000 }, {}, 0.5],
    ['is all at a utilization of 1', { unitDemandMilli: 1_000 }, {}, 1],
    ['is less on a slow host', { unitDemandMilli: 800 }, { speed: [0.4, 1] }, 0.75],
    ['is all on a host that is slow and fast enough', { unitDemandMilli: 800 }, { speed: [0.8, 1] }, 1],
    ['lacks lost units during failover', { failoverUntil: 101, failoverShare: 0.25 }, {}, 0.75],
    ['does not lack them after it', { failoverUntil: 100, failoverShare: 0.25 }, {}, 1],
    ['is none where more units were lost than are placed', { failoverUntil: 101, failoverShare: 2 }, {}, 0],
    ['lacks data of units that do not serve', { durability: 'Single', placed: 8 }, {}, 0.25],
    ['does not lack data that has replicas', { durability: 'Replicated2', placed: 8 }, {}, 1],
    ['is none without hosts', { serving: 0 }, {}, 0],
  ])('%s', (_, service, hosts, share) => {
    const { services, row } = qualityOf(service, hosts)
    expect(services.successRatio[row]).toBe(share)
  })
})

test.each<[number, number, number]>([
  [1, 1, 1],
  [1, 2.4, 1],
  [3.4, 3.4, 0.5],
  [1, 5.8, 0.5],
])('disk factors of %f and %f leave a disk quality of %f', (first, second, quality) => {
  const { services, row } = qualityOf({}, { diskFactor: [first, second] })
  expect(services.diskQuality[row]).toBeCloseTo(quality, 9)
})

test('without serving units there is neither disk quality nor traffic', () => {
  const { services, row } = qualityOf({ serving: 0, rps: 100, inGbpsPerRps: 1, outGbpsPerRps: 1 })
  expect([services.diskQuality[row], services.carriedInGbps[row], services.carriedOutGbps[row]]).toEqual([
    0, 0, 0,
  ])
})

test.each([
  [400, 0.4],
  [1_000, 1],
  [1_500, 1],
])('units that are asked for %i of 1000 milli-CPUs have a load of %f', (unitDemandMilli, load) => {
  const { services, row } = qualityOf({ unitDemandMilli })
  expect(services.load[row]).toBe(load)
})

/** Compute, contention, storage, network, queueing, inspection, replication; and the median. */
describe('latency in ms', () => {
  test.each<[string, ServiceOptions, Parameters<typeof qualityOf>[1], readonly number[], number]>([
    ['of an idle web front end', {}, {}, [14.4, 0, 1.5, 12, 0, 0, 0], 13.3],
    ['of a half-busy one', { unitDemandMilli: 500 }, {}, [14.4, 0, 1.5, 12, 5.4, 0, 0], 14.92],
    [
      'of one on a slow host',
      { unitDemandMilli: 250 },
      { speed: [0.5, 1] },
      [28.8, 0, 1.5, 12, 5.4, 0, 0],
      14.92,
    ],
    // Contention has a separate term: at a speed of 0.5 and a contention of 1.5, it causes a third.
    [
      'of one on a contended host',
      {},
      { speed: [1, 0.5], contention: [0.2, 1.5], contentionFactor: [2, 1] },
      [19.2, 36, 1.5, 12, 0, 0, 0],
      27.7,
    ],
    ['behind full queues', {}, { queueMs: [4, 1], inspectionMs: [1, 2] }, [14.4, 0, 1.5, 16, 0, 2, 0], 16.1],
    ['of slow disks', {}, { diskFactor: [1, 3] }, [14.4, 0, 4.5, 12, 0, 0, 0], 13.3],
    [
      'of a database that lacks a replica',
      { class: 'database', role: 'behind', durability: 'Replicated3', replicasHeld: 2 },
      { queueMs: [5, 0], inspectionMs: [3, 3] },
      [4.8, 0, 13.8, 1.3, 0, 0, 4],
      9.7,
    ],
  ])('%s', (_, service, hosts, terms, p50) => {
    const quality = qualityOf(service, hosts)
    expect(quality.terms).toEqual(terms)
    expect(quality.services.p50[quality.row]).toBeCloseTo(p50, 9)
  })

  test('of a database whose replicas are in two zones', () => {
    const { terms } = qualityOf({ role: 'behind', durability: 'Replicated3', replicasHeld: 3 }, {}, true)
    expect(terms.at(-1)).toBe(3.52)
  })
})

test('the contention of a service is that of its most contended host', () => {
  const { services, row } = qualityOf({}, { contention: [0.4, 0.9] })
  expect(services.contention[row]).toBe(0.9)
})

test.each<[string, ServiceOptions, readonly [number, number]]>([
  ['is what users send and what is answered, as far as it arrives', {}, [1.5, 4.5]],
  ['is not answered beyond the allocated CPU', { unitDemandMilli: 2_000 }, [1.5, 2.25]],
  ['is none behind a front end', { role: 'behind' }, [0, 0]],
])('traffic of 100 requests/s %s', (_, service, [gbpsIn, gbpsOut]) => {
  const hosts = { deliveredIn: [1, 0.5], deliveredOut: [0.5, 1] } as const
  const { services, row } = qualityOf(
    { rps: 100, inGbpsPerRps: 0.01, outGbpsPerRps: 0.02, ...service },
    hosts,
  )
  expect(services.carriedInGbps[row]).toBeCloseTo(gbpsIn, 9)
  expect(services.carriedOutGbps[row]).toBeCloseTo(gbpsOut, 9)
})
