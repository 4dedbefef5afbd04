import { describe, expect, test } from 'vitest'
import type { Snapshot } from '../../src/contract/collections.ts'
import { collectorNames } from '../../src/metrics/collectors.ts'
import { createExposition } from '../../src/metrics/exposition.ts'
import type { FamilyName } from '../../src/metrics/families/all.ts'
import { parseChunks } from './parsed-exposition.ts'
import type { ParsedFamily } from './parsed-exposition.ts'
import { later, worldAfter } from './small-world.ts'

type Read<R> = readonly [family: FamilyName, value: (record: R) => number | bigint | boolean]

type Collection = keyof Snapshot['collections']
type RecordIn<C extends Collection> = Snapshot['collections'][C][number]

/** What a scrape has to say about every record of a collection, in the words of the specification's fields. */
const stated: { readonly [C in Collection]?: { label: string; reads: readonly Read<RecordIn<C>>[] } } = {
  azs: {
    label: 'az',
    reads: [
      ['dcsim_az_wan_receive_bytes_per_second', (zone) => (zone.wan_ingress_gbps * 1e9) / 8],
      ['dcsim_az_wan_transmit_bytes_per_second', (zone) => (zone.wan_egress_gbps * 1e9) / 8],
      ['dcsim_az_dropped_bytes_per_second', (zone) => (zone.dropped_gbps * 1e9) / 8],
      ['dcsim_az_power_draw_watts', (zone) => zone.power_draw_kw * 1_000],
      ['dcsim_az_memory_free_bytes', (zone) => zone.free_mem_mb * 1_048_576],
      ['dcsim_az_cpu_free_vcpus', (zone) => zone.free_vcpu_milli / 1_000],
      ['dcsim_az_health_ratio', (zone) => zone.health],
      ['dcsim_az_inlet_celsius', (zone) => zone.inlet_celsius],
    ],
  },
  hostPools: {
    label: 'pool',
    reads: [
      ['dcsim_pool_cpu_used_ratio', (pool) => pool.cpu_used_pct / 100],
      ['dcsim_pool_cpu_allocated_vcpus', (pool) => pool.allocated_millivcpu / 1_000],
      ['dcsim_pool_memory_physical_bytes', (pool) => pool.physical_mem_mb * 1_048_576],
      ['dcsim_pool_disk_free_bytes', (pool) => pool.free_ssd_gb * 1e9],
      ['dcsim_pool_overcommit_ratio', (pool) => pool.overcommit_now],
    ],
  },
  hosts: {
    label: 'host',
    reads: [
      ['dcsim_host_online', (host) => host.online],
      ['dcsim_host_receive_bytes_per_second', (host) => (host.ingress_gbps * 1e9) / 8],
      ['dcsim_host_transmit_bytes_per_second', (host) => (host.egress_gbps * 1e9) / 8],
      [
        'dcsim_host_receive_bytes_total',
        ({ ports }) => ports.reduce((sum, port) => sum + BigInt(port.bytes_ingress_total), 0n),
      ],
      ['dcsim_host_cpu_used_vcpus', (host) => host.used_millivcpu / 1_000],
      ['dcsim_host_cpu_free_vcpus', (host) => host.free_vcpu_milli / 1_000],
      ['dcsim_host_memory_free_bytes', (host) => host.free_mem_mb * 1_048_576],
      ['dcsim_host_disk_free_bytes', (host) => host.free_ssd_gb * 1e9],
      ['dcsim_host_age_seconds', (host) => host.age_hours * 3_600],
      ['dcsim_host_resale_dollars', (host) => host.resale_dollars],
    ],
  },
  switches: {
    label: 'switch',
    reads: [
      ['dcsim_switch_fabric_load_bytes_per_second', (device) => (device.fabric_load_gbps * 1e9) / 8],
      ['dcsim_switch_fabric_capacity_bytes_per_second', (device) => device.fabric_capacity_gbps * 125e6],
      ['dcsim_switch_saturated', (device) => device.saturated],
      ['dcsim_switch_cost_monthly_dollars', (device) => device.monthly_opex_dollars],
    ],
  },
  gateways: {
    label: 'gateway',
    reads: [
      ['dcsim_gateway_wan_receive_bytes_per_second', (device) => (device.wan_ingress_gbps * 1e9) / 8],
      ['dcsim_gateway_lan_transmit_bytes_per_second', (device) => (device.lan_egress_gbps * 1e9) / 8],
      [
        'dcsim_gateway_forwarding_ceiling_bytes_per_second',
        (device) => device.forwarding_ceiling_gbps * 125e6,
      ],
    ],
  },
  appliances: {
    label: 'appliance',
    reads: [
      ['dcsim_appliance_inspection_load_bytes_per_second', (device) => device.inspection_load_gbps * 125e6],
      ['dcsim_appliance_scrubbed_bytes_per_second', (device) => device.scrubbed_gbps * 125e6],
    ],
  },
  customers: {
    label: 'customer',
    reads: [
      ['dcsim_customer_requests_per_second', (customer) => customer.rps],
      ['dcsim_customer_requests_total', (customer) => customer.total_requests_lifetime],
      ['dcsim_customer_failed_requests_total', (customer) => customer.failed_requests_lifetime],
      ['dcsim_customer_latency_p99_seconds', (customer) => customer.p99_recent_ms / 1_000],
      ['dcsim_customer_availability_ratio', (customer) => customer.sla_period_availability_frac],
      ['dcsim_customer_revenue_dollars_total', (customer) => customer.revenue_total_dollars],
      ['dcsim_customer_revenue_last_hour_dollars', (customer) => customer.revenue_last_hour_dollars],
      ['dcsim_customer_sla_credits_dollars_total', (customer) => customer.sla_credits_dollars],
      ['dcsim_customer_margin_dollars', (customer) => customer.margin_dollars],
      ['dcsim_customer_transmit_bytes_per_second', (customer) => (customer.egress_gbps * 1e9) / 8],
      ['dcsim_customer_units', (customer) => customer.unit_count],
    ],
  },
  segments: {
    label: 'segment',
    reads: [
      ['dcsim_segment_dedicated_cpu_free_vcpus', (segment) => segment.dedicated_free_vcpu_milli / 1_000],
    ],
  },
  prospects: {
    label: 'prospect',
    reads: [
      ['dcsim_prospect_revenue_monthly_dollars', (prospect) => prospect.estimated_monthly_revenue_dollars],
      ['dcsim_prospect_expires_seconds', (prospect) => Number(prospect.expires_at_ns) / 1e9],
    ],
  },
  incidents: {
    label: 'incident',
    reads: [
      [
        'dcsim_incident_revenue_at_risk_hourly_dollars',
        (incident) => incident.revenue_at_risk_per_hour_dollars,
      ],
      ['dcsim_incident_customers_affected', (incident) => incident.affected_customer_ids.length],
      ['dcsim_incident_started_seconds', (incident) => Number(incident.started_at_ns) / 1e9],
    ],
  },
}

