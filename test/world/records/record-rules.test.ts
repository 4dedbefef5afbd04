import { beforeEach, describe, expect, test } from 'vitest'
import { hoursWithPower, statusLed } from '../../../src/world/records/equipment/device-fields.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import { createSimulation } from '../../../src/world/records/simulation.ts'
import { coolingState } from '../../../src/world/records/zones/zone-health.ts'
import { giveService } from './given-service.ts'

/** The rules that derive a record from the state of the world, each at its edges and beside them. */

const createWorld = () => createSimulation({ seed: 4n, scale: 1, scenario: null, warmUp: 0, speed: 60 })

describe('the status light of a device', () => {
  test.each([
    [0, false, false, 'Off'],
    [0, true, true, 'Off'],
    [1, true, false, 'Red'],
    [2, true, true, 'Red'],
    [2, false, true, 'Amber'],
    [1, false, false, 'Amber'],
    [2, false, false, 'Green'],
  ])('with %d feeds, broken %s, troubled %s is %s', (feeds, broken, troubled, light) => {
    expect(statusLed(feeds, broken, troubled)).toBe(light)
  })
})

test.each([
  [100, 0, 100],
  [100, 1, 99],
  [100, 60, 99],
  [100, 61, 98],
  [1, 600, 0],
])('of %d hours, %d minutes of them dark, %d count as hours with power', (age, dark, hours) => {
  expect(hoursWithPower(age, dark)).toBe(hours)
})

describe('cooling', () => {
  test.each([
    [0, 0, 20, 'Failed'],
    [0.1, 0, 20, 'Normal'],
    [100, 95, 26.9, 'Normal'],
    [100, 95.1, 20, 'Strained'],
    [100, 50, 27, 'Strained'],
    [100, 50, 31.9, 'Strained'],
    [100, 50, 32, 'Overheating'],
    [100, 99, 40, 'Overheating'],
  ])('of %d kW against %d kW with %d °C at the inlets is %4$s', (capacity, heat, inlet, state) => {
    expect(coolingState(capacity, heat, inlet)).toBe(state)
  })
})

