import type { HostRecord, PortRecord } from '../../../contract/collections.ts'
import { HostSchema, HostVisualSchema, VisualPortSchema } from '../../../contract/records/hosts.ts'
import type { ServiceClass } from '../../../contract/vocabularies.ts'
import { serviceClasses } from '../../../contract/vocabularies.ts'
import type { TenantsPart } from '../../simulation/tenants/view.ts'
import { contendedMin, contentionState } from '../../simulation/tenants/view.ts'
import { hostConditionPct } from '../../simulation/faults/view.ts'
import {
  ageHours,
  fansHighCelsius,
  mtbfAt,
  resaleDollars,
  throttleCelsius,
} from '../../simulation/facility/view.ts'
import { round } from '../../simulation/numeric.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { iopsDone, monthlyCostCents, usedMilliCpu } from './host-amounts.ts'
import { statusLed, hoursWithPower, placementOf } from './device-fields.ts'

/** Fans run at medium speed from this temperature. */
const fansMediumCelsius = 48
/** A host counts as busy above this CPU utilization. */
const idleUtilizationMax = 0.35
/** On-board network ports; each expansion module adds two. */
const portsOnBoard = 2

export function createHostRecords(
  state: RecordedWorld,
  part: TenantsPart,
  hostPorts: (row: number) => PortRecord[],
): RecordList<HostRecord> {
  let version = -1
  let isPlacementChanged = true
  const { records, update } = createRecordList(
    state.topology.hosts.rows,
    (row) => createHost(state, row, hostPorts(row)),
    (record, row) => {
      if (isPlacementChanged) updateUnits(state, part, record, row)
      updateLoad(state, part, record, row)
      updateLooks(state, record, row)
      updateAge(state, record, row)
    },
  )
  return {
    records,
    update() {
      isPlacementChanged = version !== part.state.version
      version = part.state.version
      update()
    },
  }
}

const newHost = recordFactory(HostSchema)
const newVisual = recordFactory(HostVisualSchema)
const newVisualPort = recordFactory(VisualPortSchema)

function createHost(state: RecordedWorld, row: number, ports: PortRecord[]): HostRecord {
  const { topology } = state
  const { hosts } = topology
  const sku = topology.hostSkus[hosts.sku[row]]
  const pool = topology.pools[hosts.pool[row]]
  return newHost({
    id: idOf(row),
    ...placementOf(topology, hosts, row),
    sku_name: sku.name,
    arch: sku.arch,
    accelerator: sku.accelerator,
    label: hosts.label[row],
    visual: newVisual({ port: newVisualPort({}) }),
    iops_capacity: sku.iops,
    nic_count: sku.nicCount,
    ports,
    pool_id: idOf(hosts.pool[row]),
    vgpu_slices_total: sku.vgpuSlices,
    gpu_mem_mb_total: sku.gpuMemMb,
    nic_module_slots: sku.nicModuleSlots,
    nic_modules_installed: Math.max(0, Math.ceil((sku.nicCount - portsOnBoard) / 2)),
    physical_vcpu: sku.vcpu,
    physical_mem_mb: sku.memMb,
    physical_ssd_gb: sku.ssdGb,
    overcommit_target: pool.overcommitTarget,
    overcommit_max: pool.overcommitMax,
  })
}

