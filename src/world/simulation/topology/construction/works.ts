import { cableKinds, connectors } from '../../../../contract/vocabularies.ts'
import type { Micros } from '../../time.ts'
import { hostGenerations, networkSku, poolShares } from '../catalog.ts'
import { fabricFor } from '../sizing.ts'
import type { NetworkSku, PortRole } from '../tables.ts'
import { deviceKind, portRole } from '../tables.ts'
import { cableAddedZone, cableAggregation, cableEdges, cableHost } from './cabling.ts'
import {
  appendAppliances,
  appendCables,
  appendDevices,
  appendGateways,
  appendHosts,
  appendPorts,
  appendRacks,
} from './columns.ts'
import { addHost, addRack, addZone, hostUnits } from './layout.ts'
import { placeForRack, rackForHost } from './room.ts'
import type { Site } from './site.ts'
import { newestSku } from './site.ts'
import type { NetworkDevice, UpgradableRole, Works } from '../works.ts'
import { addAggregationPair, addCores, addEdgePair, addedRackEdgePorts } from './switches.ts'
import { connectorOf, freeSocket, skuRow } from './topology-builder.ts'
import { addEdgeLikeFirst } from './wan-edge.ts'

/** Power supply of a rack added later. */
const addedRackKw = 22

/** Carries out works. Throws without room for them; callers check with room.ts first. */
export function carryOut(site: Site, works: Works, at: Micros): void {
  switch (works.kind) {
    case 'Hosts':
      for (let n = 0; n < works.count; n++) installHost(site, works.zone, works.pool, at)
      break
    case 'Rack':
      putUpRack(site, works.zone, at)
      break
    case 'Links':
      speedUpLinks(site, works.zone, works.role, works.gbps)
      break
    case 'Device':
      exchangeDevice(site, works.device, works.row, works.fabricGbps, at)
      break
    case 'Cooling':
      addCoolingUnit(site, works.zone, works.kw)
      break
    case 'Power':
      for (const feed of site.topology.zones[works.zone].feeds)
        site.topology.feeds.capacityKw[feed] += works.kw
      break
    case 'Zone':
      openZone(site, works.region, works.hosts, at)
      break
    case 'Generation':
      if (site.generation + 1 < hostGenerations) site.generation++
      break
    case 'Renewal':
      renewHost(site, works.host, at)
      break
    case 'Removal':
      for (const host of works.hosts) takeOutHost(site, host)
  }
  appendRows(site)
  site.state.works.push({ ...works, at })
  site.topology.version++
}

function appendRows({ topology, draft }: Site): void {
  const { racks, hosts, switches, gateways, appliances, panels, ports, cables } = topology
  const firstCable = cables.count
  appendRacks(racks, draft.racks)
  appendHosts(hosts, draft.hosts)
  appendDevices(switches, draft.switches)
  appendGateways(gateways, draft.gateways)
  appendAppliances(appliances, draft.appliances)
  appendDevices(panels, draft.panels)
  appendPorts(ports, draft.ports)
  appendCables(cables, draft.cables)
  // New cables may end in existing ports.
  for (let cable = firstCable; cable < cables.count; cable++) {
    for (const port of [cables.a[cable], cables.b[cable], ...cables.patchPanelPorts[cable]]) {
      ports.cable[port] = draft.ports.cable[port]
      ports.peer[port] = draft.ports.peer[port]
    }
  }
}

function installHost(site: Site, zone: number, pool: number, at: Micros): void {
  const rack = rackForHost(site, zone, pool)
  if (rack === null) throw new Error(`no rack of zone ${zone} has room for a host of pool ${pool}`)
  const { draft, pools, generation, trays } = site
  cableHost(draft, addHost(draft, rack, pools, pool, generation, at), trays)
}

/** Number of hosts of a pool that fit into a new rack. */
export function hostsPerAddedRack(site: Site, pool: number): number {
  const { draft, sizing } = site
  const { uSize, busyWatts, nicCount } = draft.hostSkus[newestSku(site, pool)]
  const ports =
    nicCount > 2 ? Math.floor((2 * addedRackEdgePorts.lanes) / nicCount) : addedRackEdgePorts.plain
  // The switches of the rack draw about 500 W.
  const watts = addedRackKw * 1000 - 500
  return Math.min(sizing.hostsPerRack, Math.floor(hostUnits / uSize), Math.floor(watts / busyWatts), ports)
}

