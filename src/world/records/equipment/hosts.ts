import type { HostRecord, PortRecord } from '../../../contract/collections.ts'
import { type ServiceClass, serviceClasses } from '../../../contract/vocabularies.ts'
import { contendedFrom, contentionState } from '../../simulation/tenants/quality/contention.ts'
import type { TenantsPart } from '../../simulation/tenants/tenants.ts'
import { hostConditionPct } from '../../simulation/faults/hazards/wear.ts'
import { fansHighCelsius, throttleCelsius } from '../../simulation/facility/limits.ts'
import { round } from '../../simulation/numeric.ts'
import { ageHours, mtbfAt, resaleDollars } from '../../simulation/facility/depreciation.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordedWorld } from '../world.ts'
import { iopsDone, monthlyCostCents, usedMilliCpu } from './host-amounts.ts'
import { statusLed, hoursWithPower, placementOf } from './device-fields.ts'

interface HostRecords {
  readonly records: HostRecord[]
  update(): void
}

/** Temperature from which on fans run at medium speed. */
const fansMediumCelsius = 48
/** CPU utilization above which a host counts as busy. */
const busyShare = 0.35
/** On-board network ports; modules add two ports each. */
const portsOnBoard = 2

export function createHostRecords(
  state: RecordedWorld,
  part: TenantsPart,
  hostPorts: (row: number) => PortRecord[],
): HostRecords {
  const { hosts } = state.topology
  const rows = [...hosts.rows]
  const records = rows.map((row) => hostAtRest(state, row, hostPorts(row)))
  let version = -1
  return {
    records,
    update() {
      if (version !== part.state.version) {
        version = part.state.version
        rows.forEach((row, index) => updateUnits(state, part, records[index], row))
      }
      rows.forEach((row, index) => {
        updateLoad(state, part, records[index], row)
        updateLooks(state, records[index], row)
        updateAge(state, records[index], row)
      })
    },
  }
}

function hostAtRest(state: RecordedWorld, row: number, ports: PortRecord[]): HostRecord {
  const { topology } = state
  const { hosts } = topology
  const sku = topology.hostSkus[hosts.sku[row]]
  const pool = topology.pools[hosts.pool[row]]
  return {
    id: idOf(row),
    ...placementOf(topology, hosts, row),
    sku_name: sku.name,
    arch: sku.arch,
    accelerator: sku.accelerator,
    label: hosts.label[row],
    visual: {
      status: 'Idle',
      indicator: 'Off',
      fan: 'Off',
      port: { link: 'Down', active: false },
      accelerator_glow: 0,
    },
    unit_count: 0,
    stranded_unit_count: 0,
    online: false,
    powered: false,
    power_feeds: 0,
    mem_requested_pct: 0,
    cpu_requested_pct: 0,
    ssd_used_pct: 0,
    wear_factor: 0,
    iops_actual: 0,
    iops_capacity: sku.iops,
    nic_count: sku.nicCount,
    ports,
    egress_gbps: 0,
    ingress_gbps: 0,
    served_customer_ids: [],
    inv_status: 'Installed',
    age_hours: -1,
    power_on_hours: 0,
    condition_pct: 100,
    mtbf_hours: 0,
    resale_dollars: 0,
    pool_id: idOf(hosts.pool[row]),
    service_classes: [],
    vgpu_slices_total: sku.vgpuSlices,
    vgpu_slices_used: 0,
    gpu_mem_mb_total: sku.gpuMemMb,
    gpu_mem_mb_used: 0,
    nic_module_slots: sku.nicModuleSlots,
    nic_modules_installed: Math.max(0, Math.ceil((sku.nicCount - portsOnBoard) / 2)),
    free_vcpu_milli: 0,
    free_mem_mb: 0,
    free_ssd_gb: 0,
    free_ssd_iops: 0,
    physical_vcpu: sku.vcpu,
    physical_mem_mb: sku.memMb,
    physical_ssd_gb: sku.ssdGb,
    allocated_millivcpu: 0,
    used_millivcpu: 0,
    overcommit_target: pool.overcommitTarget,
    overcommit_max: pool.overcommitMax,
    contention_state: 'None',
    monthly_cost_direct_dollars: 0,
    monthly_cost_facility_dollars: 0,
    monthly_cost_total_dollars: 0,
    facility_basis: 0,
  }
}

/** Fields that change with placement only. */
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
  else visual.status = used > busyShare ? 'Busy' : 'Idle'
  const parts = condition.hostFanBroken[row] + condition.hostDiskBroken[row]
  const troubled = parts > 0 || load.contention[row] >= contendedFrom || celsius >= throttleCelsius
  visual.indicator = statusLed(feeds, broken || tripped, troubled)
  if (feeds === 0 || tripped) visual.fan = 'Off'
  else if (condition.hostFanBroken[row] !== 0) visual.fan = 'Failed'
  else visual.fan = celsius >= fansHighCelsius ? 'High' : celsius >= fansMediumCelsius ? 'Medium' : 'Low'
  const [port] = record.ports
  if (port !== undefined) {
    visual.port.link = port.link
    visual.port.active = port.active && port.gbps_tx + port.gbps_rx > 0
  }
  const promised = load.allocatedMilli[row]
  const share = record.vgpu_slices_total === 0 ? 0 : record.vgpu_slices_used / record.vgpu_slices_total
  visual.accelerator_glow =
    promised === 0 ? 0 : round(Math.min(1, (share * load.cpuUsedMilli[row]) / promised), 4)
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
