import type {
  Band,
  Compliance,
  Lifecycle,
  RootKind,
  ServiceClass,
  ThreatClass,
  Tier,
} from '../contract/vocabularies.ts'
import type { TotalsLedger } from '../contract/totals.ts'
import type { EventLog } from './events.ts'
import type { FlowColumns } from './network/flow-columns.ts'
import type { HostileTraffic } from './network/hostile.ts'
import type { Routes } from './network/routing.ts'
import type { SaturationWatch } from './network/saturation.ts'
import type { Wiring } from './network/wiring.ts'
import type { Plant } from './plant/tables.ts'
import type { RandomStreams } from './random.ts'
import type { Micros } from './time.ts'

/**
 * What the parts of the world know of each other. Each block has one writer; everybody may read. What a part
 * needs for itself alone it keeps to itself. Rows are rows of the plant's tables.
 *
 * Order of a step: scenario and faults → physical (power, cooling, which devices and links are up) → routing →
 * demand and placement → attacks and flows → service quality → money → incidents → work → customers come and
 * go → quests → history. During a step `now` is the moment at which it begins.
 */

/** What is broken. Written by faults alone; a fault's end takes its mark away. Counts, where faults may overlap. */
export interface Condition {
  /** Goes up whenever a mark has changed: only then does network/ look at all of them again. */
  version: number
  readonly hostBroken: Uint8Array
  /** Taken out of service for work: drained, does not serve, is not a fault. */
  readonly hostMaintenance: Uint8Array
  /** Bit 0: supply on feed A broken; bit 1: on feed B. */
  readonly hostSupplyBroken: Uint8Array
  readonly hostFanBroken: Uint8Array
  readonly hostDiskBroken: Uint8Array
  /** 0 new … 1 worn out: the SSDs of a host. */
  readonly hostWear: Float64Array
  readonly switchBroken: Uint8Array
  readonly switchSupplyBroken: Uint8Array
  /** Share of the fabric that a firmware fault takes away. */
  readonly switchFabricLost: Float64Array
  readonly switchStorm: Uint8Array
  readonly gatewayBroken: Uint8Array
  /** The gateway has stopped announcing routes by mistake. */
  readonly gatewayWithdrawn: Uint8Array
  /** Share of the forwarding ceiling that a misbehaving add-on takes away. */
  readonly gatewayThrottle: Float64Array
  readonly applianceBroken: Uint8Array
  /** A wrong rule: share of good traffic that the appliance drops. */
  readonly applianceMisrule: Float64Array
  readonly feedBroken: Uint8Array
  readonly coolingBroken: Uint8Array
  readonly cableCut: Uint8Array
  /** Share of frames lost on the port (a dying transceiver, a bent fibre). */
  readonly portLoss: Float64Array
  readonly portFlapping: Uint8Array
  /** When a cooling unit was put in, or last renewed. Of devices, faults/ writes `installed` when it renews one. */
  readonly coolingInstalled: Float64Array
}

/** What follows for power, temperature and links. Written by network/physical.ts alone. */
export interface Physical {
  readonly hostFeeds: Uint8Array
  readonly hostPowered: Uint8Array
  /** Powered, not broken, not in maintenance, not shut down by heat. */
  readonly hostRunning: Uint8Array
  readonly hostCelsius: Float64Array
  readonly hostWatts: Float64Array
  /** Temperature forced it to shut down; it stays off until it is cool again. */
  readonly hostHeatTripped: Uint8Array
  /** So hot that it runs its processors slower: it does `throttledCpu` (network/power.ts) of its work. */
  readonly hostThrottled: Uint8Array
  readonly switchFeeds: Uint8Array
  readonly switchUp: Uint8Array
  readonly gatewayFeeds: Uint8Array
  readonly gatewayUp: Uint8Array
  readonly applianceFeeds: Uint8Array
  readonly applianceUp: Uint8Array
  /** Minutes without power since the device in place was installed; faults/ sets them back when it renews one. */
  readonly hostDarkMinutes: Uint32Array
  readonly switchDarkMinutes: Uint32Array
  readonly feedLive: Uint8Array
  readonly feedLoadKw: Float64Array
  readonly rackInletCelsius: Float64Array
  readonly rackWatts: Float64Array
  /** The breakers of the rack opened because the surviving feed was overloaded: nothing in it has power. */
  readonly rackTripped: Uint8Array
  /** The air of the zone, between racks. */
  readonly zoneCelsius: Float64Array
  readonly zoneCoolingCapacityKw: Float64Array
  readonly zoneHeatKw: Float64Array
  /** The link of a port carries traffic. */
  readonly portUp: Uint8Array
  /** How many links lose frames. */
  lossyPorts: number
  readonly portFlaps: Float64Array
  readonly portErrors: Float64Array
  readonly wiring: Wiring
  /** Goes up whenever a device or link comes up or goes down: routing is then made anew. */
  topologyVersion: number
}

