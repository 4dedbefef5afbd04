import type { SwitchRole } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import { networkSku } from '../catalog.ts'
import type { TopologyDraft, PortGroup, ZoneDraft } from './topology-builder.ts'
import { addPorts } from './topology-builder.ts'
import { zoneLetter, pad2 } from '../names.ts'
import type { Sizing, Trunk } from '../sizing.ts'
import { fabricFor } from '../sizing.ts'
import type { MountPosition } from './device-placement.ts'
import { addNetworkDevice, portSum, placeInNetworkRow, mountInRack } from './device-placement.ts'
import type { NetworkSku } from '../tables.ts'

/** Edge, aggregation and core switches with their ports. */

const ethernet = (from: number) => (position: number) => `Eth1/${from + position}`
/** Four lanes of a breakout port share its number. */
const lane = (from: number) => (position: number) =>
  `Eth1/${from + Math.floor(position / 4)}/${(position % 4) + 1}`

const capacityOf = (trunk: Trunk): number => trunk.gbps * trunk.links

/** Fabric capacity of a switch: 1.5 times the bidirectional capacity of its uplinks. */
const fabricOver = (uplinksGbps: number): number => fabricFor(2 * uplinksGbps * 1.5)

/** Number of racks below which a row has its aggregation switches in the network row. */
const racksForOwnAggregation = 3

function addSwitch(
  draft: TopologyDraft,
  zone: number,
  role: SwitchRole,
  at: MountPosition,
  name: string,
  sku: NetworkSku,
  groups: readonly PortGroup[],
  ages: RandomStream | null,
): number {
  const { switches } = draft
  const row = addNetworkDevice(draft, switches, zone, at, name, draft.switchSkus, sku, ages)
  switches.role.push(role)
  switches.portCount.push(portSum(groups))
  switches.sockets.push(addPorts(draft, 'Switch', row, groups))
  draft.racks[at.rack].switches.push(row)
  return row
}

/** Host ports required on an edge switch of the fullest rack: whole ports, and lanes for hosts with four NICs. */
function edgePorts(draft: TopologyDraft): { plain: number; lanes: number } {
  let plain = 0
  let lanes = 0
  for (const rack of draft.racks) {
    const nics = rack.hosts.map((host) => draft.hosts.portCount[host])
    plain = Math.max(plain, nics.filter((count) => count === 2).length)
    lanes = Math.max(
      lanes,
      nics.filter((count) => count > 2).reduce((sum, count) => sum + count / 2, 0),
    )
  }
  const sizes = [4, 8, 12, 16, 24, 32]
  return {
    plain: sizes.find((size) => size > plain) ?? plain + 1,
    lanes: Math.max(4, Math.ceil(lanes / 4) * 4),
  }
}

export function addEdgeSwitches(draft: TopologyDraft, sizing: Sizing, ages: RandomStream): void {
  const ports = edgePorts(draft)
  for (const zone of draft.zones) {
    for (const rackRow of zone.rows.flat()) addEdgePair(draft, sizing, rackRow, ports, ages)
  }
}

/** Host ports of edge switches in racks added later: enough for any mix of hosts. */
export const addedRackEdgePorts = { plain: 24, lanes: 16 } as const

/** Adds the two edge switches of a rack. */
export function addEdgePair(
  draft: TopologyDraft,
  sizing: Sizing,
  rackRow: number,
  { plain, lanes }: { readonly plain: number; readonly lanes: number },
  ages: RandomStream | null,
): void {
  const { gbps, links } = sizing.edgeUplink
  const cages = lanes / 4
  const groups: PortGroup[] = [
    { role: 'EdgeDown', count: plain, gbps: 25, label: ethernet(1) },
    { role: 'EdgeDown', count: lanes, gbps: 25, lanes: true, label: lane(plain + 1) },
    { role: 'EdgeUp', count: 2 * links + 1, gbps, label: ethernet(plain + cages + 1) },
  ]
  const sku = networkSku('edge', fabricOver(2 * capacityOf(sizing.edgeUplink)), 25, gbps, plain + cages)
  const rack = draft.racks[rackRow]
  const zone = draft.zones[rack.zone]
  const place = `${zone.name}-${zoneLetter(rack.rowIndex).toLowerCase()}${pad2(rack.place + 1)}`
  for (let nth = 1; nth <= 2; nth++) {
    const at = mountInRack(draft, rackRow, sku.uSize)
    zone.edges.push(addSwitch(draft, rack.zone, 'edge', at, `${place}-edge${nth}`, sku, groups, ages))
  }
}

export interface SwitchModel {
  readonly sku: NetworkSku
  readonly groups: readonly PortGroup[]
}

/** The model of the aggregation switches of all rows. */
function aggregationModel(draft: TopologyDraft, sizing: Sizing): SwitchModel {
  const racks = Math.max(...draft.zones.flatMap((zone) => zone.rows.map((row) => row.length)))
  const down = racks * 2 * sizing.edgeUplink.links
  // Ports for a full row; the fabric is sized for the row's current racks.
  const fullRow = Math.max(racks, Math.min(sizing.racksPerRow, Math.ceil(racks * sizing.growthMax)))
  const downMax = fullRow * 2 * sizing.edgeUplink.links + 2
  const downPorts = sizing.aggregationBreakout ? Math.ceil(downMax / 4) * 4 : downMax
  const downCages = sizing.aggregationBreakout ? downPorts / 4 : downPorts
  const upPorts = sizing.coresPerZone * sizing.aggregationUplink.links + 1
  const groups: PortGroup[] = [
    {
      role: 'AggregationDown',
      count: downPorts,
      gbps: sizing.edgeUplink.gbps,
      lanes: sizing.aggregationBreakout,
      label: sizing.aggregationBreakout ? lane(1) : ethernet(1),
    },
    {
      role: 'AggregationUp',
      count: upPorts,
      gbps: sizing.aggregationUplink.gbps,
      label: ethernet(downCages + 1),
    },
  ]
  const fabric = fabricOver(
    Math.max(down * sizing.edgeUplink.gbps, sizing.coresPerZone * capacityOf(sizing.aggregationUplink)),
  )
  const sku = networkSku(
    'aggregation',
    fabric,
    sizing.edgeUplink.gbps,
    sizing.aggregationUplink.gbps,
    downCages,
  )
  return { sku, groups }
}

