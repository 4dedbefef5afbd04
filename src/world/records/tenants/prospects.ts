import type { Prospect, ServiceTerms, TenantsPart } from '../../simulation/tenants/view.ts'
import { classTraits, sharedSegment } from '../../simulation/tenants/view.ts'
import type { ProspectRecord } from '../../../contract/collections.ts'
import { ProspectSchema } from '../../../contract/records/customers.ts'
import { round } from '../../simulation/numeric.ts'
import { numberText } from '../../../contract/messages/catalog.ts'
import type { Topology } from '../../simulation/topology/tables.ts'
import { toNs } from '../../simulation/time.ts'
import type { RecordList } from '../record-list.ts'
import { recordFactory } from '../record-list.ts'
import { demandsOf } from './customers.ts'

export function createProspectRecords(topology: Topology, part: TenantsPart): RecordList<ProspectRecord> {
  const records: ProspectRecord[] = []
  const byId = new Map<number, ProspectRecord>()
  let listed: readonly Prospect[] = []
  return {
    records,
    update() {
      const { list } = part.state.prospects
      if (listed !== list) {
        listed = list
        records.length = 0
        for (const prospect of list) {
          records.push(byId.get(prospect.id) ?? createProspect(topology, part, prospect))
        }
        byId.clear()
        list.forEach((prospect, index) => byId.set(prospect.id, records[index]))
      }
      list.forEach((prospect, index) => updateFit(prospect, records[index]))
    },
  }
}

const newProspect = recordFactory(ProspectSchema)

function createProspect(topology: Topology, part: TenantsPart, prospect: Prospect): ProspectRecord {
  const { contract } = prospect
  const { services } = contract
  const units = services.reduce((sum, { count }) => sum + count, 0)
  const perUnit = (of: (service: ServiceTerms) => number): number =>
    Math.round(services.reduce((sum, service) => sum + service.count * of(service), 0) / units)
  const segment = sharedSegment(part.state.segments, contract)
  return newProspect({
    id: prospect.id,
    name: contract.name,
    archetype: contract.archetype,
    tier: contract.tier,
    signup_bonus_dollars: round(prospect.bonusDollars, 2),
    services_summary: services.map(({ count, class: name }) => `${count} × ${name}`).join(', '),
    service_kinds: services.map((service) => service.class),
    estimated_monthly_revenue_dollars: round(prospect.monthlyDollars, 2),
    expires_at_ns: toNs(prospect.expires),
    initial_vm_count: units,
    vcpu_per_vm: perUnit(({ vcpu }) => vcpu),
    memory_mb_per_vm: perUnit(({ memMb }) => memMb),
    block_gb_per_vm: perUnit(({ ssdGb }) => ssdGb),
    ...demandsOf(contract),
    services: services.map((service) => prospectService(topology, service)),
    covering_segment_id: segment?.id ?? null,
    covering_segment_name: segment?.name ?? null,
  })
}

function prospectService(topology: Topology, service: ServiceTerms): ProspectRecord['services'][number] {
  const traits = classTraits[service.class]
  const perSecond = (service.count * service.vcpu * 1000 * traits.busyShare) / traits.cpuMsPerRequest
  return {
    class_tag: service.class,
    label: traits.label,
    requested_count: service.count,
    vcpu: service.vcpu,
    memory_mb: service.memMb,
    storage_gb: service.ssdGb,
    throughput_label: `up to ${numberText(roundFigure(perSecond))} ${traits.throughputUnit}`,
    durability: service.durability,
    vgpu_slices: service.slices,
    gpu_mem_mb: service.slices * memoryPerSlice(topology, traits.accelerator),
  }
}

/** Rounds to two significant digits. */
function roundFigure(value: number): number {
  let unit = 1
  while (value / unit >= 100) unit *= 10
  return value < 10 ? round(value, 1) : Math.round(value / unit) * unit
}

/** GPU memory per slice on the smallest host with GPU slices. */
function memoryPerSlice(topology: Topology, accelerator: string | null): number {
  let least = 0
  for (const sku of topology.hostSkus) {
    if (accelerator === null || sku.accelerator !== accelerator || sku.vgpuSlices === 0) continue
    const each = Math.floor(sku.gpuMemMb / sku.vgpuSlices)
    least = least === 0 ? each : Math.min(least, each)
  }
  return least
}

function updateFit({ placement: fit }: Prospect, record: ProspectRecord): void {
  record.fit_vcpu_after_pct = round(fit.vcpuAfterPct, 2)
  record.fit_mem_after_pct = round(fit.memAfterPct, 2)
  record.fit_ssd_after_pct = round(fit.ssdAfterPct, 2)
  record.fit_can_serve_now = fit.canServe
  record.fit_oversubscribed = fit.oversubscribed
  record.fit_over_capacity = fit.overCapacity
  record.fit_recommendation = fit.recommendation
  record.uncontended_hosts_available = fit.uncontendedHosts
}
