import { describe, expect, test } from 'vitest'
import type { Collections } from '../../../src/contract/collections.ts'
import {
  CustomerSchema,
  CustomerServiceSchema,
  PlacementSchema,
} from '../../../src/contract/records/customers.ts'
import { diagnosticListCap } from '../../../src/contract/records/diagnostics.ts'
import { HostSchema } from '../../../src/contract/records/hosts.ts'
import { createDiagnostics } from '../../../src/world/records/operations/diagnostics.ts'
import { day, hour, minute } from '../../../src/world/simulation/time.ts'
import { emptyRecord, snapshotWith } from '../../fixtures/handmade-snapshot.ts'
import { createQuietWorld } from '../simulation/quiet-world.ts'

function diagnosticsOf(
  given: Partial<Collections>,
  prepare: (world: ReturnType<typeof createQuietWorld>) => void = () => {},
) {
  const world = createQuietWorld(1n)
  prepare(world)
  const records = createDiagnostics({
    state: world.state,
    work: world.work,
    collections: snapshotWith(given).collections,
    loadedLinks: () => ({ list: [], total: 0 }),
    seed: 1n,
    scale: 'small',
    scenario: '',
    speed: 60,
  })
  records.update()
  return records.diagnostics
}

describe('diagnostics', () => {
  test('tell the clock of the simulation', () => {
    const { simulation } = diagnosticsOf({}, ({ state }) => {
      state.now = 8 * day + 20 * hour + 5 * minute
      state.tick = 12
    })
    expect(simulation).toMatchObject({
      tick: 12,
      step_ns: 10_000_000_000n,
      sim_time_ns: 763_500_000_000_000n,
      day: 8,
      time_of_day: '20:05:00',
      weekday: 'Tuesday',
      speed: 60,
      paused: false,
    })
  })

  test('keep lists short and tell their true length', () => {
    const hosts = Array.from({ length: 24 }, (_, row) =>
      emptyRecord(HostSchema, {
        id: row + 1,
        condition_pct: 50,
        contention_state: 'Starved',
        inv_status: 'Installed',
      }),
    )
    const { contended_hosts, contended_hosts_total } = diagnosticsOf({ hosts }, ({ state }) => {
      state.load.contention.forEach((_, row) => {
        state.load.contention[row] = 1 + row / 100
      })
    })
    expect(contended_hosts).toHaveLength(diagnosticListCap)
    expect(contended_hosts_total).toBe(24)
    expect(contended_hosts[0]).toMatchObject({ host_id: 24, cpu_demand_pct: 123 })
  })

  test('count units that no host could take, and not those that wait for their onboarding', () => {
    const lacking = emptyRecord(CustomerServiceSchema, {
      gap: 3,
      class_tag: 'web',
      placement: emptyRecord(PlacementSchema, { code: 'no_vcpu' }),
    })
    const customers = [
      emptyRecord(CustomerSchema, { id: 1, name: 'One', services: [lacking] }),
      emptyRecord(CustomerSchema, {
        id: 2,
        name: 'Two',
        services: [emptyRecord(CustomerServiceSchema, { gap: 9 })],
      }),
    ]
    const { counts, unplaced_services } = diagnosticsOf({ customers })
    expect(counts.units_unplaced).toBe(3)
    expect(unplaced_services).toEqual([
      { customer_id: 1, customer_name: 'One', class_tag: 'web', gap: 3, code: 'no_vcpu' },
    ])
  })

  test('name the customers whose users are turned away, worst first', () => {
    const { unserved_demand } = diagnosticsOf({}, (world) => {
      world.addTenant({ failing: 0.001 })
      world.addTenant({ failing: 0.1, unservedGbps: 0.5 })
      world.addTenant({ failing: 0.4 })
      world.addTenant({ failing: 0.0011 })
    })
    expect(unserved_demand).toEqual([
      { customer_id: 3, customer_name: 'Customer 3', failed_per_second: 4, failed_pct: 40, unserved_gbps: 0 },
      {
        customer_id: 2,
        customer_name: 'Customer 2',
        failed_per_second: 1,
        failed_pct: 10,
        unserved_gbps: 0.5,
      },
      {
        customer_id: 4,
        customer_name: 'Customer 4',
        failed_per_second: 0.01,
        failed_pct: 0.11,
        unserved_gbps: 0,
      },
    ])
  })
})
