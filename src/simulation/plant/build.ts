import type { RandomStreams } from '../random.ts'
import { layBorder } from './border.ts'
import { layCables } from './cabling.ts'
import { hostSkus, panelSkus, poolShares } from './catalogue.ts'
import { createDraft, type DeviceDraft, type Draft, rackUnits } from './draft.ts'
import { layHosts, layZones } from './layout.ts'
import { type ScaleName, type Sizing, sizingFor } from './sizing.ts'
import { layAggregations, layCores, layEdges } from './switches.ts'
import type {
  CableTable,
  CoolingTable,
  DeviceTable,
  FeedTable,
  Plant,
  PortTable,
  RackTable,
  ZonePlan,
} from './tables.ts'

/** Lays out a plant: the same one for the same seed and scale. */
export function buildPlant(random: RandomStreams, scale: number | ScaleName): Plant {
  const sizing = sizingFor(scale)
  const pools = poolShares(sizing.hosts)
  const draft = createDraft(hostSkus, panelSkus)
  const ages = random.stream('plant.ages')
  layZones(draft, sizing, random)
  layHosts(draft, sizing, pools, random)
  layEdges(draft, sizing, ages)
  layCores(draft, sizing, ages)
  layAggregations(draft, sizing, ages)
  layBorder(draft, sizing, random)
  layCables(draft, sizing, random)
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

/** What a rack may draw: the smallest supply that carries all its devices at full load with a tenth to spare. */
function rackCapacityKw(watts: number): number {
  const needed = (watts / 1000) * 1.1
  return [4, 6, 8, 11, 15, 22, 30, 44, 60].find((supply) => supply >= needed) ?? Math.ceil(needed / 10) * 10
}

function rackTable({ racks }: Draft): RackTable {
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

/** What the devices of a zone draw at full load. */
const zoneKw = ({ zones, racks }: Draft, zone: number): number =>
  zones[zone].racks.reduce((sum, rack) => sum + racks[rack].watts, 0) / 1000

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to

/** Each feed of a zone carries all its devices at full load and their cooling alone. */
function feedTable(draft: Draft): FeedTable {
  const zones = draft.zones.flatMap((_, zone) => [zone, zone])
  return {
    count: zones.length,
    zone: Uint16Array.from(zones),
    side: Uint8Array.from(zones, (_, index) => index % 2),
    capacityKw: Float64Array.from(zones, (zone) => {
      const needed = zoneKw(draft, zone) * 1.5
      return roundUp(needed, needed > 500 ? 100 : needed > 100 ? 25 : 5)
    }),
  }
}

/** Cooling carries the heat of full load with a quarter to spare: with one unit of few gone, not quite all of it. */
function coolingTable(draft: Draft, sizing: Sizing): CoolingTable {
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

function zonePlan(draft: Draft, row: number, cooling: CoolingTable): ZonePlan {
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

function portTable({ ports }: Draft): PortTable {
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

function cableTable({ cables }: Draft): CableTable {
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
