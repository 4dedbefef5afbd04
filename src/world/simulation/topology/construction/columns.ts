import type { DeviceDraft, TopologyDraft } from './topology-builder.ts'
import { freeUnits, rackUnits } from './topology-builder.ts'
import type {
  CableTable,
  Column,
  ColumnsOf,
  ColumnTypes,
  DeviceTable,
  HostTable,
  PortTable,
  RackTable,
  Topology,
  TypedColumn,
} from '../tables.ts'
import { cableColumnTypes, deviceColumnTypes, portColumnTypes, rackColumnTypes } from '../tables.ts'

/** Growable columns of tables: longer than the rows in use, and filled from the lists of a draft. */

export type GrowableTable<Table extends Column> = { -readonly [Key in keyof Table]: Table[Key] }

/** A table whose rows can be taken out of use. */
export type ShrinkableTable<Table extends Column & { readonly rows: readonly number[] }> = GrowableTable<
  Omit<Table, 'rows'>
> & { readonly rows: number[] }

/** Appends the rows from `from` to the last one in use. */
function appendRowsInPlace({ rows, count }: Column & { readonly rows: number[] }, from: number): void {
  for (let row = from; row < count; row++) rows.push(row)
}

function columns<Types extends ColumnTypes>(types: Types, capacity: number): ColumnsOf<Types> {
  return Object.fromEntries(
    Object.entries(types).map(([name, Type]) => [name, new Type(capacity)]),
  ) as ColumnsOf<Types>
}

/** Fills the rows of all columns from `from`. */
function fill(into: Readonly<Record<string, TypedColumn>>, from: number, draft: object): void {
  const lists = draft as Readonly<Record<string, readonly number[]>>
  for (const [name, column] of Object.entries(into)) {
    const values = lists[name]
    for (let row = from; row < values.length; row++) column[row] = values[row]
  }
}

const pick = (types: ColumnTypes, table: object): Record<string, TypedColumn> =>
  Object.fromEntries(Object.keys(types).map((name) => [name, (table as Record<string, TypedColumn>)[name]]))

const emptyDeviceTable = ({ name }: DeviceDraft, capacity: number): GrowableTable<DeviceTable> => ({
  count: 0,
  capacity,
  name,
  ...columns(deviceColumnTypes, capacity),
})

export function deviceTable(draft: DeviceDraft, capacity: number): GrowableTable<DeviceTable> {
  const table = emptyDeviceTable(draft, capacity)
  appendDevices(table, draft)
  return table
}

/** Appends the rows of a draft that the table does not have yet. */
export function appendDevices(table: GrowableTable<DeviceTable>, draft: DeviceDraft): void {
  fill(pick(deviceColumnTypes, table), table.count, draft)
  table.count = draft.name.length
}

const gatewayColumns = { wanPorts: Uint16Array, lanPorts: Uint16Array, addons: Uint8Array } as const
const applianceColumns = { functionsOwned: Uint8Array, functionsEnabled: Uint8Array } as const

export function gatewayTable(
  { gateways }: TopologyDraft,
  capacity: number,
): GrowableTable<Topology['gateways']> {
  const table = { ...emptyDeviceTable(gateways, capacity), ...columns(gatewayColumns, capacity) }
  appendGateways(table, gateways)
  return table
}

export function appendGateways(
  table: GrowableTable<Topology['gateways']>,
  gateways: TopologyDraft['gateways'],
): void {
  fill(pick(gatewayColumns, table), table.count, gateways)
  appendDevices(table, gateways)
}

export function applianceTable(
  { appliances }: TopologyDraft,
  capacity: number,
): GrowableTable<Topology['appliances']> {
  const own = { kind: appliances.kind, gatewayAddon: new Uint8Array(capacity) }
  const table = { ...emptyDeviceTable(appliances, capacity), ...columns(applianceColumns, capacity), ...own }
  appendAppliances(table, appliances)
  return table
}

export function appendAppliances(
  table: GrowableTable<Topology['appliances']>,
  appliances: TopologyDraft['appliances'],
): void {
  for (let row = table.count; row < appliances.kind.length; row++)
    table.gatewayAddon[row] = appliances.kind[row] === 'DdosScrubber' ? 1 : 0
  fill(pick(applianceColumns, table), table.count, appliances)
  appendDevices(table, appliances)
}

export function hostTable({ hosts }: TopologyDraft, capacity: number): ShrinkableTable<HostTable> {
  const own = { rows: [], pool: new Uint8Array(capacity), label: hosts.label }
  const table = { ...emptyDeviceTable(hosts, capacity), ...own }
  appendHosts(table, hosts)
  return table
}

export function appendHosts(table: ShrinkableTable<HostTable>, hosts: TopologyDraft['hosts']): void {
  const from = table.count
  appendDevices(table, hosts)
  for (let row = from; row < table.count; row++) table.pool[row] = hosts.pool[row]
  appendRowsInPlace(table, from)
}

export function portTable({ ports }: TopologyDraft, capacity: number): GrowableTable<PortTable> {
  const table = { count: 0, inPlace: 0, capacity, label: ports.label, ...columns(portColumnTypes, capacity) }
  appendPorts(table, ports)
  return table
}

export function appendPorts(table: GrowableTable<PortTable>, ports: TopologyDraft['ports']): void {
  fill(pick(portColumnTypes, table), table.count, ports)
  table.inPlace += ports.role.length - table.count
  table.count = ports.role.length
}

export function cableTable({ cables }: TopologyDraft, capacity: number): ShrinkableTable<CableTable> {
  const { patchPanelPorts, trays, traySlots, points } = cables
  const lists = { patchPanelPorts, trays, traySlots, points }
  const table = { count: 0, capacity, rows: [], ...lists, ...columns(cableColumnTypes, capacity) }
  appendCables(table, cables)
  return table
}

export function appendCables(table: ShrinkableTable<CableTable>, cables: TopologyDraft['cables']): void {
  const from = table.count
  fill(pick(cableColumnTypes, table), from, cables)
  table.count = cables.a.length
  appendRowsInPlace(table, from)
}

export type GrowingRacks = GrowableTable<RackTable> & {
  readonly name: string[]
  readonly hosts: (readonly number[])[]
  readonly switches: (readonly number[])[]
}

export function rackTable(draft: TopologyDraft, capacity: number): GrowingRacks {
  const lists = { name: [], hosts: [], switches: [] }
  const table: GrowingRacks = { count: 0, capacity, ...lists, ...columns(rackColumnTypes, capacity) }
  appendRacks(table, draft.racks)
  return table
}

export function appendRacks(table: GrowingRacks, racks: TopologyDraft['racks']): void {
  for (let row = table.count; row < racks.length; row++) {
    const { name, zone, hosts, switches, watts, supplyKw } = racks[row]
    table.name.push(name)
    table.hosts.push(hosts)
    table.switches.push(switches)
    table.zone[row] = zone
    table.uSize[row] = rackUnits
    table.capacityKw[row] = supplyKw ?? rackCapacityKw(watts)
  }
  table.count = racks.length
  for (let row = 0; row < racks.length; row++) table.usedU[row] = rackUnits - freeUnits(racks[row])
}

/** Power capacity of a rack: the smallest supply size that carries its devices at full load with 10 % headroom. */
function rackCapacityKw(watts: number): number {
  const needed = (watts / 1000) * 1.1
  return [4, 6, 8, 11, 15, 22, 30, 44, 60].find((supply) => supply >= needed) ?? Math.ceil(needed / 10) * 10
}
