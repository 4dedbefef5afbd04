import { beforeEach, describe, expect, test } from 'vitest'
import { collectionNames } from '../../../src/contract/collections.ts'
import type { Collections } from '../../../src/contract/collections.ts'
import {
  mitigatedGbps,
  mitigatedPackets,
  updateThreat,
} from '../../../src/world/records/equipment/threats.ts'
import { failingParts } from '../../../src/world/records/operations/diagnostic-parts.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { createRecords } from './topology-fixture.ts'

/** Aggregation of several rows by records, lists and histories. */

const createWorld = () => createSimulation({ seed: 4n, scale: 'small', scenario: null, warmUp: 0, speed: 60 })

describe('a pool', () => {
  let sim: Simulation
  let hosts: number[]
  beforeEach(() => {
    sim = createWorld()
    const { topology, load } = sim.state
    hosts = topology.hosts.rows.filter((host) => topology.hosts.pool[host] === 0)
    load.contention.fill(0)
  })
  const pool = () => sim.snapshot().collections.hostPools[0]

  test('has the contention of its worst tenth of hosts', () => {
    const { contention } = sim.state.load
    const tenth = Math.ceil(hosts.length / 10)
    for (const host of hosts.slice(0, tenth - 1)) contention[host] = 2
    expect(pool().contention_state).toBe('None')
    contention[hosts[tenth - 1]] = 0.8
    expect(pool()).toMatchObject({ contention_state: 'Light', contended_host_count: tenth - 1 })
    contention[hosts[tenth - 1]] = 0.92
    expect(pool()).toMatchObject({ contention_state: 'Contended', contended_host_count: tenth })
  })

  test('adds up its hosts', () => {
    const { load } = sim.state
    load.cpuUsedMilli.fill(0)
    sim.state.network.hostReachable.fill(1)
    sim.state.network.hostReachable[hosts[2]] = 0
    load.strandedUnits.fill(0)
    load.iopsUsed.fill(0)
    for (const host of hosts) load.iopsUsed[host] = 10
    load.cpuUsedMilli[hosts[0]] = 1500.4
    load.cpuUsedMilli[hosts[1]] = 500.4
    load.strandedUnits[hosts[1]] = 3
    const record = pool()
    expect(record).toMatchObject({
      used_millivcpu: 2000,
      stranded_unit_count: 3,
      iops_actual: 10 * hosts.length,
      hosts_online: hosts.length - 1,
      host_count: hosts.length,
    })
    expect(record.cpu_used_pct).toBeCloseTo(200 / record.physical_vcpu, 2)
  })

  test('states what is promised of it', () => {
    Object.assign(sim.customers.state.capacity.pools[0], {
      milli: 3000,
      maxMilli: 12_000,
      physicalMilli: 6000,
      memMb: 100,
      memMbTotal: 400,
      ssdGb: 10,
      ssdGbTotal: 80,
      slices: 2,
      units: 9,
    })
    sim.customers.state.version++
    expect(pool()).toMatchObject({
      allocated_millivcpu: 3000,
      free_vcpu_milli: 9000,
      overcommit_now: 0.5,
      free_mem_mb: 300,
      mem_allocated_pct: 25,
      free_ssd_gb: 70,
      ssd_allocated_pct: 12.5,
      vgpu_slices_used: 2,
      unit_count: 9,
    })
  })
})

describe('failing parts', () => {
  const none = Object.fromEntries(collectionNames.map((name) => [name, []])) as unknown as Collections
  const partsOf = (collections: object) =>
    failingParts({ ...none, ...collections }).map(
      ({ entity_kind, label, failed, condition_pct, symptom }) =>
        [entity_kind, label, failed, condition_pct, symptom] as const,
    )
  const host = (inv_status: string, fan: string, condition_pct: number) => ({
    hosts: [{ id: 1, display_name_plain: 'h1', inv_status, visual: { fan }, condition_pct }],
  })
  const zone = (feed: boolean, working: boolean, condition_pct: number) => ({
    azs: [
      {
        display_name: 'Tallford A',
        power_feeds: [{ id: 1, feed: 'B', powered: feed }],
        cooling_units: [{ id: 2, name: 'CRAC 1', working, condition_pct }],
      },
    ],
  })
  const device = (inv_status: string, condition_pct: number) => [
    { id: 1, display_name_plain: 'd1', inv_status, condition_pct },
  ]

  test.each([
    [host('Installed', 'Low', 15), []],
    [host('Installed', 'Low', 14), [['Host', 'h1', false, 14, 'worn']]],
    [host('Installed', 'Failed', 80), [['Host', 'h1', true, 80, 'fan stopped']]],
    [host('Failed', 'Failed', 80), [['Host', 'h1', true, 80, 'does not respond']]],
    [{ switches: device('Installed', 15) }, []],
    [{ switches: device('Installed', 14) }, [['Switch', 'd1', false, 14, 'worn']]],
    [{ switches: device('Failed', 90) }, [['Switch', 'd1', true, 90, 'does not respond']]],
    [{ gateways: device('Failed', 90) }, [['Gateway', 'd1', true, 0, 'does not respond']]],
    [{ gateways: device('Installed', 0) }, []],
    [{ appliances: device('Failed', 90) }, [['Appliance', 'd1', true, 0, 'does not respond']]],
    [
      {
        cables: [
          { id: 5, is_failed: true },
          { id: 6, is_failed: false },
        ],
      },
      [['Cable', 'cable 5', true, 0, 'no light']],
    ],
    [{ patchPanels: [{ id: 4, condition_pct: 14 }] }, [['PatchPanel', 'patch panel 4', false, 14, 'worn']]],
    [{ patchPanels: [{ id: 4, condition_pct: 15 }] }, []],
    [zone(true, true, 15), []],
    [zone(true, true, 14), [['CoolingUnit', 'CRAC 1', false, 14, 'worn']]],
    [zone(true, false, 60), [['CoolingUnit', 'CRAC 1', true, 60, 'not running']]],
    [zone(false, true, 60), [['PowerFeed', 'feed B of Tallford A', true, 0, 'no power']]],
  ])('of %o are %o', (collections, expected) => {
    expect(partsOf(collections)).toEqual(expected)
  })

  test('are the broken ones first, then the most worn', () => {
    const worn = (id: number, condition_pct: number) => ({ id, condition_pct })
    const found = failingParts({
      ...none,
      patchPanels: [worn(1, 9), worn(2, 3)],
      cables: [{ id: 7, is_failed: true }],
    } as unknown as Collections)
    expect(found.map(({ label }) => label)).toEqual(['cable 7', 'patch panel 2', 'patch panel 1'])
  })
})

