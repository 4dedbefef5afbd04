import type { RandomStream } from '../../random.ts'
import { hour } from '../../time.ts'
import type { DeviceDraft, TopologyDraft, PortGroup } from './topology-builder.ts'
import { addDevice, skuRow, takeTopUnits } from './topology-builder.ts'
import { addRack } from './layout.ts'
import type { NetworkSku } from '../tables.ts'

/** Placement of network devices in racks, and their installation dates. */

export interface MountPosition {
  readonly rack: number
  readonly startU: number
}

/** Takes the highest free units of a rack. */
export function mountInRack(draft: TopologyDraft, rack: number, uSize: number): MountPosition {
  return { rack, startU: takeTopUnits(draft.racks[rack], uSize) }
}

/** Number of hosts above which a zone has two network racks. */
const hostsForTwoNetworkRacks = 20

/** Takes a position in the network row (row A) of a zone. Devices of a pair are in different racks where possible. */
export function placeInNetworkRow(
  draft: TopologyDraft,
  zoneRow: number,
  side: number,
  uSize: number,
): MountPosition {
  const zone = draft.zones[zoneRow]
  const racks = Math.max(zone.hosts.length, zone.hostsPlanned) > hostsForTwoNetworkRacks ? 2 : 1
  while (zone.networkRacks.length < racks) {
    zone.networkRacks.push(addRack(draft, zoneRow, 0, zone.networkRacks.length, zone.opened))
  }
  return mountInRack(draft, zone.networkRacks[side % racks], uSize)
}

/** Network devices are as old as their zone or rack, except for some later replacements. */
function installedAround(since: number, ages: RandomStream): number {
  const factor = ages.chance(0.2) ? ages.uniform(0.05, 0.8) : ages.uniform(0.9, 1)
  return Math.round((since * factor) / hour) * hour
}

/** Adds a device of about its rack's age, or of exactly that age if `ages` is null. */
export function addNetworkDevice(
  draft: TopologyDraft,
  table: DeviceDraft,
  zone: number,
  at: MountPosition,
  name: string,
  skus: NetworkSku[],
  sku: NetworkSku,
  ages: RandomStream | null,
): number {
  const rack = draft.racks[at.rack]
  rack.watts += sku.watts
  table.firstPort.push(draft.ports.role.length)
  return addDevice(
    table,
    { zone, rack: at.rack, startU: at.startU, uSize: sku.uSize },
    name,
    skuRow(skus, sku),
    ages === null ? rack.installed : installedAround(rack.installed, ages),
  )
}

export const portSum = (groups: readonly PortGroup[]): number =>
  groups.reduce((sum, group) => sum + group.count, 0)
