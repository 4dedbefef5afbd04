import { clamp } from '../numeric.ts'
import type { Fault, FaultOrder, WorldState } from '../state.ts'
import { day, hour, type Micros, minute, stepLength } from '../time.ts'
import { sizeFactor } from './hazards.ts'

/** Demand of customers surges by itself this often a day in a medium plant. */
const surgesADay = 1.6
/** How long a surge takes to build up, and to ebb away. */
const buildUp: Micros = 12 * minute
const ebb: Micros = 20 * minute

/** A customer whose traffic we shape may ask for this much of its demand. */
const shapedShare = 0.7
const shapedFor: Micros = 12 * hour

/** Factors on demand: surges that raise it, and shaping that holds it down. */
export interface Surges {
  /** A surge that begins by itself in this step. */
  step(spontaneity: number): FaultOrder | null
  begin(fault: Fault): void
  end(fault: Fault): void
  /** Holds a customer's demand down for some hours. */
  shape(customerId: number): void
  factor(customerId: number): number
}

export function createSurges(state: WorldState): Surges {
  const when = state.random.stream('faults.surge')
  const how = state.random.stream('faults.surge.how')
  const perStep = (surgesADay / (day / stepLength)) * sizeFactor(state.plant.hosts.count)
  const surging = new Map<number, Fault[]>()
  const shapedUntil = new Map<number, Micros>()
  return {
    step(spontaneity) {
      if (when.fraction() >= perStep * spontaneity) return null
      const targets = state.tenants.active.filter((tenant) => tenant.hosts.length > 0)
      if (targets.length === 0) return null
      const customer = how.pick(targets)
      const magnitude = how.chance(0.25) ? how.uniform(2.2, 4) : how.uniform(1.4, 2.2)
      const lasts = how.between(40, 260) * minute
      return { kind: 'DemandSurge', target: { kind: 'Customer', id: customer.id }, magnitude, lasts }
    },
    begin(fault) {
      if (fault.target.kind !== 'Customer') return
      surging.set(fault.target.id, [...(surging.get(fault.target.id) ?? []), fault])
    },
    end(fault) {
      if (fault.target.kind !== 'Customer') return
      const rest = (surging.get(fault.target.id) ?? []).filter((other) => other !== fault)
      if (rest.length === 0) surging.delete(fault.target.id)
      else surging.set(fault.target.id, rest)
    },
    shape(customerId) {
      shapedUntil.set(customerId, state.now + shapedFor)
    },
    factor(customerId) {
      let factor = 1
      if (surging.size > 0) {
        for (const fault of surging.get(customerId) ?? [])
          factor *= 1 + (fault.magnitude - 1) * swell(fault, state.now)
      }
      if (shapedUntil.size > 0) {
        const until = shapedUntil.get(customerId)
        if (until !== undefined && until > state.now) factor *= shapedShare
        else if (until !== undefined) shapedUntil.delete(customerId)
      }
      return factor
    },
  }
}

/** How far a surge has built up: 0 at its beginning and end, 1 in between. */
function swell(fault: Fault, now: Micros): number {
  const risen = (now - fault.began) / buildUp
  const left = fault.endsBy === null ? 1 : (fault.endsBy - now) / ebb
  return clamp(Math.min(risen, left), 0, 1)
}
