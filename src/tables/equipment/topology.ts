/** The network as a drawing: nodes with positions, and the links between them. */
import type { PortRecord, ZoneRecord } from '../../contract/collections.ts'
import { int, nullable, oneOf, str } from '../../contract/fields.ts'
import { counted, wholePercent } from '../../words/phrases.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  percentOf,
  severityFilter,
  stateColumns,
  sumOf,
  worstOf,
} from '../columns.ts'
import type { RowState } from '../columns.ts'
import { zoneFilter } from '../places.ts'
import { idText, nameOfZone } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { column, defineTable, each } from '../table.ts'
import type { Columns } from '../table.ts'
import { whenReady } from '../turns.ts'
import type { Steps } from '../turns.ts'
import { gbpsText } from './device.ts'
import { loadPct, portCondition } from './ports.ts'
import { memberKey, networkDrawing } from './topology-layout.ts'
import type { TopologyNode } from './topology-layout.ts'

/** The ring shows load while the device is healthy; a degraded device has a ring of one color. */
function ringOf({ condition: { severity }, loadPct: load }: TopologyNode) {
  const used = Math.min(1, (load ?? 0) / 100)
  const parts = { load: 0, room: 0, warning: 0, serious: 0, critical: 0 }
  if (severity >= 4) return { ...parts, critical: 1 }
  if (severity === 3) return { ...parts, serious: 1 }
  if (severity === 2) return { ...parts, warning: 1 }
  return { ...parts, load: used, room: 1 - used }
}

const ringColumn = (part: keyof ReturnType<typeof ringOf>, meaning: string) =>
  column<TopologyNode, number>(
    amount(`A part of the ring around the node; the parts make 1: ${meaning}.`, 'ratio'),
    (node) => ringOf(node)[part],
  )

const zoneColumns: Columns<{ readonly zone: ZoneRecord }> = {
  zone_id: column(idColumn('zone'), ({ zone }) => idText(zone.id)),
  zone: column(str('Name of the zone.'), ({ zone }) => nameOfZone(zone)),
}

export const topologyNodes = defineTable<TopologyNode>({
  name: 'topology-nodes',
  meaning:
    'The network as a drawing: upstreams, gateways, appliances, switches and racks, each with its place.',
  row: ['TopologyNodeRow', 'A node of the drawing: a device, or a row of devices where there are many.'],
  ...each((world) => world.derived(networkDrawing).nodes),
  filters: {
    ...zoneFilter(({ zone }: TopologyNode) => zone),
    ...severityFilter(({ condition }: TopologyNode) => condition),
  },
  columns: {
    node: column(str('Key of the node, to which links refer.'), 'key'),
    title: column(str('Name.'), 'name'),
    subtitle: column(str('What it is, in words.'), 'typeName'),
    leads_to: column(oneOf(['device', 'rack', 'network'], 'What tells more of it.'), 'subject'),
    device: column(nullable(str('Name of the device, if it is one.')), ({ subject, name }) =>
      subject === 'device' ? name : null,
    ),
    rack_id: column(idOrNone('rack that it is or stands in'), 'rackId'),
    ...zoneColumns,
    ...stateColumns(({ condition }: TopologyNode) => condition, 'How it is doing, in words.'),
    load_pct: column(
      amountOrNone('Load of the fabric or the lines; of a rack the power that it draws.', 'pct'),
      'loadPct',
    ),
    load: column(str('The same as text.'), (node) =>
      node.loadPct === null ? '' : wholePercent(node.loadPct),
    ),
    detail: column(str('Traffic, or hosts that serve, as text.'), 'detail'),
    x: column(int('Place from left to right.', 'index'), 'x'),
    y: column(int('Place from top to bottom.', 'index'), 'y'),
    ring_load: ringColumn('load', 'load'),
    ring_room: ringColumn('room', 'room'),
    ring_warning: ringColumn('warning', 'whole if it needs attention'),
    ring_serious: ringColumn('serious', 'whole if its trouble is serious'),
    ring_critical: ringColumn('critical', 'whole if its trouble is critical'),
  },
})

/** All cables between two nodes. */
interface Bundle {
  readonly source: TopologyNode
  readonly target: TopologyNode
  readonly zone: ZoneRecord
  readonly ports: PortRecord[]
}

/** The end farther from upstream is the target; within a tier, the end farther right. */
const isDownward = (one: TopologyNode, other: TopologyNode): boolean =>
  one.y < other.y || (one.y === other.y && one.x < other.x)

