import type { RecordOf } from './fields.ts'
import { Customer, Prospect } from './records/customers.ts'
import type { Diagnostics } from './records/diagnostics.ts'
import { Appliance, Cable, Gateway, PatchPanel, Segment, Subnet, Switch } from './records/network.ts'
import type { EngineEvent } from './records/operations.ts'
import { Incident, Quest, WorkOrder } from './records/operations.ts'
import { Host, HostPool, Zone } from './records/plant.ts'
import type { WorldTotals } from './totals.ts'

/** The closed set of collections, each with the record that it holds. */
export const collections = {
  azs: Zone,
  customers: Customer,
  hostPools: HostPool,
  hosts: Host,
  incidents: Incident,
  resolvedIncidents: Incident,
  gateways: Gateway,
  cables: Cable,
  segments: Segment,
  subnets: Subnet,
  appliances: Appliance,
  switches: Switch,
  patchPanels: PatchPanel,
  prospects: Prospect,
  quests: Quest,
  workOrders: WorkOrder,
} as const

export type CollectionName = keyof typeof collections
export const collectionNames = Object.keys(collections) as CollectionName[]

/** Every collection's records, each collection in ascending order of id. */
export type Collections = { [K in CollectionName]: RecordOf<(typeof collections)[K]>[] }

export type ZoneRecord = RecordOf<typeof Zone>
export type HostPoolRecord = RecordOf<typeof HostPool>
export type HostRecord = RecordOf<typeof Host>
export type PortRecord = HostRecord['ports'][number]
export type GatewayRecord = RecordOf<typeof Gateway>
export type SwitchRecord = RecordOf<typeof Switch>
export type ApplianceRecord = RecordOf<typeof Appliance>
export type ThreatRecord = GatewayRecord['threats'][number]
export type PatchPanelRecord = RecordOf<typeof PatchPanel>
export type CableRecord = RecordOf<typeof Cable>
export type SegmentRecord = RecordOf<typeof Segment>
export type SubnetRecord = RecordOf<typeof Subnet>
export type CustomerRecord = RecordOf<typeof Customer>
export type CustomerServiceRecord = CustomerRecord['services'][number]
export type ProspectRecord = RecordOf<typeof Prospect>
export type IncidentRecord = RecordOf<typeof Incident>
export type WorkOrderRecord = RecordOf<typeof WorkOrder>
export type QuestRecord = RecordOf<typeof Quest>
export type EventRecord = RecordOf<typeof EngineEvent>
export type DiagnosticsRecord = RecordOf<typeof Diagnostics>

/** How many of the most recent events a world keeps. */
export const eventWindow = 120

/** A world at one instant, as a source hands it over. Records may be updated in place after they were encoded. */
export interface Snapshot {
  readonly simTimeNs: bigint
  readonly collections: Collections
  /** The most recent events, oldest first, at most `eventWindow` of them. */
  readonly events: readonly EventRecord[]
  /** `at_ns` of the newest event that has left the window; -1 while none has. */
  readonly newestEvictedNs: bigint
  readonly diagnostics: DiagnosticsRecord
  /** What was counted since the world began. Updated in place. */
  readonly totals: WorldTotals
}
