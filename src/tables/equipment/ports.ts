import type { PortRecord } from '../../contract/collections.ts'
import { bool, defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { thresholds } from '../../contract/thresholds.ts'
import { entityWords, plainWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  asPercent,
  percentOf,
  placeColumns,
  severityColumn,
  someText,
} from '../columns.ts'
import { placeCells, placeFilters } from '../places.ts'
import { idText, ownDeviceKinds } from '../table-world.ts'
import type { DeviceRecord, OwnDeviceKind, TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import type { AnyTable, Filters } from '../table.ts'
import type { RowState } from './hosts.ts'

interface DevicePort {
  readonly kind: OwnDeviceKind
  readonly device: DeviceRecord
  readonly port: PortRecord
}

const stateWords: Readonly<Record<string, RowState>> = {
  Free: { state: 'free', severity: 0 },
  Connected: { state: 'up', severity: 0 },
  NoLight: { state: 'no light', severity: 3 },
  Errored: { state: 'errors', severity: 3 },
  PowerOff: { state: 'no power', severity: 3 },
  Disabled: { state: 'disabled', severity: 1 },
}

export const loadPct = ({ gbps_tx, gbps_rx, link_capacity_gbps }: PortRecord): number | null =>
  percentOf(Math.max(gbps_tx, gbps_rx), link_capacity_gbps)

export function portCondition(port: PortRecord): RowState {
  if (port.link === 'Flapping') return { state: 'flapping', severity: 3 }
  const plain = stateWords[port.state] ?? { state: plainWords(port.state), severity: 1 }
  if (plain.severity > 0) return plain
  if (port.link === 'Down' && port.state !== 'Free') return { state: 'down', severity: 3 }
  // It drops traffic at the next peak.
  return (loadPct(port) ?? 0) >= asPercent(thresholds.linkLoadFull)
    ? { state: 'nearly full', severity: 2 }
    : plain
}

const connectorWords: Readonly<Record<string, string>> = {
  Dac: 'direct-attach copper',
  Fiber: 'fiber',
  Copper: 'copper',
  None: 'none',
}

const row = defineRecord('PortRow', 'A port of a device.', {
  device_kind: str('What kind of device, in words.'),
  device_id: idColumn('device among its kind'),
  device: str('Name of the device.'),
  port_id: idColumn('port'),
  port: str('Name printed beside the port.'),
  severity: severityColumn,
  state: str('How it is doing, in words.'),
  link: oneOf(['up', 'down', 'flapping'], 'The link as the device sees it.'),
  active: bool('Whether traffic may flow now.'),
  connected_to: nullable(str('Device and port at the other end.')),
  peer_kind: nullable(str('What kind of device that is, in words.')),
  peer_id: idOrNone('device at the other end'),
  peer: nullable(str('Name of that device; of an upstream its line.')),
  leads_to: oneOf(['device', 'host', 'network'], 'What shows more of the other end.'),
  media: str('What the cable is made of, in words.'),
  connector: str('Shape of the socket.'),
  capacity_gbps: int('What the link carries in each direction.', 'gbps'),
  sent_gbps: amount('Traffic sent.', 'gbps'),
  received_gbps: amount('Traffic received.', 'gbps'),
  load_pct: amountOrNone('Load of the fuller direction.', 'pct'),
  errors: int('Frames lost to errors since the device was installed.'),
  flaps: int('How often the link went down and came back.'),
  cables: nullable(str('Ids of the cables that are plugged in, separated by commas.')),
  ...placeColumns,
})

function linkWord(link: string): 'up' | 'down' | 'flapping' {
  if (link === 'Flapping') return 'flapping'
  return link === 'Up' ? 'up' : 'down'
}

const peerSubjects: Readonly<Record<string, 'device' | 'host'>> = {
  Gateway: 'device',
  Switch: 'device',
  Appliance: 'device',
  Host: 'host',
}

function peerName({ peer }: PortRecord, world: TableWorld): string | null {
  if (peer === null) return null
  const device = world.device(peer.device_kind, peer.device_id)
  return device === undefined ? peer.label : world.nameOfDevice(device)
}

function toRow({ kind, device, port }: DevicePort, world: TableWorld) {
  const { state, severity } = portCondition(port)
  return {
    device_kind: entityWords(kind),
    device_id: idText(device.id),
    device: world.nameOfDevice(device),
    port_id: idText(port.port_id),
    port: port.label,
    severity,
    state,
    link: linkWord(port.link),
    active: port.active,
    connected_to: port.peer?.label ?? null,
    peer_kind: port.peer === null ? null : entityWords(port.peer.device_kind),
    peer_id: port.peer === null ? null : String(port.peer.device_id),
    peer: peerName(port, world),
    leads_to: peerSubjects[port.peer?.device_kind ?? ''] ?? 'network',
    media: connectorWords[port.media] ?? plainWords(port.media),
    connector: port.connector,
    capacity_gbps: port.link_capacity_gbps,
    sent_gbps: port.gbps_tx,
    received_gbps: port.gbps_rx,
    load_pct: loadPct(port),
    errors: port.error_count,
    flaps: port.link_flaps,
    cables: someText(port.cable_ids.join(', ')),
    ...placeCells(device, world),
  }
}

const portsOfDevice = (kind: OwnDeviceKind, device: DeviceRecord): readonly DevicePort[] =>
  device.ports.map((port) => ({ kind, device, port }))

const portsOf = (world: TableWorld, kinds: readonly OwnDeviceKind[]): readonly DevicePort[] =>
  kinds.flatMap((kind) => world.devices(kind).flatMap((device) => portsOfDevice(kind, device)))

const filterOfKind = (kind: OwnDeviceKind) => ({
  meaning: `Id or name of a ${entityWords(kind)}.`,
  values: (item: DevicePort, world: TableWorld) =>
    item.kind === kind ? [item.device.id, world.nameOfDevice(item.device)] : [],
})

const sharedFilters: Filters<DevicePort> = {
  device: { meaning: 'Name of a device.', values: ({ device }, world) => [world.nameOfDevice(device)] },
  in_use: {
    meaning: 'yes for ports with something at the other end or a cable in them.',
    values: ({ port }) => [port.peer !== null || port.cable_ids.length > 0 ? 'yes' : 'no'],
  },
  ...placeFilters(({ device }: DevicePort) => device),
  state: { meaning: 'State in words, such as up.', values: ({ port }) => [portCondition(port).state] },
  severity: { meaning: 'Its severity, 0 to 4.', values: ({ port }) => [portCondition(port).severity] },
}

export const ports: AnyTable = defineTable({
  name: 'ports',
  meaning: 'Ports of all devices, device by device.',
  row,
  reads: ['gateways', 'switches', 'appliances', 'patchPanels', 'hosts', 'azs'],
  items: (world: TableWorld) => portsOf(world, ownDeviceKinds),
  filters: {
    device_kind: {
      meaning: 'Kind of device, such as switch.',
      values: ({ kind }) => [kind, entityWords(kind)],
    },
    gateway: filterOfKind('Gateway'),
    switch: filterOfKind('Switch'),
    appliance: filterOfKind('Appliance'),
    host: filterOfKind('Host'),
    ...sharedFilters,
  },
  toRow,
})

export const hostPorts: AnyTable = defineTable({
  name: 'host-ports',
  meaning: 'Ports of hosts, host by host.',
  row,
  reads: ['hosts', 'azs'],
  items: (world: TableWorld) => portsOf(world, ['Host']),
  byId: {
    filter: 'host',
    items(id, { records }) {
      const host = records.get('hosts', id)
      return host === undefined ? null : portsOfDevice('Host', host)
    },
  },
  filters: { host: filterOfKind('Host'), ...sharedFilters },
  toRow,
})
