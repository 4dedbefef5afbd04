import type { TotalsLedger } from '../../contract/totals.ts'
import type { EventLog } from './events.ts'
import type { Threats } from './network/threats/hostile-traffic.ts'
import type { FaultControl, Faults } from './faults/model.ts'
import type { Condition } from './faults/condition.ts'
import type { IncidentControl, IncidentSummary } from './incidents/model.ts'
import type { FacilityState, FacilityView } from './facility/state.ts'
import type { NetworkState, NetworkView } from './network/state.ts'
import type { Topology } from './topology/tables.ts'
import type { Money } from './tenants/billing/money.ts'
import type { HostLoad } from './tenants/host-load.ts'
import type { Tenants } from './tenants/tenant.ts'
import type { OperationsView } from './operations/work-order.ts'
import type { View } from './part.ts'
import type { RandomStreams } from './random.ts'
import type { Micros } from './time.ts'

/**
 * The world as its parts share it. Every block has one owner, which alone writes it; the blocks of facility and
 * network are typed as read-only views for all other parts. What a part needs for itself alone stays out of its
 * view. Rows are rows of the topology's tables. During a step, `now` is the moment at which the step begins.
 */

/** What the parts that compute on demand offer each other. */
export interface PartViews {
  tenants: Tenants
  faults: Faults & FaultControl
  incidents: ReadonlyMap<number, IncidentSummary>
  incidentControl: IncidentControl
  operations: OperationsView
}

export interface WorldView extends Readonly<PartViews> {
  readonly topology: Topology
  readonly random: RandomStreams
  readonly events: EventLog
  /** Totals since the world began, of incidents and events. */
  readonly totals: TotalsLedger
  /** The moment at which the present step begins; between steps, at which the last one ended. */
  readonly now: Micros
  readonly tick: number
  readonly condition: Condition
  readonly facility: FacilityView
  readonly network: NetworkView
  readonly load: View<HostLoad>
  readonly threats: Threats
  readonly money: View<Money>
}

/** The world as the owner of some of its blocks sees it: these are writable, everything else is read-only. */
export type WorldWith<Blocks> = Omit<WorldView, keyof Blocks> & Blocks

export type FacilityWorld = WorldWith<{ readonly facility: FacilityState }>

export type NetworkWorld = WorldWith<{ readonly network: NetworkState }>

/** Traffic and what stops hostile traffic on its way are settled together, so the flow passes write both. */
export type TrafficWorld = WorldWith<{ readonly network: NetworkState; readonly threats: Threats }>

/** The world as monitoring measures it. Which faults there are, and what operators do about them, are not part of it. */
export type ObservedWorld = Omit<
  WorldView,
  'faults' | 'incidents' | 'incidentControl' | 'operations' | 'money'
>

/** What makes a fault more or less likely. */
export type HazardWorld = Pick<
  WorldView,
  'topology' | 'random' | 'now' | 'tick' | 'condition' | 'facility' | 'load' | 'threats' | 'tenants'
>
