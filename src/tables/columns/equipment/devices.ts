/** Switches, gateways and appliances. */
import type { ApplianceRecord, GatewayRecord, SwitchRecord } from '../../../contract/collections.ts'
import { GatewaySchema } from '../../../contract/records/network.ts'
import { int, nullable, num, str } from '../../../contract/fields.ts'
import { isFalse } from '../../../contract/records/unknown.ts'
import { counted, listed, longListMax } from '../../../words/phrases.ts'
import { applianceWords, plainWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  idColumn,
  inOrder,
  isTroubled,
  percentOf,
  severityFilter,
  someText,
  stateColumns,
} from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { placeColumns, placeFilters } from '../places.ts'
import { idText } from '../../engine/table-world.ts'
import type { DeviceRecord } from '../../engine/table-world.ts'
import { column, columnsOf, defineTable, each, oneOfFilter } from '../../engine/table.ts'
import type { Columns, Filters } from '../../engine/table.ts'
import { hostCondition } from './hosts.ts'
import { portCondition } from './ports.ts'

type NetworkDevice = SwitchRecord | GatewayRecord | ApplianceRecord

/** The part that is full, if a device drops traffic: its functions may lower what it carries far below its fabric. */
export function fullPart(device: NetworkDevice): 'inspection' | 'forwarding' | 'fabric' | null {
  if (!device.fabric_saturated) return null
  if ('inspection_saturated' in device && device.inspection_saturated) return 'inspection'
  const isBelowFabric =
    'addon_throttled' in device && device.forwarding_ceiling_gbps < device.fabric_capacity_gbps
  return isBelowFabric ? 'forwarding' : 'fabric'
}

/** Conditions that any device can have, the worst first; null if it has none. */
function generalCondition(device: NetworkDevice): RowState | null {
  const { inv_status: status } = device
  if (status === 'Failed') return { state: 'down', severity: 4 }
  if (isFalse(device.powered)) return { state: 'no power', severity: 4 }
  if (status === 'Maintenance') return { state: 'under maintenance', severity: 2 }
  const full = fullPart(device)
  if (full !== null) return { state: `${full} full`, severity: 3 }
  if ('indicator' in device && device.indicator === 'Off') return { state: 'down', severity: 4 }
  return null
}

function lesserCondition(device: NetworkDevice): RowState {
  const troubled = device.ports.filter((port) => isTroubled(portCondition(port))).length
  if (troubled > 0) return { state: `${counted(troubled, 'link')} in trouble`, severity: 2 }
  if (device.power_feeds === 1) return { state: 'on one power feed', severity: 2 }
  // Such as a switch with a part of its fabric offline, or an appliance that denies what it should let through.
  const isAmber = 'indicator' in device && device.indicator === 'Amber'
  return isAmber ? { state: 'needs attention', severity: 2 } : inOrder
}

export function switchCondition(device: SwitchRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.broadcast_storm) return { state: 'broadcast storm', severity: 4 }
  if (device.saturated) return { state: 'a port is full', severity: 3 }
  return lesserCondition(device)
}

export function gatewayCondition(device: GatewayRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.bgp_capable && isFalse(device.bgp_advertising))
    return { state: 'announces no routes', severity: 4 }
  if (device.threats.some(({ residual }) => residual > 0))
    return { state: 'attacks get past it', severity: 3 }
  if (device.addon_throttled) return { state: 'slowed down by add-ons', severity: 3 }
  return lesserCondition(device)
}

export function applianceCondition(device: ApplianceRecord): RowState {
  const general = generalCondition(device)
  if (general !== null) return general
  if (device.inspection_saturated) return { state: 'inspection full', severity: 3 }
  if (device.inspection_state === 'Bypassed') return { state: 'bypassed', severity: 2 }
  return lesserCondition(device)
}

/** The worst condition of a device of any kind. */
export function deviceCondition(device: DeviceRecord): RowState {
  if ('visual' in device) return hostCondition(device)
  if ('role' in device) return switchCondition(device)
  if ('wan_policy' in device) return gatewayCondition(device)
  return 'appliance_kind' in device ? applianceCondition(device) : inOrder
}

