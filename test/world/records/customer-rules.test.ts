import { beforeEach, describe, expect, test } from 'vitest'
import type { CustomerServiceRecord } from '../../../src/contract/collections.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { demandsOf } from '../../../src/world/records/tenants/customers.ts'
import type { Contract } from '../../../src/world/simulation/tenants/contract.ts'
import { second } from '../../../src/world/simulation/time.ts'
import { giveService } from './given-service.ts'
import { plainContract, webTerms } from '../simulation/tenants/tenants-fixture.ts'

/** Records of customers and their services by the accounts of tenants. */

let sim: Simulation
beforeEach(() => {
  sim = createSimulation({ seed: 4n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })
})
const customers = () => sim.snapshot().collections.customers

test('a service states its class, its size and how it is replicated', () => {
  const shown = ({ class_tag, label, vcpu, memory_mb, accelerator, ...rest }: CustomerServiceRecord) => [
    [class_tag, label, vcpu, memory_mb, accelerator].join(),
    [rest.durability, rest.replication_tag, rest.replicas_target, rest.region_id].join(),
  ]
  const records = customers()
  expect([records[0], records[4], records[7]].flatMap(({ services }) => services.map(shown))).toEqual([
    ['web,Web front end,18,34304,', 'Ephemeral,none,0,'],
    ['app,Application servers,12,29696,', 'Ephemeral,none,0,'],
    ['database,Database,14,150528,', 'Replicated3,sync,3,'],
    ['cache,Cache,12,130048,', 'Ephemeral,none,0,'],
    ['web,Web front end,16,21504,', 'Ephemeral,none,0,1'],
    ['app,Application servers,16,29696,', 'Ephemeral,none,0,1'],
    ['database,Database,10,136704,', 'Replicated2,async,2,1'],
    ['queue,Message queue,24,46080,', 'Replicated2,async,2,1'],
    ['object-storage,Object store,12,39936,', 'ErasureCoded,erasure,3,1'],
    ['gpu-training,Model training,20,227328,TrainingGpu', 'Single,none,1,'],
    ['app,Application servers,26,45056,', 'Ephemeral,none,0,'],
  ])
})

describe('a database with three replicas', () => {
  /** The third service of the first customer, healthy but for the given columns. */
  const databaseWith = (columns: object, account: object = {}): CustomerServiceRecord => {
    giveService(sim, 2, columns, account)
    return customers()[0].services[2]
  }
  const lack = { code: 'no_disk', subject: 'Storage' }

  const failed = 'A host that carries it is out of service.'
  const attacked = 'Hostile traffic gets through to it.'
  test.each<[columns: object, account: object, ...expected: (string | null)[]]>([
    [{}, {}, 'running', null, null],
    [{ replicasHeld: 2 }, {}, 'degraded', 'host_failed', failed],
    [
      { replicasHeld: 2, load: 1 },
      {},
      'degraded',
      'host_contended',
      'Its units get less CPU than they want.',
    ],
    [{ replicasHeld: 2, load: 0.99 }, {}, 'degraded', 'host_failed'],
    [{}, { attackClass: 'Scan' }, 'degraded', 'under_attack', attacked],
    [{ successRatio: 0.5 }, { breached: true }, 'degraded', 'breached', 'Intruders are inside.'],
    [
      { placed: 3, unplacedReason: lack },
      {},
      'partial',
      'no_disk',
      'No host has enough disk left (Storage).',
    ],
    [{ placed: 3 }, {}, 'partial', 'host_failed', failed],
    [{ unplacedReason: lack }, { attackClass: 'Scan' }, 'degraded', 'under_attack', attacked],
    [{}, { live: false }, 'placing', 'onboarding', 'It is being set up.'],
    [{ placed: 3, unplacedReason: lack }, { live: false }, 'placing', 'no_disk'],
    [{ serving: 0, placed: 3 }, {}, 'down', 'host_failed'],
  ])('with %j of a customer with %j', (columns, account, ...expected) => {
    const { state_tag, reason_tag, reason } = databaseWith(columns, account)
    expect([state_tag, reason_tag, reason].slice(0, expected.length)).toEqual(expected)
  })

  test('states what was asked for, what runs, and the gap', () => {
    expect(databaseWith({ requested: 7, placed: 5, unplacedReason: lack })).toMatchObject({
      requested_count: 7,
      provisioned_count: 5,
      gap: 2,
      replicas_held: 3,
      placement: lack,
    })
  })

  test.each([
    [9, 'host_failed'],
    [10, 'host_failed'],
    [11, 'host_contended'],
  ])('in a failover until step 10 loses requests in step %i: %s', (tick, reason) => {
    sim.state.network.hostDeliveredIn.fill(1)
    sim.state.network.hostDeliveredOut.fill(1)
    sim.state.tick = tick
    expect(databaseWith({ successRatio: 0.9, failoverUntil: 10 }).reason_tag).toBe(reason)
  })
})