/** Updates the fields that change only with placement. */
function updateUnits(state: RecordedWorld, part: TenantsPart, record: HostRecord, row: number): void {
  const { load } = state
  const { capacity } = part.state
  record.unit_count = load.unitCount[row]
  record.allocated_millivcpu = load.allocatedMilli[row]
  record.free_vcpu_milli = capacity.maxMilli[row] - load.allocatedMilli[row]
  record.free_mem_mb = capacity.memMb[row] - load.allocatedMemMb[row]
  record.free_ssd_gb = capacity.ssdGb[row] - load.allocatedSsdGb[row]
  record.vgpu_slices_used = load.allocatedSlices[row]
  record.gpu_mem_mb_used =
    capacity.slices[row] === 0
      ? 0
      : Math.round((record.gpu_mem_mb_total * load.allocatedSlices[row]) / capacity.slices[row])
  record.mem_requested_pct = round((100 * load.allocatedMemMb[row]) / capacity.memMb[row], 2)
  record.cpu_requested_pct = round((100 * load.allocatedMilli[row]) / capacity.maxMilli[row], 2)
  record.ssd_used_pct = round((100 * load.allocatedSsdGb[row]) / capacity.ssdGb[row], 2)
  const served = part.view.onHost(row)
  if (!sameList(record.served_customer_ids, served)) record.served_customer_ids = [...served]
  const classes = classesOn(part, row)
  if (!sameList(record.service_classes, classes)) record.service_classes = classes
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

function classesOn(part: TenantsPart, row: number): ServiceClass[] {
  const { units, services } = part.state
  let bits = 0
  for (let unit = units.firstOnHost[row]; unit !== -1; unit = units.nextOnHost[unit]) {
    bits |= 1 << services.class[units.service[unit]]
  }
  return serviceClasses.filter((_, index) => (bits & (1 << index)) !== 0)
}

function updateLoad(state: RecordedWorld, part: TenantsPart, record: HostRecord, row: number): void {
  const { load, facility, network, condition } = state
  const { costs } = part.accounting
  record.stranded_unit_count = load.strandedUnits[row]
  record.online = network.hostReachable[row] === 1
  record.powered = facility.hostPowered[row] === 1
  record.power_feeds = facility.hostFeeds[row]
  record.wear_factor = round(condition.hostWear[row], 4)
  record.iops_actual = iopsDone(state, row)
  record.free_ssd_iops = record.iops_capacity - record.iops_actual
  record.used_millivcpu = usedMilliCpu(state, row)
  record.contention_state = contentionState(load.contention[row])
  let egress = 0
  let ingress = 0
  const first = state.topology.hosts.firstPort[row]
  for (let port = first; port < first + state.topology.hosts.portCount[row]; port++) {
    egress += network.portTxGbps[port]
    ingress += network.portRxGbps[port]
  }
  record.egress_gbps = round(egress, 4)
  record.ingress_gbps = round(ingress, 4)
  record.monthly_cost_direct_dollars = round(costs.direct[row], 2)
  record.monthly_cost_facility_dollars = round(costs.facility[row], 2)
  record.monthly_cost_total_dollars = monthlyCostCents(costs, row) / 100
  record.facility_basis = round(costs.basis[row], 4)
}

function updateLooks(state: RecordedWorld, record: HostRecord, row: number): void {
  const { condition, facility, load } = state
  const { visual } = record
  const celsius = facility.hostCelsius[row]
  const broken = condition.hostBroken[row] !== 0
  const tripped = facility.hostHeatTripped[row] !== 0
  const feeds = facility.hostFeeds[row]
  const resting = condition.hostMaintenance[row] !== 0
  const used = load.cpuUsedMilli[row] / (record.physical_vcpu * 1000)
  record.inv_status = broken ? 'Failed' : resting ? 'Maintenance' : 'Installed'
  if (feeds === 0) visual.status = 'Off'
  else if (broken) visual.status = 'Failed'
  else if (resting) visual.status = 'Maintenance'
  else if (tripped || celsius >= throttleCelsius) visual.status = 'Overheating'
  else if (celsius >= fansHighCelsius) visual.status = 'Hot'
  else visual.status = used > idleUtilizationMax ? 'Busy' : 'Idle'
  const parts = condition.hostFanBroken[row] + condition.hostDiskBroken[row]
  const troubled = parts > 0 || load.contention[row] >= contendedMin || celsius >= throttleCelsius
  visual.indicator = statusLed(feeds, broken || tripped, troubled)
  if (feeds === 0 || tripped) visual.fan = 'Off'
  else if (condition.hostFanBroken[row] !== 0) visual.fan = 'Failed'
  else visual.fan = celsius >= fansHighCelsius ? 'High' : celsius >= fansMediumCelsius ? 'Medium' : 'Low'
  const [port] = record.ports
  if (port !== undefined) {
    visual.port.link = port.link
    visual.port.active = port.active && port.gbps_tx + port.gbps_rx > 0
  }
  const allocated = load.allocatedMilli[row]
  const share = record.vgpu_slices_total === 0 ? 0 : record.vgpu_slices_used / record.vgpu_slices_total
  visual.accelerator_glow =
    allocated === 0 ? 0 : round(Math.min(1, (share * load.cpuUsedMilli[row]) / allocated), 4)
}

function updateAge(state: RecordedWorld, record: HostRecord, row: number): void {
  const { hosts, hostSkus } = state.topology
  const age = Math.floor(ageHours(hosts, row, state.now))
  record.power_on_hours = hoursWithPower(age, state.facility.hostDarkMinutes[row])
  const sku = hostSkus[hosts.sku[row]]
  const condition = hostConditionPct(state, row)
  record.age_hours = age
  record.condition_pct = Math.round(condition)
  record.mtbf_hours = Math.round(mtbfAt(condition, sku.mtbfHours))
  record.resale_dollars = round(resaleDollars(sku.priceDollars, age, condition), 2)
}
