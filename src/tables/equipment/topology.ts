/** The network as a drawing: nodes with their places, and the links between them. */
import type { PortRecord, ZoneRecord } from '../../contract/collections.ts'
import { defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { counted } from '../../words/phrases.ts'
import { amount, amountOrNone, idColumn, idOrNone, percentOf, severityColumn } from '../columns.ts'
import { zoneValues } from '../places.ts'
import { idText, nameOfZone } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import { loadPct, portCondition } from './ports.ts'
import { topologyOf } from './topology-layout.ts'
import type { NetworkDrawing, TopologyNode } from './topology-layout.ts'

const reads = ['azs', 'gateways', 'switches', 'appliances'] as const
const share = 'A part of the ring around the node; the parts make 1:'

/** Load fills the ring while all is in order; a device in trouble has a ring of one color. */
function ringOf({ condition: { severity }, loadPct: load }: TopologyNode) {
  const used = Math.min(1, (load ?? 0) / 100)
  const parts = { ring_load: 0, ring_room: 0, ring_warning: 0, ring_serious: 0, ring_critical: 0 }
  if (severity >= 4) return { ...parts, ring_critical: 1 }
  if (severity === 3) return { ...parts, ring_serious: 1 }
  if (severity === 2) return { ...parts, ring_warning: 1 }
  return { ...parts, ring_load: used, ring_room: 1 - used }
}

export const topologyNodes = defineTable({
  name: 'topology-nodes',
  meaning:
    'The network as a drawing: upstreams, gateways, appliances, switches and racks, each with its place.',
  row: defineRecord(
    'TopologyNodeRow',
    'A node of the drawing: a device, or a row of devices where there are many.',
    {
      node: str('Key of the node, to which links refer.'),
      title: str('Name.'),
      subtitle: str('What it is, in words.'),
      leads_to: oneOf(['device', 'rack', 'network'], 'What tells more of it.'),
      device: nullable(str('Name of the device, if it is one.')),
      rack_id: idOrNone('rack that it is or stands in'),
      zone_id: idColumn('zone'),
      zone: str('Name of the zone.'),
      severity: severityColumn,
      state: str('How it is doing, in words.'),
      load_pct: amountOrNone('Load of the fabric or the lines; of a rack the power that it draws.', 'pct'),
      load: str('The same as text.'),
      detail: str('Traffic, or hosts that serve, as text.'),
      x: int('Place from left to right.', 'index'),
      y: int('Place from top to bottom.', 'index'),
      ring_load: amount(`${share} load.`, 'ratio'),
      ring_room: amount(`${share} room.`, 'ratio'),
      ring_warning: amount(`${share} whole if it needs attention.`, 'ratio'),
      ring_serious: amount(`${share} whole if its trouble is serious.`, 'ratio'),
      ring_critical: amount(`${share} whole if its trouble is critical.`, 'ratio'),
    },
  ),
  reads,
  items: (world: TableWorld) => topologyOf(world).nodes,
  filters: {
    zone: { meaning: 'Id or name of a zone.', values: ({ zone }) => zoneValues(zone) },
    severity: { meaning: 'Its severity, 0 to 4.', values: ({ condition }) => [condition.severity] },
  },
  toRow: (node) => ({
    node: node.key,
    title: node.name,
    subtitle: node.what,
    leads_to: node.subject,
    device: node.subject === 'device' ? node.name : null,
    rack_id: node.rackId,
    zone_id: idText(node.zone.id),
    zone: nameOfZone(node.zone),
    severity: node.condition.severity,
    state: node.condition.state,
    load_pct: node.loadPct,
    load: node.loadPct === null ? '' : `${Math.round(node.loadPct)} %`,
    detail: node.detail,
    x: node.x,
    y: node.y,
    ...ringOf(node),
  }),
})

/** All cables between two nodes. */
interface Bundle {
  readonly source: TopologyNode
  readonly target: TopologyNode
  readonly zone: ZoneRecord
  readonly ports: PortRecord[]
}

/** The farther from upstream is the target; of two of one tier the one farther right. */
const isDownward = (one: TopologyNode, other: TopologyNode): boolean =>
  one.y < other.y || (one.y === other.y && one.x < other.x)

function bundlesOf(topology: NetworkDrawing): Bundle[] {
  const bundles = new Map<string, Bundle>()
  const add = (source: TopologyNode, target: TopologyNode, zone: ZoneRecord, port: PortRecord): void => {
    const key = `${source.key} – ${target.key}`
    const known = bundles.get(key)
    if (known === undefined) bundles.set(key, { source, target, zone, ports: [port] })
    else known.ports.push(port)
  }
  for (const { node, zone, rackKey, ports } of topology.devices) {
    const rack = rackKey === null ? undefined : topology.nodeOf('Rack', rackKey, zone)
    for (const port of ports) {
      if (port.peer === null) continue
      const { device_kind: kind, device_id: id } = port.peer
      if (kind === 'Host' && rack !== undefined) add(node, rack, zone, port)
      const peer = topology.nodeOf(kind, id, zone)
      // Each link has a port at both ends: the lower end counts it. Upstream has no ports of its own.
      if (peer === undefined || peer === node || !isDownward(peer, node)) continue
      add(peer, node, zone, port)
    }
  }
  return [...bundles.values()]
}

/** A doubling of capacity makes a line a pixel thicker. */
const thicknessMax = 6
const thicknessOf = (capacity: number): number =>
  Math.min(thicknessMax, Math.max(1, Math.round(1 + Math.log2(Math.max(1, capacity / 10)))))

function linkState(ports: readonly PortRecord[]): { readonly severity: number; readonly state: string } {
  const conditions = ports.map(portCondition).toSorted((one, other) => other.severity - one.severity)
  const troubled = conditions.filter(({ severity }) => severity >= 2).length
  if (troubled === 0) return { severity: 0, state: `${counted(ports.length, 'link')} up` }
  if (ports.every(({ link }) => link === 'Down')) return { severity: 4, state: 'no link is up' }
  return { severity: conditions[0].severity, state: `${troubled} of ${ports.length}: ${conditions[0].state}` }
}

export const topologyLinks = defineTable({
  name: 'topology-links',
  meaning: 'The links of the drawing, one row for all cables between two nodes.',
  row: defineRecord('TopologyLinkRow', 'All cables between two nodes of the drawing.', {
    link: str('Key of the link.'),
    source: str('Key of the node nearer to upstream.'),
    target: str('Key of the other node.'),
    between: str('Names of both.'),
    severity: severityColumn,
    state: str('How its cables are doing, in words.'),
    cables: int('Cables.'),
    capacity_gbps: amount('What those that are up carry, in each direction.', 'gbps'),
    load_pct: amountOrNone('Load of the fuller direction.', 'pct'),
    load: str('Load and traffic as text.'),
    fullest_pct: amountOrNone('Load of the fullest cable.', 'pct'),
    color_ratio: amount(
      'For coloring: the load of the fullest cable, 1 where a cable is in trouble.',
      'ratio',
    ),
    thickness: int('Width of the line: more for more capacity.', 'index'),
    dash: str('Dashes of the line where a cable is in trouble; empty for a solid line.'),
    zone_id: idColumn('zone'),
    zone: str('Name of the zone.'),
  }),
  reads,
  items: (world: TableWorld) => bundlesOf(topologyOf(world)),
  filters: {
    // A link between zones has no end in either of them when one is chosen.
    zone: {
      meaning: 'Id or name of a zone.',
      values: ({ zone, source, target }) => (source.zone === target.zone ? zoneValues(zone) : []),
    },
    severity: { meaning: 'Its severity, 0 to 4.', values: ({ ports }) => [linkState(ports).severity] },
  },
  toRow({ source, target, zone, ports }) {
    const { severity, state } = linkState(ports)
    const up = ports.filter(({ link }) => link !== 'Down')
    const capacity = up.reduce((sum, { link_capacity_gbps }) => sum + link_capacity_gbps, 0)
    const sum = (read: (port: PortRecord) => number) => ports.reduce((total, port) => total + read(port), 0)
    const traffic = Math.max(
      sum(({ gbps_tx }) => gbps_tx),
      sum(({ gbps_rx }) => gbps_rx),
    )
    const load = percentOf(traffic, capacity)
    const fullest = Math.max(...ports.map((port) => loadPct(port) ?? 0))
    return {
      link: `${source.key} – ${target.key}`,
      source: source.key,
      target: target.key,
      between: `${source.name} – ${target.name}`,
      severity,
      state,
      cables: ports.length,
      capacity_gbps: capacity,
      load_pct: load,
      load: severity > 0 ? state : `${Math.round(load ?? 0)} %, ${Math.round(10 * traffic) / 10} Gbit/s`,
      fullest_pct: fullest,
      color_ratio: severity >= 2 ? 1 : Math.min(1, fullest / 100),
      thickness: thicknessOf(sum(({ link_capacity_gbps }) => link_capacity_gbps)),
      dash: severity >= 3 ? '6 4' : '',
      zone_id: idText(zone.id),
      zone: nameOfZone(zone),
    }
  },
})
