import type { CauseKind, ThreatClass } from '../../../contract/vocabularies.ts'
import type { RootCause } from '../incidents/model.ts'
import type { Micros } from '../time.ts'
import type { Rhythm } from './hazards/rhythm.ts'
import type { FaultTarget } from '../topology/fault-target.ts'

/** Something broken in truth. No record shows it until an incident confirms it. */
export interface Fault extends RootCause {
  readonly began: Micros
  ended: Micros | null
  /**
   * How bad it is, in a unit that depends on the kind: a lost share, hostile traffic in the unit of its class, a factor
   * on demand, or the broken power supplies (1 that on feed A, 2 that on feed B, 3 both).
   */
  readonly magnitude: number
  /** Where it happened, from 0 to 1, as far as that matters: the same for what was hit together. */
  readonly place: number
  readonly attack: { readonly class: ThreatClass; readonly customerId: number } | null
  /** How an intermittent fault comes and goes; null for one that stays. */
  readonly rhythm: Rhythm | null
  /** Whether it rests now: it has no effect, and nothing shows it. */
  isDormant: boolean
  /** When it comes or goes next; null for one that stays. */
  turnsAt: Micros | null
  /** The incident that shows its consequences; null while there is none. */
  incidentId: number | null
}

/** A fault that is about to begin. */
export interface FaultSpec {
  readonly kind: CauseKind
  readonly target: FaultTarget
  readonly magnitude: number
  /** How long it lasts; null until it is repaired. */
  readonly lasts: Micros | null
  readonly attackClass?: ThreatClass
  /** Given if it happens where another fault did. */
  readonly place?: number
  /** Given if it is intermittent. */
  readonly rhythm?: Rhythm
}

/** The faults as other parts see them. */
export interface Faults {
  /** Ascending by id. */
  readonly active: readonly Fault[]
  /** The latest faults that have ended, oldest first. */
  readonly ended: readonly Fault[]
  /** The factor on the rate of all that happens at random; 0 if nothing does. */
  readonly randomFaultRate: number
  /** The factor on a customer's demand from surges and from shaping; 1 if there are none. */
  demandFactor(customerId: number): number
}

/** What scenarios and operations do to faults. */
export interface FaultControl {
  /** A factor on the rate of all faults that begin by themselves; 0 for none. */
  randomFaultRate: number
  /** Begins a fault. */
  inject(spec: FaultSpec): Fault
  /** Ends a fault by repair. */
  repair(fault: Fault): void
  /** Resets the age and wear of a part that was replaced before it broke. */
  renew(target: FaultTarget): void
  /** Takes a host out of service for work, or puts it back. */
  setMaintenance(host: number, isOut: boolean): void
}
