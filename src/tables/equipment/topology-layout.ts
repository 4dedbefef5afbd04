/** Where the network's devices stand in a drawing: zones side by side, upstream at the top, racks at the bottom. */
import type {
  ApplianceRecord,
  GatewayRecord,
  PortRecord,
  SwitchRecord,
  ZoneRecord,
} from '../../contract/collections.ts'
import { counted } from '../../words/phrases.ts'
import { applianceWords, plainWords } from '../../words/vocabulary.ts'
import { percentOf } from '../columns.ts'
import { zoneOf } from '../places.ts'
import { idText } from '../table-world.ts'
import type { PlacedRack, TableWorld } from '../table-world.ts'
import { applianceCondition, gatewayCondition, switchCondition } from './devices.ts'
import type { RowState } from './hosts.ts'
import { rackCondition, rowAndPosition } from './racks.ts'

/** More of one tier in a zone are drawn as one node a row of racks: a screen has no room for their names. */
const nodesPerTierMax = 8

const columnWidth = 110
const tierHeight = 110
/** Columns that are left free between two zones. */
const zoneGap = 0.5

const tiers = ['upstream', 'gateway', 'inspection', 'core', 'aggregation', 'edge', 'rack'] as const
type Tier = (typeof tiers)[number]

type NetworkDevice = GatewayRecord | SwitchRecord | ApplianceRecord

/** A device, an upstream or a rack before it has a place; several of them become one node. */
interface Member {
  readonly key: string
  readonly name: string
  readonly what: string
  readonly zone: ZoneRecord
  readonly tier: Tier
  /** Row of racks, by which many members are drawn as one. */
  readonly row: string
  readonly condition: RowState
  readonly loadPct: number | null
  readonly detail: string
  readonly subject: Subject
  readonly rackId: string | null
}

/** What a node leads to. */
type Subject = 'device' | 'rack' | 'network'

export interface TopologyNode extends Omit<Member, 'row'> {
  readonly x: number
  readonly y: number
}

export interface NetworkDrawing {
  readonly nodes: readonly TopologyNode[]
  /** The node that stands for a device. */
  readonly nodeOf: (kind: string, id: number | bigint | string, zone: ZoneRecord) => TopologyNode | undefined
  readonly devices: readonly OwnedPorts[]
}

/** A network device with its node: where links begin. */
interface OwnedPorts {
  readonly node: TopologyNode
  readonly zone: ZoneRecord
  readonly rackKey: string | null
  readonly ports: readonly PortRecord[]
}

const keyOf = (kind: string, id: number | bigint | string): string => `${kind} ${id}`
/** An upstream is drawn once a zone, so that each zone is whole by itself. */
const upstreamKey = (id: number | bigint | string, zone: ZoneRecord): string =>
  `${keyOf('Upstream', id)} of ${idText(zone.id)}`

const gbps = (value: number): string => `${Math.round(10 * value) / 10} Gbit/s`

function ownMember(
  kind: 'Gateway' | 'Switch' | 'Appliance',
  device: NetworkDevice,
  tier: Tier,
  what: string,
  condition: RowState,
  world: TableWorld,
): Member[] {
  const zone = zoneOf(device, world)
  if (zone === undefined) return []
  return [
    {
      key: keyOf(kind, device.id),
      name: device.display_name_plain,
      what,
      zone,
      tier,
      row: rowAndPosition(world.rackName(device.rack_id) ?? '').row,
      condition,
      loadPct: percentOf(device.fabric_load_gbps, device.fabric_capacity_gbps),
      detail: gbps(device.fabric_load_gbps),
      subject: 'device',
      rackId: device.rack_id === null ? null : idText(device.rack_id),
    },
  ]
}

const switchTier = (role: string): Tier => (role === 'core' || role === 'aggregation' ? role : 'edge')

/** An appliance between a gateway and the fabric inspects all traffic; the others stand beside the cores. */
const isInline = ({ ports }: ApplianceRecord): boolean => {
  const kinds = new Set(ports.map(({ peer }) => peer?.device_kind))
  return kinds.has('Gateway') && kinds.has('Switch')
}

function devicesOf(world: TableWorld): { readonly member: Member; readonly device: NetworkDevice }[] {
  const { records } = world
  const members = <D extends NetworkDevice>(devices: readonly D[], toMember: (device: D) => Member[]) =>
    devices.flatMap((device) => toMember(device).map((member) => ({ member, device })))
  return [
    ...members(records.all('gateways'), (device) =>
      ownMember('Gateway', device, 'gateway', 'gateway', gatewayCondition(device), world),
    ),
    ...members(records.all('switches'), (device) => {
      const what = `${plainWords(device.role)} switch`
      return ownMember('Switch', device, switchTier(device.role), what, switchCondition(device), world)
    }),
    ...members(records.all('appliances'), (device) => {
      const tier = isInline(device) ? 'inspection' : 'core'
      const what = applianceWords(device.appliance_kind)
      return ownMember('Appliance', device, tier, what, applianceCondition(device), world)
    }),
  ]
}

