import type {
  Accelerator,
  ApplianceKind,
  Arch,
  ServiceClass,
  SwitchRole,
} from '../../../contract/vocabularies.ts'
import type { Micros } from '../time.ts'

/**
 * The equipment of a world and its cabling, built from seed and scale. Later the operator's construction works append
 * rows and change some columns in place (construction/works.ts), and the facility sets `installed` when it replaces a
 * device. Tables are columns of equal length; an entity is a row, and its id is row + 1.
 */

export const idOf = (row: number): number => row + 1

/** Roles of ports by their position in the device hierarchy. */
export const portRoles = [
  'HostNic',
  'EdgeDown', // to hosts
  'EdgeUp', // to aggregation
  'AggregationDown',
  'AggregationUp', // to core
  'CoreDown',
  'CoreUp', // to firewalls
  'CorePeer', // to cores of other zones
  'CoreOneArm', // to an appliance that traffic passes through and returns from
  'ApplianceOutside', // of a firewall: to a gateway
  'ApplianceInside', // of a firewall: to a core
  'ApplianceOneArm', // of a scrubber, IPS or load balancer
  'GatewayLan', // to firewalls and scrubbers
  'GatewayWan', // to a carrier
  'CarrierPort', // a carrier's end of a WAN line
  'PanelFront', // cables pass through it; no cable ends there
] as const
export type PortRole = (typeof portRoles)[number]
export const portRole = Object.fromEntries(portRoles.map((role, index) => [role, index])) as Record<
  PortRole,
  number
>

/** Codes of device kinds in columns, in the order of the contract's `deviceKinds`. */
export const deviceKind = {
  Gateway: 0,
  Switch: 1,
  Appliance: 2,
  PatchPanel: 3,
  Host: 4,
  Upstream: 5,
} as const

export interface HostSku {
  readonly name: string
  readonly arch: Arch
  readonly accelerator: Accelerator | null
  readonly uSize: number
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly iops: number
  readonly vgpuSlices: number
  readonly gpuMemMb: number
  readonly nicGbps: number
  readonly nicCount: number
  readonly nicModuleSlots: number
  readonly idleWatts: number
  readonly busyWatts: number
  readonly priceDollars: number
  readonly mtbfHours: number
}

export interface NetworkSku {
  readonly name: string
  readonly uSize: number
  readonly fabricGbps: number
  readonly downGbps: number
  readonly upGbps: number
  readonly watts: number
  readonly priceDollars: number
  readonly opexDollars: number
  readonly mtbfHours: number
}

export interface PoolPlan {
  readonly name: string
  readonly arch: Arch
  readonly accelerator: Accelerator | null
  readonly dedicated: boolean
  readonly classes: readonly ServiceClass[]
  readonly overcommitTarget: number
  readonly overcommitMax: number
}

export interface Region {
  readonly name: string
}

export interface ZonePlan {
  readonly name: string
  readonly displayName: string
  readonly region: number
  /** Opening of the zone; negative before the world began. */
  readonly opened: Micros
  readonly racks: readonly number[]
  /** Rows of `feeds`: A, then B. */
  readonly feeds: readonly [number, number]
  readonly coolingUnits: readonly number[]
  readonly hosts: readonly number[]
  readonly edges: readonly number[]
  readonly aggregations: readonly number[]
  readonly cores: readonly number[]
  readonly gateways: readonly number[]
  readonly firewalls: readonly number[]
  readonly appliances: readonly number[]
  readonly panels: readonly number[]
}

export interface Column {
  /** Rows in use. Those of hosts and cables include removed ones: see their `rows`. */
  readonly count: number
  /** Length of the columns: the maximum number of rows. */
  readonly capacity: number
}

/** Typed columns of a table by name. Drafts of a table have lists of the same names. */
export interface ColumnTypes {
  readonly [name: string]: new (length: number) => TypedColumn
}
export type TypedColumn = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array
export type ColumnsOf<Types extends ColumnTypes> = {
  readonly [Name in keyof Types]: InstanceType<Types[Name]>
}

export const rackColumnTypes = {
  zone: Uint16Array,
  uSize: Uint8Array,
  usedU: Uint8Array,
  capacityKw: Float64Array,
} as const satisfies ColumnTypes

export interface RackTable extends Column, ColumnsOf<typeof rackColumnTypes> {
  readonly name: readonly string[]
  readonly hosts: readonly (readonly number[])[]
  readonly switches: readonly (readonly number[])[]
}

export interface FeedTable extends Column {
  readonly zone: Uint16Array
  /** 0 is A, 1 is B. */
  readonly side: Uint8Array
  readonly capacityKw: Float64Array
}

export interface CoolingTable extends Column {
  readonly name: readonly string[]
  readonly zone: Uint16Array
  readonly capacityKw: Float64Array
}

