import { expect, test } from 'vitest'
import type { RecordType } from '../../../../src/contract/fields.ts'
import { collections } from '../../../../src/contract/collections.ts'
import type { ScaleName } from '../../../../src/world/simulation/topology/sizing.ts'
import { countBytes } from '../../../../src/world/simulation/network/counters.ts'
import { createEquipmentRecords } from '../../../../src/world/records/equipment/equipment.ts'
import { createTenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import type { TenantRecords } from '../../../../src/world/records/tenants/tenants.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { sweepSeeds } from '../../../fixtures/seeds.ts'
import { recordViolations } from '../../records/record-violations.ts'
import { accountsOf, createRunningSimulation, sum } from './running-simulation.ts'

const seeds = sweepSeeds(101, 3, 20).map(Number)
/** Steps between two checks, and the number of checks. */
const stride = 45
const looks = 6

const kinds = ['customers', 'prospects', 'hostPools', 'hosts', 'segments', 'subnets'] as const

/** Monotonic counters of a customer. */
interface Counters {
  readonly total: number
  readonly failed: number
  readonly revenue: number
}

const bound = { timeout: 180_000 }
test.each([7, 'small', 70] as const)('hold over all seeds, scale %s', bound, (scale) => {
  expect(seeds.flatMap((seed) => violationsOf(seed, scale))).toEqual([])
})

/** The violations in a world, each with the parameters that reproduce it. */
function violationsOf(seed: number, scale: number | ScaleName): string[] {
  const sim = createRunningSimulation(seed, scale, 'usual')
  // A fault rate that causes lost, stranded and moved units.
  sim.state.faults.randomFaultRate = 20
  const topology = createEquipmentRecords(sim.state, () => countBytes(sim.state))
  const records = createTenantRecords(sim.state, sim.customers, (row) => topology.hostPorts(row))
  const before = new Map<number, Counters>()
  const wrong: string[] = []
  for (let look = 0; look < looks; look++) {
    for (let step = 0; step < stride; step++) sim.step()
    topology.update()
    records.update()
    const found = [
      ...wordingViolations(records),
      ...referenceViolations(sim, records),
      ...capacityViolations(sim, records),
      ...counterViolations(sim, before),
      ...moneyViolations(sim),
    ]
    wrong.push(...found.map((what) => `seed ${seed}, scale ${scale}, tick ${sim.state.tick}: ${what}`))
  }
  return wrong
}

const wordingViolations = (records: TenantRecords): string[] =>
  kinds.flatMap((kind) =>
    records[kind].flatMap((record) =>
      recordViolations(collections[kind] as RecordType, record, `${kind} ${record.id}`),
    ),
  )

/** Every id named by a record exists, and lists are in order. */
function referenceViolations({ state }: Simulation, records: TenantRecords): string[] {
  const wrong: string[] = []
  const ids = Object.fromEntries(
    kinds.map((kind) => [kind, new Set(records[kind].map(({ id }) => Number(id)))]),
  ) as Record<(typeof kinds)[number], Set<number>>
  const need = (known: Set<number>, named: readonly (number | bigint)[], who: string): void => {
    for (const id of named) if (!known.has(Number(id))) wrong.push(`${who} names ${id}`)
  }
  for (const kind of kinds) {
    const order = records[kind].map(({ id }) => Number(id))
    if (order.some((id, index) => index > 0 && id <= order[index - 1])) wrong.push(`${kind} are out of order`)
  }
  for (const host of records.hosts) need(ids.customers, host.served_customer_ids, `host ${host.id}`)
  for (const pool of records.hostPools) need(ids.hosts, pool.host_ids, `pool ${pool.id}`)
  for (const segment of records.segments) {
    need(ids.customers, segment.explicit_customer_ids, `segment ${segment.id}`)
    need(ids.hosts, segment.carrier_host_ids, `segment ${segment.id}`)
    need(ids.hosts, segment.dedicated_host_ids, `segment ${segment.id}`)
  }
  for (const subnet of records.subnets) {
    need(ids.segments, [subnet.vrf_id], `subnet ${subnet.id}`)
    need(ids.hosts, subnet.carrier_host_ids, `subnet ${subnet.id}`)
  }
  const members = sum(records.segments.map(({ member_count }) => member_count))
  if (members !== records.customers.length) wrong.push('not every customer is in one segment')
  const regions = state.topology.regions.length
  for (const { required_region, id } of records.customers) {
    if (required_region !== null && Number(required_region) > regions) wrong.push(`customer ${id}: no region`)
  }
  return wrong
}

/** Allocated ≤ physical × overcommit; free and allocated add up to the total; all ways of summing agree. */
function capacityViolations({ customers, state }: Simulation, records: TenantRecords): string[] {
  const wrong: string[] = []
  const { capacity, units, services } = customers.state
  for (const host of records.hosts) {
    const most = host.physical_vcpu * 1000 * host.overcommit_max
    if (host.allocated_millivcpu > most) wrong.push(`host ${host.id} has too much allocated`)
    if (host.free_vcpu_milli + host.allocated_millivcpu !== Math.floor(most))
      wrong.push(`host ${host.id}: free`)
    if (host.free_mem_mb < 0 || host.free_ssd_gb < 0 || host.free_ssd_iops < 0)
      wrong.push(`host ${host.id} overfull`)
    if (host.vgpu_slices_used > host.vgpu_slices_total) wrong.push(`host ${host.id} slices`)
    if (host.used_millivcpu > host.physical_vcpu * 1000) wrong.push(`host ${host.id} uses more than it has`)
    if (host.stranded_unit_count > host.unit_count) wrong.push(`host ${host.id} strands more than it has`)
    let milli = 0
    let count = 0
    for (let unit = units.firstOnHost[Number(host.id) - 1]; unit !== -1; unit = units.nextOnHost[unit]) {
      milli += services.vcpuMilli[units.service[unit]]
      count++
    }
    if (milli !== host.allocated_millivcpu || count !== host.unit_count)
      wrong.push(`host ${host.id} miscounts`)
  }
  for (const pool of records.hostPools) {
    const hosts = records.hosts.filter((host) => host.pool_id === pool.id)
    const all = (of: (host: (typeof hosts)[number]) => number) => sum(hosts.map(of))
    if (all((host) => host.allocated_millivcpu) !== pool.allocated_millivcpu)
      wrong.push(`pool ${pool.id} CPU`)
    if (all((host) => host.free_vcpu_milli) !== pool.free_vcpu_milli) wrong.push(`pool ${pool.id} free CPU`)
    if (all((host) => host.free_mem_mb) !== pool.free_mem_mb) wrong.push(`pool ${pool.id} memory`)
    if (all((host) => host.unit_count) !== pool.unit_count) wrong.push(`pool ${pool.id} units`)
  }
  for (const customer of records.customers) {
    const all = (of: (service: (typeof customer.services)[number]) => number) =>
      sum(customer.services.map(of))
    if (all((service) => service.provisioned_count) !== customer.unit_count)
      wrong.push(`customer ${customer.id}`)
    if (all((service) => service.requested_count) !== customer.requested_total)
      wrong.push(`customer ${customer.id}`)
    for (const { class_tag, gap, placement, reason_tag, state_tag } of customer.services) {
      const who = `customer ${customer.id} ${class_tag}`
      if (placement !== null && gap === 0) wrong.push(`${who} lacks nothing and says what`)
      if (placement !== null && placement.shortfall < 1) wrong.push(`${who} is short of nothing`)
      // Requests that fail for a reason outside the service leave it degraded without one of its own.
      const lacksReason = reason_tag === null && state_tag !== 'running' && state_tag !== 'degraded'
      if (lacksReason || (reason_tag !== null && state_tag === 'running'))
        wrong.push(`${who} has a wrong reason`)
    }
  }
  if (sum(state.load.unitCount) !== units.count) wrong.push('units are lost')
  if (capacity.allocatedIops.some((iops, host) => iops > capacity.iops[host]))
    wrong.push('too many operations')
  return wrong
}

/** Counters are monotonic, and failures do not exceed requests. */
function counterViolations(sim: Simulation, before: Map<number, Counters>): string[] {
  const wrong: string[] = []
  for (const account of accountsOf(sim)) {
    const { id, totalRequests: total, failedRequests: failed, revenueMicro: revenue } = account
    const last = before.get(id)
    if (failed > total) wrong.push(`customer ${id}: more failed than were`)
    if (last && (total < last.total || failed < last.failed || revenue < last.revenue))
      wrong.push(`customer ${id} fell`)
    if (account.failedLastHour + account.turnFailed > failed) wrong.push(`customer ${id}: hour over lifetime`)
    before.set(id, { total, failed, revenue })
  }
  return wrong
}

function moneyViolations(sim: Simulation): string[] {
  const { totals } = sim.customers.accounting
  const accounts = accountsOf(sim)
  const revenue = totals.goneRevenue + sum(accounts.map((account) => account.revenueMicro))
  // Customers are booked one after another within five minutes; totals are closed at their end.
  if (sim.state.tick % 30 !== 0) return revenue >= totals.revenue ? [] : ['revenue']
  return revenue === totals.revenue ? [] : [`revenue ${revenue} is not ${totals.revenue}`]
}
