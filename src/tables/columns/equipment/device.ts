import type {
  ApplianceRecord,
  GatewayRecord,
  IncidentRecord,
  SwitchRecord,
} from '../../../contract/collections.ts'
import { str } from '../../../contract/fields.ts'
import { numberText } from '../../../contract/messages/catalog.ts'
import { isFalse } from '../../../contract/records/unknown.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import {
  capitalized,
  counted,
  dollarsText,
  listed,
  longListMax,
  plain,
  rounded,
} from '../../../words/phrases.ts'
import { applianceWords, entityWords, plainWords } from '../../../words/vocabulary.ts'
import { asPercent, isTroubled, percentOf } from '../../engine/columns.ts'
import { defineFactTable, fact, incidentFact } from '../../engine/facts.ts'
import { devicesOfIncident } from '../mentions.ts'
import { placeFilters, placeText } from '../places.ts'
import { addTo, byGravity, deviceParts } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, oneOfFilter } from '../../engine/table.ts'
import { deviceCondition, fullPart } from './devices.ts'
import { portCondition } from './ports.ts'

/** A device with the values that only its kind has. */
export type DescribedDevice =
  | { readonly kind: 'Gateway'; readonly device: GatewayRecord }
  | { readonly kind: 'Switch'; readonly device: SwitchRecord }
  | { readonly kind: 'Appliance'; readonly device: ApplianceRecord }

/** The name of its kind. */
export function typeNameOf(one: DescribedDevice): string {
  if (one.kind === 'Gateway') return 'gateway'
  return one.kind === 'Switch'
    ? `${plainWords(one.device.role)} switch`
    : applianceWords(one.device.appliance_kind)
}

/** Gateways, switches and appliances. */
export const describedDevices = ({ records }: TableWorld): readonly DescribedDevice[] => [
  ...records.all('gateways').map((device) => ({ kind: 'Gateway' as const, device })),
  ...records.all('switches').map((device) => ({ kind: 'Switch' as const, device })),
  ...records.all('appliances').map((device) => ({ kind: 'Appliance' as const, device })),
]

/** Active incidents by the names of the devices that they mention, the gravest first. */
function incidentsByDevice({ records }: TableWorld): ReadonlyMap<string, readonly IncidentRecord[]> {
  const byName = new Map<string, IncidentRecord[]>()
  for (const incident of records.all('incidents').toSorted(byGravity))
    for (const name of new Set(devicesOfIncident(incident).map(String))) addTo(byName, name, incident)
  return byName
}

type DeviceOf<K> = Extract<DescribedDevice, { readonly kind: K }>['device']

function portsText({ device: { ports } }: DescribedDevice): string {
  const troubled = ports.filter((port) => portCondition(port).severity >= 2)
  const up = ports.filter(({ link }) => link === 'Up').length
  const free = ports.filter(({ state }) => state === 'Free').length
  const troubles = troubled.map((port) => `${port.label} ${portCondition(port).state}`)
  const counts = `${up} of ${counted(ports.length, 'port')} up, ${free} free`
  return troubled.length === 0 ? counts : `${counts}; ${listed(troubles, longListMax)}`
}

export const gbpsText = (value: number): string => `${rounded(value)} Gbit/s`

const loadText = (load: number, capacity: number): string => `${gbpsText(load)} of ${gbpsText(capacity)}`

function fabricText({ device: { fabric_load_gbps: load, fabric_capacity_gbps: capacity } }: DescribedDevice) {
  return `${loadText(load, capacity)}, ${plain(percentOf(load, capacity) ?? 0)} %`
}

const isSilent = (gateway: GatewayRecord): boolean => gateway.bgp_capable && isFalse(gateway.bgp_advertising)

function addonsText({ security_addons }: GatewayRecord): string {
  const names = security_addons.filter(({ enabled }) => enabled).map(({ name }) => name)
  return names.length === 0 ? 'None is switched on' : listed(names, longListMax)
}

/** A fact that only one kind of device has. */
const factOf =
  <K extends DescribedDevice['kind']>(kind: K) =>
  (
    name: string,
    value: (device: DeviceOf<K>) => string,
    severity: (device: DeviceOf<K>) => number = () => 0,
  ) =>
    fact<DescribedDevice>(
      name,
      (one) => (one.kind === kind ? value(one.device as DeviceOf<K>) : null),
      (one) => severity(one.device as DeviceOf<K>),
    )

