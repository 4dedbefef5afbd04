import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import { day, minute, stepLength } from '../../time.ts'
import type { FaultSource } from '../fault-kind.ts'
import type { FaultSpec } from '../model.ts'
import { customersFactor, mistakeFactor } from './hazards.ts'

/** Faults of single customers, which users, attackers or the customers themselves cause. */

interface CustomerHazard {
  readonly stream: string
  /** At the reference size of a world. */
  readonly faultsPerDay: number
  readonly draw: (customers: readonly Tenant[], severity: RandomStream) => FaultSpec
  /** Factor on the rate at this time of day. */
  readonly rhythm?: (now: number) => number
}

/** Draws whether a fault of a customer with hosts begins in this step. The rate grows with the root of the hosts. */
export function createCustomerSource(world: ObservedWorld, hazard: CustomerHazard): FaultSource {
  const { stream, faultsPerDay, draw, rhythm } = hazard
  const occurrence = world.random.stream(stream)
  const severity = world.random.stream(`${stream}.how`)
  const perStep = (faultsPerDay / (day / stepLength)) * customersFactor(world.topology.hosts.rows.length)
  return (rate) => {
    if (occurrence.fraction() >= perStep * rate * (rhythm?.(world.now) ?? 1)) return null
    const customers = world.tenants.active.filter(({ hosts }) => hosts.length > 0)
    return customers.length === 0 ? null : draw(customers, severity)
  }
}

/** A mistake of a customer's own, which fails a share of its requests. */
export const ownMistake =
  (
    kind: CauseKind,
    faultsPerDay: number,
    share: readonly [min: number, max: number],
    minutes: readonly [min: number, max: number],
  ) =>
  (world: ObservedWorld): FaultSource =>
    createCustomerSource(world, {
      stream: `faults.Customer.${kind}`,
      faultsPerDay,
      rhythm: mistakeFactor,
      draw: (customers, severity) => ({
        kind,
        target: { kind: 'Customer', id: severity.pick(customers).id },
        magnitude: severity.uniform(...share),
        lasts: severity.between(...minutes) * minute,
      }),
    })
