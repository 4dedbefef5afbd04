import type { HostPoolRecord, HostRecord, ZoneRecord } from '../../../src/contract/collections.ts'
import { sum } from './checked-world.ts'
import type { Check } from './checked-world.ts'

type Read = (host: HostRecord) => number
/** Dollars in cents, which add up exactly. */
const cents = (dollars: number): number => Math.round(100 * dollars)

const shared = {
  unit_count: (host: HostRecord) => host.unit_count,
  stranded_unit_count: (host: HostRecord) => host.stranded_unit_count,
  hosts_online: ({ online }: HostRecord) => Number(online),
  physical_vcpu: (host: HostRecord) => host.physical_vcpu,
  allocated_millivcpu: (host: HostRecord) => host.allocated_millivcpu,
  used_millivcpu: (host: HostRecord) => host.used_millivcpu,
  free_vcpu_milli: (host: HostRecord) => host.free_vcpu_milli,
  physical_mem_mb: (host: HostRecord) => host.physical_mem_mb,
  free_mem_mb: (host: HostRecord) => host.free_mem_mb,
  physical_ssd_gb: (host: HostRecord) => host.physical_ssd_gb,
  free_ssd_gb: (host: HostRecord) => host.free_ssd_gb,
  vgpu_slices_total: (host: HostRecord) => host.vgpu_slices_total,
  vgpu_slices_used: (host: HostRecord) => host.vgpu_slices_used,
}
const zoneSums = Object.entries(shared) as [keyof typeof shared & keyof ZoneRecord, Read][]
const poolSums = Object.entries({
  ...shared,
  iops_capacity: (host: HostRecord) => host.iops_capacity,
  iops_actual: (host: HostRecord) => host.iops_actual,
}) as [keyof typeof shared & keyof HostPoolRecord, Read][]

/** Published totals are exact sums of their published parts. */
export const sumViolations: Check = ({ snapshot: { collections } }) => {
  const { hostPools, hosts, azs } = collections
  const wrong: string[] = []
  const compare = (what: string, total: number, parts: number): void => {
    if (total !== parts) wrong.push(`${what} is ${total}, its parts sum up to ${parts}`)
  }
  for (const pool of hostPools) {
    const own = hosts.filter(({ pool_id }) => pool_id === pool.id)
    const who = `pool ${pool.id}:`
    const costs = sum(own, ({ monthly_cost_total_dollars }) => cents(monthly_cost_total_dollars))
    compare(`${who} monthly_cost_dollars`, cents(pool.monthly_cost_dollars), costs)
    for (const [field, of] of poolSums) compare(`${who} ${field}`, pool[field], sum(own, of))
  }
  for (const zone of azs) {
    const own = hosts.filter(({ az_id }) => az_id === zone.id)
    for (const [field, of] of zoneSums) compare(`zone ${zone.id}: ${field}`, zone[field], sum(own, of))
    const racksKw = sum(zone.racks, ({ power_draw_kw }) => power_draw_kw)
    // Each rack is rounded to 10 W.
    if (Math.abs(zone.cooling_load_kw - racksKw) > 0.005 * (zone.racks.length + 1))
      wrong.push(`zone ${zone.id} cools ${zone.cooling_load_kw} kW, its racks draw ${racksKw} kW`)
  }
  return wrong
}
