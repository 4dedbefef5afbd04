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
 * The world as shared between its parts. Every block has one owner, the only writer; other parts see the blocks of
 * facility and network through read-only views. State that only its owner needs stays out of the view. Rows are rows
 * of the topology's tables. During a step, `now` is the start of that step.
 */

/** The interfaces between parts that compute on demand. */
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
  /** Totals of incidents and events since the world began. */
  readonly totals: TotalsLedger
  /** Start of the current step; between steps, end of the last one. */
  readonly now: Micros
  readonly tick: number
  /**
   * From when on a team works on incidents, and operators only observe: such a world is blind, so that nothing that is
   * published names a cause. Null in any other world.
   */
  readonly handover: Micros | null
  readonly condition: Condition
  readonly facility: FacilityView
  readonly network: NetworkView
  readonly load: View<HostLoad>
  readonly threats: Threats
  readonly money: View<Money>
}

/** The world for the owner of some blocks: those are writable, everything else is read-only. */
export type WorldWith<Blocks> = Omit<WorldView, keyof Blocks> & Blocks

export type FacilityWorld = WorldWith<{ readonly facility: FacilityState }>

export type NetworkWorld = WorldWith<{ readonly network: NetworkState }>

/** The flow passes write both blocks: they settle traffic and the mitigation of hostile traffic together. */
export type TrafficWorld = WorldWith<{ readonly network: NetworkState; readonly threats: Threats }>

/** The world as monitoring measures it, without faults and without the work of operators. */
export type ObservedWorld = Omit<
  WorldView,
  'faults' | 'incidents' | 'incidentControl' | 'operations' | 'money'
>

/** The parts of the world that failure rates depend on. */
export type HazardWorld = Pick<
  WorldView,
  'topology' | 'random' | 'now' | 'tick' | 'condition' | 'facility' | 'load' | 'threats' | 'tenants'
>
