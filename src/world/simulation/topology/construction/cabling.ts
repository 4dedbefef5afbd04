import { cableKinds, colors } from '../../../../contract/vocabularies.ts'
import type { RandomStreams } from '../../random.ts'
import { carrierOf, addCarrierPorts } from './wan-edge.ts'
import type { DeviceDraft, TopologyDraft, SocketsByRole } from './topology-builder.ts'
import { takeSocket } from './topology-builder.ts'
import type { Spot, Trays, CableRoute } from './geometry.ts'
import { siteDistance } from './geometry.ts'
import type { Sizing, Trunk } from '../sizing.ts'
import { takePanelPort } from './panels.ts'

/** Cables. End a is the end farther from the WAN, end b the end closer to it. */

type Kind = (typeof cableKinds)[number]
type Color = (typeof colors)[number]

interface Run {
  readonly kind: Kind
  readonly color: Color
  readonly lag: number
  readonly breakout: number
  readonly panelPort: number
}

const spotOf = (table: DeviceDraft, row: number): Spot => ({
  zone: table.zone[row],
  rack: table.rack[row],
  startU: table.startU[row],
})

function plug(draft: TopologyDraft, a: number, b: number, run: Run, way: CableRoute): void {
  const { cables, ports } = draft
  const cable = cables.a.length
  cables.a.push(a)
  cables.b.push(b)
  cables.kind.push(cableKinds.indexOf(run.kind))
  cables.color.push(colors.indexOf(run.color))
  cables.lengthM.push(way.lengthM)
  cables.lag.push(run.lag)
  cables.breakout.push(run.breakout)
  cables.patchPanelPorts.push(run.panelPort === -1 ? none : [run.panelPort])
  cables.trays.push(way.trays)
  cables.traySlots.push(way.slots)
  cables.points.push(way.points)
  cables.draped.push(way.trays.length === 0 ? 1 : 0)
  ports.cable[a] = cable
  ports.cable[b] = cable
  ports.peer[a] = b
  ports.peer[b] = a
  if (run.panelPort !== -1) ports.cable[run.panelPort] = cable
}

const none: readonly number[] = []

export function buildCabling(
  draft: TopologyDraft,
  sizing: Sizing,
  trays: Trays,
  random: RandomStreams,
): void {
  draft.zones.forEach((zone, zoneRow) => {
    for (const rack of zone.rows.flat()) cableRack(draft, rack, trays)
    zone.rows.forEach((racks, row) => {
      const pair = zone.aggregations.slice(2 * row, 2 * row + 2)
      for (const rack of racks) cableEdges(draft, sizing, rack, pair, trays)
    })
    cableCores(draft, sizing, zoneRow, trays)
    cableOneArmAppliances(draft, sizing, zoneRow, trays)
  })
  const routes = random.stream('plant.routes')
  for (let zone = 0; zone < draft.zones.length; zone++) {
    for (let other = zone + 1; other < draft.zones.length; other++)
      cablePeers(draft, sizing, trays, [zone, other], () => routes.uniform(1.15, 1.5))
  }
  cableCarriers(draft, sizing, trays, [...draft.gateways.name.keys()])
}

/** Cables an added zone, which has no rows of racks yet. */
export function cableAddedZone(draft: TopologyDraft, sizing: Sizing, zone: number, trays: Trays): void {
  cableCores(draft, sizing, zone, trays)
  cableOneArmAppliances(draft, sizing, zone, trays)
  for (let other = 0; other < zone; other++)
    cablePeers(draft, sizing, trays, [other, zone], (nth) => 1.2 + 0.15 * nth)
  cableCarriers(draft, sizing, trays, draft.zones[zone].gateways)
}

function cableRack(draft: TopologyDraft, rackRow: number, trays: Trays): void {
  for (const host of draft.racks[rackRow].hosts) cableHost(draft, host, trays)
}