/** Where traffic goes and what is lost. Written by network/routing.ts and network/flows.ts alone. */
export interface Network {
  /** The host runs and at least one path from a gateway of its zone that announces routes leads to it. */
  readonly hostReachable: Uint8Array
  /** Running and reachable from other hosts of the zone. */
  readonly hostConnected: Uint8Array
  /** Share of good traffic that gets through, users to host and host to users. */
  readonly hostDeliveredIn: Float64Array
  readonly hostDeliveredOut: Float64Array
  /** Milliseconds that queues on full links, inspection and detours add on the way. */
  readonly hostQueueMs: Float64Array
  readonly hostInspectionMs: Float64Array
  readonly portTxGbps: Float64Array
  readonly portRxGbps: Float64Array
  /** Up to date after `countBytes` (network/counters.ts), which whoever reads them calls before. */
  readonly portTxBytes: Float64Array
  readonly portRxBytes: Float64Array
  /** Traffic that did not fit on the link, in the direction out of the port. */
  readonly portDroppedGbps: Float64Array
  readonly switchFabricGbps: Float64Array
  /** Traffic that did not fit in the fabric of the device; with appliances, also what wrong rules refused. */
  readonly switchDroppedGbps: Float64Array
  readonly gatewayFabricGbps: Float64Array
  readonly gatewayDroppedGbps: Float64Array
  readonly gatewayCeilingGbps: Float64Array
  readonly applianceFabricGbps: Float64Array
  readonly applianceDroppedGbps: Float64Array
  /** Good traffic that wrong rules refused. */
  readonly applianceRefusedGbps: Float64Array
  readonly gatewayAdvertising: Uint8Array
  readonly zoneWanInGbps: Float64Array
  readonly zoneWanOutGbps: Float64Array
  readonly zoneEastWestGbps: Float64Array
  readonly zoneDroppedGbps: Float64Array
  /** Share of the forwarding ceiling of a gateway that add-ons take away. */
  readonly gatewayThrottle: Float64Array
  /** The paths that traffic takes. */
  readonly routes: Routes
  /** Working columns of network/flows.ts. */
  readonly flows: FlowColumns
  /** Good traffic that came in over a WAN port and was dropped before its host. */
  lostInsideGbps: number
  readonly saturation: SaturationWatch
  /** Steps whose bytes are not counted yet. */
  uncountedSteps: number
}

/** What hosts are asked to carry. Written by customers/ alone, before the flows of the step. */
export interface HostLoad {
  /** Good traffic wanted from and to users, at hosts that are reachable. */
  readonly wantedInGbps: Float64Array
  readonly wantedOutGbps: Float64Array
  /** Traffic wanted to other hosts of the zone (and as much from them). */
  readonly wantedEastWestGbps: Float64Array
  readonly cpuDemandMilli: Float64Array
  readonly cpuUsedMilli: Float64Array
  readonly allocatedMilli: Float64Array
  readonly allocatedMemMb: Float64Array
  readonly allocatedSsdGb: Float64Array
  readonly allocatedSlices: Float64Array
  readonly iopsUsed: Float64Array
  readonly unitCount: Uint32Array
  /** Units on a host that cannot serve them now. */
  readonly strandedUnits: Uint32Array
  /** CPU wanted over physical CPU. */
  readonly contention: Float64Array
  /** Goes up whenever traffic that is wanted has changed; while it stays, flows need not be made anew for it. */
  version: number
}