function putUpRack(site: Site, zoneRow: number, at: Micros): void {
  const place = placeForRack(site, zoneRow)
  if (place === null) throw new Error(`zone ${zoneRow} has no place for a rack`)
  const { draft, sizing, trays } = site
  const zone = draft.zones[zoneRow]
  const isNewRow = place.row === zone.rows.length
  const rack = addRack(draft, zoneRow, place.row + 1, place.position, at, addedRackKw)
  if (isNewRow) zone.rows.push([])
  zone.rows[place.row].push(rack)
  addEdgePair(draft, sizing, rack, addedRackEdgePorts, null)
  if (isNewRow) addAggregationPair(draft, rack, [rack, rack], site.aggregation, null)
  const pair = zone.aggregations.slice(2 * place.row, 2 * place.row + 2)
  if (isNewRow) for (const aggregation of pair) cableAggregation(draft, sizing, aggregation, trays)
  cableEdges(draft, sizing, rack, pair, trays)
}

/** Rows of a zone's cables that begin in ports of a role. */
function linksOfRole({ topology }: Pick<Site, 'topology'>, zone: number, role: PortRole): number[] {
  const { cables, ports } = topology
  const tables = {
    [deviceKind.Switch]: topology.switches,
    [deviceKind.Gateway]: topology.gateways,
    [deviceKind.Appliance]: topology.appliances,
    [deviceKind.Host]: topology.hosts,
  }
  const rows: number[] = []
  for (const cable of cables.rows) {
    const a = cables.a[cable]
    if (ports.role[a] !== portRole[role]) continue
    const table = tables[ports.deviceKind[a] as keyof typeof tables]
    if (table.zone[ports.device[a]] === zone) rows.push(cable)
  }
  return rows
}

function speedUpLinks(site: Site, zone: number, role: UpgradableRole, gbps: number): void {
  const { topology, draft } = site
  const { cables, ports } = topology
  const connector = connectors.indexOf(connectorOf({ role, gbps }))
  const copper = cableKinds.indexOf('Copper')
  for (const cable of linksOfRole(site, zone, role)) {
    // Copper does not support more than 10 Gbit/s.
    if (gbps > 10 && cables.kind[cable] === copper)
      cables.kind[cable] = draft.cables.kind[cable] = cableKinds.indexOf('Fiber')
    for (const port of [cables.a[cable], cables.b[cable]]) {
      ports.capacityGbps[port] = draft.ports.capacityGbps[port] = gbps
      ports.connector[port] = draft.ports.connector[port] = connector
    }
  }
}

const linesOf = ({ topology, draft }: Site) =>
  ({
    Switch: [topology.switches, draft.switches, draft.switchSkus],
    Gateway: [topology.gateways, draft.gateways, draft.gatewaySkus],
    Appliance: [topology.appliances, draft.appliances, draft.applianceSkus],
  }) as const

/** The model of the device's product line with at least this capacity, in the same rack units. */
export function largerModel(site: Site, kind: NetworkDevice, row: number, fabricGbps: number): NetworkSku {
  const { topology } = site
  const [table, , skus] = linesOf(site)[kind]
  const old = skus[table.sku[row]]
  const lines = {
    Switch: () => topology.switches.role[row],
    Gateway: () => 'gateway' as const,
    Appliance: () => topology.appliances.kind[row],
  }
  const fabric = fabricFor(fabricGbps)
  const model = networkSku(lines[kind](), fabric, old.downGbps, old.upGbps, table.portCount[row])
  // Switch models are named after their ports.
  const name = kind === 'Switch' ? `${old.name.split('/')[0]}/${fabric}` : model.name
  return { ...model, name, uSize: old.uSize }
}

function exchangeDevice(site: Site, kind: NetworkDevice, row: number, fabricGbps: number, at: Micros): void {
  const [table, drafted, skus] = linesOf(site)[kind]
  const model = largerModel(site, kind, row, fabricGbps)
  site.draft.racks[table.rack[row]].watts += model.watts - skus[table.sku[row]].watts
  table.sku[row] = drafted.sku[row] = skuRow(skus, model)
  table.installed[row] = drafted.installed[row] = at
}

/**
 * Opens a zone built like the first one: its network, power and cooling, and racks with a share of hosts of each pool.
 * Its floor, and that of the whole site, has room for as many as in other zones.
 */