describe('the record of a host', () => {
  let sim: Simulation
  beforeEach(() => {
    sim = createWorld()
    const { facility, condition, load } = sim.state
    facility.hostFeeds[0] = 2
    facility.hostPowered[0] = 1
    facility.hostCelsius[0] = 40
    facility.hostHeatTripped[0] = 0
    condition.hostBroken[0] = 0
    load.contention[0] = 0
    load.cpuUsedMilli[0] = 0
  })
  const host = () => sim.snapshot().collections.hosts[0]
  const vcpu = () => host().physical_vcpu

  test.each([
    [{}, 'Idle', 'Green', 'Low', 'Installed'],
    [{ hostCelsius: 47.9 }, 'Idle', 'Green', 'Low', 'Installed'],
    [{ hostCelsius: 48 }, 'Idle', 'Green', 'Medium', 'Installed'],
    [{ hostCelsius: 57.9 }, 'Idle', 'Green', 'Medium', 'Installed'],
    [{ hostCelsius: 58 }, 'Hot', 'Green', 'High', 'Installed'],
    [{ hostCelsius: 69.9 }, 'Hot', 'Green', 'High', 'Installed'],
    [{ hostCelsius: 70 }, 'Overheating', 'Amber', 'High', 'Installed'],
    [{ hostHeatTripped: 1 }, 'Overheating', 'Red', 'Off', 'Installed'],
    [{ hostFeeds: 1 }, 'Idle', 'Amber', 'Low', 'Installed'],
    [{ hostFeeds: 0 }, 'Off', 'Off', 'Off', 'Installed'],
    [{ hostBroken: 1 }, 'Failed', 'Red', 'Low', 'Failed'],
    [{ hostMaintenance: 1 }, 'Maintenance', 'Green', 'Low', 'Maintenance'],
    [{ hostBroken: 1, hostMaintenance: 1 }, 'Failed', 'Red', 'Low', 'Failed'],
    [{ hostFanBroken: 1 }, 'Idle', 'Amber', 'Failed', 'Installed'],
    [{ hostDiskBroken: 1 }, 'Idle', 'Amber', 'Low', 'Installed'],
    [{ hostFeeds: 0, hostBroken: 1 }, 'Off', 'Off', 'Off', 'Failed'],
  ])('with %o shows %s, %s light and fans %s', (changes, shown, light, fan, inventory) => {
    const columns = { ...sim.state.facility, ...sim.state.condition } as unknown as Record<string, number[]>
    for (const [name, value] of Object.entries(changes)) columns[name][0] = value
    const { visual, inv_status } = host()
    expect([visual.status, visual.indicator, visual.fan, inv_status]).toEqual([shown, light, fan, inventory])
  })

  test.each([
    [0.35, 'Idle'],
    [0.351, 'Busy'],
  ])('with %d of its CPU used is %s', (share, shown) => {
    sim.state.load.cpuUsedMilli[0] = share * vcpu() * 1000
    expect(host().visual.status).toBe(shown)
  })

  test.each([
    [0.749, 'None', 'Green'],
    [0.75, 'Light', 'Green'],
    [0.919, 'Light', 'Green'],
    [0.92, 'Contended', 'Amber'],
    [1.049, 'Contended', 'Amber'],
    [1.05, 'Starved', 'Amber'],
  ])('with a demand of %d of its CPU has contention %s', (demand, state, light) => {
    sim.state.load.contention[0] = demand
    expect([host().contention_state, host().visual.indicator]).toEqual([state, light])
  })

  test.each([
    // Slices in use of 28, CPU promised and used: memory in use of 192 GB, and glow.
    [0, 4_000, 2_000, 0, 0],
    [7, 4_000, 2_000, 49_152, 0.125],
    [7, 4_000, 1_333, 49_152, 0.0833],
    [28, 4_000, 9_000, 196_608, 1],
    [28, 0, 9_000, 196_608, 0],
  ])(
    'with %i slices of its GPUs in use, and %i and %i of its CPU',
    (slices, promised, used, memory, glow) => {
      const { topology, load } = sim.state
      topology.hosts.sku[0] = topology.hostSkus.findIndex(({ name }) => name === 'Falcon G2-4')
      sim.customers.state.capacity.slices[0] = 28
      // The next snapshot has new records.
      Object.assign(topology, { version: topology.version + 1 })
      load.allocatedSlices[0] = slices
      load.allocatedMilli[0] = promised
      load.cpuUsedMilli[0] = used
      sim.customers.state.version++
      const { vgpu_slices_total, vgpu_slices_used, gpu_mem_mb_used, visual } = host()
      expect([vgpu_slices_total, vgpu_slices_used, gpu_mem_mb_used, visual.accelerator_glow]).toEqual([
        28,
        slices,
        memory,
        glow,
      ])
    },
  )

  test.each([
    [1, 0, 0, false],
    [1, 0.5, 0, true],
    [1, 0, 0.5, true],
    [0, 0.5, 0.5, false],
  ])(
    'whose first port is up: %i, sends %d and receives %d Gbit/s blinks: %s',
    (up, sent, received, isActive) => {
      const { network, topology } = sim.state
      const [port] = topology.hosts.firstPort
      network.portUp[port] = up
      network.portTxGbps[port] = sent
      network.portRxGbps[port] = received
      expect(host().visual.port).toEqual({ link: up === 1 ? 'Up' : 'Down', active: isActive })
    },
  )

  test('states amounts of its columns', () => {
    const { load } = sim.state
    const { capacity } = sim.customers.state
    load.allocatedMilli[0] = capacity.maxMilli[0] / 4
    load.allocatedMemMb[0] = capacity.memMb[0] / 2
    load.allocatedSsdGb[0] = capacity.ssdGb[0] / 8
    load.iopsUsed[0] = 1e9
    load.unitCount[0] = 7
    load.strandedUnits[0] = 2
    load.cpuUsedMilli[0] = 1234.4
    sim.customers.state.version++
    const { iops_capacity, physical_mem_mb, physical_ssd_gb, ...record } = host()
    expect(record).toMatchObject({
      cpu_requested_pct: 25,
      mem_requested_pct: 50,
      ssd_used_pct: 12.5,
      allocated_millivcpu: capacity.maxMilli[0] / 4,
      free_vcpu_milli: (capacity.maxMilli[0] * 3) / 4,
      free_mem_mb: physical_mem_mb / 2,
      free_ssd_gb: (physical_ssd_gb * 7) / 8,
      iops_actual: iops_capacity,
      free_ssd_iops: 0,
      unit_count: 7,
      stranded_unit_count: 2,
      used_millivcpu: 1234,
    })
  })
})