function* bundles(world: TableWorld): Steps<readonly Bundle[]> {
  const { members, nodeByMember } = yield* whenReady(() => world.derived(networkDrawing))
  const byKey = new Map<string, Bundle>()
  const add = (source: TopologyNode, target: TopologyNode, zone: ZoneRecord, port: PortRecord): void => {
    const key = `${source.key} – ${target.key}`
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, { source, target, zone, ports: [port] })
    else known.ports.push(port)
  }
  for (const { key, zone, rackId, ports } of members) {
    const node = nodeByMember.get(key)!
    const rack = rackId === null ? undefined : nodeByMember.get(memberKey('Rack', rackId, zone))
    for (const port of ports) {
      if (port.peer === null) continue
      const { device_kind: kind, device_id: id } = port.peer
      if (kind === 'Host' && rack !== undefined) add(node, rack, zone, port)
      const peer = nodeByMember.get(memberKey(kind, id, zone))
      // Each link has a port at both ends and is counted at the lower one. An upstream has no ports of its
      // own.
      if (peer === undefined || peer === node || !isDownward(peer, node)) continue
      add(peer, node, zone, port)
    }
    yield
  }
  return [...byKey.values()]
}

/** A doubling of capacity makes a line a pixel thicker. */
const thicknessMax = 6
const thicknessOf = (capacity: number): number =>
  Math.min(thicknessMax, Math.max(1, Math.round(1 + Math.log2(Math.max(1, capacity / 10)))))

export function linkState({ ports }: Pick<Bundle, 'ports'>): RowState {
  const conditions = ports.map(portCondition)
  const troubled = conditions.filter(({ severity }) => severity >= 2).length
  if (troubled === 0) return { severity: 0, state: `${counted(ports.length, 'link')} up` }
  if (ports.every(({ link }) => link === 'Down')) return { severity: 4, state: 'no link is up' }
  const worst = worstOf(conditions)!
  return { severity: worst.severity, state: `${troubled} of ${ports.length}: ${worst.state}` }
}

const capacityOf = (ports: readonly PortRecord[]): number =>
  sumOf(ports, ({ link_capacity_gbps }) => link_capacity_gbps)

/** The capacity of the links that are up, in each direction. */
const capacityUp = ({ ports }: Bundle): number => capacityOf(ports.filter(({ link }) => link !== 'Down'))

const trafficOf = ({ ports }: Bundle): number =>
  Math.max(
    sumOf(ports, ({ gbps_tx }) => gbps_tx),
    sumOf(ports, ({ gbps_rx }) => gbps_rx),
  )

const loadOf = (bundle: Bundle): number | null => percentOf(trafficOf(bundle), capacityUp(bundle))

const fullestPct = ({ ports }: Bundle): number => Math.max(...ports.map((port) => loadPct(port) ?? 0))

export const topologyLinks = defineTable<Bundle>({
  name: 'topology-links',
  meaning: 'The links of the drawing, one row for all cables between two nodes.',
  row: ['TopologyLinkRow', 'All cables between two nodes of the drawing.'],
  ...each((world) => world.derived(bundles)),
  filters: {
    // A link between zones belongs to neither of them in the zone filter.
    ...zoneFilter(({ zone, source, target }: Bundle) => (source.zone === target.zone ? zone : undefined)),
    ...severityFilter(linkState),
  },
  columns: {
    link: column(str('Key of the link.'), ({ source, target }) => `${source.key} – ${target.key}`),
    source: column(str('Key of the node nearer to upstream.'), ({ source }) => source.key),
    target: column(str('Key of the other node.'), ({ target }) => target.key),
    between: column(str('Names of both.'), ({ source, target }) => `${source.name} – ${target.name}`),
    ...stateColumns(linkState, 'How its cables are doing, in words.'),
    cables: column(int('Cables.'), ({ ports }) => ports.length),
    capacity_gbps: column(amount('What those that are up carry, in each direction.', 'gbps'), capacityUp),
    load_pct: column(amountOrNone('Load of the fuller direction.', 'pct'), loadOf),
    load: column(str('Load and traffic as text.'), (bundle) => {
      const { severity, state } = linkState(bundle)
      return severity > 0 ? state : `${wholePercent(loadOf(bundle) ?? 0)}, ${gbpsText(trafficOf(bundle))}`
    }),
    fullest_pct: column(amountOrNone('Load of the fullest cable.', 'pct'), fullestPct),
    color_ratio: column(
      amount('For coloring: the load of the fullest cable, 1 where a cable is in trouble.', 'ratio'),
      (bundle) => (linkState(bundle).severity >= 2 ? 1 : Math.min(1, fullestPct(bundle) / 100)),
    ),
    thickness: column(int('Width of the line: more for more capacity.', 'index'), ({ ports }) =>
      thicknessOf(capacityOf(ports)),
    ),
    dash: column(str('Dashes of the line where a cable is in trouble; empty for a solid line.'), (bundle) =>
      linkState(bundle).severity >= 3 ? '6 4' : '',
    ),
    ...zoneColumns,
  },
})