describe('a customer', () => {
  const recordWith = (changes: object) => {
    Object.assign(sim.customers.state.accounts[0], changes)
    return customers()[0]
  }

  test('has seconds of its period from its beginning on', () => {
    sim.state.now = 50 * second
    const { period } = sim.customers.state.accounts[0]
    Object.assign(period, { began: 20 * second, total: 1_000, failed: 3, secondsOverLatency: 12 })
    expect(recordWith({ live: true })).toMatchObject({
      sla_period_elapsed_seconds: 30,
      sla_period_seconds_over_latency: 12,
      sla_period_availability_frac: 0.997,
      availability_pct: 99.7,
    })
    expect(recordWith({ live: false }).sla_period_elapsed_seconds).toBe(0)
    period.began = 60 * second
    expect(recordWith({ live: true }).sla_period_elapsed_seconds).toBe(0)
  })

  test.each([
    [
      { topTerm: -1, pendingUntil: null },
      { latency_top_term: null, pending_until_ns: null },
    ],
    [{ topTerm: 0, pendingUntil: 5 }, { pending_until_ns: 5_000n }],
    [
      { satisfaction: 0.123_46, breached: true },
      { satisfaction: 0.1235, breached: true },
    ],
    [
      { lifecycle: 'Probation', tier: 'Gold' },
      { lifecycle: 'Probation', on_probation: true, under_attack: false, attack_class: null },
    ],
    [
      { hosts: Int32Array.of(4, 5), hostUnits: Int32Array.of(2, 1) },
      { distinct_hosts: 2, max_units_on_host: 2 },
    ],
  ])('with %o states %o', (changes, expected) => {
    expect(recordWith(changes)).toMatchObject(expected)
  })

  test('wants the GPU slices of all units that it asks for', () => {
    const { services, accounts } = sim.customers.state
    const [first, other] = accounts[0].services
    services.requested[first] = 3
    services.slices[first] = 2
    services.requested[other] = 5
    services.slices[other] = 4
    expect(customers()[0].gpu_slices_demand).toBe(26)
  })

  test('that leaves has no record any more, and the others keep theirs', () => {
    const before = [...customers()]
    const { state } = sim.customers
    state.accounts = state.accounts.filter((_, index) => index !== 1)
    const after = customers()
    expect(after).toHaveLength(before.length - 1)
    expect([after[0] === before[0], after[1] === before[2]]).toEqual([true, true])
  })
})

test.each<[Partial<Contract>, object]>([
  [{}, { required_region: null, requires_gpu: false, gpu_slices_demand: 0, requires_dedicated: false }],
  [{ requiredRegion: 1 }, { required_region: 2 }],
  [
    { services: [webTerms, { ...webTerms, count: 3, slices: 2 }] },
    { requires_gpu: true, gpu_slices_demand: 6 },
  ],
  [
    { dedicatedHosts: true },
    { requires_dedicated_hosts: true, requires_private_segment: false, requires_dedicated: true },
  ],
  [
    { privateSegment: true },
    { requires_dedicated_hosts: false, requires_private_segment: true, requires_dedicated: true },
  ],
])('a contract with %o demands %o', (contract, expected) => {
  expect(demandsOf({ ...plainContract, ...contract })).toMatchObject(expected)
})