describe('the record of a customer', () => {
  let sim: Simulation
  beforeEach(() => {
    sim = createWorld()
  })
  const recordWith = (changes: object) => {
    Object.assign(sim.customers.state.accounts[0], changes)
    return sim.snapshot().collections.customers[0]
  }

  test('states what its account says', () => {
    const record = recordWith({
      p50Ms: 11.4,
      p99Ms: 87.6,
      p99BudgetMs: 88,
      satisfaction: 0.81236,
      cpuLoad: 0.4567,
      requestsPerSecond: 1234.567,
      totalRequests: 1000,
      failedRequests: 7,
      failedLastHour: 3,
      servedOutGbps: 1.5,
      servedInGbps: 0.5,
      placedUnits: 9,
      requestedUnits: 11,
      strandedUnits: 2,
      hosts: Int32Array.of(0, 1, 2),
      hostUnits: Int32Array.of(1, 5, 3),
      revenueMicro: 1_239_999,
      revenueLastHourMicro: 2_500_000,
      creditsMicro: 10_000,
      requirementsUnmet: 5,
      health: 0.5,
      blockQuality: 0.25,
    })
    expect(record).toMatchObject({
      p50_latency_ms: 11,
      p99_recent_ms: 88,
      in_latency_spike: false,
      satisfaction: 0.8124,
      cpu_load_pct: 45.67,
      rps: 1234.57,
      total_requests_lifetime: 1000,
      failed_requests_lifetime: 7,
      failed_last_hour: 3,
      egress_gbps: 1.5,
      ingress_gbps: 0.5,
      unit_count: 9,
      provisioned_total: 9,
      requested_total: 11,
      stranded_unit_count: 2,
      distinct_hosts: 3,
      max_units_on_host: 5,
      revenue_total_dollars: 1.24,
      revenue_last_hour_dollars: 2.5,
      sla_credits_dollars: 0.01,
      requirements_unmet_mask: 5,
      health: 0.5,
      block_quality: 0.25,
    })
  })

  test.each([
    [88.4, false],
    [88.5, true],
  ])('with a p99 of %d ms against 88 ms: in a latency spike %s', (p99Ms, isSpike) => {
    expect(recordWith({ p99Ms, p99BudgetMs: 88 }).in_latency_spike).toBe(isSpike)
  })

  test('sums the margins of its services in cents', () => {
    const { services, accounts } = sim.customers.state
    const [first] = accounts[0].services
    services.revenueTotal[first] = 50_000_000
    services.infrastructureTotal[first] = 20_000_000
    services.transitTotal[first] = 5_000_000
    for (const other of accounts[0].services.slice(1)) {
      services.revenueTotal[other] = 0
      services.infrastructureTotal[other] = 0
      services.transitTotal[other] = 0
    }
    const record = recordWith({})
    const amounts = { revenue_dollars: 50, cost_dollars: 25, margin_dollars: 25 }
    expect(record.service_margins[0]).toMatchObject(amounts)
    expect(record).toMatchObject({
      margin_revenue_dollars: 50,
      cost_infrastructure_dollars: 20,
      cost_transit_dollars: 5,
      margin_cost_dollars: 25,
      margin_dollars: 25,
    })
  })

  describe('says of its service', () => {
    const serviceWith = (columns: object, account: object = {}) => {
      giveService(sim, 0, columns, account)
      const { state, state_tag, reason_tag, gap } = sim.snapshot().collections.customers[0].services[0]
      return [state, state_tag, reason_tag, gap]
    }
    test.each([
      [0, 1, 'host_failed'],
      [1, 0, 'network_unreachable'],
      [1, 1, 'network_unreachable'],
    ])('whose second unit is stranded on a host (runs %i, reachable %i): %s', (runs, reachable, reason) => {
      const { units, services, accounts } = sim.customers.state
      const first = units.firstOfService[accounts[0].services[0]]
      const second = units.nextOfService[first]
      units.downSince[first] = -1
      units.downSince[second] = 5
      sim.state.facility.hostRunning[units.host[first]] = 1 - runs
      sim.state.facility.hostRunning[units.host[second]] = runs
      sim.state.network.hostReachable[units.host[second]] = reachable
      expect(services.placed[accounts[0].services[0]]).toBeGreaterThan(1)
      expect(serviceWith({ stranded: 1 })[2]).toBe(reason)
    })

    test.each([
      [0.999, 1, 'host_contended'],
      [0.9989, 1, 'traffic_lost'],
      [1, 0.9989, 'traffic_lost'],
      [0.9995, 0.9994, 'traffic_lost'],
    ])('whose last serving host is sent %d of its traffic and sends %d: %s', (sent, received, reason) => {
      const { services, accounts } = sim.customers.state
      const { hostDeliveredIn, hostDeliveredOut } = sim.state.network
      hostDeliveredIn.fill(1)
      hostDeliveredOut.fill(1)
      services.firstServing[accounts[0].services[0]] = 1
      sim.customers.state.servingHosts = Int32Array.of(2, 0, 0, 0, 1, 2)
      hostDeliveredIn.set([sent, 0], 1)
      hostDeliveredOut[1] = received
      expect(serviceWith({ successRatio: 0.9989 })[2]).toBe(reason)
    })

    const noMemory = { code: 'no_memory', subject: 'h1' }
    test.each([
      [3, noMemory],
      [4, null],
    ])('with %i of 4 units placed what placement lacks: %o', (placed, lack) => {
      serviceWith({ placed, unplacedReason: noMemory })
      expect(sim.snapshot().collections.customers[0].services[0].placement).toEqual(lack)
    })

    test.each([
      [{}, {}, ['Running', 'running', null, 0]],
      [{ successRatio: 0.999 }, {}, ['Running', 'running', null, 0]],
      [{ successRatio: 0.9989 }, {}, ['Degraded', 'degraded', 'host_contended', 0]],
      [{ successRatio: 0.9989, failoverUntil: 0 }, {}, ['Degraded', 'degraded', 'host_failed', 0]],
      [{ contention: 1.049 }, {}, ['Running', 'running', null, 0]],
      [{ contention: 1.05 }, {}, ['Degraded', 'degraded', 'host_contended', 0]],
      [{ spreadKept: 0 }, {}, ['Degraded', 'degraded', 'no_fault_isolation', 0]],
      [{}, { breached: true }, ['Degraded', 'degraded', 'breached', 0]],
      [{}, { attackClass: 'Scan' }, ['Degraded', 'degraded', 'under_attack', 0]],
      [{}, { attackClass: 'Scan', breached: true }, ['Degraded', 'degraded', 'breached', 0]],
      [{ stranded: 1 }, {}, ['Partial', 'partial', 'host_failed', 0]],
      [{ placed: 3, unplacedReason: noMemory }, {}, ['Partial', 'partial', 'no_memory', 1]],
      [{ placed: 5 }, {}, ['Running', 'running', null, 0]],
      [{ serving: 0 }, {}, ['Down', 'down', 'host_failed', 0]],
      [{}, { live: false }, ['Placing', 'placing', 'onboarding', 0]],
    ])('with %o and %o: %o', (columns, account, expected) => {
      expect(serviceWith(columns, account)).toEqual(expected)
    })
  })
})