export const threatClassCount = 5

/** Hostile traffic. Written by network/security.ts alone. Natural units of each class (contract `threatUnits`). */
export interface Threats {
  /** [gateway row * threatClassCount + class] */
  readonly gatewayReaching: Float64Array
  readonly gatewayMitigated: Float64Array
  readonly gatewayCapacity: Float64Array
  readonly applianceReaching: Float64Array
  readonly applianceMitigated: Float64Array
  readonly applianceCapacity: Float64Array
  /** Hostile traffic in Gbit/s that entered through WAN ports, by gateway. */
  readonly gatewayHostileInGbps: Float64Array
  /** The attacks of this step, for network/flows.ts. */
  readonly hostile: HostileTraffic
  /** What got through to customers now, by customer id. Empty where nothing did. */
  readonly residual: Map<number, ResidualAttack>
}

export interface ResidualAttack {
  readonly class: ThreatClass
  /** In the natural unit of the class. */
  readonly magnitude: number
  readonly gbps: number
  /** Requests a second that waste the customer's CPU. */
  readonly requests: number
  /** Whether intruders are inside. */
  readonly breach: boolean
}

/** A customer, as the other parts see it. Written by customers/ alone. */
export interface Tenant {
  readonly id: number
  readonly name: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly classes: readonly ServiceClass[]
  readonly multiZone: boolean
  readonly dedicatedHosts: boolean
  lifecycle: Lifecycle
  /** Hosts with units of it (rows), ascending, and how many units each; replaced when placement changes. */
  hosts: Int32Array
  hostUnits: Int32Array
  requestedUnits: number
  placedUnits: number
  strandedUnits: number
  revenuePerHour: number
  requestsPerSecond: number
  /** What its users ask for at this hour of any week and season; 0 before they have come. */
  usualRequestsPerSecond: number
  /** Share of requests that fail now. */
  failing: number
  p99Ms: number
  p99BudgetMs: number
  satisfaction: number
  /** Something promised to be redundant is not: two zones, spread over racks, replicas. */
  redundancyBroken: boolean
  breached: boolean
  /** Good traffic carried now; of all customers, what gateways exchange with carriers but for attacks. */
  servedInGbps: number
  servedOutGbps: number
  /** Good traffic wanted now, both ways, that did not get through. */
  unservedGbps: number
}

export interface Tenants {
  /** Those who are with us, ascending by id. */
  active: readonly Tenant[]
  byId: ReadonlyMap<number, Tenant>
  /** Goes up when placement or the set of customers changes. */
  version: number
  /** Customers with units on a host (ids, ascending); replaced when placement changes. */
  onHost(host: number): readonly number[]
  /** Onboarding is done: the customer goes live. Called by work. */
  goLive(customerId: number): void
}

/** A fault: the truth that no record tells until it is confirmed. Written by faults/ alone. */
export interface Fault {
  readonly id: number
  readonly kind: RootKind
  readonly target: FaultTarget
  readonly began: Micros
  /** When it ends by itself; null where somebody must repair it. */
  readonly endsBy: Micros | null
  ended: Micros | null
  /**
   * How bad, by kind: share lost, hostile traffic in the unit of its class, factor on demand; of a power supply
   * failure which supplies, 1 that on feed A, 2 that on feed B, 3 both.
   */
  readonly magnitude: number
  readonly attack: { readonly class: ThreatClass; readonly customerId: number } | null
  /** The incident that was opened for its consequences; null while none was. */
  incidentId: number | null
}

export type FaultTarget =
  | {
      readonly kind:
        | 'Host'
        | 'Switch'
        | 'Gateway'
        | 'Appliance'
        | 'Cable'
        | 'Port'
        | 'PowerFeed'
        | 'CoolingUnit'
      readonly row: number
    }
  | { readonly kind: 'Customer'; readonly id: number }
  | { readonly kind: 'Pool'; readonly row: number }