/** Connects the NICs of a host alternately to the two edge switches of its rack, as one link aggregation group. */
export function cableHost(draft: TopologyDraft, host: number, trays: Trays): void {
  const { hosts, switches } = draft
  const [...edges] = draft.racks[hosts.rack[host]].switches.slice(0, 2)
  const lag = draft.lags++
  const nics = hosts.portCount[host]
  for (let nic = 0; nic < nics; nic++) {
    const edge = edges[nic % 2]
    const isLane = nics > 2
    const b = takeSocket(switches.sockets[edge], isLane ? 'EdgeLane' : 'EdgeDown')
    const run: Run = {
      kind: isLane ? 'Breakout' : 'Dac',
      color: nic % 2 === 0 ? 'black' : 'grey',
      lag,
      breakout: isLane ? breakoutOfLane(draft, edge, b) : -1,
      panelPort: -1,
    }
    const way = trays.between(spotOf(hosts, host), spotOf(switches, edge), null)
    plug(draft, hosts.firstPort[host] + nic, b, run, way)
  }
}

/** The breakout assembly of a host's lane; four lanes share a port of the edge switch. */
function breakoutOfLane(draft: TopologyDraft, edge: number, port: number): number {
  const { first } = draft.switches.sockets[edge].EdgeLane!
  const widePort = port - ((port - first) % 4)
  for (let lane = widePort; lane < widePort + 4; lane++) {
    const cable = draft.ports.cable[lane]
    if (cable !== -1) return draft.cables.breakout[cable]
  }
  return draft.breakouts++
}

export function cableEdges(
  draft: TopologyDraft,
  sizing: Sizing,
  rackRow: number,
  pair: readonly number[],
  trays: Trays,
): void {
  const { switches } = draft
  for (const edge of draft.racks[rackRow].switches.filter((row) => switches.role[row] === 'edge')) {
    for (const aggregation of pair) {
      const link = { kind: sizing.aggregationBreakout ? 'Breakout' : 'Fiber', color: 'aqua' } as const
      trunk(draft, sizing.edgeUplink, link, trays, {
        from: [switches, edge, 'EdgeUp'],
        to: [switches, aggregation, 'AggregationDown'],
        panelled: true,
      })
    }
  }
}

type Sort = keyof SocketsByRole
type WithSockets = DeviceDraft & { readonly sockets: SocketsByRole[] }

interface Ends {
  readonly from: readonly [table: WithSockets, row: number, sort: Sort]
  readonly to: readonly [table: WithSockets, row: number, sort: Sort]
  readonly panelled: boolean
}

/** Connects two devices by parallel cables; more than one form a link aggregation group. */
function trunk(
  draft: TopologyDraft,
  size: Trunk,
  look: { readonly kind: Kind; readonly color: Color },
  trays: Trays,
  { from, to, panelled }: Ends,
): void {
  const lag = size.links > 1 ? draft.lags++ : -1
  for (let link = 0; link < size.links; link++) {
    const a = takeSocket(from[0].sockets[from[1]], from[2])
    const b = takeSocket(to[0].sockets[to[1]], to[2])
    const ends = [spotOf(from[0], from[1]), spotOf(to[0], to[1])] as const
    // Cables inside a rack need no panel.
    const panelPort = panelled && ends[0].rack !== ends[1].rack ? takePanelPort(draft, ends[1]) : -1
    const panel = panelPort === -1 ? null : spotOf(draft.panels, draft.ports.device[panelPort])
    const breakout = look.kind === 'Breakout' ? breakoutOf(draft, to[0], to[1], to[2], b) : -1
    plug(draft, a, b, { ...look, lag, breakout, panelPort }, trays.between(ends[0], ends[1], panel))
  }
}

/** The breakout assembly of a lane: shared with the other lanes of its wide port, or new. */
function breakoutOf(draft: TopologyDraft, table: DeviceDraft, row: number, sort: Sort, port: number): number {
  let first = table.firstPort[row]
  while (draft.ports.role[first] !== draft.ports.role[port]) first++
  const position = (port - first) % 4
  if (position === 0) return draft.breakouts++
  const cable = draft.ports.cable[port - position]
  if (cable === -1) throw new Error(`the first lane of a broken-out ${sort} port is free`)
  return draft.cables.breakout[cable]
}

/** Connects an aggregation switch to the cores of its zone. */
export function cableAggregation(
  draft: TopologyDraft,
  sizing: Sizing,
  aggregation: number,
  trays: Trays,
): void {
  const { switches } = draft
  for (const core of draft.zones[switches.zone[aggregation]].cores) {
    trunk(draft, sizing.aggregationUplink, { kind: 'Fiber', color: 'violet' }, trays, {
      from: [switches, aggregation, 'AggregationUp'],
      to: [switches, core, 'CoreDown'],
      panelled: true,
    })
  }
}

