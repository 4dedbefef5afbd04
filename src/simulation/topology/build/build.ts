import type { RandomStreams } from '../../random.ts'
import { buildWanEdge } from './wan-edge.ts'
import { buildCabling } from './cabling.ts'
import { hostSkus, panelSkus, poolShares } from '../catalogue.ts'
import { createTopologyDraft, type DeviceDraft, type TopologyDraft, rackUnits } from './topology-builder.ts'
import { addHosts, addZones } from './layout.ts'
import { type ScaleName, type Sizing, sizingFor } from '../sizing.ts'
import { addAggregationSwitches, addCoreSwitches, addEdgeSwitches } from './switches.ts'
import type {
  CableTable,
  CoolingTable,
  DeviceTable,
  FeedTable,
  Topology,
  PortTable,
  RackTable,
  ZonePlan,
} from '../tables.ts'

/** Builds the topology of a world, which depends on seed and scale only. */
export function buildTopology(random: RandomStreams, scale: number | ScaleName): Topology {
  const sizing = sizingFor(scale)
  const pools = poolShares(sizing.hosts)
  const draft = createTopologyDraft(hostSkus, panelSkus)
  const ages = random.stream('plant.ages')
  addZones(draft, sizing, random)
  addHosts(draft, sizing, pools, random)
  addEdgeSwitches(draft, sizing, ages)
  addCoreSwitches(draft, sizing, ages)
  addAggregationSwitches(draft, sizing, ages)
  buildWanEdge(draft, sizing, random)
  buildCabling(draft, sizing, random)
  const feeds = feedTable(draft)
  const coolingUnits = coolingTable(draft, sizing)
  return {
    scaleName: sizing.scaleName,
    regions: draft.regions,
    zones: draft.zones.map((_, zone) => zonePlan(draft, zone, coolingUnits)),
    carriers: draft.carriers,
    pools: pools.map((pool) => pool.plan),
    hostSkus,
    switchSkus: draft.switchSkus,
    gatewaySkus: draft.gatewaySkus,
    applianceSkus: draft.applianceSkus,
    panelSkus,
    racks: rackTable(draft),
    feeds,
    coolingUnits,
    hosts: {
      ...deviceTable(draft.hosts),
      pool: Uint8Array.from(draft.hosts.pool),
      label: draft.hosts.label,
    },
    switches: { ...deviceTable(draft.switches), role: draft.switches.role },
    gateways: {
      ...deviceTable(draft.gateways),
      wanPorts: Uint16Array.from(draft.gateways.wanPorts),
      lanPorts: Uint16Array.from(draft.gateways.lanPorts),
      addons: Uint8Array.from(draft.gateways.addons),
    },
    appliances: {
      ...deviceTable(draft.appliances),
      kind: draft.appliances.kind,
      gatewayAddon: Uint8Array.from(draft.appliances.kind, (kind) => (kind === 'DdosScrubber' ? 1 : 0)),
      functionsOwned: Uint8Array.from(draft.appliances.functionsOwned),
      functionsEnabled: Uint8Array.from(draft.appliances.functionsEnabled),
    },
    panels: deviceTable(draft.panels),
    ports: portTable(draft),
    cables: cableTable(draft),
  }
}

function deviceTable(table: DeviceDraft): DeviceTable {
  return {
    count: table.name.length,
    name: table.name,
    zone: Uint16Array.from(table.zone),
    rack: Int32Array.from(table.rack),
    startU: Uint8Array.from(table.startU),
    uSize: Uint8Array.from(table.uSize),
    sku: Uint8Array.from(table.sku),
    firstPort: Uint32Array.from(table.firstPort),
    portCount: Uint16Array.from(table.portCount),
    installed: Float64Array.from(table.installed),
  }
}

/** Power capacity of a rack: the smallest supply that carries its devices at full load with 10 % headroom. */
function rackCapacityKw(watts: number): number {
  const needed = (watts / 1000) * 1.1
  return [4, 6, 8, 11, 15, 22, 30, 44, 60].find((supply) => supply >= needed) ?? Math.ceil(needed / 10) * 10
}

