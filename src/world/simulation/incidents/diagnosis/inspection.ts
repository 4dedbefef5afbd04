import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { sameTarget, zonesOf } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { BlastRadius } from '../correlation/blast-radius.ts'
import type { Incident, RootCause } from '../model.ts'

/**
 * What an inspection establishes about the truth. Incident response does not know faults: it asks this port, which
 * the ground truth implements.
 */
export interface FaultInspector {
  /** Attributes each active fault to the incident that shows its consequences. */
  attribute(incidents: ReadonlyMap<number, Incident>): void
  /** The fault that an inspection of an incident finds; null if there is nothing to find. */
  inspect(incident: Incident): RootCause | null
  /** Attributes a fault to the incident whose cause it was confirmed to be. */
  attach(root: RootCause, incidentId: number): void
  /** Whether an active fault is attributed to an incident. */
  hasActive(incidentId: number): boolean
  /**
   * When the confirmed cause of an incident was over; null while it, or one more of its kind at the same part that the
   * incident shows, lasts.
   */
  endOf(incident: Incident): Micros | null
  /** Ended faults that were attributed to an incident, oldest first. */
  endedOf(incidentId: number): readonly RootCause[]
  /** Ends the attribution of active faults to an incident. */
  release(incidentId: number): void
}

const isFacility = ({ kind }: FaultTarget): boolean => kind === 'PowerFeed' || kind === 'CoolingUnit'

/** Whether an inspection that begins at `from`, and follows what depends on it, comes to a fault at `target`. */
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