describe('diagnostics', () => {
  test('order confirmed causes by count, then by name', () => {
    const sim = createWorld()
    const { confirmedCauses } = sim.parts.operations.state
    for (const [kind, count] of [
      ['PortFlap', 2],
      ['CableCut', 2],
      ['Attack', 5],
    ] as const)
      confirmedCauses.set(kind, count)
    expect(sim.snapshot().diagnostics.root_kinds_confirmed).toEqual([
      { root_kind: 'Attack', count: 5 },
      { root_kind: 'CableCut', count: 2 },
      { root_kind: 'PortFlap', count: 2 },
    ])
  })
})

describe('a link', () => {
  test.each([
    [0.7, []],
    [0.701, [[4, 70.1, 0.75]]],
    [1.2, [[4, 100, 0.75]]],
  ])('that is used to %d of its capacity, as listed: %o', (share, expected) => {
    const { world, records } = createRecords('small')
    const { network, topology } = world
    network.portTxGbps.fill(0)
    network.portDroppedGbps.fill(0)
    const cable = 3
    const b = topology.cables.b[cable]
    const capacity = topology.ports.capacityGbps[topology.cables.a[cable]]
    network.portTxGbps[b] = share * capacity
    network.portDroppedGbps[b] = 0.25
    network.portDroppedGbps[topology.cables.a[cable]] = 0.5
    const { list, total } = records.loadedLinks()
    expect(list.map((each) => [each.cable_id, each.load_pct, each.dropped_gbps])).toEqual(expected)
    expect(total).toBe(expected.length)
  })

  test('that is more loaded comes first, then the one that drops more', () => {
    const { world, records } = createRecords('small')
    const { network, topology } = world
    network.portTxGbps.fill(0)
    network.portDroppedGbps.fill(0)
    const load = (cable: number, share: number, dropped: number): void => {
      const a = topology.cables.a[cable]
      network.portTxGbps[a] = share * topology.ports.capacityGbps[a]
      network.portDroppedGbps[a] = dropped
    }
    load(0, 0.8, 0)
    load(1, 0.9, 0)
    load(2, 0.9, 1)
    load(3, 0.9, 0)
    expect(records.loadedLinks().list.map(({ cable_id }) => cable_id)).toEqual([3, 2, 4, 1])
  })
})

describe('threats at a device', () => {
  const columns = {
    reaching: Float64Array.of(10.12345, 2, 1000, 0, 4),
    mitigated: Float64Array.of(8.12345, 1, 2000, 0, 4),
    capacity: Float64Array.of(8, 1.5, 500, 0, 10),
  }
  test.each([
    [0, { reaching: 10.123, mitigated: 8, residual: 2.123, capacity: 8 }],
    [1, { reaching: 2, mitigated: 1, residual: 1, capacity: 1.5 }],
    [2, { reaching: 1000, mitigated: 500, residual: 500, capacity: 500 }],
    [3, { reaching: 0, mitigated: 0, residual: 0, capacity: 0 }],
    [4, { reaching: 4, mitigated: 4, residual: 0, capacity: 10 }],
  ])('of class %d add up as published', (index, expected) => {
    const record = { reaching: 0, mitigated: 0, residual: 0, capacity: 0 }
    updateThreat(record, columns, 0, index)
    expect(record).toEqual(expected)
  })

  test('are stopped in packets a second and in Gbit/s', () => {
    const stopped = { ...columns, mitigated: Float64Array.of(2, 3, 4, 5, 6) }
    expect(mitigatedPackets(stopped, 0)).toBe(250_000 + 3_000_000 + 12_000 + 20 + 6)
    expect(mitigatedPackets(stopped, 0, 2)).toBe(12_000)
    expect(mitigatedGbps({ ...columns, mitigated: Float64Array.of(2, 0, 0, 0, 0) }, 0)).toBe(2)
  })
})
