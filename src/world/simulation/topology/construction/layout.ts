import type { RandomStream, RandomStreams } from '../../random.ts'
import { hour } from '../../time.ts'
import type { PoolShare } from '../catalog.ts'
import { newGenerationYears } from '../catalog.ts'
import type { TopologyDraft, RackDraft, ZoneDraft } from './topology-builder.ts'
import { addDevice, addPorts } from './topology-builder.ts'
import { carrierNames, zoneLetter, pad2, zoneNames } from '../names.ts'
import type { Sizing } from '../sizing.ts'

/** Regions, zones, rows and racks, with their hosts. */

const hoursPerYear = 8_766

/** Rack units for hosts; the remaining ones are for switches and patch panels. */
export const hostUnits = 32

const yearsAgo = (years: number): number => -Math.round(years * hoursPerYear) * hour

export function addZones(draft: TopologyDraft, sizing: Sizing, random: RandomStreams): void {
  const names = zoneNames(random.stream('plant.names'), sizing)
  const sites = random.stream('plant.sites')
  draft.carriers.push(...carrierNames(random.stream('plant.names'), sizing.carriers))
  for (const name of names.regions) draft.regions.push({ name })
  const centers = draft.regions.map((_, index) => ({
    east: Math.round(index * 310_000 + sites.uniform(0, 140_000)),
    north: Math.round(sites.uniform(0, 260_000)),
  }))
  for (let zone = 0; zone < sizing.zones; zone++) {
    const region = Math.floor((zone * sizing.regions) / sizing.zones)
    const nth = zone - draft.zones.filter((other) => other.region < region).length
    draft.zones.push(
      emptyZone({
        name: names.codes[zone],
        displayName: `${names.regions[region]} ${zoneLetter(nth)}`,
        region,
        opened: yearsAgo(sites.uniform(2.6, 3.6) * (1 - (0.45 * zone) / sizing.zones)),
        east: centers[region].east + Math.round(nth * 9_000 + sites.uniform(0, 6_000)),
        north: centers[region].north + Math.round(sites.uniform(0, 8_000)),
        hostsPlanned: 0,
      }),
    )
  }
}

type ZoneSite = Pick<
  ZoneDraft,
  'name' | 'displayName' | 'region' | 'opened' | 'east' | 'north' | 'hostsPlanned'
>

const emptyZone = (site: ZoneSite): ZoneDraft => ({
  ...site,
  racks: [],
  networkRacks: [],
  rows: [],
  hosts: [],
  edges: [],
  aggregations: [],
  cores: [],
  gateways: [],
  firewalls: [],
  appliances: [],
  panels: [],
})

/** The name of the next zone of a region. */
export function nextZoneName({ zones, regions }: TopologyDraft, region: number): string {
  return `${regions[region].name} ${zoneLetter(zones.filter((zone) => zone.region === region).length)}`
}

/** Adds an empty zone near the others of its region. */
export function addZone(draft: TopologyDraft, sizing: Sizing, region: number, opened: number): void {
  const siblings = draft.zones.filter((zone) => zone.region === region)
  const [first] = siblings
  const [code] = first.name.split('-')
  draft.zones.push(
    emptyZone({
      name: `${code}-${zoneLetter(siblings.length).toLowerCase()}`,
      displayName: nextZoneName(draft, region),
      region,
      opened,
      east: first.east + siblings.length * 9_000,
      north: first.north + 4_000,
      hostsPlanned: sizing.zoneHosts,
    }),
  )
}

export function addRack(
  draft: TopologyDraft,
  zoneRow: number,
  rowIndex: number,
  place: number,
  installed: number,
  supplyKw: number | null = null,
): number {
  const zone = draft.zones[zoneRow]
  const rack = draft.racks.length
  draft.racks.push({
    name: `${zoneLetter(rowIndex)}-${pad2(place + 1)}`,
    zone: zoneRow,
    rowIndex,
    place,
    installed,
    hosts: [],
    switches: [],
    usedBelow: 0,
    usedAbove: 0,
    freed: [],
    watts: 0,
    supplyKw,
  })
  zone.racks.push(rack)
  return rack
}

interface PlannedHost {
  readonly pool: number
  readonly uSize: number
}

/** Assigns the hosts of each pool to zones round robin, so that each zone has its share of every pool. */
function assignToZones(draft: TopologyDraft, pools: readonly PoolShare[], zones: number): PlannedHost[][] {
  const dealt: PlannedHost[][] = Array.from({ length: zones }, () => [])
  let next = 0
  pools.forEach((pool, row) => {
    const { uSize } = draft.hostSkus[pool.firstSku]
    for (let i = 0; i < pool.hosts; i++) dealt[next++ % zones].push({ pool: row, uSize })
  })
  return dealt
}

/** Assigns the hosts of a zone to its racks round robin, so that no pool depends on one rack. */
function assignToRacks(planned: readonly PlannedHost[], racks: number, perRack: number): PlannedHost[][] {
  const dealt: PlannedHost[][] = Array.from({ length: racks }, () => [])
  const used = new Uint8Array(racks)
  let next = 0
  for (const host of planned) {
    let tried = 0
    while (dealt[next].length >= perRack || used[next] + host.uSize > hostUnits) {
      next = (next + 1) % racks
      if (++tried > racks) throw new Error('the racks of a zone are too few for its hosts')
    }
    dealt[next].push(host)
    used[next] += host.uSize
    next = (next + 1) % racks
  }
  return dealt
}

