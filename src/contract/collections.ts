import type { RecordValue } from './fields.ts'
import { CustomerSchema, ProspectSchema } from './records/customers.ts'
import type { DiagnosticsSchema } from './records/diagnostics.ts'
import {
  ApplianceSchema,
  CableSchema,
  GatewaySchema,
  PatchPanelSchema,
  SegmentSchema,
  SubnetSchema,
  SwitchSchema,
} from './records/network.ts'
import type { EngineEventSchema } from './records/operations.ts'
import { IncidentSchema, QuestSchema, WorkOrderSchema } from './records/operations.ts'
import { ZoneSchema } from './records/facility.ts'
import { HostSchema, HostPoolSchema } from './records/hosts.ts'
import type { WorldTotals } from './totals.ts'

/** The closed set of collections, each with the record that it holds. */
export const collections = {
  azs: ZoneSchema,
  customers: CustomerSchema,
  hostPools: HostPoolSchema,
  hosts: HostSchema,
  incidents: IncidentSchema,
  resolvedIncidents: IncidentSchema,
  gateways: GatewaySchema,
  cables: CableSchema,
  segments: SegmentSchema,
  subnets: SubnetSchema,
  appliances: ApplianceSchema,
  switches: SwitchSchema,
  patchPanels: PatchPanelSchema,
  prospects: ProspectSchema,
  quests: QuestSchema,
  workOrders: WorkOrderSchema,
} as const

export type CollectionName = keyof typeof collections
export const collectionNames = Object.keys(collections) as CollectionName[]

/** Every collection's records, each collection in ascending order of id. */
export type Collections = { [K in CollectionName]: RecordValue<(typeof collections)[K]>[] }

export type ZoneRecord = RecordValue<typeof ZoneSchema>
export type HostPoolRecord = RecordValue<typeof HostPoolSchema>
export type HostRecord = RecordValue<typeof HostSchema>
export type PortRecord = HostRecord['ports'][number]
export type GatewayRecord = RecordValue<typeof GatewaySchema>
export type SwitchRecord = RecordValue<typeof SwitchSchema>
export type ApplianceRecord = RecordValue<typeof ApplianceSchema>
export type ThreatRecord = GatewayRecord['threats'][number]
export type PatchPanelRecord = RecordValue<typeof PatchPanelSchema>
export type CableRecord = RecordValue<typeof CableSchema>
export type SegmentRecord = RecordValue<typeof SegmentSchema>
export type SubnetRecord = RecordValue<typeof SubnetSchema>
export type CustomerRecord = RecordValue<typeof CustomerSchema>
export type CustomerServiceRecord = CustomerRecord['services'][number]
export type ProspectRecord = RecordValue<typeof ProspectSchema>
export type IncidentRecord = RecordValue<typeof IncidentSchema>
export type WorkOrderRecord = RecordValue<typeof WorkOrderSchema>
export type QuestRecord = RecordValue<typeof QuestSchema>
export type EventRecord = RecordValue<typeof EngineEventSchema>
export type DiagnosticsRecord = RecordValue<typeof DiagnosticsSchema>

/** A part of a world that its source may not know. `simTime` is the simulated time of a snapshot. */
export type WorldPart = CollectionName | 'events' | 'diagnostics' | 'simTime'

/** The parts that are unknown, each with the reason as a sentence. Their lists are empty. */
export type UnknownParts = Readonly<Partial<Record<WorldPart, string>>>

export const nothingUnknown: UnknownParts = {}

/** A part in words, such as `patch panels`. */
export const partText = (part: string): string =>
  part === 'azs' ? 'zones' : part.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Why an upstream's record is left out. */
export type LeftOutReason = 'no_id' | 'same_id' | 'no_object'

/** The records of a list that are left out for one reason. */
export interface LeftOut {
  readonly part: WorldPart
  readonly reason: LeftOutReason
  readonly count: number
}

/** The number of recent events that a world retains. */
export const eventWindow = 120

/** A world at one instant, as a source provides it. The source may update records in place once they are encoded. */
export interface Snapshot {
  readonly simTimeNs: bigint
  readonly collections: Collections
  /** The most recent events, oldest first, at most `eventWindow` of them. */
  readonly events: readonly EventRecord[]
  /** `at_ns` of the newest event that has left the window; -1 if none has. */
  readonly newestEvictedNs: bigint
  readonly diagnostics: DiagnosticsRecord
  /** Totals since the world began. Updated in place. */
  readonly totals: WorldTotals
  /** Left out by a source that knows everything. */
  readonly unknown?: UnknownParts
  readonly leftOut?: readonly LeftOut[]
}

/** The collections whose records tell what happened. */
export const feedCollections = [
  'incidents',
  'resolvedIncidents',
  'workOrders',
] as const satisfies readonly CollectionName[]
export type FeedCollection = (typeof feedCollections)[number]

/** The part of a snapshot that tells what happened. */
export interface FeedSnapshot extends Pick<Snapshot, 'simTimeNs' | 'events' | 'newestEvictedNs'> {
  readonly collections: Pick<Collections, FeedCollection>
}
