import type { HostRecord, PortRecord, Snapshot } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'

/** How one entity affects another: a fault passes on, or a sum only counts its parts. */
type EdgeKind = 'power' | 'cooling' | 'network' | 'placement' | 'sum'

export interface TopologyEdge {
  readonly from: string
  readonly to: string
  readonly kind: EdgeKind
}

/** Entities and what connects them, from the records of a world. Keys are kind and id: `Switch 3`. */
export interface TopologyGraph {
  /** Names by key. */
  readonly names: ReadonlyMap<string, string>
  readonly edges: readonly TopologyEdge[]
}

export const entityKey = (kind: string, id: Int64 | string): string => `${kind} ${id}`

interface Device {
  readonly id: Int64
  readonly display_name_plain: string
  readonly az_id: Int64
  readonly rack_id: Int64 | null
  readonly ports: readonly PortRecord[]
}

export function topologyGraph(snapshot: Snapshot): TopologyGraph {
  const { azs, hosts, switches, gateways, appliances, patchPanels, hostPools, customers } =
    snapshot.collections
  const names = new Map<string, string>()
  const edges: TopologyEdge[] = []
  const connect = (kind: EdgeKind, from: string, to: string): void => void edges.push({ from, to, kind })
  for (const customer of customers) names.set(entityKey('Customer', customer.id), customer.name)
  for (const pool of hostPools) names.set(entityKey('Pool', pool.id), `pool ${pool.name}`)
  for (const zone of azs) addFacility(zone, names, connect)
  const places = new Map(azs.map((zone) => [zone.id, zone]))
  const devices: readonly (readonly [string, readonly Device[]])[] = [
    ['Host', hosts],
    ['Switch', switches],
    ['Gateway', gateways],
    ['Appliance', appliances],
  ]
  for (const [kind, records] of devices)
    for (const device of records) {
      const key = entityKey(kind, device.id)
      names.set(key, device.display_name_plain)
      connect('sum', key, entityKey('Zone', device.az_id))
      const zone = places.get(device.az_id)
      for (const feed of zone?.power_feeds ?? []) connect('sum', key, entityKey('PowerFeed', feed.id))
      for (const unit of zone?.cooling_units ?? []) connect('sum', key, entityKey('CoolingUnit', unit.id))
      if (device.rack_id === null) continue
      connect('power', entityKey('Rack', device.rack_id), key)
      connect('sum', key, entityKey('Rack', device.rack_id))
    }
  for (const [kind, records] of [...devices, ['PatchPanel', patchPanels] as const])
    for (const { id, ports } of records) addLinks(entityKey(kind, id), ports, connect)
  nameCables(snapshot, names)
  const gatewaysOf = Map.groupBy(gateways, (gateway) => gateway.az_id)
  for (const host of hosts) addPlacement(host, gatewaysOf.get(host.az_id) ?? [], connect)
  return { names, edges }
}

type Connect = (kind: EdgeKind, from: string, to: string) => void

function addFacility(
  zone: Snapshot['collections']['azs'][number],
  names: Map<string, string>,
  connect: Connect,
): void {
  const place = entityKey('Zone', zone.id)
  names.set(place, zone.display_name)
  const feeds = zone.power_feeds.map((feed) => {
    const key = entityKey('PowerFeed', feed.id)
    names.set(key, `power feed ${feed.feed} of ${zone.display_name}`)
    return key
  })
  const units = zone.cooling_units.map((unit) => {
    const key = entityKey('CoolingUnit', unit.id)
    names.set(key, `cooling unit ${unit.name}`)
    return key
  })
  for (const source of [...feeds, ...units]) connect('sum', source, place)
  for (const [index, feed] of feeds.entries()) {
    for (const other of feeds.toSpliced(index, 1)) connect('power', feed, other)
    for (const unit of units) connect('power', feed, unit)
  }
  for (const [index, unit] of units.entries()) {
    for (const feed of feeds) connect('sum', unit, feed)
    for (const other of units.toSpliced(index, 1)) connect('cooling', unit, other)
  }
  for (const rack of zone.racks) {
    const key = entityKey('Rack', rack.id)
    names.set(key, `rack ${rack.name} in ${zone.display_name}`)
    for (const feed of feeds) connect('power', feed, key)
    for (const unit of units) connect('cooling', unit, key)
    connect('sum', key, place)
  }
}

function addLinks(key: string, ports: readonly PortRecord[], connect: Connect): void {
  for (const { peer, cable_ids: cables } of ports) {
    // The far end of the link, panels passed over; it has the same of its own.
    if (peer !== null) connect('network', key, entityKey(peer.device_kind, peer.device_id))
    for (const cable of cables) {
      connect('network', key, entityKey('Cable', cable))
      connect('network', entityKey('Cable', cable), key)
    }
  }
}

function nameCables({ collections }: Snapshot, names: Map<string, string>): void {
  for (const { id, a, b } of collections.cables) {
    const ends = [a, b].filter((end) => end !== null)
    const texts = ends.map(({ device_kind: kind, device_id: device }) => entityKey(kind, device))
    names.set(entityKey('Cable', id), `cable ${texts.map((end) => names.get(end) ?? end).join('–')}`)
  }
}

/**
 * A customer also feels the switches before its hosts and the gateways of their zone directly: series of what lies
 * between may stay as they are.
 */
function addPlacement(host: HostRecord, gateways: readonly Pick<Device, 'id'>[], connect: Connect): void {
  const key = entityKey('Host', host.id)
  if (host.pool_id !== null) connect('sum', key, entityKey('Pool', host.pool_id))
  const peers = host.ports.flatMap(({ peer }) => (peer === null ? [] : [peer]))
  const nodes = new Set([
    key,
    ...peers.map((peer) => entityKey(peer.device_kind, peer.device_id)),
    ...gateways.map(({ id }) => entityKey('Gateway', id)),
  ])
  for (const customer of host.served_customer_ids)
    for (const node of nodes) {
      connect('placement', node, entityKey('Customer', customer))
      connect('placement', entityKey('Customer', customer), node)
    }
}

const singleLabels: Readonly<Record<string, string>> = {
  host: 'Host',
  switch: 'Switch',
  gateway: 'Gateway',
  appliance: 'Appliance',
  link: 'Cable',
  customer: 'Customer',
  rack: 'Rack',
  pool: 'Pool',
}

/** The names of power feeds are unique in a zone only. */
type FeedIds = ReadonlyMap<string, Int64>

export const feedIdsOf = ({ collections }: Snapshot): FeedIds =>
  new Map(
    collections.azs.flatMap((zone) =>
      zone.power_feeds.map((feed) => [`${zone.id} ${feed.feed}`, feed.id] as const),
    ),
  )

/** The entity that a series is about; null for one of the whole world, or of what is not in the graph. */
export function entityOfSeries(labels: string, feedIds: FeedIds): string | null {
  const found = new Map(Array.from(labels.matchAll(/(\w+)="([^"]*)"/g), ([, label, value]) => [label, value]))
  for (const [label, kind] of Object.entries(singleLabels))
    if (found.has(label) && !found.has('incident')) return entityKey(kind, found.get(label)!)
  const [device, zone] = [found.get('device'), found.get('az')]
  if (device !== undefined) return entityKey(found.get('device_kind')!, device)
  if (zone === undefined || found.has('incident')) return null
  const [unit, feed] = [found.get('unit'), found.get('feed')]
  if (unit !== undefined) return entityKey('CoolingUnit', unit)
  return feed === undefined
    ? entityKey('Zone', zone)
    : entityKey('PowerFeed', feedIds.get(`${zone} ${feed}`) ?? 0)
}
