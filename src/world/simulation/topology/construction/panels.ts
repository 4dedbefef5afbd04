import { patchPanelPorts } from '../catalog.ts'
import { pad2, zoneLetter } from '../names.ts'
import { mountInRack } from './device-placement.ts'
import type { Spot } from './geometry.ts'
import type { TopologyDraft } from './topology-builder.ts'
import { addDevice, addPorts, takeSocket } from './topology-builder.ts'

/** Patch panels, added on demand. */

/** Takes a free front port of a panel in the rack of a device, and adds a panel if necessary. */
export function takePanelPort(draft: TopologyDraft, near: Spot): number {
  const zone = draft.zones[near.zone]
  const standing = zone.panels.findLast((panel) => draft.panels.rack[panel] === near.rack)
  const sockets = standing === undefined ? undefined : draft.panels.sockets[standing].PanelFront
  if (sockets !== undefined && sockets.next < sockets.end) return sockets.next++
  return takeSocket(draft.panels.sockets[addPanel(draft, near)], 'PanelFront')
}

function addPanel(draft: TopologyDraft, near: Spot): number {
  const { panels } = draft
  const zone = draft.zones[near.zone]
  const sku = draft.zones[near.zone].hosts.length > 100 ? 1 : 0
  const at = mountInRack(draft, near.rack, 1)
  const rack = draft.racks[at.rack]
  const place = `${zone.name}-${zoneLetter(rack.rowIndex).toLowerCase()}${pad2(rack.place + 1)}`
  const nth = 1 + zone.panels.filter((panel) => panels.rack[panel] === at.rack).length
  const where = { zone: near.zone, rack: at.rack, startU: at.startU, uSize: 1 }
  panels.firstPort.push(draft.ports.role.length)
  panels.portCount.push(patchPanelPorts[sku])
  const row = addDevice(panels, where, `${place}-panel${nth}`, sku, rack.installed)
  const label = (position: number) => pad2(position + 1)
  const gbps = draft.panelSkus[sku].downGbps
  panels.sockets.push(
    addPorts(draft, 'PatchPanel', row, [{ role: 'PanelFront', count: patchPanelPorts[sku], gbps, label }]),
  )
  zone.panels.push(row)
  return row
}
