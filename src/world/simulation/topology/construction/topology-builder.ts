import type { ApplianceKind, SwitchRole } from '../../../../contract/vocabularies.ts'
import { connectors } from '../../../../contract/vocabularies.ts'
import type { ColumnTypes, HostSku, NetworkSku, PortRole, Region } from '../tables.ts'
import { cableColumnTypes, deviceColumnTypes, deviceKind, portColumnTypes, portRole } from '../tables.ts'

/** A topology under construction, with growable columns. */

/** Lists that fill the columns of a table. */
type Draft<Types extends ColumnTypes> = { readonly [Name in keyof Types]: number[] }

const draftOf = <Types extends ColumnTypes>(types: Types): Draft<Types> =>
  Object.fromEntries(Object.keys(types).map((name) => [name, [] as number[]])) as Draft<Types>

export type DeviceDraft = Draft<typeof deviceColumnTypes> & { readonly name: string[] }

const deviceDraft = (): DeviceDraft => ({ ...draftOf(deviceColumnTypes), name: [] })

export interface RackDraft {
  readonly name: string
  readonly zone: number
  readonly rowIndex: number
  readonly place: number
  readonly installed: number
  readonly hosts: number[]
  readonly switches: number[]
  /** Units used from the bottom and from the top. */
  usedBelow: number
  usedAbove: number
  /** Freed units among those used from the bottom, ascending. */
  freed: number[]
  /** Power draw of its devices at full load. */
  watts: number
  /** Capacity of its power supply; null if derived from its devices. */
  readonly supplyKw: number | null
}

export interface ZoneDraft {
  readonly name: string
  readonly displayName: string
  readonly region: number
  readonly opened: number
  /** Position of the site on the map, in meters. */
  readonly east: number
  readonly north: number
  readonly racks: number[]
  readonly networkRacks: number[]
  /** Racks of each row of hosts. */
  readonly rows: number[][]
  readonly hosts: number[]
  /** Hosts for which an added zone was planned; 0 for a zone of the beginning. */
  readonly hostsPlanned: number
  readonly edges: number[]
  readonly aggregations: number[]
  readonly cores: number[]
  readonly gateways: number[]
  readonly firewalls: number[]
  readonly appliances: number[]
  readonly panels: number[]
}

/** Ports of one role of a device: rows [`first`, `end`), of which [`next`, `end`) are free. */
interface Sockets {
  readonly first: number
  next: number
  readonly end: number
  /** Freed rows before `next`, ascending. */
  readonly freed: number[]
}

/** Edge switches have two kinds of host ports: whole ones, and lanes of breakout ports. */
export type SocketsByRole = Partial<Record<PortRole | 'EdgeLane', Sockets>>

export interface PortGroup {
  readonly role: PortRole
  readonly count: number
  readonly gbps: number
  /** Whether the ports are lanes of breakout ports, four each. */
  readonly lanes?: boolean
  readonly copper?: boolean
  readonly label: (position: number) => string
}

export interface TopologyDraft {
  readonly regions: Region[]
  readonly zones: ZoneDraft[]
  readonly racks: RackDraft[]
  readonly hostSkus: readonly HostSku[]
  readonly switchSkus: NetworkSku[]
  readonly gatewaySkus: NetworkSku[]
  readonly applianceSkus: NetworkSku[]
  readonly panelSkus: readonly NetworkSku[]
  readonly hosts: DeviceDraft & { readonly pool: number[]; readonly label: string[] }
  readonly switches: DeviceDraft & { readonly role: SwitchRole[]; readonly sockets: SocketsByRole[] }
  readonly gateways: DeviceDraft & {
    readonly wanPorts: number[]
    readonly lanPorts: number[]
    readonly addons: number[]
    readonly sockets: SocketsByRole[]
  }
  readonly appliances: DeviceDraft & {
    readonly kind: ApplianceKind[]
    readonly functionsOwned: number[]
    readonly functionsEnabled: number[]
    readonly sockets: SocketsByRole[]
  }
  readonly panels: DeviceDraft & { readonly sockets: SocketsByRole[] }
  readonly carriers: string[]
  readonly ports: Draft<typeof portColumnTypes> & { readonly label: string[] }
  readonly cables: Draft<typeof cableColumnTypes> & {
    readonly patchPanelPorts: (readonly number[])[]
    readonly trays: (readonly number[])[]
    readonly traySlots: (readonly number[])[]
    readonly points: (readonly (readonly number[])[])[]
  }
  lags: number
  breakouts: number
  /** Number of labels assigned in each pool. */
  readonly serials: number[]
}