/** Lines to one upstream, as the gateways of a zone see them. */
function upstreamsOf(gateways: readonly GatewayRecord[], world: TableWorld): Member[] {
  const found = new Map<string, { zone: ZoneRecord; ports: PortRecord[] }>()
  for (const gateway of gateways) {
    const zone = zoneOf(gateway, world)
    if (zone === undefined) continue
    for (const port of gateway.ports) {
      if (port.peer?.device_kind !== 'Upstream') continue
      const key = upstreamKey(port.peer.device_id, zone)
      const known = found.get(key)
      if (known === undefined) found.set(key, { zone, ports: [port] })
      else known.ports.push(port)
    }
  }
  return [...found].map(([key, { zone, ports }]) => {
    const up = ports.filter(({ link }) => link === 'Up')
    const load = ports.reduce((sum, { gbps_tx, gbps_rx }) => sum + Math.max(gbps_tx, gbps_rx), 0)
    const capacity = up.reduce((sum, { link_capacity_gbps }) => sum + link_capacity_gbps, 0)
    return {
      key,
      // The label of the far port names the carrier and its line.
      name: (ports[0].peer?.label ?? '').replace(/ \S+$/, ''),
      what: 'upstream',
      zone,
      tier: 'upstream' as const,
      row: '',
      condition: linesCondition(ports.length, up.length),
      loadPct: percentOf(load, capacity),
      detail: gbps(load),
      subject: 'network' as const,
      rackId: null,
    }
  })
}

function linesCondition(all: number, up: number): RowState {
  if (up === 0) return { state: 'no line is up', severity: 4 }
  if (up < all) return { state: `${up} of ${counted(all, 'line')} up`, severity: 3 }
  return { state: `${counted(all, 'line')} up`, severity: 0 }
}

function rackMember(placed: PlacedRack): Member[] {
  const { rack, zone } = placed
  if (rack.host_count === 0) return []
  return [
    {
      key: keyOf('Rack', rack.id),
      name: rack.name,
      what: 'rack',
      zone,
      tier: 'rack',
      row: rowAndPosition(rack.name).row,
      condition: rackCondition(placed),
      loadPct: percentOf(rack.power_draw_kw, rack.power_capacity_kw),
      detail: `${rack.hosts_online} of ${counted(rack.host_count, 'host')}`,
      subject: 'rack',
      rackId: idText(rack.id),
    },
  ]
}

const pluralOf = (noun: string): string => (noun.endsWith('ch') ? `${noun}es` : `${noun}s`)

/** One node for many members of a tier. */
function grouped(members: readonly Member[]): Member {
  const [first] = members
  const [worst] = members.toSorted((one, other) => other.condition.severity - one.condition.severity)
  const troubled = members.filter(({ condition }) => condition.severity >= 2).length
  const loads = members.map(({ loadPct }) => loadPct ?? 0)
  const text = `${troubled} of ${members.length}: ${worst.condition.state}`
  return {
    ...first,
    key: `${first.tier} ${first.row} of ${idText(first.zone.id)}`,
    name: `Row ${first.row}`,
    what: counted(members.length, first.what, pluralOf(first.what)),
    condition: troubled === 0 ? worst.condition : { ...worst.condition, state: text },
    loadPct: Math.round(loads.reduce((sum, load) => sum + load, 0) / members.length),
    detail: counted(members.length, first.what, pluralOf(first.what)),
    subject: 'network',
    rackId: null,
  }
}

/** The members of one tier in one zone, each with the node that stands for it. */
function nodesOfTier(members: readonly Member[]): ReadonlyMap<Member, readonly Member[]> {
  const byName = members.toSorted(
    (one, other) =>
      one.what.localeCompare(other.what) || one.name.localeCompare(other.name, 'en', { numeric: true }),
  )
  // Cores stand in the middle of what is attached to them.
  const inOrder = byName.toSorted(
    (one, other) => Number(other.what.endsWith('switch')) - Number(one.what.endsWith('switch')),
  )
  if (members.length <= nodesPerTierMax) return new Map(inOrder.map((member) => [member, [member]]))
  const rows = Map.groupBy(inOrder, ({ row }) => row)
  return new Map([...rows.values()].map((row) => [grouped(row), row]))
}

function placed(members: readonly Member[], zones: readonly ZoneRecord[]) {
  const present = tiers.filter((tier) => members.some((member) => member.tier === tier))
  const nodes: TopologyNode[] = []
  const nodeByMember = new Map<string, TopologyNode>()
  let left = 0
  for (const zone of zones) {
    const rows = present.map((tier) =>
      Array.from(nodesOfTier(members.filter((one) => one.zone === zone && one.tier === tier))),
    )
    const width = Math.max(1, ...rows.map(({ length }) => length))
    for (const [level, row] of rows.entries()) {
      for (const [index, [{ row: _, ...shown }, stoodFor]] of row.entries()) {
        const x = Math.round((left + (width - row.length) / 2 + index) * columnWidth)
        const node = { ...shown, x, y: level * tierHeight }
        nodes.push(node)
        for (const { key } of stoodFor) nodeByMember.set(key, node)
      }
    }
    left += width + zoneGap
  }
  return { nodes, nodeByMember }
}

const topologies = new WeakMap<TableWorld, NetworkDrawing>()

function drawn(world: TableWorld): NetworkDrawing {
  const devices = devicesOf(world)
  const members = [
    ...upstreamsOf(world.records.all('gateways'), world),
    ...devices.map(({ member }) => member),
    ...world.racks.flatMap(rackMember),
  ]
  const { nodes, nodeByMember } = placed(members, world.zones)
  return {
    nodes,
    nodeOf: (kind, id, zone) =>
      nodeByMember.get(kind === 'Upstream' ? upstreamKey(id, zone) : keyOf(kind, id)),
    devices: devices.map(({ member, device }) => ({
      node: nodeByMember.get(member.key)!,
      zone: member.zone,
      rackKey: member.rackId,
      ports: device.ports,
    })),
  }
}

/** The drawing of a frame's network, made once. */
export function topologyOf(world: TableWorld): NetworkDrawing {
  const known = topologies.get(world)
  if (known !== undefined) return known
  const topology = drawn(world)
  topologies.set(world, topology)
  return topology
}
