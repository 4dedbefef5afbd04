import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { sameTarget, zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { BlastRadius } from '../correlation/blast-radius.ts'
import { isFacility } from '../correlation/path.ts'
import type { Incident, RootCause } from '../model.ts'

/**
 * The results of inspections. Incident response does not know faults: it queries this port, implemented by the ground
 * truth.
 */
export interface FaultInspector {
  /** Attributes each active fault to the incident of its consequences. */
  attribute(incidents: ReadonlyMap<number, Incident>): void
  /** The fault found by an inspection of an incident; null if there is none to find. */
  inspect(incident: Incident): RootCause | null
  /** Attributes a fault to the incident that it was confirmed to cause. */
  attach(root: RootCause, incidentId: number): void
  /** Whether an active fault is attributed to an incident. */
  hasActive(incidentId: number): boolean
  /**
   * End of an incident's confirmed causes; null while one is active, or another fault of the root cause's kind at the
   * same part with symptoms in the incident.
   */
  endOf(incident: Incident): Micros | null
  /** Ended faults attributed to an incident, oldest first. */
  endedOf(incidentId: number): readonly RootCause[]
  /** Removes the attribution of active faults to an incident. */
  release(incidentId: number): void
}

/** Whether an inspection that starts at `from`, and follows its dependents, reaches a fault at `target`. */
export function isInSight(
  world: ObservedWorld,
  blastRadius: BlastRadius,
  from: FaultTarget,
  target: FaultTarget,
): boolean {
  if (from.kind === 'Customer' || sameTarget(from, target)) return true
  if (from.kind === 'Host') return blastRadius.reachOf(target)(from.row)
  if (from.kind === 'Pool') {
    return (
      (target.kind === 'Host' || target.kind === 'Customer') &&
      Array.from(blastRadius.hostsOf(target)).some(blastRadius.reachOf(from))
    )
  }
  if (isFacility(from) && !isFacility(target)) return false
  const zones = zonesOf(world, target)
  return zonesOf(world, from).some((zone) => zones.includes(zone))
}
