import type { GatewayRecord } from '../../../contract/collections.ts'
import { BuiltinFirewallSchema, GatewaySchema } from '../../../contract/records/network.ts'
import { gatewayForms, securityAddons, threatClasses, threatUnits } from '../../../contract/vocabularies.ts'
import {
  addonClasses,
  builtinFirewallClass,
  hasAddon,
  multiZoneCapable,
  throttledShareMin,
  wanPolicy,
} from '../../simulation/network/view.ts'
import { round } from '../../simulation/numeric.ts'
import { addonMonthDollars, addonPrice } from '../../simulation/tenants/view.ts'
import type { NetworkSku } from '../../simulation/topology/tables.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import type { RecordList } from '../record-list.ts'
import { allRows, createRecordList, recordFactory } from '../record-list.ts'
import type { RecordedWorld } from '../world.ts'
import { noticeableGbps, placementOf, sumPorts, usedPorts } from './device-fields.ts'
import type { PortRecords } from './ports.ts'
import type { ThreatColumns } from './threats.ts'
import { createThreatRecords, mitigatedPackets, updateThreat, updateThreats } from './threats.ts'

const builtinIndex = threatClasses.indexOf(builtinFirewallClass)

const addonNames = {
  DdosShield: 'Breakwater DDoS Shield',
  WebFirewall: 'Latchkey Web Firewall',
  IntrusionPrevention: 'Tripwire Intrusion Guard',
  BotFilter: 'Turnstile Bot Filter',
} as const satisfies Record<(typeof securityAddons)[number], string>

function addonRecord(
  { topology }: RecordedWorld,
  row: number,
  index: number,
): GatewayRecord['security_addons'][number] {
  const addon = securityAddons[index]
  const price = addonPrice(topology, row, addon)
  const owned = hasAddon(topology, row, index)
  return {
    addon,
    name: addonNames[addon],
    class_label: addonClasses[index],
    enabled: owned,
    owned,
    capex_dollars: price.capex,
    monthly_dollars: price.monthly,
  }
}

const formOf = (sku: NetworkSku): GatewayRecord['form'] =>
  gatewayForms[sku.uSize === 1 ? 0 : sku.uSize === 2 ? 1 : 2]

export function createGatewayRecords(state: RecordedWorld, ports: PortRecords): RecordList<GatewayRecord> {
  const { threats } = state
  const columns: ThreatColumns = {
    reaching: threats.gatewayReaching,
    mitigated: threats.gatewayMitigated,
    capacity: threats.gatewayCapacity,
  }
  return createRecordList(
    allRows(state.topology.gateways),
    (row) => createGateway(state, ports, row),
    (record, row) => updateGateway(state, record, row, columns),
  )
}

const newGateway = recordFactory(GatewaySchema)
const newFirewall = recordFactory(BuiltinFirewallSchema)

function createGateway(state: RecordedWorld, ports: PortRecords, row: number): GatewayRecord {
  const { topology } = state
  const { gateways } = topology
  const sku = topology.gatewaySkus[gateways.sku[row]]
  const first = gateways.firstPort[row]
  return newGateway({
    id: idOf(row),
    ...placementOf(topology, gateways, row),
    sku_name: sku.name,
    form: formOf(sku),
    wan_port_count: gateways.wanPorts[row],
    lan_port_count: gateways.lanPorts[row],
    used_ports: usedPorts(topology, first, first + gateways.portCount[row]),
    fabric_capacity_gbps: sku.fabricGbps,
    ports: ports.listOf(first, gateways.portCount[row]),
    builtin_firewall: newFirewall({ class_label: builtinFirewallClass, unit: threatUnits[builtinIndex] }),
    builtin_firewall_enabled: true,
    bgp_capable: true,
    multi_az_capable: multiZoneCapable(topology, row),
    wan_policy: wanPolicy(topology, row),
    security_addons: securityAddons.map((_, index) => addonRecord(state, row, index)),
    monthly_opex_dollars: round(sku.opexDollars + addonMonthDollars(topology, row), 2),
    threats: createThreatRecords(),
  })
}

const wan = { tx: 0, rx: 0 }
const lan = { tx: 0, rx: 0 }

function updateGateway(
  state: RecordedWorld,
  record: GatewayRecord,
  row: number,
  columns: ThreatColumns,
): void {
  const { topology, network, facility, condition } = state
  const { gateways } = topology
  const first = gateways.firstPort[row]
  const firstLan = first + gateways.wanPorts[row]
  sumPorts(state, first, firstLan, wan)
  sumPorts(state, firstLan, first + gateways.portCount[row], lan)
  record.wan_ingress_gbps = round(wan.rx, 4)
  record.wan_egress_gbps = round(wan.tx, 4)
  record.lan_ingress_gbps = round(lan.rx, 4)
  record.lan_egress_gbps = round(lan.tx, 4)
  record.egress_gbps = round(wan.tx + lan.tx, 4)
  record.ingress_gbps = round(wan.rx + lan.rx, 4)
  record.fabric_load_gbps = round(network.gatewayFabricGbps[row], 4)
  record.fabric_saturated = network.gatewayDroppedGbps[row] > noticeableGbps
  record.bgp_advertising = network.gatewayAdvertising[row] !== 0
  const throttle = network.gatewayThrottle[row]
  record.addon_throttle = round(throttle, 4)
  record.addon_throttled = throttle >= throttledShareMin
  record.forwarding_ceiling_gbps = round(network.gatewayCeilingGbps[row], 4)
  record.inv_status = condition.gatewayBroken[row] === 0 ? 'Installed' : 'Failed'
  updateThreats(record.threats, columns, row)
  updateThreat(record.builtin_firewall, columns, row, builtinIndex)
  record.builtin_firewall.dropped_per_sec = round(mitigatedPackets(columns, row, builtinIndex), 2)
  record.power_feeds = facility.gatewayFeeds[row]
  record.powered = facility.gatewayFeeds[row] !== 0
}