/** Adds the rows of racks of every zone, with their hosts. */
export function addHosts(
  draft: TopologyDraft,
  sizing: Sizing,
  pools: readonly PoolShare[],
  random: RandomStreams,
): void {
  const ages = random.stream('plant.ages')
  assignToZones(draft, pools, sizing.zones).forEach((planned, zoneRow) => {
    const zone = draft.zones[zoneRow]
    const units = planned.reduce((sum, host) => sum + host.uSize, 0)
    const count = Math.max(
      Math.ceil(planned.length / sizing.hostsPerRack),
      Math.ceil(units / (hostUnits - 3)),
    )
    const rowCount = Math.ceil(count / sizing.racksPerRow)
    const perRack = Math.min(sizing.hostsPerRack, Math.ceil(planned.length / count) + 1)
    const byRack = assignToRacks(planned, count, perRack)
    for (let row = 0; row < rowCount; row++) {
      const first = Math.floor((row * count) / rowCount)
      const end = Math.floor(((row + 1) * count) / rowCount)
      // Rows were filled one after another since the zone opened.
      const from = zone.opened * (1 - (0.7 * row) / rowCount)
      const racks: number[] = []
      for (let place = 0; first + place < end; place++) {
        const putUp = Math.round((from * ages.uniform(0.55, 1)) / hour) * hour
        const rack = addRack(draft, zoneRow, row + 1, place, putUp)
        racks.push(rack)
        fillRack(draft, rack, byRack[first + place], pools, ages)
      }
      zone.rows.push(racks)
    }
  })
}

function fillRack(
  draft: TopologyDraft,
  rackRow: number,
  planned: readonly PlannedHost[],
  pools: readonly PoolShare[],
  ages: RandomStream,
): void {
  const rack = draft.racks[rackRow]
  // Tall, heavy hosts are at the bottom.
  const ordered = planned.toSorted((one, other) => other.uSize - one.uSize || one.pool - other.pool)
  for (const { pool } of ordered) {
    const installed = hostInstalled(rack, ages)
    const generation = installed < yearsAgo(newGenerationYears) ? 0 : 1
    addHost(draft, rackRow, pools, pool, generation, installed)
  }
}

/** The lowest of enough consecutive freed units of a rack; null if there are not enough. */
const freedPlace = ({ freed }: RackDraft, uSize: number): number | null =>
  freed.find((unit, index) => freed[index + uSize - 1] === unit + uSize - 1) ?? null

/** A host is named after its position. The successor of a sold host gets a letter, as names are never reused. */
function unusedName(names: readonly string[], usual: string): string {
  let name = usual
  for (let nth = 1; names.includes(name); nth++) name = `${usual}${zoneLetter(nth).toLowerCase()}`
  return name
}

/** Mounts a host on top of the rack's other hosts, or in freed units. Its label continues the series of its pool. */
export function addHost(
  draft: TopologyDraft,
  rackRow: number,
  pools: readonly PoolShare[],
  pool: number,
  generation: number,
  installed: number,
): number {
  const rack = draft.racks[rackRow]
  const zone = draft.zones[rack.zone]
  const sku = pools[pool].firstSku + generation
  const { nicCount, nicGbps, busyWatts, uSize } = draft.hostSkus[sku]
  const freed = freedPlace(rack, uSize)
  const startU = freed ?? rack.usedBelow + 1
  const usual = hostName(zone, rack, startU)
  const name = freed === null ? usual : unusedName(draft.hosts.name, usual)
  const host = addDevice(draft.hosts, { zone: rack.zone, rack: rackRow, startU, uSize }, name, sku, installed)
  if (freed === null) rack.usedBelow += uSize
  else rack.freed = rack.freed.filter((unit) => unit < freed || unit >= freed + uSize)
  draft.hosts.pool.push(pool)
  draft.serials[pool] = (draft.serials[pool] ?? 0) + 1
  draft.hosts.label.push(`${pools[pool].tag}-${String(draft.serials[pool]).padStart(4, '0')}`)
  rack.watts += busyWatts
  const label = (position: number) => `eth${position}`
  draft.hosts.firstPort.push(draft.ports.role.length)
  draft.hosts.portCount.push(nicCount)
  addPorts(draft, 'Host', host, [{ role: 'HostNic', count: nicCount, gbps: nicGbps, label }])
  rack.hosts.push(host)
  zone.hosts.push(host)
  return host
}

/** Most hosts are as old as their rack, except for some later replacements. */
function hostInstalled(rack: RackDraft, ages: RandomStream): number {
  const since = ages.chance(0.15) ? ages.uniform(0.03, 0.9) : ages.uniform(0.93, 1)
  return Math.round((rack.installed * since) / hour) * hour
}

const hostName = (zone: ZoneDraft, rack: RackDraft, startU: number): string =>
  `${zone.name}-${zoneLetter(rack.rowIndex).toLowerCase()}${pad2(rack.place + 1)}-u${pad2(startU)}`
