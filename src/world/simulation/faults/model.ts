import type { CauseKind, ThreatClass } from '../../../contract/vocabularies.ts'
import type { RootCause } from '../incidents/model.ts'
import type { Micros } from '../time.ts'
import type { Rhythm } from './hazards/rhythm.ts'
import type { FaultTarget } from '../topology/fault-target.ts'

/** The condition of the equipment. It follows from the active faults and from wear; counts where faults may overlap. */
export interface Condition {
  /** Increases whenever a column other than wear has changed. */
  version: number
  readonly hostBroken: Uint8Array
  /** Of these faults, those in which the host still answers pings. */
  readonly hostHung: Uint8Array
  /** Out of service for work: drained, serves nothing, but is not a fault. */
  readonly hostMaintenance: Uint8Array
  /** Bit 0: the supply on feed A is broken; bit 1: the supply on feed B. */
  readonly hostSupplyBroken: Uint8Array
  readonly hostFanBroken: Uint8Array
  /** Dust or a fallen blanking panel keeps air from the host, although its fans turn. */
  readonly hostAirBlocked: Uint8Array
  readonly hostDiskBroken: Uint8Array
  /** Wear of a host's SSDs, from 0 (new) to 1 (worn out). */
  readonly hostWear: Float64Array
  readonly switchBroken: Uint8Array
  readonly switchSupplyBroken: Uint8Array
  /** Share of the fabric that is offline. */
  readonly switchFabricLost: Float64Array
  readonly switchStorm: Uint8Array
  readonly gatewayBroken: Uint8Array
  /** The gateway has withdrawn its routes by mistake. */
  readonly gatewayWithdrawn: Uint8Array
  /** Share of the forwarding ceiling that a misbehaving add-on takes. */
  readonly gatewayThrottle: Float64Array
  readonly applianceBroken: Uint8Array
  /** Share of good traffic that a wrong rule drops. */
  readonly applianceMisrule: Float64Array
  readonly feedBroken: Uint8Array
  readonly coolingBroken: Uint8Array
  /** Share of the capacity that a cooling unit has lost although it runs. */
  readonly coolingLost: Float64Array
  readonly cableCut: Uint8Array
  /** The place of the cut, from 0 to 1: the same for lines that were cut together. */
  readonly cableCutPlace: Float64Array
  /** Share of frames lost in the cable. */
  readonly cableLoss: Float64Array
  /** Share of frames lost at the port. */
  readonly portLoss: Float64Array
  readonly portFlapping: Uint8Array
  /** When a cooling unit was installed or last renewed. */
  readonly coolingInstalled: Float64Array
}

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
