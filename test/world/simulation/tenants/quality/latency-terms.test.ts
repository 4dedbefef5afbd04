import { expect, test } from 'vitest'
import type { ServiceClass, Tier } from '../../../../../src/contract/vocabularies.ts'
import { contentionState } from '../../../../../src/world/simulation/tenants/quality/contention.ts'
import type { ServiceTerms } from '../../../../../src/world/simulation/tenants/contract.ts'
import { classTraits } from '../../../../../src/world/simulation/tenants/demand/service-classes.ts'
import {
  computeTerm,
  contentionFactor,
  contentionTerm,
  diskFactor,
  internalNetworkTerm,
  promisedP99,
  queueingFactor,
  queueingTerm,
  replicationTerm,
  storageTerm,
  userDistance,
  userNetworkTerm,
} from '../../../../../src/world/simulation/tenants/quality/latency.ts'
import { webTerms } from '../tenants-fixture.ts'

test.each([
  [0, 0.4],
  [1, 1.0875],
  [2, 0.5003],
  [13, 0.4021],
  [21, 2.1242],
])('users of customer %i are %f mean distances away', (id, distance) => {
  expect(userDistance(id)).toBeCloseTo(distance, 4)
})

test.each([
  ['web', 1, 0, 28.8],
  ['web', 2, 5, 61.8],
  ['app', 1, 0, 14.8],
  ['object-storage', 1, 0, 42.8],
  ['gpu-inference', 1, 0, 12.8],
  ['batch', 2, 3, 3.8],
] as const)(
  'from users to %s at distance %f with %f ms in queues takes %f ms',
  (name, distance, queueMs, ms) => {
    expect(userNetworkTerm(name, distance, queueMs)).toBeCloseTo(ms, 9)
  },
)

test('between services of a customer it takes 0.3 ms, and a fifth of the queues', () => {
  expect([0, 10].map(internalNetworkTerm)).toEqual([0.3, 2.3])
})

test.each([
  [0.5, 0],
  [0.7, 0],
  [0.8, 0.2],
  [0.9, 0.5],
  [1, 1],
  [1.2, 5],
  [1.4, 7],
])('at a contention of %f its factor is %f', (contention, factor) => {
  expect(contentionFactor(contention)).toBeCloseTo(factor, 9)
})

test.each([
  [0, 0],
  [0.5, 1],
  [0.9, 9],
  [0.98, 49],
  [0.984, 61.5],
  [0.985, 60],
  [0.99, 61],
  [1.985, 260],
  [3, 260],
])('at a utilization of %f a request waits %f times as long as it is worked on', (use, factor) => {
  expect(queueingFactor(use)).toBeCloseTo(factor, 9)
})

test.each([
  [0, false, 1],
  [0.5, false, 1.5],
  [1, false, 3],
  [0, true, 6],
  [0.5, true, 9],
])('disk operations at a utilization of %f, broken %s, take %f times as long', (use, broken, factor) => {
  expect(diskFactor(use, broken)).toBe(factor)
})

test.each([
  ['Ephemeral', true, 0, 0],
  ['Single', true, 0, 0],
  ['Replicated2', false, 0, 0.4],
  ['Replicated2', true, 0, 0.88],
  ['Replicated3', false, 0, 1.6],
  ['Replicated3', false, 1, 4],
  ['ErasureCoded', false, 0, 2.4],
  ['ErasureCoded', true, 2, 21.12],
] as const)(
  '%s, across zones %s, with %i replicas missing adds %f ms',
  (durability, acrossZones, missing, ms) => {
    expect(replicationTerm(durability, acrossZones, missing)).toBeCloseTo(ms, 9)
  },
)

test('a database computes for 3 ms and reads for 4.6 ms; at the 99th percentile both take longer', () => {
  const { database } = classTraits
  expect(computeTerm(database, 1)).toBeCloseTo(4.8)
  expect(computeTerm(database, 2)).toBeCloseTo(9.6)
  expect(contentionTerm(database, 1)).toBeCloseTo(6)
  expect(storageTerm(database, 1)).toBeCloseTo(13.8)
  expect(queueingTerm(database, 1)).toBeCloseTo(1.8)
})

const service = (name: ServiceClass, changes: Partial<ServiceTerms> = {}): ServiceTerms => ({
  ...webTerms,
  class: name,
  ...changes,
})
const web = service('web')
const database = service('database', { durability: 'Replicated3' })
/** As many requests as 13 virtual CPUs of a web front end. */
const store = service('object-storage', { count: 5, vcpu: 5, durability: 'ErasureCoded' })

/**
 * Healthy 99th percentiles in ms: web 58.44, application 66.28 (51.78 behind a web front end), database 30.4 and
 * across zones 32.32, with two calls per request, object store 113.24, block storage 15.804, batch 2,922.3.
 */
test.each<[string, readonly ServiceTerms[], Tier, boolean, number]>([
  ['three times that of a Bronze customer, in tens', [web], 'Bronze', false, 180],
  ['2.5 times that of a Silver customer', [web], 'Silver', false, 150],
  ['2.15 times that of a Gold customer', [web], 'Gold', false, 130],
  ['1.9 times that of a Platinum customer', [web], 'Platinum', false, 120],
  ['an application that users call', [service('app')], 'Platinum', false, 130],
  ['the application waits behind a web front end', [web, service('app')], 'Platinum', false, 225],
  ['two calls of the database', [web, database], 'Silver', false, 300],
  ['replicas in another zone', [web, database], 'Silver', true, 325],
  ['in fives below 100 ms', [service('block-storage')], 'Bronze', false, 50],
  ['in 25 from 200 ms', [service('batch')], 'Platinum', false, 5_575],
  ['front ends by their requests', [service('web', { count: 1, vcpu: 13 }), store], 'Platinum', false, 170],
  [
    'front ends by their requests, of which one has twice as many',
    [service('web', { count: 2, vcpu: 13 }), store],
    'Platinum',
    false,
    150,
  ],
  ['no jobs beside a front end', [web, service('batch')], 'Platinum', false, 120],
])('a contract promises %s', (_, services, tier, multiZone, ms) => {
  expect(promisedP99(services, tier, multiZone)).toBe(ms)
})

test.each([
  [0.7499, 'None'],
  [0.75, 'Light'],
  [0.9199, 'Light'],
  [0.92, 'Contended'],
  [1.0499, 'Contended'],
  [1.05, 'Starved'],
])('a contention of %f is %s', (contention, state) => {
  expect(contentionState(contention)).toBe(state)
})
