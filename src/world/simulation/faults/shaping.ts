import type { Tier } from '../../../contract/vocabularies.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import type { ObservedWorld } from '../state.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Micros } from '../time.ts'
import { hour } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'

/** Operators relieve a shortage by shaping: a few customers get only a share of their demand for some hours. */

const shapedShare = 0.7
const shapedTime: Micros = 12 * hour
/** Customers shaped for one shortage. */
const shapedCustomers = 3

/** End of the shaping, by shaped customer. */
export type ShapingState = Map<number, Micros>

interface Shaping {
  /** Shapes the customers that contribute most to a shortage at a target. */
  reduceDemand(target: FaultTarget): void
  /** Factor of traffic shaping on a customer's demand; 1 if it is not shaped. */
  factor(customerId: number): number
}

export const createShaping = (
  world: ObservedWorld,
  blastRadius: BlastRadius,
  shapedUntil: ShapingState,
): Shaping => ({
  reduceDemand(target) {
    const hosts = new Set(Array.from(blastRadius.hostsOf(target)))
    const isShaped = (id: number): boolean => (shapedUntil.get(id) ?? 0) > world.now
    const contributors = world.tenants.active.filter(({ hosts: own }) => own.some((host) => hosts.has(host)))
    const unshaped = contributors.filter(({ id }) => !isShaped(id))
    // A persistent shortage requires shaping of further customers, while there are any.
    const candidates = unshaped.length > 0 ? unshaped : contributors
    candidates
      .map((tenant) => ({ id: tenant.id, priority: shapingPriority(tenant) }))
      .toSorted((a, b) => b.priority - a.priority || a.id - b.id)
      .slice(0, shapedCustomers)
      .forEach(({ id }) => shapedUntil.set(id, world.now + shapedTime))
  },
  factor(customerId) {
    const until = shapedUntil.get(customerId)
    if (until === undefined) return 1
    if (until > world.now) return shapedShare
    shapedUntil.delete(customerId)
    return 1
  },
})

/** Weight of the SLA tier against shaping. */
const tierWeight: Readonly<Record<Tier, number>> = { Bronze: 1, Silver: 1.5, Gold: 4, Platinum: 8 }
/** Outweighs any traffic: a customer with unplaced units is shaped first. */
const unplacedPriority = 1e6

function shapingPriority(tenant: Tenant): number {
  const { servedInGbps, servedOutGbps, copyGbps, placedUnits, requestedUnits, tier } = tenant
  const usage =
    servedInGbps +
    servedOutGbps +
    copyGbps +
    0.001 * placedUnits +
    (requestedUnits > placedUnits ? unplacedPriority : 0)
  return usage / tierWeight[tier]
}
