import { hostUnits } from './layout.ts'
import type { Site } from './site.ts'
import { newestSku } from './site.ts'
import type { RackDraft, SocketsByRole } from './topology-builder.ts'
import { rackUnits } from './topology-builder.ts'

/** Room for growth in a site. */

const free = (sockets: SocketsByRole, sort: keyof SocketsByRole): number => {
  const group = sockets[sort]
  return group === undefined ? 0 : group.end - group.next + group.freed.length
}

/** Number of hosts of a height that fit into a rack, above its other hosts and in freed units. */
function hostPlaces({ freed, usedBelow, usedAbove }: RackDraft, uSize: number): number {
  const above = Math.min(hostUnits - usedBelow, rackUnits - usedBelow - usedAbove)
  let places = Math.max(0, Math.floor(above / uSize))
  let run = 0
  for (let index = 0; index < freed.length; index++) {
    run = freed[index - 1] === freed[index] - 1 ? run + 1 : 1
    if (run % uSize === 0) places++
  }
  return places
}

/** The rack for the next host of a pool: the one with room and the fewest hosts of the pool. */
export function rackForHost(site: Site, zone: number, pool: number): number | null {
  const { draft } = site
  const inPool = (rack: number) =>
    draft.racks[rack].hosts.filter((host) => draft.hosts.pool[host] === pool).length
  let best: number | null = null
  let fewest = Infinity
  for (const rack of draft.zones[zone].rows.flat()) {
    if (!takesHost(site, rack, pool)) continue
    const hosts = inPool(rack) + draft.racks[rack].hosts.length / 100
    if (hosts >= fewest) continue
    fewest = hosts
    best = rack
  }
  return best
}

/** Whether a rack has the space, power and edge switch ports for another host. */
function takesHost(
  { draft, sizing, pools, generation, topology }: Site,
  rackRow: number,
  pool: number,
): boolean {
  const rack = draft.racks[rackRow]
  const { uSize, nicCount, busyWatts } = draft.hostSkus[newestSku({ pools, generation }, pool)]
  if (rack.hosts.length >= sizing.hostsPerRack) return false
  if (hostPlaces(rack, uSize) === 0) return false
  if (rack.watts + busyWatts > topology.racks.capacityKw[rackRow] * 1000) return false
  const [one, other] = rack.switches
  const [sort, needed] = nicCount > 2 ? (['EdgeLane', nicCount / 2] as const) : (['EdgeDown', 1] as const)
  return [one, other].every((edge) => free(draft.switches.sockets[edge], sort) >= needed)
}

/** Number of hosts that the whole site still has room for. */
export const roomForHosts = ({ hostsMax, topology: { hosts } }: Site): number =>
  Math.min(hostsMax - hosts.rows.length, hosts.capacity - hosts.count)

/** Number of hosts of a pool that fit into the existing racks of a zone, up to `most`. */
export function hostsThatFit(site: Site, zone: number, pool: number, most: number): number {
  const { topology } = site
  const rows = Math.min(roomForHosts(site), most)
  if (rows === 0) return 0
  const { nicCount, uSize, busyWatts } = site.draft.hostSkus[newestSku(site, pool)]
  let count = 0
  for (const rackRow of site.draft.zones[zone].rows.flat()) {
    if (!takesHost(site, rackRow, pool)) continue
    const rack = site.draft.racks[rackRow]
    const sockets = rack.switches.slice(0, 2).map((edge) => site.draft.switches.sockets[edge])
    const ports = Math.min(
      ...sockets.map((of) =>
        nicCount > 2 ? Math.floor((2 * free(of, 'EdgeLane')) / nicCount) : free(of, 'EdgeDown'),
      ),
    )
    const watts = topology.racks.capacityKw[rackRow] * 1000 - rack.watts
    count += Math.min(
      ports,
      site.sizing.hostsPerRack - rack.hosts.length,
      hostPlaces(rack, uSize),
      Math.floor(watts / busyWatts),
    )
  }
  return Math.min(count, rows)
}

/** Upper bounds of the table rows for a rack and its cables. */
const portsOfRackMax = 400
const cablesOfRackMax = 60

interface RackPlace {
  /** Row of racks in the zone, and position in that row. */
  readonly row: number
  readonly position: number
}

/** Number of further racks on the floor space of a zone. */
export const placesForRacks = ({ draft, racksMax }: Site, zone: number): number =>
  racksMax[zone] - draft.zones[zone].rows.flat().length

/** The position of the next rack of a zone; null without room. */
export function placeForRack(site: Site, zoneRow: number): RackPlace | null {
  const { draft, sizing, topology, racksMax } = site
  const zone = draft.zones[zoneRow]
  const { racks, switches, panels, ports, cables } = topology
  const isFull =
    zone.rows.flat().length >= racksMax[zoneRow] ||
    racks.count === racks.capacity ||
    switches.count + 4 > switches.capacity ||
    panels.count + 2 > panels.capacity ||
    ports.count + portsOfRackMax > ports.capacity ||
    cables.count + cablesOfRackMax > cables.capacity
  if (isFull) return null
  const needed = 2 * sizing.edgeUplink.links
  for (let row = 0; row < zone.rows.length; row++) {
    const position = zone.rows[row].length
    if (position >= sizing.racksPerRow) continue
    const pair = zone.aggregations.slice(2 * row, 2 * row + 2)
    if (pair.every((aggregation) => takesTrunks(site, aggregation, 'AggregationDown', needed)))
      return { row, position }
  }
  return rowsRemain(site, zoneRow) ? { row: zone.rows.length, position: 0 } : null
}

/** Whether a zone has room and ports for another row of racks. */
function rowsRemain(site: Site, zoneRow: number): boolean {
  const { draft, sizing } = site
  const zone = draft.zones[zoneRow]
  const needed = 2 * sizing.aggregationUplink.links
  return (
    zone.rows.length * sizing.racksPerRow < site.racksMax[zoneRow] &&
    zone.cores.every((core) => takesTrunks(site, core, 'CoreDown', needed))
  )
}

/** Whether a switch has ports for trunks, and its rack has a patch panel for them or room for one. */
function takesTrunks({ draft }: Site, row: number, sort: keyof SocketsByRole, needed: number): boolean {
  const { switches, panels, zones, racks } = draft
  if (free(switches.sockets[row], sort) < needed) return false
  const rack = switches.rack[row]
  const panel = zones[switches.zone[row]].panels.findLast((other) => panels.rack[other] === rack)
  const patchPanelPorts = panel === undefined ? 0 : free(panels.sockets[panel], 'PanelFront')
  const { usedBelow, usedAbove } = racks[rack]
  return patchPanelPorts >= 2 * needed || usedBelow + usedAbove < rackUnits
}
