/** Switches, gateways and appliances. */
import type { ApplianceRecord, GatewayRecord, SwitchRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, str } from '../../contract/fields.ts'
import { counted, listed } from '../../words/phrases.ts'
import { applianceWords, plainWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  percentOf,
  placeColumns,
  severityColumn,
  someText,
} from '../columns.ts'
import { placeCells, placeFilters } from '../places.ts'
import { idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { Filters } from '../table.ts'
import type { RowState } from './hosts.ts'
import { loadPct, portCondition } from './ports.ts'

type Device = SwitchRecord | GatewayRecord | ApplianceRecord

/** What can be wrong with any device, the worst first; null if nothing is. */
function generalCondition(device: Device): RowState | null {
  const { inv_status: status } = device
  if (status === 'Failed') return { state: 'down', severity: 4 }
  if (!device.powered) return { state: 'no power', severity: 4 }
  if (status === 'Maintenance') return { state: 'under maintenance', severity: 2 }
  if (device.fabric_saturated) return { state: 'fabric full', severity: 3 }
  return null
}

function lesserCondition(device: Device): RowState {
  const troubled = device.ports.filter((port) => portCondition(port).severity >= 3).length
  if (troubled > 0) return { state: `${counted(troubled, 'link')} in trouble`, severity: 2 }
  if (device.power_feeds === 1) return { state: 'on one power feed', severity: 2 }
  return { state: 'in order', severity: 0 }
}

export function switchCondition(device: SwitchRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.indicator === 'Off') return { state: 'down', severity: 4 }
  if (device.broadcast_storm) return { state: 'broadcast storm', severity: 4 }
  if (device.saturated) return { state: 'a port is full', severity: 3 }
  return lesserCondition(device)
}

export function gatewayCondition(device: GatewayRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.bgp_capable && !device.bgp_advertising) return { state: 'announces no routes', severity: 4 }
  if (device.threats.some(({ residual }) => residual > 0))
    return { state: 'attacks get through', severity: 4 }
  if (device.addon_throttled) return { state: 'slowed down by add-ons', severity: 3 }
  return lesserCondition(device)
}

export function applianceCondition(device: ApplianceRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.indicator === 'Off') return { state: 'down', severity: 4 }
  if (device.inspection_saturated) return { state: 'inspection full', severity: 3 }
  if (device.inspection_state === 'Bypassed') return { state: 'bypassed', severity: 2 }
  return lesserCondition(device)
}

const sharedColumns = {
  severity: severityColumn,
  state: str('The worst that can be said of it, in words.'),
  ...placeColumns,
  start_u: amountOrNone('Lowest rack unit that it takes.', 'rack_units'),
  size_u: int('Height.', 'rack_units'),
  model: str('Model.'),
  powered: bool('Whether a power feed is live.'),
  power_feeds: int('Power feeds that are live.'),
  fabric_load_gbps: amount('What the fabric carries.', 'gbps'),
  fabric_capacity_gbps: amount('What the fabric carries at most.', 'gbps'),
  fabric_load_pct: amountOrNone('Load of the fabric.', 'pct'),
  sent_gbps: amount('Traffic sent over all ports.', 'gbps'),
  received_gbps: amount('Traffic received over all ports.', 'gbps'),
  ports: int('Ports.'),
  ports_up: int('Ports with a link.'),
  ports_in_trouble: int('Ports that have no light, errors or a flapping link.'),
  fullest_port: nullable(str('The port with the highest load.')),
  fullest_port_pct: amountOrNone('Load of that port.', 'pct'),
  errors: int('Frames lost to errors on all ports since it was installed.'),
  flaps: int('How often its links went down and came back.'),
  cost_dollars_per_month: amount('Running cost.', 'dollars_per_month'),
}

function sharedCells(device: Device, condition: RowState, world: TableWorld) {
  const loads = device.ports.map((port) => ({ port, load: loadPct(port) ?? -1 }))
  const [fullest] = loads.toSorted((one, other) => other.load - one.load)
  return {
    severity: condition.severity,
    state: condition.state,
    ...placeCells(device, world),
    start_u: device.start_u,
    size_u: device.u_size,
    model: device.sku_name,
    powered: device.powered,
    power_feeds: device.power_feeds,
    fabric_load_gbps: device.fabric_load_gbps,
    fabric_capacity_gbps: device.fabric_capacity_gbps,
    fabric_load_pct: percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps),
    sent_gbps: device.egress_gbps,
    received_gbps: device.ingress_gbps,
    ports: device.ports.length,
    ports_up: device.ports.filter(({ link }) => link === 'Up').length,
    ports_in_trouble: device.ports.filter((port) => portCondition(port).severity >= 3).length,
    fullest_port: fullest === undefined || fullest.load < 0 ? null : fullest.port.label,
    fullest_port_pct: fullest === undefined || fullest.load < 0 ? null : fullest.load,
    errors: device.ports.reduce((sum, { error_count }) => sum + error_count, 0),
    flaps: device.ports.reduce((sum, { link_flaps }) => sum + link_flaps, 0),
    cost_dollars_per_month: device.monthly_opex_dollars,
  }
}