export function createTopologyDraft(
  hostSkus: readonly HostSku[],
  panelSkus: readonly NetworkSku[],
): TopologyDraft {
  return {
    regions: [],
    zones: [],
    racks: [],
    hostSkus,
    switchSkus: [],
    gatewaySkus: [],
    applianceSkus: [],
    panelSkus,
    hosts: { ...deviceDraft(), pool: [], label: [] },
    switches: { ...deviceDraft(), role: [], sockets: [] },
    gateways: { ...deviceDraft(), wanPorts: [], lanPorts: [], addons: [], sockets: [] },
    appliances: { ...deviceDraft(), kind: [], functionsOwned: [], functionsEnabled: [], sockets: [] },
    panels: { ...deviceDraft(), sockets: [] },
    carriers: [],
    ports: { ...draftOf(portColumnTypes), label: [] },
    cables: { ...draftOf(cableColumnTypes), patchPanelPorts: [], trays: [], traySlots: [], points: [] },
    lags: 0,
    breakouts: 0,
    serials: [],
  }
}

type Connector = (typeof connectors)[number]

export function connectorOf(group: Pick<PortGroup, 'role' | 'gbps' | 'lanes' | 'copper'>): Connector {
  if (group.role === 'PanelFront') return 'LC'
  if (group.lanes) return group.gbps >= 100 ? 'QSFP-DD' : 'QSFP28'
  if (group.copper) return 'RJ45'
  if (group.gbps <= 10) return 'SFP+'
  if (group.gbps <= 25) return 'SFP28'
  return group.gbps <= 100 ? 'QSFP28' : 'QSFP-DD'
}

/** Adds the ports of a new device. Returns its free ports by role. */
export function addPorts(
  draft: TopologyDraft,
  kind: keyof typeof deviceKind,
  device: number,
  groups: readonly PortGroup[],
  firstIndex = 0,
): SocketsByRole {
  const { ports } = draft
  const sockets: SocketsByRole = {}
  let index = firstIndex
  for (const group of groups) {
    const connector = connectors.indexOf(connectorOf(group))
    const first = ports.role.length
    for (let position = 0; position < group.count; position++) {
      ports.role.push(portRole[group.role])
      ports.deviceKind.push(deviceKind[kind])
      ports.device.push(device)
      ports.index.push(index++)
      ports.capacityGbps.push(group.gbps)
      ports.cable.push(-1)
      ports.peer.push(-1)
      ports.label.push(group.label(position))
      ports.connector.push(connector)
    }
    const sort = group.role === 'EdgeDown' && group.lanes ? 'EdgeLane' : group.role
    sockets[sort] = { first, next: first, end: first + group.count, freed: [] }
  }
  return sockets
}

/** Takes the next free port of a role. Sizing gives every device enough ports. */
export function takeSocket(sockets: SocketsByRole, sort: keyof SocketsByRole): number {
  const group = sockets[sort]
  const freed = group?.freed.shift()
  if (freed !== undefined) return freed
  if (group === undefined || group.next === group.end) throw new Error(`no ${sort} port is left`)
  return group.next++
}

/** Frees the port of a removed cable. */
export function freeSocket(sockets: SocketsByRole, port: number): void {
  const group = Object.values(sockets).find(({ first, end }) => port >= first && port < end)
  group?.freed.push(port)
  group?.freed.sort((a, b) => a - b)
}

export const rackUnits = 42

/** Number of free units of a rack, adjacent or not. */
export const freeUnits = ({ usedBelow, usedAbove, freed }: RackDraft): number =>
  rackUnits - usedBelow - usedAbove + freed.length

export function addDevice(
  table: DeviceDraft,
  at: { zone: number; rack: number; startU: number; uSize: number },
  name: string,
  sku: number,
  installed: number,
): number {
  table.name.push(name)
  table.zone.push(at.zone)
  table.rack.push(at.rack)
  table.startU.push(at.startU)
  table.uSize.push(at.uSize)
  table.sku.push(sku)
  table.installed.push(installed)
  return table.name.length - 1
}

/** Takes units at the top of a rack and returns the lowest of them. The layout leaves enough room. */
export function takeTopUnits(rack: RackDraft, uSize: number): number {
  if (rack.usedBelow + rack.usedAbove + uSize > rackUnits) throw new Error(`rack ${rack.name} is full`)
  rack.usedAbove += uSize
  return rackUnits - rack.usedAbove + 1
}

/** The row of a model in a list of models, added if it is new. */
export function skuRow(skus: NetworkSku[], sku: NetworkSku): number {
  const known = skus.findIndex((other) => other.name === sku.name)
  return known === -1 ? skus.push(sku) - 1 : known
}
