import type { RandomStreams } from '../../random.ts'
import type { PoolShare } from '../catalog.ts'
import { hostSkus, panelSkus, poolShares } from '../catalog.ts'
import type { ScaleName, Sizing } from '../sizing.ts'
import { sizingFor } from '../sizing.ts'
import type {
  CoolingTable,
  DeviceTable,
  FeedTable,
  HostTable,
  SwitchTable,
  Topology,
  ZonePlan,
} from '../tables.ts'
import { buildCabling } from './cabling.ts'
import type { GrowableTable, GrowingRacks, ShrinkableTable } from './columns.ts'
import {
  applianceTable,
  cableTable,
  deviceTable,
  gatewayTable,
  hostTable,
  portTable,
  rackTable,
} from './columns.ts'
import { Trays } from './geometry.ts'
import { addHosts, addZones } from './layout.ts'
import type { CoreModel, SwitchModel } from './switches.ts'
import { addAggregationSwitches, addCoreSwitches, addEdgeSwitches, racksMaxOf } from './switches.ts'
import type { TopologyDraft } from './topology-builder.ts'
import { createTopologyDraft } from './topology-builder.ts'
import { buildWanEdge } from './wan-edge.ts'
import type { DatedWorks } from '../works.ts'

/** The topology for construction, with writable tables. All other code only reads it. */
interface GrowingTopology extends Topology {
  readonly zones: (ZonePlan & { readonly coolingUnits: number[] })[]
  readonly feeds: GrowableTable<FeedTable>
  readonly racks: GrowingRacks
  readonly coolingUnits: GrowableTable<CoolingTable> & { readonly name: string[] }
  readonly hosts: ShrinkableTable<HostTable>
  readonly switches: GrowableTable<SwitchTable>
  readonly gateways: GrowableTable<Topology['gateways']>
  readonly appliances: GrowableTable<Topology['appliances']>
  readonly panels: GrowableTable<DeviceTable>
  readonly ports: GrowableTable<Topology['ports']>
  readonly cables: ShrinkableTable<Topology['cables']>
  version: number
}

/** The part of a site that does not follow from seed and scale. */
export interface SiteState {
  /** The construction works to date, in order. */
  readonly works: DatedWorks[]
  /** The `installed` columns, changed by replacements. */
  readonly installed: Readonly<Record<string, Float64Array>>
}

/** A topology with the data required to extend it. It follows from seed, scale and the works to date (works.ts). */
export interface Site {
  readonly state: SiteState
  readonly topology: GrowingTopology
  readonly draft: TopologyDraft
  readonly sizing: Sizing
  readonly pools: readonly PoolShare[]
  readonly trays: Trays
  readonly aggregation: SwitchModel
  readonly core: CoreModel
  /** Maximum number of hosts over all zones. */
  hostsMax: number
  /** Maximum number of racks with hosts, by zone. */
  readonly racksMax: number[]
  /** Initial capacity of each feed; the grid connection carries a multiple of it. */
  readonly feedKwAtFirst: Float64Array
  /** The newest generation of hosts that can be bought. */
  generation: number
}

/** The model in which a pool grows: a row of `hostSkus`. */
export const newestSku = ({ pools, generation }: Pick<Site, 'pools' | 'generation'>, pool: number): number =>
  pools[pool].firstSku + generation

/** Builds the initial site of a world from seed and scale. */
export function buildSite(random: RandomStreams, scale: number | ScaleName): Site {
  const sizing = sizingFor(scale)
  const pools = poolShares(sizing.hosts)
  const draft = createTopologyDraft(hostSkus, panelSkus)
  const ages = random.stream('plant.ages')
  addZones(draft, sizing, random)
  addHosts(draft, sizing, pools, random)
  const hostsMax = Math.ceil(draft.hosts.name.length * sizing.growthMax)
  const racksMax = draft.zones.map((zone) => racksMaxOf(zone, sizing))
  addEdgeSwitches(draft, sizing, ages)
  const core = addCoreSwitches(draft, sizing, ages)
  const aggregation = addAggregationSwitches(draft, sizing, ages)
  buildWanEdge(draft, sizing, random)
  const trays = new Trays(draft)
  buildCabling(draft, sizing, trays, random)
  const topology = createTopology(draft, sizing, pools, hostsMax)
  const feedKwAtFirst = Float64Array.from(topology.feeds.capacityKw)
  const { hosts, switches, gateways, appliances, panels } = topology
  const tables = { hosts, switches, gateways, appliances, panels }
  const installed = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.installed]))
  const state = { works: [], installed }
  const models = { aggregation, core, generation: 1 }
  return { state, topology, draft, sizing, pools, trays, ...models, hostsMax, racksMax, feedKwAtFirst }
}