function cableCores(draft: TopologyDraft, sizing: Sizing, zoneRow: number, trays: Trays): void {
  const { switches, appliances, gateways } = draft
  const zone = draft.zones[zoneRow]
  for (const aggregation of zone.aggregations) cableAggregation(draft, sizing, aggregation, trays)
  for (const firewall of zone.firewalls) {
    for (const core of zone.cores) {
      trunk(draft, sizing.coreUplink, { kind: 'Fiber', color: 'orange' }, trays, {
        from: [switches, core, 'CoreUp'],
        to: [appliances, firewall, 'ApplianceInside'],
        panelled: false,
      })
    }
    for (const gateway of zone.gateways) {
      trunk(draft, sizing.firewallUplink, { kind: 'Fiber', color: 'red' }, trays, {
        from: [appliances, firewall, 'ApplianceOutside'],
        to: [gateways, gateway, 'GatewayLan'],
        panelled: false,
      })
    }
  }
}

function cableOneArmAppliances(draft: TopologyDraft, sizing: Sizing, zoneRow: number, trays: Trays): void {
  const { switches, appliances, gateways } = draft
  const zone = draft.zones[zoneRow]
  const copper = sizing.oneArm.gbps === 10
  for (const appliance of zone.appliances) {
    const kind = appliances.kind[appliance]
    if (kind === 'Firewall') continue
    if (kind === 'DdosScrubber') {
      for (const gateway of zone.gateways) {
        const size = { gbps: sizing.firewallUplink.gbps, links: 1 }
        trunk(draft, size, { kind: 'Fiber', color: 'white' }, trays, {
          from: [appliances, appliance, 'ApplianceOneArm'],
          to: [gateways, gateway, 'GatewayLan'],
          panelled: false,
        })
      }
      continue
    }
    for (const core of zone.cores) {
      trunk(draft, sizing.oneArm, { kind: copper ? 'Copper' : 'Fiber', color: 'blue' }, trays, {
        from: [appliances, appliance, 'ApplianceOneArm'],
        to: [switches, core, 'CoreOneArm'],
        panelled: false,
      })
    }
  }
}

/**
 * Connects the first two cores of two zones to their counterparts. Fiber routes are longer than the straight line by
 * `detour`, and the two routes of a pair are diverse.
 */
function cablePeers(
  draft: TopologyDraft,
  sizing: Sizing,
  trays: Trays,
  [zone, other]: readonly [number, number],
  detour: (nth: number) => number,
): void {
  const { switches, zones } = draft
  for (let nth = 0; nth < 2; nth++) {
    const ends = [zones[zone].cores[nth], zones[other].cores[nth]] as const
    const ways = ends.map((core) => trays.toEntry(spotOf(switches, core)))
    const outside = siteDistance(draft, zone, other) * detour(nth)
    const lengthM = Math.ceil((outside + ways[0].lengthM + ways[1].lengthM) / 100) * 100
    const sameRegion = zones[zone].region === zones[other].region
    const lag = sizing.corePeer.links > 1 ? draft.lags++ : -1
    for (let link = 0; link < sizing.corePeer.links; link++) {
      const a = takeSocket(switches.sockets[ends[0]], 'CorePeer')
      const b = takeSocket(switches.sockets[ends[1]], 'CorePeer')
      const kind = sameRegion ? 'Fiber' : 'WanFiber'
      const run: Run = { kind, color: 'green', lag, breakout: -1, panelPort: -1 }
      const both = [...ways[0].trays, ...ways[1].trays.toReversed()]
      const slots = [...ways[0].slots, ...ways[1].slots.toReversed()]
      plug(draft, a, b, run, { points: ways[0].points, trays: both, slots, lengthM })
    }
  }
}

function cableCarriers(draft: TopologyDraft, sizing: Sizing, trays: Trays, rows: readonly number[]): void {
  const carriers = addCarrierPorts(draft, sizing, rows)
  const { gateways } = draft
  for (const gateway of rows) {
    for (let line = 0; line < sizing.wan.links; line++) {
      const a = takeSocket(gateways.sockets[gateway], 'GatewayWan')
      const b = takeSocket(carriers[carrierOf(draft, gateway, line)], 'CarrierPort')
      const run: Run = { kind: 'WanFiber', color: 'yellow', lag: -1, breakout: -1, panelPort: -1 }
      plug(draft, a, b, run, trays.toEntry(spotOf(gateways, gateway)))
    }
  }
}
