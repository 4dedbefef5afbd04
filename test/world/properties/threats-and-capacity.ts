import type { Collections, HostRecord, ThreatRecord } from '../../../src/contract/collections.ts'
import { sum } from './checked-world.ts'
import type { Check, CheckedWorld } from './checked-world.ts'

/**
 * Invariant 4: reaching = mitigated + residual within capacity; allocated and free add up to the total of a host.
 */
export const threatAndCapacityViolations: Check = (look) => [
  ...threatViolations(look.snapshot.collections),
  ...look.snapshot.collections.hosts.flatMap(hostViolations),
  ...membershipViolations(look.snapshot.collections),
  ...unitViolations(look),
  ...countViolations(look),
]

type Levels = Pick<ThreatRecord, 'reaching' | 'mitigated' | 'residual' | 'capacity'>

const thousandths = (value: number): number => Math.round(value * 1000)

function threatViolations({ gateways, appliances }: Collections): string[] {
  const wrong: string[] = []
  const check = (who: string, { reaching, mitigated, residual, capacity }: Levels): void => {
    if (thousandths(reaching) !== thousandths(mitigated) + thousandths(residual)) {
      wrong.push(`${who}: ${reaching} reaching is not ${mitigated} mitigated and ${residual} residual`)
    }
    if (mitigated < 0 || residual < 0 || mitigated > capacity) {
      wrong.push(`${who}: mitigates ${mitigated} of a capacity of ${capacity}, residual ${residual}`)
    }
  }
  const each = (who: string, threats: readonly ThreatRecord[]): void => {
    for (const threat of threats) {
      check(`${who}, ${threat.class}`, threat)
      if (threat.defense_capable !== threat.capacity > 0)
        wrong.push(`${who}, ${threat.class}: capable or not`)
    }
  }
  for (const { id, threats, builtin_firewall } of gateways) {
    each(`gateway ${id}`, threats)
    check(`gateway ${id}, built-in firewall`, builtin_firewall)
    const same = threats.find((threat) => threat.class === builtin_firewall.class_label)
    if (same?.mitigated !== builtin_firewall.mitigated)
      wrong.push(`gateway ${id}: firewall and threats differ`)
  }
  for (const { id, threats } of appliances) each(`appliance ${id}`, threats)
  return wrong
}

/** Whether a percentage is correct, to the hundredth. */
const isPercent = (said: number, part: number, whole: number): boolean =>
  Math.abs(said - (100 * part) / whole) <= 0.005 + 1e-9

function hostViolations(host: HostRecord): string[] {
  const wrong: string[] = []
  const most = Math.floor(host.physical_vcpu * 1000 * host.overcommit_max)
  const rules: Readonly<Record<string, boolean>> = {
    'allocated and free CPU make what may be allocated':
      host.allocated_millivcpu + host.free_vcpu_milli === most,
    'no more CPU is allocated than may be': host.free_vcpu_milli >= 0,
    'no more CPU is used than there is': host.used_millivcpu <= host.physical_vcpu * 1000,
    'memory fits': host.free_mem_mb >= 0 && host.free_mem_mb <= host.physical_mem_mb,
    'disk fits': host.free_ssd_gb >= 0 && host.free_ssd_gb <= host.physical_ssd_gb,
    'memory allocated is memory not free': isPercent(
      host.mem_requested_pct,
      host.physical_mem_mb - host.free_mem_mb,
      host.physical_mem_mb,
    ),
    'disk allocated is disk not free': isPercent(
      host.ssd_used_pct,
      host.physical_ssd_gb - host.free_ssd_gb,
      host.physical_ssd_gb,
    ),
    'CPU allocated is CPU not free': isPercent(host.cpu_requested_pct, host.allocated_millivcpu, most),
    'disk operations add up': host.iops_actual + host.free_ssd_iops === host.iops_capacity,
    'GPU slices fit': host.vgpu_slices_used <= host.vgpu_slices_total,
    'GPU memory fits': host.gpu_mem_mb_used <= host.gpu_mem_mb_total,
    'no more units are stranded than there are': host.stranded_unit_count <= host.unit_count,
    'who has units is served': host.served_customer_ids.length > 0 === host.unit_count > 0,
    'a host without power is not online': host.powered || !host.online,
    'power comes from feeds': host.powered === host.power_feeds > 0 || host.visual.status === 'Off',
  }
  for (const [rule, holds] of Object.entries(rules))
    if (!holds) wrong.push(`host ${host.id}: not so: ${rule}`)
  return wrong
}

/** Zones and pools hold the hosts that name them, racks what fits into them. */
function membershipViolations({ azs, hostPools, hosts }: Collections): string[] {
  const wrong: string[] = []
  for (const { id, host_count, racks } of azs) {
    if (host_count !== hosts.filter(({ az_id }) => az_id === id).length)
      wrong.push(`zone ${id}: number of hosts`)
    const racked = sum(racks, (rack) => rack.host_count)
    if (racked !== host_count) wrong.push(`zone ${id}: racks hold ${racked} of ${host_count} hosts`)
    for (const { id: rack, used_u, u_size } of racks)
      if (used_u > u_size) wrong.push(`rack ${rack} is overfull`)
  }
  for (const { id, host_count, host_ids } of hostPools) {
    const members = hosts.filter(({ pool_id }) => pool_id === id)
    if (host_count !== members.length) wrong.push(`pool ${id}: number of hosts`)
    if (host_ids.join() !== members.map((host) => host.id).join())
      wrong.push(`pool ${id} names other hosts than name it`)
  }
  return wrong
}

