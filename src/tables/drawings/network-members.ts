/** Upstreams, devices and racks of the picture of the network, with their tiers. */
import type { ApplianceRecord, PortRecord, ZoneRecord } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { counted, plain } from '../../words/phrases.ts'
import { percentOf, sumOf } from '../engine/columns.ts'
import type { RowState } from '../engine/columns.ts'
import { zoneOf } from '../columns/places.ts'
import { addTo, idOrNull } from '../engine/table-world.ts'
import type { PlacedRack, TableWorld } from '../engine/table-world.ts'
import { unlessUnknown } from '../engine/table.ts'
import { describedDevices, gbpsText, typeNameOf } from '../columns/equipment/device.ts'
import { deviceCondition } from '../columns/equipment/devices.ts'
import type { DescribedDevice } from '../columns/equipment/device.ts'
import { rackCondition, rowAndPosition } from '../columns/equipment/racks.ts'

export const networkTiers = [
  'upstream',
  'gateway',
  'inspection',
  'core',
  'aggregation',
  'edge',
  'rack',
] as const
type Tier = (typeof networkTiers)[number]

/** A device, an upstream or a rack. */
export interface Member {
  readonly key: string
  readonly name: string
  readonly typeName: string
  readonly zone: ZoneRecord
  readonly tier: Tier
  /** The row of racks that it stands in. */
  readonly row: string
  readonly condition: RowState
  readonly loadPct: number | null
  readonly detail: string
  /** The page that it links to. */
  readonly subject: 'device' | 'rack' | 'network'
  readonly rackId: string | null
  /** The ports at which links begin. */
  readonly ports: readonly PortRecord[]
}

/** The key of a member. An upstream is drawn once per zone, so that each zone is complete by itself. */
export const memberKey = (kind: string, id: Int64 | string, zone: ZoneRecord): string =>
  kind === 'Upstream' ? `${kind} ${id} of ${zone.id}` : `${kind} ${id}`

/** An appliance between a gateway and the fabric inspects all traffic; the others are drawn beside the cores. */
const isInline = ({ ports }: ApplianceRecord): boolean => {
  const kinds = new Set(ports.map(({ peer }) => peer?.device_kind))
  return kinds.has('Gateway') && kinds.has('Switch')
}

function tierOf(one: DescribedDevice): Tier {
  if (one.kind === 'Gateway') return 'gateway'
  if (one.kind === 'Appliance') return isInline(one.device) ? 'inspection' : 'core'
  const { role } = one.device
  return role === 'core' || role === 'aggregation' ? role : 'edge'
}

/** A load as text; empty if the upstream left it out. */
const loadText = (gbps: number): string => unlessUnknown(() => gbpsText(gbps)) ?? ''

function deviceMember(one: DescribedDevice, world: TableWorld): Member[] {
  const { kind, device } = one
  const zone = zoneOf(device, world)
  if (zone === undefined) return []
  return [
    {
      key: memberKey(kind, device.id, zone),
      name: device.display_name_plain,
      typeName: typeNameOf(one),
      zone,
      tier: tierOf(one),
      row: rowAndPosition(world.rackName(device.rack_id) ?? '').row,
      condition: deviceCondition(device),
      loadPct: percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps),
      detail: loadText(device.fabric_load_gbps),
      subject: 'device',
      rackId: idOrNull(device.rack_id),
      ports: device.ports,
    },
  ]
}

/** The upstreams of each zone, with the gateway ports that connect to them. */
function upstreamMembers(gateways: readonly Member[]): Member[] {
  const ports = new Map<string, PortRecord[]>()
  const zones = new Map<string, ZoneRecord>()
  for (const { zone, ports: own } of gateways) {
    for (const port of own) {
      if (port.peer?.device_kind !== 'Upstream' || port.peer.device_id === null) continue
      const key = memberKey('Upstream', port.peer.device_id, zone)
      zones.set(key, zone)
      addTo(ports, key, port)
    }
  }
  return [...ports].map(([key, lines]) => upstreamMember(key, zones.get(key)!, lines))
}

function upstreamMember(key: string, zone: ZoneRecord, lines: readonly PortRecord[]): Member {
  const up = lines.filter(({ link }) => link === 'Up')
  const load = sumOf(lines, ({ gbps_tx, gbps_rx }) => Math.max(gbps_tx, gbps_rx))
  return {
    key,
    // The label of the far port names the carrier and its line.
    name: (lines[0].peer?.label ?? '').replace(/ \S+$/, ''),
    typeName: 'upstream',
    zone,
    tier: 'upstream',
    row: '',
    condition: linesCondition(lines.length, up.length),
    loadPct: percentOf(
      load,
      sumOf(up, ({ link_capacity_gbps }) => link_capacity_gbps),
    ),
    detail: loadText(load),
    subject: 'network',
    rackId: null,
    ports: [],
  }
}

function linesCondition(all: number, up: number): RowState {
  if (up === 0) return { state: 'no line is up', severity: 4 }
  if (up < all) return { state: `${up} of ${counted(all, 'line')} up`, severity: 3 }
  return { state: `${counted(all, 'line')} up`, severity: 0 }
}

function rackMember(placed: PlacedRack): Member[] {
  const { rack, zone } = placed
  if (rack.host_count === 0 || rack.id === null) return []
  return [
    {
      key: memberKey('Rack', rack.id, zone),
      name: rack.name,
      typeName: 'rack',
      zone,
      tier: 'rack',
      row: rowAndPosition(rack.name).row,
      condition: rackCondition(placed),
      loadPct: percentOf(rack.power_draw_kw, rack.power_capacity_kw),
      detail: unlessUnknown(() => `${plain(rack.hosts_online)} of ${counted(rack.host_count, 'host')}`) ?? '',
      subject: 'rack',
      rackId: idOrNull(rack.id),
      ports: [],
    },
  ]
}

/** Those of a frame. */
export function networkMembers(world: TableWorld): readonly Member[] {
  const devices = world.derived(describedDevices).flatMap((one) => deviceMember(one, world))
  const racks = world.racks.flatMap((one) => rackMember(one))
  const upstreams = upstreamMembers(devices.filter(({ tier }) => tier === 'gateway'))
  return [...upstreams, ...devices, ...racks]
}
