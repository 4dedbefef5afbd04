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

/**
 * A place in a rack of row A, where the network of a zone comes together. Devices of a pair stand on different
 * sides, as far as there are two racks.
 */
export function placeInNetworkRow(draft: Draft, zoneRow: number, side: number, uSize: number): Standing {
  const zone = draft.zones[zoneRow]
  const wanted = zone.hosts.length > 20 ? 2 : 1
  const add = () => {
    const rack = addRack(draft, zoneRow, 0, zone.networkRacks.length, zone.opened)
    zone.networkRacks.push(rack)
    return rack
  }
  while (zone.networkRacks.length < wanted) add()
  for (let i = 0; i < zone.networkRacks.length; i++) {
    if (i % wanted !== side % wanted) continue
    const startU = takeFromAbove(draft.racks[zone.networkRacks[i]], uSize)
    if (startU !== null) return { rack: zone.networkRacks[i], startU }
  }
  let rack = add()
  while ((zone.networkRacks.length - 1) % wanted !== side % wanted) rack = add()
  const startU = takeFromAbove(draft.racks[rack], uSize)
  if (startU === null) throw new Error(`a device of ${uSize} units fits in no rack`)
  return { rack, startU }
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
