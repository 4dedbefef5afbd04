import type { ApplianceRecord, GatewayRecord, SwitchRecord } from '../../contract/collections.ts'
import { defineRecord, int, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { capitalized, counted, dollarsText, listed } from '../../words/phrases.ts'
import { applianceWords, entityWords, plainWords } from '../../words/vocabulary.ts'
import { idColumn, asPercent, percentOf, severityColumn } from '../columns.ts'
import { factOf, factsOf } from '../facts.ts'
import type { Fact } from '../facts.ts'
import { devicesOfIncident } from '../mentions.ts'
import { placeFilters, zoneOf } from '../places.ts'
import { bandRank, byGravity, idText, nameOfZone } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import { applianceCondition, gatewayCondition, switchCondition } from './devices.ts'
import type { RowState } from './hosts.ts'
import { portCondition } from './ports.ts'

type NetworkDevice =
  | { readonly kind: 'Gateway'; readonly device: GatewayRecord }
  | { readonly kind: 'Switch'; readonly device: SwitchRecord }
  | { readonly kind: 'Appliance'; readonly device: ApplianceRecord }

const namesMax = 6

function conditionOf(one: NetworkDevice): RowState {
  if (one.kind === 'Gateway') return gatewayCondition(one.device)
  return one.kind === 'Switch' ? switchCondition(one.device) : applianceCondition(one.device)
}

function whatOf(one: NetworkDevice): string {
  if (one.kind === 'Gateway') return 'gateway'
  return one.kind === 'Switch'
    ? `${plainWords(one.device.role)} switch`
    : applianceWords(one.device.appliance_kind)
}

function placeText({ device }: NetworkDevice, world: TableWorld): string {
  const zone = zoneOf(device, world)
  const rack = world.rackName(device.rack_id)
  return [
    zone === undefined ? '' : nameOfZone(zone),
    rack === null ? '' : `rack ${rack}`,
    device.start_u === null ? '' : `U${device.start_u}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function portsText({ device: { ports } }: NetworkDevice): string {
  const troubled = ports.filter((port) => portCondition(port).severity >= 2)
  const up = ports.filter(({ link }) => link === 'Up').length
  const free = ports.filter(({ state }) => state === 'Free').length
  const troubles = troubled.map((port) => `${port.label} ${portCondition(port).state}`)
  const counts = `${up} of ${counted(ports.length, 'port')} up, ${free} free`
  return troubled.length === 0 ? counts : `${counts}; ${listed(troubles, namesMax)}`
}

const gbps = (value: number): string => `${Math.round(10 * value) / 10} Gbit/s`

function gatewayFacts({ device }: NetworkDevice & { kind: 'Gateway' }): (Fact | null)[] {
  const addons = device.security_addons.filter(({ enabled }) => enabled).map(({ name }) => name)
  const isSilent = device.bgp_capable && !device.bgp_advertising
  return [
    factOf('Routes', isSilent ? 'Announces no routes' : 'Announces its routes', isSilent ? 4 : 0),
    factOf('Forwarding', `${gbps(device.fabric_load_gbps)} of ${gbps(device.forwarding_ceiling_gbps)}`),
    factOf(
      'Add-ons',
      addons.length === 0 ? 'None is switched on' : listed(addons, namesMax),
      device.addon_throttled ? 3 : 0,
    ),
    factOf(
      'Firewall',
      device.builtin_firewall_enabled ? 'On' : 'Off',
      device.builtin_firewall_enabled ? 0 : 1,
    ),
  ]
}

function applianceFacts({ device }: NetworkDevice & { kind: 'Appliance' }): (Fact | null)[] {
  const load = `${gbps(device.inspection_load_gbps)} of ${gbps(device.inspection_capacity_gbps)}`
  return [
    factOf(
      'Inspection',
      `${capitalized(plainWords(device.inspection_state))}, ${load}`,
      device.inspection_saturated ? 3 : 0,
    ),
    factOf('Functions', listed(device.enabled_functions.map(plainWords), namesMax) || 'None is switched on'),
  ]
}

function switchFacts({ device }: NetworkDevice & { kind: 'Switch' }): (Fact | null)[] {
  const worn = device.condition_pct < asPercent(thresholds.conditionPoor)
  return [
    factOf('Condition', `${device.condition_pct} %`, worn ? 2 : 0),
    factOf('Resale value', dollarsText(device.resale_dollars)),
  ]
}

function ownFacts(one: NetworkDevice): (Fact | null)[] {
  if (one.kind === 'Gateway') return gatewayFacts(one)
  return one.kind === 'Switch' ? switchFacts(one) : applianceFacts(one)
}

/** The gravest active incident that names the device. */
function incidentOf({ device }: NetworkDevice, { records }: TableWorld) {
  const [gravest] = records
    .all('incidents')
    .filter((incident) => devicesOfIncident(incident).includes(device.display_name_plain))
    .toSorted(byGravity)
  return gravest
}

function factsOfDevice(one: NetworkDevice, world: TableWorld): readonly (Fact | null)[] {
  const { device } = one
  const { state, severity } = conditionOf(one)
  const gravest = incidentOf(one, world)
  const fabric = percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps) ?? 0
  return [
    factOf('Device', `${device.display_name_plain}, ${whatOf(one)}`),
    factOf('State', capitalized(state), severity),
    factOf(
      'Incident',
      gravest === undefined ? null : incidentHeadline(gravest),
      bandRank(gravest?.band ?? ''),
    ),
    factOf('Place', placeText(one, world)),
    factOf('Model', device.sku_name),
    factOf('Power', `${device.power_feeds} of 2 feeds live`, device.power_feeds < 2 ? 2 : 0),
    factOf(
      'Fabric',
      `${gbps(device.fabric_load_gbps)} of ${gbps(device.fabric_capacity_gbps)}, ${fabric} %`,
      device.fabric_saturated ? 3 : 0,
    ),
    ...ownFacts(one),
    factOf('Ports', portsText(one), device.ports.some((port) => portCondition(port).severity >= 3) ? 3 : 0),
    factOf('Running cost', `${dollarsText(device.monthly_opex_dollars)} a month`),
  ]
}

const networkDevices = ({ records }: TableWorld): NetworkDevice[] => [
  ...records.all('gateways').map((device) => ({ kind: 'Gateway' as const, device })),
  ...records.all('switches').map((device) => ({ kind: 'Switch' as const, device })),
  ...records.all('appliances').map((device) => ({ kind: 'Appliance' as const, device })),
]

export const device = defineTable({
  name: 'device',
  meaning: 'Gateways, switches and appliances fact by fact: state, incident, place, power, load, ports.',
  row: defineRecord('DeviceFactRow', 'A fact about a gateway, a switch or an appliance.', {
    device_kind: str('What kind of device, in words.'),
    device_id: idColumn('device among its kind'),
    device: str('Name of the device.'),
    rank: int('Place among the facts, from 1.', 'index'),
    fact: str('What the fact is about.'),
    value: str('The fact, in words.'),
    severity: severityColumn,
  }),
  reads: ['gateways', 'switches', 'appliances', 'azs', 'incidents'],
  items: (world: TableWorld) => factsOf(networkDevices(world), world, factsOfDevice),
  filters: {
    device: { meaning: 'Name of a device.', values: ({ thing }) => [thing.device.display_name_plain] },
    kind: {
      meaning: 'gateway, switch or appliance.',
      values: ({ thing }) => [thing.kind, entityWords(thing.kind)],
    },
    ...placeFilters(({ thing }: { readonly thing: NetworkDevice }) => thing.device),
  },
  toRow: ({ thing: { kind, device: record }, rank, fact }) => ({
    device_kind: entityWords(kind),
    device_id: idText(record.id),
    device: record.display_name_plain,
    rank,
    ...fact,
  }),
})