const filtersOf = <D extends Device>(what: string, conditionOf: (device: D) => RowState): Filters<D> => ({
  [what]: {
    meaning: `Id or name of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}.`,
    values: ({ id, display_name_plain }: D) => [id, display_name_plain],
  },
  ...placeFilters((device: D) => device),
  severity: { meaning: 'Its severity, 0 to 4.', values: (device: D) => [conditionOf(device).severity] },
})

export const switches = defineTable({
  name: 'switches',
  meaning: 'Switches in the order of their ids.',
  row: defineRecord('SwitchRow', 'A switch.', {
    switch_id: idColumn('switch'),
    switch: str('Name.'),
    role: str('Layer: edge, aggregation or core.'),
    ...sharedColumns,
    condition_pct: int('Condition: 100 new, 0 worn out.', 'pct'),
    age_seconds: amount('Simulated time since it was installed.', 's'),
  }),
  reads: ['switches', 'azs'],
  items: ({ records }: TableWorld) => records.all('switches'),
  filters: {
    ...filtersOf('switch', switchCondition),
    role: { meaning: 'edge, aggregation or core.', values: ({ role }) => [role] },
  },
  toRow: (device, world) => ({
    switch_id: idText(device.id),
    switch: device.display_name_plain,
    role: plainWords(device.role),
    ...sharedCells(device, switchCondition(device), world),
    condition_pct: device.condition_pct,
    age_seconds: device.age_hours * 3600,
  }),
})

const wanPolicyWords: Readonly<Record<string, string>> = {
  Single: 'one port',
  ActiveStandby: 'active and standby',
  ActiveActive: 'all ports active',
}

export const gateways = defineTable({
  name: 'gateways',
  meaning: 'Edge gateways in the order of their ids.',
  row: defineRecord('GatewayRow', 'An edge gateway.', {
    gateway_id: idColumn('gateway'),
    gateway: str('Name.'),
    ...sharedColumns,
    announces_routes: bool('Whether it announces routes to the internet.'),
    wan_policy: str('How it uses its WAN ports, in words.'),
    wan_in_gbps: amount('Traffic from upstream.', 'gbps'),
    wan_out_gbps: amount('Traffic to upstream.', 'gbps'),
    forwarding_ceiling_gbps: amount('What it can forward with its add-ons on.', 'gbps'),
    addons: nullable(str('Security add-ons that are switched on, by name.')),
    firewall: bool('Whether the built-in firewall is switched on.'),
  }),
  reads: ['gateways', 'azs'],
  items: ({ records }: TableWorld) => records.all('gateways'),
  filters: filtersOf('gateway', gatewayCondition),
  toRow: (device, world) => ({
    gateway_id: idText(device.id),
    gateway: device.display_name_plain,
    ...sharedCells(device, gatewayCondition(device), world),
    announces_routes: device.bgp_advertising,
    wan_policy: wanPolicyWords[device.wan_policy] ?? plainWords(device.wan_policy),
    wan_in_gbps: device.wan_ingress_gbps,
    wan_out_gbps: device.wan_egress_gbps,
    forwarding_ceiling_gbps: device.forwarding_ceiling_gbps,
    addons: someText(
      listed(
        device.security_addons.filter(({ enabled }) => enabled).map(({ name }) => name),
        10,
      ),
    ),
    firewall: device.builtin_firewall_enabled,
  }),
})

export const appliances = defineTable({
  name: 'appliances',
  meaning: 'Network appliances in the order of their ids.',
  row: defineRecord('ApplianceRow', 'A network appliance.', {
    appliance_id: idColumn('appliance'),
    appliance: str('Name.'),
    kind: str('What it is, in words.'),
    ...sharedColumns,
    inspection: str('What inspection is doing, in words.'),
    inspection_load_gbps: amount('What it inspects.', 'gbps'),
    inspection_load_pct: amountOrNone('Load of inspection.', 'pct'),
    dropped_per_second: amount('Packets dropped.', 'per_second'),
    scrubbed_gbps: amount('Hostile traffic taken out.', 'gbps'),
    functions: nullable(str('Functions that are switched on, in words.')),
  }),
  reads: ['appliances', 'azs'],
  items: ({ records }: TableWorld) => records.all('appliances'),
  filters: {
    ...filtersOf('appliance', applianceCondition),
    kind: {
      meaning: 'What it is, such as firewall.',
      values: ({ appliance_kind }) => [appliance_kind, applianceWords(appliance_kind)],
    },
  },
  toRow: (device, world) => ({
    appliance_id: idText(device.id),
    appliance: device.display_name_plain,
    kind: applianceWords(device.appliance_kind),
    ...sharedCells(device, applianceCondition(device), world),
    inspection: plainWords(device.inspection_state),
    inspection_load_gbps: device.inspection_load_gbps,
    inspection_load_pct: percentOf(device.inspection_load_gbps, device.inspection_capacity_gbps),
    dropped_per_second: device.dropped_per_sec,
    scrubbed_gbps: device.scrubbed_gbps,
    functions: someText(device.enabled_functions.map(plainWords).join(', ')),
  }),
})