/** Values by the one label that names the entity. */
function byEntity({ samples }: ParsedFamily, label: string): Map<string, number> {
  return new Map(
    [...samples].map(([sample, value]) => [
      new RegExp(`[{,]${label}="(?<id>\\d+)"`).exec(sample)!.groups!['id'],
      value,
    ]),
  )
}

/** Every difference between what was scraped and what the records say. */
function differences(snapshot: Snapshot, parsed: Map<string, ParsedFamily>): string[] {
  const found: string[] = []
  for (const [collection, { label, reads }] of Object.entries(stated)) {
    const records = snapshot.collections[collection as Collection] as RecordIn<Collection>[]
    for (const [family, value] of reads as readonly Read<RecordIn<Collection>>[]) {
      const samples = byEntity(parsed.get(family) ?? { type: '', help: '', samples: new Map() }, label)
      if (samples.size !== records.length) found.push(`${family}: ${samples.size} of ${records.length}`)
      for (const record of records) {
        const meant = Number(value(record))
        const scraped = samples.get(String(record.id)) ?? Number.NaN
        if (!(Math.abs(scraped - meant) <= Math.abs(meant) * 1e-12)) {
          found.push(`${family} of ${record.id}: ${scraped} instead of ${meant}`)
        }
      }
    }
  }
  return found
}

function incidentsByBand({ collections }: Snapshot): Record<string, number> {
  const counts: Record<string, number> = { Watch: 0, Minor: 0, Major: 0, Critical: 0 }
  for (const { band } of collections.incidents) counts[band]++
  return counts
}

function scrapedByBand(parsed: Map<string, ParsedFamily>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [sample, value] of parsed.get('dcsim_incidents_active')!.samples) {
    const { band } = /band="(?<band>\w+)"/.exec(sample)!.groups!
    counts[band] = (counts[band] ?? 0) + value
  }
  return counts
}

/** Counters whose value is less than it was. */
function fallen(before: Map<string, ParsedFamily>, after: Map<string, ParsedFamily>): string[] {
  return [...before].flatMap(([name, { type, samples }]) =>
    type === 'gauge'
      ? []
      : [...samples]
          .filter(([sample, value]) => (after.get(name)?.samples.get(sample) ?? Infinity) < value)
          .map(([sample]) => sample),
  )
}

describe.each([1n, 20_261_120n, 77n])('a scrape of the world of seed %d', (seed) => {
  const world = worldAfter(30, seed)
  const exposition = createExposition({ collectors: collectorNames })

  test('equals the records of the same publish, publish after publish', () => {
    for (let publish = 0; publish < 12; publish++) {
      const snapshot = later(world, publish === 0 ? 0 : 6 * publish)
      const parsed = parseChunks(exposition.render(snapshot))
      expect(differences(snapshot, parsed)).toStrictEqual([])
      expect(scrapedByBand(parsed)).toStrictEqual(incidentsByBand(snapshot))
      const fresh = createExposition({ collectors: collectorNames }).render(snapshot)
      expect(new Map(parsed)).toStrictEqual(parseChunks(fresh))
    }
  })

  test('counts as many events and incidents as the world does', () => {
    const snapshot = world.snapshot()
    const parsed = parseChunks(exposition.render(snapshot))
    const total = (family: FamilyName): number =>
      [...parsed.get(family)!.samples.values()].reduce((sum, value) => sum + value, 0)
    const { events, incidents_opened: opened, incidents_active: active } = snapshot.diagnostics.counts
    expect(total('dcsim_events_total')).toBe(Number(events))
    expect(total('dcsim_incidents_opened_total')).toBe(Number(opened))
    expect(total('dcsim_incidents_resolved_total')).toBe(Number(opened) - active)
    const { samples } = parsed.get('dcsim_incidents_time_to_resolve_seconds')!
    const counted = [...samples].filter(([sample]) => sample.includes('_count{'))
    expect(counted.reduce((sum, [, value]) => sum + value, 0)).toBe(Number(opened) - active)
  })

  test('has counters that never fall, over a long pause too', () => {
    let before = parseChunks(exposition.render(world.snapshot()))
    for (const steps of [6, 6, 2_000, 6, 1]) {
      const after = parseChunks(exposition.render(later(world, steps)))
      expect(fallen(before, after)).toStrictEqual([])
      before = after
    }
  })
})