const sharedColumns: Columns<NetworkDevice> = {
  ...placeColumns((device: NetworkDevice) => device),
  power_feeds: column(int('Power feeds that are live.'), 'power_feeds'),
  fabric_load_pct: column(
    amountOrNone('Load of the fabric.', 'pct'),
    ({ fabric_load_gbps, fabric_capacity_gbps }) => percentOf(fabric_load_gbps, fabric_capacity_gbps),
  ),
}

const filtersOf = <D extends NetworkDevice>(
  noun: string,
  conditionOf: (device: D) => RowState,
): Filters<D> => ({
  [noun]: {
    meaning: `Id or name of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}.`,
    values: ({ id, display_name_plain }: D) => [id, display_name_plain],
  },
  ...placeFilters((device: D) => device),
  ...severityFilter(conditionOf),
})

export const switches = defineTable<SwitchRecord>({
  name: 'switches',
  meaning: 'Switches in the order of their ids.',
  row: ['SwitchRow', 'A switch.'],
  worldParts: ['switches'],
  ...each(({ records }) => records.all('switches')),
  filters: {
    ...filtersOf('switch', switchCondition),
    role: oneOfFilter(['edge', 'aggregation', 'core'], ({ role }) => [role]),
  },
  columns: {
    switch_id: column(idColumn('switch'), ({ id }) => idText(id)),
    switch: column(str('Name.'), 'display_name_plain'),
    role: column(str('Layer: edge, aggregation or core.'), ({ role }) => plainWords(role)),
    ...stateColumns(switchCondition),
    ...sharedColumns,
  },
})

const gateway = columnsOf(GatewaySchema)

export const gateways = defineTable<GatewayRecord>({
  name: 'gateways',
  meaning: 'Edge gateways in the order of their ids.',
  row: ['GatewayRow', 'An edge gateway.'],
  worldParts: ['gateways'],
  ...each(({ records }) => records.all('gateways')),
  filters: filtersOf('gateway', gatewayCondition),
  columns: {
    gateway_id: column(idColumn('gateway'), ({ id }) => idText(id)),
    gateway: column(str('Name.'), 'display_name_plain'),
    ...stateColumns(gatewayCondition),
    ...sharedColumns,
    wan_in_gbps: gateway('wan_ingress_gbps'),
    wan_out_gbps: gateway('wan_egress_gbps'),
    forwarding_ceiling_gbps: gateway('forwarding_ceiling_gbps'),
    addons: column(
      nullable(str('Security add-ons that are switched on, by name.')),
      ({ security_addons }) => {
        const names = security_addons.filter(({ enabled }) => enabled).map(({ name }) => name)
        return someText(listed(names, longListMax))
      },
    ),
  },
})

export const appliances = defineTable<ApplianceRecord>({
  name: 'appliances',
  meaning: 'Network appliances in the order of their ids.',
  row: ['ApplianceRow', 'A network appliance.'],
  worldParts: ['appliances'],
  ...each(({ records }) => records.all('appliances')),
  filters: {
    ...filtersOf('appliance', applianceCondition),
    kind: {
      meaning: 'What it is, such as firewall.',
      values: ({ appliance_kind }) => [appliance_kind, applianceWords(appliance_kind)],
    },
  },
  columns: {
    appliance_id: column(idColumn('appliance'), ({ id }) => idText(id)),
    appliance: column(str('Name.'), 'display_name_plain'),
    kind: column(str('What it is, in words.'), ({ appliance_kind }) => applianceWords(appliance_kind)),
    ...stateColumns(applianceCondition),
    ...sharedColumns,
    inspection: column(str('What inspection is doing, in words.'), ({ inspection_state }) =>
      plainWords(inspection_state),
    ),
    inspection_load_pct: column(amountOrNone('Load of inspection.', 'pct'), (device) =>
      percentOf(device.inspection_load_gbps, device.inspection_capacity_gbps),
    ),
    scrubbed_gbps: column(num('Hostile traffic taken out.', 'gbps'), 'scrubbed_gbps'),
    functions: column(nullable(str('Functions that are switched on, in words.')), ({ enabled_functions }) =>
      someText(enabled_functions.map(plainWords).join(', ')),
    ),
  },
})
