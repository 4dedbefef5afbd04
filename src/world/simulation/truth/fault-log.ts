import type { Fault, Faults } from '../faults/model.ts'
import { activeTruths } from './truth.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Incident } from '../incidents/model.ts'
import { isDue, schedule } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { hour, minute } from '../time.ts'

/** A fault with all its consequences. */
export interface FaultRecord {
  readonly fault: Fault
  /** Wall time of its beginning, in seconds since 1970. */
  readonly beganWallSeconds: number
  endedWallSeconds: number | null
  /** Incidents that were attributed to it, or that it was confirmed to cause. */
  readonly incidents: Set<Incident>
  /** Names of the affected customers, by id. */
  readonly customers: Map<number, string>
  revenueHurt: number
}

interface FaultLogState {
  /** Faults that are active or have unresolved incidents, by id. */
  readonly open: Map<number, FaultRecord>
}

export interface FaultLog {
  readonly state: FaultLogState
  /** Records the consequences of faults. Returns the records that are now complete. */
  step(): readonly FaultRecord[]
}

/** Converts simulated time to wall time in seconds since 1970. */
export type WallClock = (at: Micros) => number

/** Time after a fault's end during which an incident may still be attributed to it. */
const settlingTime: Micros = 10 * minute
/** Maximum wait for the incidents of an ended fault. */
const waitMax: Micros = 3 * hour

interface LoggedParts {
  readonly faults: Faults
  readonly incidents: Incidents
  readonly blastRadius: BlastRadius
}

/** Follows every fault from its beginning to the resolution of its incidents, without effects on the world. */
export function createFaultLog(world: WorldView, parts: LoggedParts, wallOf: WallClock): FaultLog {
  const { faults, incidents } = parts
  const state: FaultLogState = { open: new Map() }
  const { open } = state
  const isComplete = ({ fault, incidents: own }: FaultRecord): boolean => {
    if (fault.ended === null) return false
    const since = world.now - fault.ended
    return (
      since >= settlingTime && (since >= waitMax || own.values().every(({ resolved }) => resolved !== null))
    )
  }
  return {
    state,
    step() {
      for (const fault of faults.active) if (!open.has(fault.id)) open.set(fault.id, begun(fault, wallOf))
      if (!isDue(schedule.faultLog, world.tick)) return []
      noteHarm(world, parts, open)
      noteIncidents([...incidents.state.open.values(), ...incidents.state.resolved.slice(-recentMax)], open)
      const complete: FaultRecord[] = []
      for (const [id, record] of open) {
        const { ended } = record.fault
        // The wall clock may have jumped back meanwhile.
        if (ended !== null) record.endedWallSeconds ??= Math.max(record.beganWallSeconds, wallOf(ended))
        if (!isComplete(record)) continue
        complete.push(record)
        open.delete(id)
      }
      return complete
    },
  }
}

/** More than the incidents resolved within one minute. */
const recentMax = 50

const begun = (fault: Fault, wallOf: WallClock): FaultRecord => ({
  fault,
  beganWallSeconds: wallOf(fault.began),
  endedWallSeconds: null,
  incidents: new Set(),
  customers: new Map(),
  revenueHurt: 0,
})

/** Records the customers affected by each active fault in this minute. */
function noteHarm(
  world: WorldView,
  { faults, blastRadius }: LoggedParts,
  open: Map<number, FaultRecord>,
): void {
  for (const { faultId, affectedCustomerIds } of activeTruths(world, faults, blastRadius)) {
    const record = open.get(faultId)!
    for (const id of affectedCustomerIds) {
      const tenant = world.tenants.byId.get(id)!
      record.customers.set(id, tenant.name)
      record.revenueHurt += tenant.revenuePerHour * (minute / hour)
    }
  }
}

/**
 * Records the incidents of each fault: those attributed to it, those confirmed as its own, and those that became part of one
 * of these and hit a customer that it affects. That incidents were merged is no evidence of their cause.
 */
function noteIncidents(incidents: readonly Incident[], open: Map<number, FaultRecord>): void {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]))
  const add = (faultId: number | undefined, incident: Incident | undefined): void => {
    if (faultId !== undefined && incident !== undefined) open.get(faultId)?.incidents.add(incident)
  }
  for (const { fault } of open.values())
    if (fault.incidentId !== null) add(fault.id, byId.get(fault.incidentId))
  for (const incident of incidents) {
    add(incident.root?.id, incident)
    const whole = incident.partOfId === null ? undefined : byId.get(incident.partOfId)
    const record = open.get(whole?.root?.id ?? -1)
    if (incident.peakImpact.customers.some((id) => record?.customers.has(id))) record?.incidents.add(incident)
  }
}
