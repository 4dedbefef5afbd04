import type { HostRecord, PortRecord } from '../src/contract/collections.ts'
import { Host } from '../src/contract/records/plant.ts'
import { Port } from '../src/contract/records/shared.ts'
import { blank } from './literal-world.ts'
import type { Seeded } from './seeded.ts'

const portsPerHost = 4
/** After so many steps loads have forgotten that they began at 0. */
const warmUpSteps = 200

function hostPort(hostId: number, index: number): PortRecord {
  const portId = hostId * 100 + index
  return blank(Port, {
    index,
    label: `eth${index}`,
    link: 'Up',
    active: true,
    cable_ids: [portId + 7],
    peer: {
      device_kind: 'Switch',
      device_id: Math.ceil(hostId / 20),
      port_id: 5_000_000 + portId,
      port_index: (hostId % 20) * 2 + index,
      label: `tor-${Math.ceil(hostId / 20)} port ${(hostId % 20) * 2 + index}`,
    },
    port_id: portId,
    state: 'Connected',
    media: 'Dac',
    link_capacity_gbps: 25,
    cable_able: true,
    connector: 'SFP28',
    color: 'blue',
  })
}

/** A host as a busy world has it: in a rack, wired, with units of three customers on it. */
export function busyHost(hostId: number): HostRecord {
  return blank(Host, {
    id: hostId,
    display_name: `host-${hostId} (zone ${1 + (hostId % 3)}, rack ${Math.ceil(hostId / 20)}, U${2 + (hostId % 20) * 2})`,
    display_name_plain: `host-${hostId}`,
    rack_id: Math.ceil(hostId / 20),
    az_id: 1 + (hostId % 3),
    start_u: 2 + (hostId % 20) * 2,
    u_size: 2,
    sku_name: 'Meridian R250',
    label: `R${Math.ceil(hostId / 20)}-${hostId % 20}`,
    online: true,
    powered: true,
    power_feeds: 2,
    unit_count: 14,
    iops_capacity: 180_000,
    nic_count: portsPerHost,
    ports: Array.from({ length: portsPerHost }, (_, index) => hostPort(hostId, index)),
    served_customer_ids: [hostId % 50, 51 + (hostId % 30), 90 + (hostId % 9)],
    age_hours: 4_312,
    power_on_hours: 4_290,
    condition_pct: 93,
    mtbf_hours: 61_000,
    resale_dollars: 5_120.5,
    pool_id: 1,
    service_classes: ['web', 'database'],
    nic_module_slots: 2,
    nic_modules_installed: 2,
    free_mem_mb: 98_304,
    free_ssd_gb: 3_200,
    physical_vcpu: 64,
    physical_mem_mb: 524_288,
    physical_ssd_gb: 15_360,
    allocated_millivcpu: 88_000,
    overcommit_target: 1.5,
    overcommit_max: 2,
    monthly_cost_direct_dollars: 312.4,
    monthly_cost_facility_dollars: 101.77,
    monthly_cost_total_dollars: 414.17,
    facility_basis: 0.0042,
  })
}

/** A number somewhat above or below another, between 0 and a limit. */
function near(value: number, limit: number, decimals: number, chance: Seeded): number {
  const moved = value + (chance.next() - 0.5) * 0.1 * limit
  const kept = moved < 0 ? -moved : moved > limit ? 2 * limit - moved : moved
  return Math.round(kept * 10 ** decimals) / 10 ** decimals
}

const sumOf = (values: number[]): number => Math.round(values.reduce((a, b) => a + b, 0) * 1e4) / 1e4

/** What ten simulated seconds do to a busy host: every number that measures load changes somewhat. */
export function loadHost(host: HostRecord, chance: Seeded): void {
  for (const port of host.ports) {
    port.gbps_tx = near(port.gbps_tx, 25, 4, chance)
    port.gbps_rx = near(port.gbps_rx, 25, 4, chance)
    port.bytes_egress_total = Number(port.bytes_egress_total) + Math.round(port.gbps_tx * 1.25e9)
    port.bytes_ingress_total = Number(port.bytes_ingress_total) + Math.round(port.gbps_rx * 1.25e9)
  }
  host.egress_gbps = sumOf(host.ports.map((port) => port.gbps_tx))
  host.ingress_gbps = sumOf(host.ports.map((port) => port.gbps_rx))
  host.cpu_requested_pct = near(host.cpu_requested_pct, 100, 2, chance)
  host.mem_requested_pct = near(host.mem_requested_pct, 100, 2, chance)
  host.ssd_used_pct = near(host.ssd_used_pct, 100, 2, chance)
  host.wear_factor = near(host.wear_factor, 1, 4, chance)
  host.iops_actual = near(host.iops_actual, 180_000, 0, chance)
  host.free_ssd_iops = 180_000 - host.iops_actual
  host.used_millivcpu = near(host.used_millivcpu, 64_000, 0, chance)
  host.visual.accelerator_glow = near(host.visual.accelerator_glow, 1, 4, chance)
}

/** A fleet under load, which has run for long enough to have large counters. */
export function busyFleet(count: number, chance: Seeded): HostRecord[] {
  const hosts = Array.from({ length: count }, (_, i) => busyHost(i + 1))
  for (const host of hosts) {
    for (const port of host.ports) {
      port.bytes_egress_total = 40_000_000_000_000 + chance.below(2 ** 31)
      port.bytes_ingress_total = 40_000_000_000_000 + chance.below(2 ** 31)
    }
    for (let step = 0; step < warmUpSteps; step++) loadHost(host, chance)
  }
  return hosts
}
