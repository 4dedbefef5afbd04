import type { CauseKind, ThreatClass } from '../../../contract/vocabularies.ts'
import type { RootCause } from '../incidents/model.ts'
import type { Micros } from '../time.ts'
import type { Rhythm } from './hazards/rhythm.ts'
import type { CustomerDefect } from '../tenants/tenant.ts'
import type { FaultTarget } from '../topology/fault-target.ts'

/** Something broken in truth. No record shows it until an incident confirms it. */
export interface Fault extends RootCause {
  readonly began: Micros
  ended: Micros | null
  /**
   * Severity in a unit that depends on the kind: a lost share, hostile traffic in the unit of its class, a factor on
   * demand, or the bit mask of feeds with a broken supply (1 for A, 2 for B).
   */
  readonly magnitude: number
  /** Position of the fault, from 0 to 1, where relevant; equal for faults with a common cause. */
  readonly place: number
  readonly attack: { readonly class: ThreatClass; readonly customerId: number } | null
  /** The phases of an intermittent fault; null for a permanent one. */
  readonly rhythm: Rhythm | null
  /** Whether an intermittent fault is in its dormant phase, without effect or evidence. */
  isDormant: boolean
  /** Time of the next change of phase; null for a permanent fault. */
  turnsAt: Micros | null
  /** The incident to which the fault is attributed; null before that. */
  incidentId: number | null
}

/** A fault about to begin. */
export interface FaultSpec {
  readonly kind: CauseKind
  readonly target: FaultTarget
  readonly magnitude: number
  /** Duration; null for a fault that lasts until its repair. */
  readonly lasts: Micros | null
  readonly attackClass?: ThreatClass
  /** Set for a fault at the position of another. */
  readonly place?: number
  /** Set for a fault that is recognized after its beginning. */
  readonly began?: Micros
  /** Set for an intermittent fault. */
  readonly rhythm?: Rhythm
}

/** The faults as other parts see them. */
export interface Faults {
  /** Ascending by id. */
  readonly active: readonly Fault[]
  /** The latest ended faults, oldest first. */
  readonly ended: readonly Fault[]
  /** Factor on the rate of all random faults; 0 disables them. */
  readonly randomFaultRate: number
  /** Increases when a fault of a customer begins or ends. */
  readonly customerVersion: number
  /** Share of a customer's requests that a defect of its own fails; 0 without it. */
  defectShare(customerId: number, defect: CustomerDefect): number
  /** Whether the repair of a fault ends another one. */
  isMendedWith(fault: Fault, other: Fault): boolean
  /** Whether any surge or traffic shaping is in force. */
  readonly isShapingDemand: boolean
  /** Factor of surges and traffic shaping on a customer's demand; 1 without either. */
  demandFactor(customerId: number): number
}

/** The interface to faults for scenarios and operations. */
export interface FaultControl {
  /** Factor on the rate of all random faults; 0 disables them. */
  randomFaultRate: number
  /** Begins a fault. */
  inject(spec: FaultSpec): Fault
  /** Ends a fault by repair. */
  repair(fault: Fault): void
  /** Resets the age and wear of a part replaced before its failure. */
  renew(target: FaultTarget): void
  /** Takes a host out of service for work, or returns it. */
  setMaintenance(host: number, isOut: boolean): void
  /** Drains a host for a campaign, or returns it; operators may end that before. */
  setCampaign(host: number, isOut: boolean): void
  /** Returns a host that is drained without work on it. */
  endCampaigns(host: number): void
}