/** Counts of units agree between customers and their services, subnets, and hosts. */
function unitViolations({ snapshot: { collections } }: CheckedWorld): string[] {
  const { customers, hosts, subnets, segments } = collections
  const wrong: string[] = []
  const onHosts = sum(hosts, ({ unit_count }) => unit_count)
  const ofCustomers = sum(customers, ({ unit_count }) => unit_count)
  const inSubnets = sum(subnets, ({ member_count }) => member_count)
  if (onHosts !== ofCustomers || onHosts !== inSubnets) {
    wrong.push(`${onHosts} units on hosts, ${ofCustomers} of customers, ${inSubnets} in subnets`)
  }
  const carriers = new Map<number, number>()
  for (const { served_customer_ids } of hosts) {
    for (const id of served_customer_ids) carriers.set(Number(id), (carriers.get(Number(id)) ?? 0) + 1)
  }
  for (const customer of customers) {
    const { id, services, unit_count, provisioned_total, requested_total, distinct_hosts } = customer
    const placed = sum(services, ({ provisioned_count }) => provisioned_count)
    const asked = sum(services, ({ requested_count }) => requested_count)
    if (placed !== unit_count || placed !== provisioned_total) wrong.push(`customer ${id}: units placed`)
    if (asked !== requested_total) wrong.push(`customer ${id}: units asked for`)
    if (distinct_hosts !== (carriers.get(Number(id)) ?? 0)) wrong.push(`customer ${id}: hosts that serve it`)
    if (customer.stranded_unit_count > unit_count) wrong.push(`customer ${id}: more stranded than placed`)
    if (customer.max_units_on_host > unit_count) wrong.push(`customer ${id}: more on a host than placed`)
    for (const service of services) {
      const gap = Math.max(0, service.requested_count - service.provisioned_count)
      if (service.gap !== gap)
        wrong.push(`customer ${id}, ${service.class_tag}: the gap is not ${service.gap}`)
      if (service.placement === null && gap > 0 && customer.lifecycle !== 'Pending') {
        wrong.push(`customer ${id}, ${service.class_tag}: lacks ${gap} units and does not say why`)
      }
      if (service.placement !== null && (gap === 0 || service.placement.shortfall < 1)) {
        wrong.push(`customer ${id}, ${service.class_tag}: says what it lacks, and lacks nothing`)
      }
      const { reason_tag: reason, state_tag: state } = service
      // Requests that fail for a reason outside the service leave it degraded without one of its own.
      if (reason === null ? state !== 'running' && state !== 'degraded' : state === 'running')
        wrong.push(`customer ${id}, ${service.class_tag}: ${state} by ${reason}`)
    }
  }
  const members = sum(segments, ({ member_count }) => member_count)
  if (members !== customers.length)
    wrong.push(`${members} members of segments, ${customers.length} customers`)
  return wrong
}

/** The counts of diagnostics are those of the same snapshot. */
function countViolations({ snapshot: { collections, diagnostics, simTimeNs } }: CheckedWorld): string[] {
  const { counts } = diagnostics
  const { hosts, cables, customers } = collections
  const lacking = customers.flatMap(({ services }) => services.filter(({ placement }) => placement !== null))
  const counted: Readonly<Record<string, readonly [number, number]>> = {
    azs: [counts.azs, collections.azs.length],
    racks: [counts.racks, sum(collections.azs, ({ racks }) => racks.length)],
    hosts: [counts.hosts, hosts.length],
    hosts_online: [counts.hosts_online, hosts.filter(({ online }) => online).length],
    switches: [counts.switches, collections.switches.length],
    gateways: [counts.gateways, collections.gateways.length],
    appliances: [counts.appliances, collections.appliances.length],
    patch_panels: [counts.patch_panels, collections.patchPanels.length],
    cables: [counts.cables, cables.length],
    cables_failed: [counts.cables_failed, cables.filter(({ is_failed }) => is_failed).length],
    host_pools: [counts.host_pools, collections.hostPools.length],
    segments: [counts.segments, collections.segments.length],
    subnets: [counts.subnets, collections.subnets.length],
    customers: [counts.customers, customers.length],
    prospects: [counts.prospects, collections.prospects.length],
    units: [counts.units, sum(hosts, ({ unit_count }) => unit_count)],
    units_stranded: [counts.units_stranded, sum(hosts, ({ stranded_unit_count }) => stranded_unit_count)],
    units_unplaced: [counts.units_unplaced, sum(lacking, ({ gap }) => gap)],
    incidents_active: [counts.incidents_active, collections.incidents.length],
    incidents_resolved: [counts.incidents_resolved, collections.resolvedIncidents.length],
    work_orders: [counts.work_orders, collections.workOrders.length],
    work_orders_open: [
      counts.work_orders_open,
      collections.workOrders.filter(({ resolved_at_ns }) => resolved_at_ns === null).length,
    ],
    quests: [counts.quests, collections.quests.length],
    quests_done: [counts.quests_done, collections.quests.filter(({ state }) => state === 'Done').length],
  }
  const wrong = Object.entries(counted).flatMap(([name, [said, is]]) =>
    said === is ? [] : [`diagnostics count ${said} ${name}, there are ${is}`],
  )
  if (diagnostics.simulation.sim_time_ns !== simTimeNs) wrong.push('diagnostics tell another time')
  return wrong
}