function openZone(site: Site, region: number, hosts: number, at: Micros): void {
  const { topology, draft, sizing, trays } = site
  if (topology.zones.length === topology.zoneCapacity) throw new Error('the site has all its zones')
  const row = draft.zones.length
  addZone(draft, sizing, region, at)
  addCores(draft, sizing, row, site.core, null)
  addEdgeLikeFirst(draft, sizing, row)
  cableAddedZone(draft, sizing, row, trays)
  const feeds = [2 * row, 2 * row + 1] as const
  topology.feeds.count = 2 * row + 2
  for (const feed of feeds) topology.feeds.capacityKw[feed] = site.feedKwAtFirst[feed] = site.feedKwAtFirst[0]
  topology.zones.push({ ...draft.zones[row], feeds, coolingUnits: [] })
  const { coolingUnits, zones } = topology
  for (let unit = 0; unit < sizing.coolingUnitsPerZone; unit++)
    addCoolingUnit(site, row, coolingUnits.capacityKw[zones[0].coolingUnits[unit]])
  site.racksMax.push(site.racksMax[0])
  site.hostsMax += Math.ceil(sizing.zoneHosts * sizing.growthMax)
  appendRows(site)
  site.pools.forEach((_, pool) => {
    const count = poolShares(hosts)[pool]?.hosts ?? 0
    for (let n = 0; n < count; n++) mountHost(site, row, pool, at)
  })
}

/** Installs a host of a new zone, in a new rack if necessary and possible. */
function mountHost(site: Site, zone: number, pool: number, at: Micros): void {
  if (rackForHost(site, zone, pool) === null && placeForRack(site, zone) !== null) {
    putUpRack(site, zone, at)
    appendRows(site)
  }
  if (rackForHost(site, zone, pool) !== null) installHost(site, zone, pool, at)
}

function addCoolingUnit({ topology }: Site, zoneRow: number, kw: number): void {
  const { coolingUnits, zones } = topology
  if (coolingUnits.count === coolingUnits.capacity) throw new Error('no room for a cooling unit')
  const zone = zones[zoneRow]
  const unit = coolingUnits.count++
  coolingUnits.name.push(`${zone.name}-crac${zone.coolingUnits.length + 1}`)
  coolingUnits.zone[unit] = zoneRow
  coolingUnits.capacityKw[unit] = kw
  zone.coolingUnits.push(unit)
}

/** Replaces a host by the newer model of its pool. */
function renewHost(site: Site, host: number, at: Micros): void {
  const { topology, draft } = site
  const { hosts, hostSkus } = topology
  const sku = newestSku(site, hosts.pool[host])
  draft.racks[hosts.rack[host]].watts += hostSkus[sku].busyWatts - hostSkus[hosts.sku[host]].busyWatts
  hosts.sku[host] = draft.hosts.sku[host] = sku
  hosts.installed[host] = draft.hosts.installed[host] = at
}

/**
 * Removes a host and its cables. Their rows remain, with the names and positions referenced by older records; units
 * and ports become free.
 */
function takeOutHost(site: Site, host: number): void {
  const { topology, draft } = site
  const { hosts, hostSkus, ports, cables } = topology
  const rack = draft.racks[hosts.rack[host]]
  const first = hosts.firstPort[host]
  for (let port = first; port < first + hosts.portCount[host]; port++) {
    const cable = ports.cable[port]
    const peer = ports.peer[port]
    for (const end of [port, peer]) {
      ports.cable[end] = draft.ports.cable[end] = -1
      ports.peer[end] = draft.ports.peer[end] = -1
    }
    freeSocket(draft.switches.sockets[ports.device[peer]], peer)
    remove(cables.rows, cable)
  }
  ports.inPlace -= hosts.portCount[host]
  rack.watts -= hostSkus[hosts.sku[host]].busyWatts
  const units = Array.from({ length: hosts.uSize[host] }, (_, unit) => hosts.startU[host] + unit)
  rack.freed = [...rack.freed, ...units].toSorted((a, b) => a - b)
  remove(rack.hosts, host)
  remove(draft.zones[rack.zone].hosts, host)
  remove(hosts.rows, host)
}

function remove(rows: number[], row: number): void {
  const index = rows.indexOf(row)
  if (index === -1) throw new Error(`row ${row} was taken out already`)
  rows.splice(index, 1)
}