/** What a scenario or the wear of things asks for. */
export interface FaultOrder {
  readonly kind: RootKind
  readonly target: FaultTarget
  readonly magnitude: number
  /** How long it lasts; null where somebody must repair it. */
  readonly lasts: Micros | null
  readonly attackClass?: ThreatClass
}

export interface Faults {
  /** Those that have not ended, ascending by id. */
  readonly active: Fault[]
  /** Those that have, oldest first; the newest 2,000 are kept for tests. */
  readonly ended: Fault[]
  /** A factor on the rate at which things fail, customers are attacked and demand surges by itself; 0 for none. */
  spontaneity: number
  /** A factor on the demand of a customer, from surges; 1 where none. */
  demandFactor(customerId: number): number
}

/** An incident, as work, zones and quests see it. Written by faults/ alone. */
export interface IncidentView {
  readonly id: number
  readonly opened: Micros
  band: Band
  confirmed: boolean
  rootKind: RootKind
  revenueAtRiskPerHour: number
  /** What the leading suspicion points at. */
  suspect: FaultTarget | null
  /** Zone rows of its symptoms and suspects. */
  zones: readonly number[]
  /** Work adds the orders that follow its diagnosis. */
  workOrderIds: number[]
}

/** What work does for the other parts. */
export interface WorkDesk {
  /** Orders work for an incident: first a diagnosis, then what it calls for. Gives the order's id. */
  orderForIncident(incident: IncidentView): number
  /** Orders a customer's onboarding; the customer goes live when it is done. */
  orderOnboarding(customerId: number, units: number): number
  /** Orders upkeep of a worn part before it breaks. */
  orderUpkeep(target: FaultTarget, reason: string): number
  readonly staffCount: number
  staffOnShift(now: Micros): number
  readonly openOrders: number
  /** Wages and spare parts, dollars a simulated hour, lately. */
  costPerHour: number
}

/** What work may ask of faults when a step of an order is done. */
export interface FaultDesk {
  /** Begins a fault now. */
  inject(order: FaultOrder): Fault
  /**
   * What an inspection finds out: the truth about the incident's cause, which is confirmed by it. Whoever looks at
   * one thing alone may find that the cause is elsewhere; that thing is then ruled out.
   */
  diagnose(incidentId: number, from: FaultTarget | null): Fault | 'elsewhere' | null
  /** Ends a fault by repair. */
  repair(fault: Fault): void
  /** A part was renewed by upkeep: its wear starts again. */
  renew(target: FaultTarget): void
  /** Takes a host out of service for work (`Condition.hostMaintenance`), or puts it back. */
  maintain(host: number, out: boolean): void
  /** Work tells how it goes, for the timeline of the incident it serves. Unknown or resolved incidents are passed over. */
  noteWork(
    incidentId: number,
    workOrderId: number,
    what: 'WorkStarted' | 'WorkBlocked' | 'WorkDone',
    detail: string,
  ): void
}

export interface Money {
  /** Dollars since the world began. */
  revenue: number
  directCost: number
  facilityCost: number
  transitCost: number
  addonCost: number
  credits: number
  bonuses: number
  evictionFees: number
  revenuePerHour: number
  costPerHour: number
}

export interface WorldState {
  readonly plant: Plant
  readonly random: RandomStreams
  readonly events: EventLog
  /** What was counted since the world began: incidents by faults/, events by the log itself. */
  readonly totals: TotalsLedger
  /** The moment at which the present step begins; between steps, at which the last one ended. */
  now: Micros
  tick: number
  readonly condition: Condition
  readonly physical: Physical
  readonly network: Network
  readonly load: HostLoad
  readonly threats: Threats
  readonly money: Money
  tenants: Tenants
  faults: Faults & FaultDesk
  incidents: ReadonlyMap<number, IncidentView>
  work: WorkDesk
}