function rackTable({ racks }: TopologyDraft): RackTable {
  return {
    count: racks.length,
    name: racks.map((rack) => rack.name),
    zone: Uint16Array.from(racks, (rack) => rack.zone),
    uSize: new Uint8Array(racks.length).fill(rackUnits),
    usedU: Uint8Array.from(racks, (rack) => rack.usedBelow + rack.usedAbove),
    capacityKw: Float64Array.from(racks, (rack) => rackCapacityKw(rack.watts)),
    hosts: racks.map((rack) => rack.hosts),
    switches: racks.map((rack) => rack.switches),
  }
}

/** Power that the devices of a zone draw at full load. */
const zoneKw = ({ zones, racks }: TopologyDraft, zone: number): number =>
  zones[zone].racks.reduce((sum, rack) => sum + racks[rack].watts, 0) / 1000

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to

/** Each feed alone carries all devices of its zone at full load, with their cooling. */
function feedTable(draft: TopologyDraft): FeedTable {
  const zones = draft.zones.flatMap((_, zone) => [zone, zone])
  return {
    count: zones.length,
    zone: Uint16Array.from(zones),
    side: Uint8Array.from(zones, (_, index) => index % 2),
    capacityKw: Float64Array.from(zones, (zone) => {
      const needed = zoneKw(draft, zone) * 1.15
      return roundUp(needed, needed > 500 ? 100 : needed > 100 ? 25 : 5)
    }),
  }
}

/** Cooling removes the heat of full load with 25 % headroom: not quite enough when one of few units fails. */
function coolingTable(draft: TopologyDraft, sizing: Sizing): CoolingTable {
  const zones = draft.zones.flatMap((_, zone) =>
    Array.from({ length: sizing.coolingUnitsPerZone }, () => zone),
  )
  return {
    count: zones.length,
    name: zones.map(
      (zone, index) => `${draft.zones[zone].name}-crac${(index % sizing.coolingUnitsPerZone) + 1}`,
    ),
    zone: Uint16Array.from(zones),
    capacityKw: Float64Array.from(zones, (zone) =>
      roundUp((zoneKw(draft, zone) * 1.25) / sizing.coolingUnitsPerZone, 1),
    ),
  }
}

function zonePlan(draft: TopologyDraft, row: number, cooling: CoolingTable): ZonePlan {
  const zone = draft.zones[row]
  const coolingUnits: number[] = []
  for (let unit = 0; unit < cooling.count; unit++) if (cooling.zone[unit] === row) coolingUnits.push(unit)
  const { name, displayName, region, racks, hosts, edges, aggregations, cores } = zone
  const { gateways, firewalls, appliances, panels } = zone
  return {
    name,
    displayName,
    region,
    racks,
    feeds: [2 * row, 2 * row + 1],
    coolingUnits,
    hosts,
    edges,
    aggregations,
    cores,
    gateways,
    firewalls,
    appliances,
    panels,
  }
}

function portTable({ ports }: TopologyDraft): PortTable {
  return {
    count: ports.role.length,
    role: Uint8Array.from(ports.role),
    deviceKind: Uint8Array.from(ports.deviceKind),
    device: Uint32Array.from(ports.device),
    index: Uint16Array.from(ports.index),
    capacityGbps: Float64Array.from(ports.gbps),
    cable: Int32Array.from(ports.cable),
    peer: Int32Array.from(ports.peer),
    label: ports.label,
    connector: Uint8Array.from(ports.connector),
  }
}

function cableTable({ cables }: TopologyDraft): CableTable {
  return {
    count: cables.a.length,
    a: Uint32Array.from(cables.a),
    b: Uint32Array.from(cables.b),
    kind: Uint8Array.from(cables.kind),
    color: Uint8Array.from(cables.color),
    lengthM: Uint32Array.from(cables.lengthM),
    lag: Int32Array.from(cables.lag),
    breakout: Int32Array.from(cables.breakout),
    panelPorts: cables.panelPorts,
    trays: cables.trays,
    traySlots: cables.traySlots,
    points: cables.points,
    draped: Uint8Array.from(cables.draped),
  }
}