export const buildTopology = (random: RandomStreams, scale: number | ScaleName): Topology =>
  buildSite(random, scale).topology

/** Rows for the successors of sold hosts, as a share of the maximum number of hosts. */
const rowsForSuccessors = 0.4

function createTopology(
  draft: TopologyDraft,
  sizing: Sizing,
  pools: readonly PoolShare[],
  hostsMax: number,
): GrowingTopology {
  const { gateways, appliances } = draft
  const forZones = (count: number) => Math.ceil((count * sizing.zonesMax) / sizing.zones)
  const roomFor = (count: number, least: number) => forZones(count * sizing.growthMax) + least
  const feeds = feedTable(draft, sizing)
  const coolingUnits = coolingTable(draft, sizing)
  return {
    scaleName: sizing.scaleName,
    version: 0,
    regions: draft.regions,
    zones: draft.zones.map((zone, row) => ({
      ...zone,
      feeds: [2 * row, 2 * row + 1] as const,
      coolingUnits: Array.from(coolingUnits.name.keys()).filter((unit) => coolingUnits.zone[unit] === row),
    })),
    zoneCapacity: sizing.zonesMax,
    carriers: draft.carriers,
    pools: pools.map((pool) => pool.plan),
    hostSkus,
    switchSkus: draft.switchSkus,
    gatewaySkus: draft.gatewaySkus,
    applianceSkus: draft.applianceSkus,
    panelSkus,
    racks: rackTable(draft, roomFor(draft.racks.length, 0)),
    feeds,
    coolingUnits,
    hosts: hostTable(draft, forZones(hostsMax * (1 + rowsForSuccessors))),
    switches: {
      ...deviceTable(draft.switches, roomFor(draft.switches.name.length, 4)),
      role: draft.switches.role,
    },
    gateways: gatewayTable(draft, forZones(gateways.name.length)),
    appliances: applianceTable(draft, forZones(appliances.name.length)),
    panels: deviceTable(draft.panels, roomFor(draft.panels.name.length, 8)),
    ports: portTable(draft, roomFor(draft.ports.role.length, 1_000)),
    cables: cableTable(draft, roomFor(draft.cables.a.length, 400)),
  }
}

/** Power draw of a zone's devices at full load. */
const zoneKw = ({ zones, racks }: TopologyDraft, zone: number): number =>
  zones[zone].racks.reduce((sum, rack) => sum + racks[rack].watts, 0) / 1000

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to

/** Each feed alone carries the devices of its zone at usual load, with their cooling, barely so on a hot evening. */
function feedTable(draft: TopologyDraft, sizing: Sizing): FeedTable {
  const zones = draft.zones.flatMap((_, zone) => [zone, zone])
  return {
    count: zones.length,
    capacity: 2 * sizing.zonesMax,
    zone: Uint16Array.from({ length: 2 * sizing.zonesMax }, (_, feed) => Math.floor(feed / 2)),
    side: Uint8Array.from({ length: 2 * sizing.zonesMax }, (_, feed) => feed % 2),
    capacityKw: Float64Array.from({ length: 2 * sizing.zonesMax }, (_, feed) =>
      feed < zones.length ? feedKw(zoneKw(draft, zones[feed])) : 0,
    ),
  }
}

function feedKw(fullLoadKw: number): number {
  const needed = fullLoadKw * 1.05
  return roundUp(needed, needed > 500 ? 100 : needed > 100 ? 25 : 5)
}

/** Cooling removes the heat of full load with 25 % headroom, which is too little after the failure of one of few. */
function coolingTable(draft: TopologyDraft, sizing: Sizing): GrowingTopology['coolingUnits'] {
  const zones = draft.zones.flatMap((_, zone) =>
    Array.from({ length: sizing.coolingUnitsPerZone }, () => zone),
  )
  const capacity = Math.ceil((zones.length * sizing.growthMax * sizing.zonesMax) / sizing.zones)
  const table = {
    count: zones.length,
    capacity,
    name: zones.map(
      (zone, index) => `${draft.zones[zone].name}-crac${(index % sizing.coolingUnitsPerZone) + 1}`,
    ),
    zone: new Uint16Array(capacity),
    capacityKw: new Float64Array(capacity),
  }
  zones.forEach((zone, unit) => {
    table.zone[unit] = zone
    table.capacityKw[unit] = roundUp((zoneKw(draft, zone) * 1.25) / sizing.coolingUnitsPerZone, 1)
  })
  return table
}
