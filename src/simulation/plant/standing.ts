import type { RandomStream } from '../random.ts'
import { hour } from '../time.ts'
import { addDevice, type DeviceDraft, type Draft, type PortGroup, skuRow, takeFromAbove } from './draft.ts'
import { addRack } from './layout.ts'
import type { NetworkSku } from './tables.ts'

/** Where network devices stand, and since when. */

export interface Standing {
  readonly rack: number
  readonly startU: number
}

/** The highest units of a rack that are free. */
export function standInRack(draft: Draft, rack: number, uSize: number): Standing {
  return { rack, startU: takeFromAbove(draft.racks[rack], uSize) }
}

/** A zone of more hosts than this has two racks for its network. */
const hostsForTwoNetworkRacks = 20

/**
 * A place in a rack of row A, where the network of a zone comes together. Devices of a pair stand in different
 * racks, where there are two.
 */
export function standInNetworkRow(draft: Draft, zoneRow: number, side: number, uSize: number): Standing {
  const zone = draft.zones[zoneRow]
  const racks = zone.hosts.length > hostsForTwoNetworkRacks ? 2 : 1
  while (zone.networkRacks.length < racks) {
    zone.networkRacks.push(addRack(draft, zoneRow, 0, zone.networkRacks.length, zone.opened))
  }
  return standInRack(draft, zone.networkRacks[side % racks], uSize)
}

/** Network devices came with the zone or the rack; some have been exchanged since. */
function installedAround(since: number, ages: RandomStream): number {
  const factor = ages.chance(0.2) ? ages.uniform(0.05, 0.8) : ages.uniform(0.9, 1)
  return Math.round((since * factor) / hour) * hour
}

export function addNetworkDevice(
  draft: Draft,
  table: DeviceDraft,
  zone: number,
  at: Standing,
  name: string,
  skus: NetworkSku[],
  sku: NetworkSku,
  ages: RandomStream,
): number {
  const rack = draft.racks[at.rack]
  rack.watts += sku.watts
  table.firstPort.push(draft.ports.role.length)
  return addDevice(
    table,
    { zone, rack: at.rack, startU: at.startU, uSize: sku.uSize },
    name,
    skuRow(skus, sku),
    installedAround(rack.installed, ages),
  )
}

export const portSum = (groups: readonly PortGroup[]): number =>
  groups.reduce((sum, group) => sum + group.count, 0)
