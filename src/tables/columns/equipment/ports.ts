import type { PortRecord } from '../../../contract/collections.ts'
import { int, nullable, num, oneOf, str } from '../../../contract/fields.ts'
import { isKnown } from '../../../contract/records/unknown.ts'
import { thresholds } from '../../../contract/thresholds.ts'
import { entityWords, knownOr, plainWords } from '../../../words/vocabulary.ts'
import {
  amountOrNone,
  asPercent,
  idColumn,
  idOrNone,
  percentOf,
  severityFilter,
  stateColumns,
  unknownState,
} from '../../engine/columns.ts'
import type { RowState } from '../../engine/columns.ts'
import { placeColumns, placeFilters } from '../places.ts'
import { deviceParts, idText, ownDeviceKinds } from '../../engine/table-world.ts'
import type { DeviceRecord, OwnDeviceKind, TableWorld } from '../../engine/table-world.ts'
import { column, defineTable } from '../../engine/table.ts'

/** A device of any kind. */
interface Device {
  readonly kind: OwnDeviceKind
  readonly device: DeviceRecord
}

interface DevicePort extends Device {
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

function stateOf({ state, link, peer, media, cable_ids: cables }: PortRecord): RowState {
  if (state === 'NoLight' && media !== 'Fiber') return { state: 'no signal', severity: 3 }
  if (Object.hasOwn(stateWords, state)) return stateWords[state]
  if (isKnown(state)) return { state: plainWords(state), severity: 1 }
  if (link === 'Up') return stateWords['Connected']
  return peer === null && cables.length === 0 ? stateWords['Free'] : unknownState
}

export function portCondition(port: PortRecord): RowState {
  if (port.link === 'Flapping') return { state: 'flapping', severity: 3 }
  const plain = stateOf(port)
  if (plain.severity > 0) return plain
  if (port.link === 'Down' && plain !== stateWords['Free']) return { state: 'down', severity: 3 }
  const load = loadPct(port) ?? 0
  if (Math.round(load) >= 99) return { state: 'full', severity: 3 }
  // The port will drop traffic at the next peak.
  return load >= asPercent(thresholds.linkLoadFull) ? { state: 'nearly full', severity: 2 } : plain
}

/** The severity of links between the same two devices. */
export function linksSeverity(ports: readonly PortRecord[]): number {
  const highest = Math.max(...ports.map((port) => portCondition(port).severity))
  if (highest < 2) return 0
  return ports.every(({ link }) => link === 'Down') ? 4 : highest
}

const connectorWords: Readonly<Record<string, string>> = {
  Dac: 'direct-attach copper',
  Fiber: 'fiber',
  Copper: 'copper',
  None: 'none',
}

/** The table with more about a device, by its kind. */
export const subjectOfKind: Readonly<Record<string, 'device' | 'host'>> = {
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

const conditionOf = ({ port }: DevicePort): RowState => portCondition(port)

const filterOfKind = (kind: OwnDeviceKind) => ({
  meaning: `Id or name of a ${entityWords(kind)}.`,
  values: (item: Device, world: TableWorld) =>
    item.kind === kind ? [item.device.id, world.nameOfDevice(item.device)] : [],
})

export const ports = defineTable<DevicePort, Device>({
  name: 'ports',
  meaning: 'Ports of all devices, device by device.',
  row: ['PortRow', 'A port of a device.'],
  worldParts: deviceParts,
  entities: (world) =>
    ownDeviceKinds.flatMap((kind) => world.devices(kind).map((device) => ({ kind, device }))),
  byId: {
    filter: 'host',
    find: (id, { records }) => {
      const device = records.get('hosts', id)
      return device === undefined ? undefined : { kind: 'Host', device }
    },
  },
  itemsOf: ({ kind, device }) => device.ports.map((port) => ({ kind, device, port })),
  columns: {
    device: column(str('Name of the device.'), ({ device }, world) => world.nameOfDevice(device)),
    port_id: column(idColumn('port'), ({ port }) => idText(port.port_id)),
    port: column(str('Name printed beside the port.'), ({ port }) => port.label),
    ...stateColumns(conditionOf, 'How it is doing, in words.'),
    connected_to: column(
      nullable(str('Device and port at the other end.')),
      ({ port }) => port.peer?.label ?? null,
    ),
    peer_id: column(idOrNone('device at the other end'), ({ port: { peer } }) =>
      peer === null ? null : idText(peer.device_id),
    ),
    peer: column(nullable(str('Name of that device; of an upstream its line.')), ({ port }, world) =>
      peerName(port, world),
    ),
    leads_to: column(oneOf(['device', 'host', 'network'], 'What shows more of the other end.'), ({ port }) =>
      knownOr<'device' | 'host' | 'network'>(subjectOfKind, port.peer?.device_kind ?? '', 'network'),
    ),
    media: column(str('What the cable is made of, in words.'), ({ port: { media } }) =>
      knownOr(connectorWords, media, plainWords(media)),
    ),
    capacity_gbps: column(
      int('What the link carries in each direction.', 'gbps'),
      ({ port }) => port.link_capacity_gbps,
    ),
    sent_gbps: column(num('Traffic sent that arrives.', 'gbps'), ({ port }) => port.gbps_tx),
    received_gbps: column(num('Traffic received.', 'gbps'), ({ port }) => port.gbps_rx),
    load_pct: column(amountOrNone('Load of the fuller direction.', 'pct'), ({ port }) => loadPct(port)),
    errors: column(
      int('Frames lost to errors since the device was installed.'),
      ({ port }) => port.error_count,
    ),
    flaps: column(int('How often the link went down and came back.'), ({ port }) => port.link_flaps),
    ...placeColumns(({ device }: DevicePort) => device),
  },
  entityFilters: {
    device_kind: {
      meaning: 'Kind of device, such as switch.',
      values: ({ kind }) => [kind, entityWords(kind)],
    },
    gateway: filterOfKind('Gateway'),
    switch: filterOfKind('Switch'),
    appliance: filterOfKind('Appliance'),
    host: filterOfKind('Host'),
    device: { meaning: 'Name of a device.', values: ({ device }, world) => [world.nameOfDevice(device)] },
    ...placeFilters(({ device }: Device) => device),
  },
  filters: {
    in_use: {
      meaning: 'yes for ports with something at the other end or a cable in them.',
      values: ({ port }) => [port.peer !== null || port.cable_ids.length > 0 ? 'yes' : 'no'],
    },
    state: { meaning: 'State in words, such as up.', values: (item) => [conditionOf(item).state] },
    ...severityFilter(conditionOf),
  },
})