/** Adds two aggregation switches per row of racks. Returns their model. */
export function addAggregationSwitches(
  draft: TopologyDraft,
  sizing: Sizing,
  ages: RandomStream,
): SwitchModel {
  const model = aggregationModel(draft, sizing)
  for (const zone of draft.zones) {
    for (const row of zone.rows) {
      // At the ends of the row, or for a short row in the network row.
      const isShort = row.length < racksForOwnAggregation
      const racks = isShort ? null : ([row[0], row[row.length - 1]] as const)
      addAggregationPair(draft, row[0], racks, model, ages)
    }
  }
  return model
}

/** Adds the two aggregation switches of a rack's row, in the given racks or in the network row. */
export function addAggregationPair(
  draft: TopologyDraft,
  rackOfRow: number,
  racks: readonly [number, number] | null,
  { sku, groups }: SwitchModel,
  ages: RandomStream | null,
): void {
  const { rowIndex, zone: zoneRow } = draft.racks[rackOfRow]
  const zone = draft.zones[zoneRow]
  for (let nth = 0; nth < 2; nth++) {
    const at =
      racks === null
        ? placeInNetworkRow(draft, zoneRow, nth, sku.uSize)
        : mountInRack(draft, racks[nth], sku.uSize)
    const name = `${zone.name}-${zoneLetter(rowIndex).toLowerCase()}-agg${nth + 1}`
    zone.aggregations.push(addSwitch(draft, zoneRow, 'aggregation', at, name, sku, groups, ages))
  }
}

/** Maximum number of racks with hosts, and of their rows, on the floor space of a zone. */
export const racksMaxOf = (zone: ZoneDraft, { growthMax }: Sizing): number =>
  Math.ceil(zone.racks.filter((rack) => !zone.networkRacks.includes(rack)).length * growthMax)
const rowsMaxOf = (zone: ZoneDraft, sizing: Sizing): number =>
  Math.max(zone.rows.length, Math.ceil(racksMaxOf(zone, sizing) / sizing.racksPerRow))

/** The model of the core switches of all zones. */
export interface CoreModel {
  readonly sku: NetworkSku
  readonly groupsOf: (hasPeers: boolean) => readonly PortGroup[]
}

function coreModel(draft: TopologyDraft, sizing: Sizing): CoreModel {
  const rows = Math.max(...draft.zones.map((zone) => zone.rows.length))
  const rowsMax = Math.max(...draft.zones.map((zone) => rowsMaxOf(zone, sizing)))
  const down = rowsMax * 2 * sizing.aggregationUplink.links
  const up = 2 * sizing.coreUplink.links
  const oneArms = 1 + sizing.loadBalancersPerZone
  const peers = (sizing.zonesMax - 1) * sizing.corePeer.links
  const fabric = fabricOver(rows * 2 * sizing.aggregationUplink.links * sizing.aggregationUplink.gbps)
  const sku = networkSku('core', fabric, sizing.aggregationUplink.gbps, sizing.coreUplink.gbps, down + 2)
  const oneArmPorts = oneArms * sizing.oneArm.links + 1
  const groupsOf = (peerPorts: number): PortGroup[] => [
    { role: 'CoreDown', count: down + 2, gbps: sizing.aggregationUplink.gbps, label: ethernet(1) },
    { role: 'CoreUp', count: up + 1, gbps: sizing.coreUplink.gbps, label: ethernet(down + 3) },
    { role: 'CorePeer', count: peerPorts, gbps: sizing.corePeer.gbps, label: ethernet(down + up + 4) },
    {
      role: 'CoreOneArm',
      count: oneArmPorts,
      gbps: sizing.oneArm.gbps,
      copper: sizing.oneArm.gbps === 10,
      label: ethernet(down + up + peerPorts + 4),
    },
  ]
  const withPeers = groupsOf(peers + 1)
  const withoutPeers = groupsOf(0)
  return { sku, groupsOf: (hasPeers) => (hasPeers ? withPeers : withoutPeers) }
}

/** Adds the core switches of all zones. Returns their model. */
export function addCoreSwitches(draft: TopologyDraft, sizing: Sizing, ages: RandomStream): CoreModel {
  const model = coreModel(draft, sizing)
  draft.zones.forEach((_, zone) => addCores(draft, sizing, zone, model, ages))
  return model
}

export function addCores(
  draft: TopologyDraft,
  { coresPerZone }: Sizing,
  zoneRow: number,
  { sku, groupsOf }: CoreModel,
  ages: RandomStream | null,
): void {
  const zone = draft.zones[zoneRow]
  for (let nth = 1; nth <= coresPerZone; nth++) {
    const at = placeInNetworkRow(draft, zoneRow, nth - 1, sku.uSize)
    // Only the first two cores of a zone connect to other zones.
    const groups = groupsOf(nth <= 2)
    zone.cores.push(addSwitch(draft, zoneRow, 'core', at, `${zone.name}-core${nth}`, sku, groups, ages))
  }
}