/** Columns of every rack-mounted device. */
export const deviceColumnTypes = {
  zone: Uint16Array,
  /** -1 outside of racks. */
  rack: Int32Array,
  startU: Uint8Array,
  uSize: Uint8Array,
  sku: Uint8Array,
  firstPort: Uint32Array,
  portCount: Uint16Array,
  /** Installation time of the device in place; negative before the world began. */
  installed: Float64Array,
} as const satisfies ColumnTypes

export interface DeviceTable extends Column, ColumnsOf<typeof deviceColumnTypes> {
  readonly name: readonly string[]
}

export interface HostTable extends DeviceTable {
  /** Hosts in place, ascending. A sold host keeps its row, so that its history remains readable. */
  readonly rows: readonly number[]
  readonly pool: Uint8Array
  readonly label: readonly string[]
}

export interface SwitchTable extends DeviceTable {
  readonly role: readonly SwitchRole[]
}

interface GatewayTable extends DeviceTable {
  readonly wanPorts: Uint16Array
  readonly lanPorts: Uint16Array
  /** Owned and enabled add-ons: bit n for the n-th of the contract's `securityAddons`. */
  readonly addons: Uint8Array
}

interface ApplianceTable extends DeviceTable {
  readonly kind: readonly ApplianceKind[]
  /** Whether it is attached to a gateway rather than in the traffic path. */
  readonly gatewayAddon: Uint8Array
  /** Owned functions: bit n for the n-th of the contract's `applianceFunctions`. */
  readonly functionsOwned: Uint8Array
  /** The enabled ones of these. */
  readonly functionsEnabled: Uint8Array
}

export const portColumnTypes = {
  role: Uint8Array,
  deviceKind: Uint8Array,
  /** Row of the device in the table of its kind; for a carrier's port, the row in `carriers`. */
  device: Uint32Array,
  index: Uint16Array,
  capacityGbps: Float64Array,
  /** Row of the cable plugged in; -1 for a free port. */
  cable: Int32Array,
  /** Row of the port at the far end, ignoring panels; -1 for a free port and for a panel's port. */
  peer: Int32Array,
  connector: Uint8Array,
} as const satisfies ColumnTypes

/** All ports of all devices; the ports of a device are consecutive. */
export interface PortTable extends Column, ColumnsOf<typeof portColumnTypes> {
  /** Number of ports on devices in place. */
  readonly inPlace: number
  readonly label: readonly string[]
}

export const cableColumnTypes = {
  a: Uint32Array,
  b: Uint32Array,
  /** Index in the contract's `cableKinds`. */
  kind: Uint8Array,
  color: Uint8Array,
  lengthM: Uint32Array,
  /** Row of the link aggregation group; -1 for none. */
  lag: Int32Array,
  /** Row of the breakout assembly; -1 for none. */
  breakout: Int32Array,
  draped: Uint8Array,
} as const satisfies ColumnTypes

export interface CableTable extends Column, ColumnsOf<typeof cableColumnTypes> {
  /** Cables in place, ascending. A removed cable keeps its row. */
  readonly rows: readonly number[]
  /** Panel ports along the cable: rows of `ports`, in order from end a. */
  readonly patchPanelPorts: readonly (readonly number[])[]
  readonly trays: readonly (readonly number[])[]
  readonly traySlots: readonly (readonly number[])[]
  readonly points: readonly (readonly (readonly number[])[])[]
}

export interface Topology {
  readonly scaleName: string
  readonly regions: readonly Region[]
  readonly zones: readonly ZonePlan[]
  /** Maximum number of zones, and the length of columns by zone. */
  readonly zoneCapacity: number
  readonly carriers: readonly string[]
  readonly pools: readonly PoolPlan[]
  readonly hostSkus: readonly HostSku[]
  readonly switchSkus: readonly NetworkSku[]
  readonly gatewaySkus: readonly NetworkSku[]
  readonly applianceSkus: readonly NetworkSku[]
  readonly panelSkus: readonly NetworkSku[]
  readonly racks: RackTable
  readonly feeds: FeedTable
  readonly coolingUnits: CoolingTable
  readonly hosts: HostTable
  readonly switches: SwitchTable
  readonly gateways: GatewayTable
  readonly appliances: ApplianceTable
  readonly panels: DeviceTable
  readonly ports: PortTable
  readonly cables: CableTable
  /** Increases when construction works change a table. Derived state is then rebuilt. */
  readonly version: number
}

export const ageOf = (table: DeviceTable, row: number, now: Micros): Micros => now - table.installed[row]

/** Whether a cable is in place, rather than removed with a host. */
export const isPlugged = ({ cables, ports }: Topology, cable: number): boolean =>
  ports.cable[cables.a[cable]] === cable
