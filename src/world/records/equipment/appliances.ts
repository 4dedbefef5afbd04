import type { ApplianceRecord } from '../../../contract/collections.ts'
import { ApplianceSchema } from '../../../contract/records/network.ts'
import { applianceFunctions, threatClassCount } from '../../../contract/vocabularies.ts'
import { applianceCeilingGbps, inspectionCapacityGbps } from '../../simulation/network/view.ts'
import { round } from '../../simulation/numeric.ts'
import { idOf, portRole } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { allRows, createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { statusLed, noticeableGbps, placementOf, sumPorts } from './device-fields.ts'
import type { PortRecords } from './ports.ts'
import type { ThreatColumns } from './threats.ts'
import { createThreatRecords, mitigatedGbps, mitigatedPackets, updateThreats } from './threats.ts'

/** Packets per Gbit of legitimate traffic, at 750 bytes on average. */
const packetsPerGbit = 1e9 / 8 / 750
/** Audit-log events per second for each Gbit/s. */
const loggedEventsPerGbps = 18
/** Audit-log events for each natural unit of arriving hostile traffic, by class. */
const eventsPerUnit = [0.5, 5, 2, 1, 0.1] as const

export function createApplianceRecords(
  state: RecordedWorld,
  ports: PortRecords,
): RecordList<ApplianceRecord> {
  const { threats } = state
  const columns: ThreatColumns = {
    reaching: threats.applianceReaching,
    mitigated: threats.applianceMitigated,
    capacity: threats.applianceCapacity,
  }
  return createRecordList(
    allRows(state.topology.appliances),
    (row) => createAppliance(state, ports, row),
    (record, row) => updateAppliance(state, record, row, columns),
  )
}

const functionsIn = (mask: number): ApplianceRecord['owned_functions'] =>
  applianceFunctions.filter((_, index) => mask & (1 << index))

const newAppliance = recordFactory(ApplianceSchema)

function createAppliance({ topology }: RecordedWorld, ports: PortRecords, row: number): ApplianceRecord {
  const { appliances } = topology
  const sku = topology.applianceSkus[appliances.sku[row]]
  return newAppliance({
    id: idOf(row),
    ...placementOf(topology, appliances, row),
    appliance_kind: appliances.kind[row],
    sku_name: sku.name,
    gateway_addon: appliances.gatewayAddon[row] === 1,
    fabric_capacity_gbps: sku.fabricGbps,
    forwarding_ceiling_gbps: round(applianceCeilingGbps(topology, row), 4),
    threats: createThreatRecords(),
    ports: ports.listOf(appliances.firstPort[row], appliances.portCount[row]),
    inspection_capacity_gbps: Math.floor(inspectionCapacityGbps(topology, row)),
    inspection_enabled: appliances.functionsEnabled[row] !== 0,
    enabled_functions: functionsIn(appliances.functionsEnabled[row]),
    owned_functions: functionsIn(appliances.functionsOwned[row]),
    monthly_opex_dollars: sku.opexDollars,
  })
}

const all = { tx: 0, rx: 0 }
const outside = { tx: 0, rx: 0 }

function updateAppliance(
  state: RecordedWorld,
  record: ApplianceRecord,
  row: number,
  columns: ThreatColumns,
): void {
  const { topology, network, facility, condition } = state
  const first = topology.appliances.firstPort[row]
  const end = first + topology.appliances.portCount[row]
  let inside = first
  while (inside < end && topology.ports.role[inside] === portRole.ApplianceOutside) inside++
  sumPorts(state, first, end, all)
  sumPorts(state, first, inside, outside)
  record.egress_gbps = round(all.tx, 4)
  record.ingress_gbps = round(all.rx, 4)
  record.wan_ingress_gbps = round(outside.rx, 4)
  record.wan_egress_gbps = round(outside.tx, 4)
  record.lan_ingress_gbps = round(all.rx - outside.rx, 4)
  record.lan_egress_gbps = round(all.tx - outside.tx, 4)
  const load = network.applianceFabricGbps[row]
  const dropped = network.applianceDroppedGbps[row]
  const saturated = dropped - network.applianceRefusedGbps[row] > noticeableGbps
  record.fabric_load_gbps = round(load, 4)
  record.fabric_saturated = saturated
  record.inspection_load_gbps = record.fabric_load_gbps
  record.inspection_saturated = saturated
  const broken = condition.applianceBroken[row] !== 0
  const feeds = facility.applianceFeeds[row]
  record.inspection_state = inspectionState(record, facility.applianceUp[row] !== 0, load, saturated)
  record.inv_status = broken ? 'Failed' : 'Installed'
  record.indicator = statusLed(feeds, broken, saturated || condition.applianceMisrule[row] > 0)
  record.powered = feeds !== 0
  record.power_feeds = feeds
  updateThreats(record.threats, columns, row)
  record.scrubbed_gbps = round(mitigatedGbps(columns, row), 4)
  record.dropped_per_sec = round(mitigatedPackets(columns, row) + dropped * packetsPerGbit, 2)
  record.events_per_sec = round(eventsLogged(state, row, load, columns), 2)
}

/** Traffic bypasses a failed one-arm appliance; a failed firewall passes nothing. */
function inspectionState(
  record: ApplianceRecord,
  up: boolean,
  load: number,
  saturated: boolean,
): ApplianceRecord['inspection_state'] {
  if (!up) return record.appliance_kind === 'Firewall' ? 'Off' : 'Bypassed'
  if (saturated) return 'Saturated'
  return load > noticeableGbps ? 'Inspecting' : 'Idle'
}

function eventsLogged(state: RecordedWorld, row: number, load: number, columns: ThreatColumns): number {
  const audits =
    state.topology.appliances.functionsEnabled[row] & (1 << applianceFunctions.indexOf('AuditLog'))
  let events = audits ? load * loggedEventsPerGbps : 0
  for (let index = 0; index < threatClassCount; index++) {
    events += columns.reaching[row * threatClassCount + index] * eventsPerUnit[index]
  }
  return events
}
