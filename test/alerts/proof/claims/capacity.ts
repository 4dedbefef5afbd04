import type { HostPoolRecord, Snapshot, ZoneRecord } from '../../../../src/contract/collections.ts'
import { thresholds } from '../../../../src/contract/thresholds.ts'
import { contendedMin } from '../../../../src/world/simulation/tenants/quality/contention.ts'
import { ofRecords, ofRows } from '../claim.ts'
import type { Claim, Sight } from '../claim.ts'
import { SampleWindow } from '../sample-window.ts'

const trendSeconds = 1800
/** Wall seconds at speed 60: six simulated hours. */
const trendNeeds = 360
/** Wall seconds at speed 60. */
const horizon = thresholds.exhaustionHorizonHours * 60

/** Whether a linear regression over the last thirty simulated hours reaches zero within the horizon. */
function runsOut<R extends { readonly id: number | bigint }>(
  key: 'pool' | 'az',
  records: (snapshot: Snapshot) => readonly R[],
  free: (record: R) => number,
): Claim {
  const samples = new SampleWindow()
  const slopes = new Map<string, number>()
  return {
    key: [key],
    tolerance: 0.15,
    lingers: 60,
    *look({ at, snapshot }) {
      for (const record of records(snapshot)) {
        const id = String(record.id)
        const left = free(record)
        samples.note(id, at, left)
        if (left <= 0 || samples.known(id, at, trendSeconds) < trendNeeds) continue
        if (at % 5 === 0) slopes.set(id, samples.slope(id, at, trendSeconds))
        yield [id, (-(slopes.get(id) ?? 0) * horizon) / left]
      }
    },
  }
}

const pools = (free: (pool: HostPoolRecord) => number): Claim =>
  runsOut('pool', ({ collections }) => collections.hostPools, free)
const zones = (free: (zone: ZoneRecord) => number): Claim =>
  runsOut('az', ({ collections }) => collections.azs, free)

/** Unplaced units by missing resource. */
function* unplaced({ snapshot }: Sight) {
  const waiting = new Map<string, number>()
  for (const { services } of snapshot.collections.customers) {
    for (const { gap, placement } of services) {
      if (placement !== null) waiting.set(placement.code, (waiting.get(placement.code) ?? 0) + gap)
    }
  }
  for (const [code, units] of waiting) if (units >= thresholds.unitsUnplacedHigh) yield [code, 2] as const
}

/** Whether the share of contended hosts in a pool is above the threshold. */
function isContended(pool: HostPoolRecord, { state }: Sight): boolean {
  const crowded = pool.host_ids.filter((id) => state.load.contention[Number(id) - 1] >= contendedMin)
  return crowded.length / pool.host_ids.length > thresholds.hostsContendedShareHigh
}

const strandedIn = (zone: number, { state }: Sight): boolean =>
  state.topology.zones[zone].hosts.some((host) => state.load.strandedUnits[host] > 0)

export const capacityClaims = () => ({
  DcsimPoolCpuFillsUp: pools((pool) => pool.free_vcpu_milli),
  DcsimPoolMemoryFillsUp: pools((pool) => pool.free_mem_mb),
  DcsimPoolDiskFillsUp: pools((pool) => pool.free_ssd_gb),
  DcsimPoolGpuFillsUp: pools((pool) => pool.vgpu_slices_total - pool.vgpu_slices_used),
  DcsimZoneCpuFillsUp: zones((zone) => zone.free_vcpu_milli),
  DcsimZoneMemoryFillsUp: zones((zone) => zone.free_mem_mb),
  DcsimZoneDiskFillsUp: zones((zone) => zone.free_ssd_gb),
  DcsimZoneGpuFillsUp: zones((zone) => zone.vgpu_slices_total - zone.vgpu_slices_used),
  DcsimZoneWanFillsUp: zones((zone) => zone.wan_capacity_gbps - zone.wan_egress_gbps),
  DcsimUnitsStranded: {
    ...ofRows('az', ({ topology }) => topology.zones.keys(), strandedIn),
    amount: {
      unit: 'count' as const,
      of: ({ state }: Sight) =>
        [...state.topology.zones.entries()].map(
          ([zone, { hosts }]) =>
            [String(zone + 1), hosts.reduce((sum, host) => sum + state.load.strandedUnits[host], 0)] as const,
        ),
    },
  },
  DcsimUnitsUnplaced: { key: ['lacking'], look: unplaced },
  DcsimPoolContended: ofRecords('pool', 'hostPools', isContended),
  DcsimSegmentFull: ofRecords(
    'segment',
    'segments',
    (segment) =>
      segment.dedicated_total_vcpu_milli > 0 &&
      Math.min(
        segment.dedicated_free_vcpu_milli / segment.dedicated_total_vcpu_milli,
        segment.dedicated_free_mem_mb / segment.dedicated_total_mem_mb,
      ) < thresholds.segmentFreeShareLow,
  ),
})