const ofGateway = factOf('Gateway')
const ofSwitch = factOf('Switch')
const ofAppliance = factOf('Appliance')

export const device = defineFactTable<DescribedDevice>({
  name: 'device',
  meaning: 'Gateways, switches and appliances fact by fact: state, incident, place, power, load, ports.',
  row: ['DeviceFactRow', 'A fact about a gateway, a switch or an appliance.'],
  worldParts: deviceParts,
  entities: (world) => world.derived(describedDevices),
  identity: {
    device: column(str('Name of the device.'), ({ device: { display_name_plain } }) => display_name_plain),
  },
  filters: {
    device: { meaning: 'Name of a device.', values: ({ device: record }) => [record.display_name_plain] },
    kind: oneOfFilter(['gateway', 'switch', 'appliance'], ({ kind }) => [kind, entityWords(kind)]),
    ...placeFilters(({ device: record }: DescribedDevice) => record),
  },
  facts: [
    fact('Device', (one) => `${one.device.display_name_plain}, ${typeNameOf(one)}`),
    fact(
      'State',
      ({ device: record }) => capitalized(deviceCondition(record).state),
      ({ device: record }) => deviceCondition(record).severity,
    ),
    incidentFact(
      ({ device: { display_name_plain: name } }, world) => world.derived(incidentsByDevice).get(name)?.[0],
    ),
    fact('Place', ({ device: record }, world) => placeText(record, world)),
    fact('Model', ({ device: { sku_name } }) => sku_name),
    fact(
      'Power',
      ({ device: { power_feeds } }) => `${plain(power_feeds)} of 2 feeds live`,
      ({ device: { power_feeds } }) => (power_feeds < 2 ? 2 : 0),
    ),
    fact('Fabric', fabricText, ({ device: record }) => (fullPart(record) === 'fabric' ? 3 : 0)),
    ofGateway(
      'Routes',
      (gateway) => (isSilent(gateway) ? 'Announces no routes' : 'Announces its routes'),
      (gateway) => (isSilent(gateway) ? 4 : 0),
    ),
    ofGateway(
      'Forwarding',
      (gateway) => loadText(gateway.fabric_load_gbps, gateway.forwarding_ceiling_gbps),
      (gateway) => (fullPart(gateway) === 'forwarding' ? 3 : 0),
    ),
    ofGateway('Add-ons', addonsText, ({ addon_throttled }) => (addon_throttled ? 3 : 0)),
    ofGateway(
      'Firewall',
      ({ builtin_firewall_enabled: on }) => (isFalse(on) ? 'Off' : on ? 'On' : ''),
      ({ builtin_firewall_enabled: on }) => (isFalse(on) ? 1 : 0),
    ),
    ofSwitch(
      'Condition',
      ({ condition_pct }) => `${plain(condition_pct)} %`,
      ({ condition_pct }) => (condition_pct < asPercent(thresholds.conditionPoor) ? 2 : 0),
    ),
    ofSwitch('Resale value', ({ resale_dollars }) => dollarsText(resale_dollars)),
    ofAppliance(
      'Inspection',
      (appliance) =>
        `${capitalized(plainWords(appliance.inspection_state))}, ${loadText(appliance.inspection_load_gbps, appliance.inspection_capacity_gbps)}`,
      ({ inspection_saturated }) => (inspection_saturated ? 3 : 0),
    ),
    ofAppliance('Dropped', ({ dropped_per_sec }) => `${numberText(Math.round(dropped_per_sec))} packets/s`),
    ofAppliance(
      'Functions',
      ({ enabled_functions }) =>
        listed(enabled_functions.map(plainWords), longListMax) || 'None is switched on',
    ),
    fact('Ports', portsText, ({ device: { ports } }) =>
      ports.some((port) => isTroubled(portCondition(port))) ? 3 : 0,
    ),
    fact(
      'Running cost',
      ({ device: { monthly_opex_dollars } }) => `${dollarsText(monthly_opex_dollars)} a month`,
    ),
  ],
})
