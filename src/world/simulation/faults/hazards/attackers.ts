import type { ThreatClass } from '../../../../contract/vocabularies.ts'
import { threatClasses, threatClassCount } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import { minute } from '../../time.ts'
import type { FaultSource } from '../fault-kind.ts'
import { createCustomerSource } from './customer-sources.ts'
import { zonesOf } from '../../topology/entities.ts'
import type { FaultSpec } from '../model.ts'

/** At the reference size of a world. */
const attacksPerDay = 0.8

interface AttackClass {
  /** Share of all attacks. */
  readonly share: number
  readonly durationMinutes: readonly [min: number, max: number]
  /** Harmful magnitude for a customer without defenses. */
  readonly undefended: readonly [min: number, max: number]
}

/** Magnitudes are in the natural unit of each class. */
const attackClasses: Readonly<Record<ThreatClass, AttackClass>> = {
  Volumetric: { share: 0.28, durationMinutes: [8, 70], undefended: [2, 20] },
  Protocol: { share: 0.22, durationMinutes: [8, 60], undefended: [0.5, 4] },
  Application: { share: 0.22, durationMinutes: [15, 150], undefended: [2, 15] },
  Intrusion: { share: 0.12, durationMinutes: [30, 240], undefended: [5, 40] },
  Scan: { share: 0.16, durationMinutes: [10, 180], undefended: [50, 400] },
}

/** Strength of attacks relative to the target's defenses: most attacks are absorbed. */
const strengths: readonly { readonly weight: number; readonly min: number; readonly max: number }[] = [
  { weight: 0.76, min: 0.25, max: 0.8 },
  { weight: 0.17, min: 0.8, max: 1.12 },
  { weight: 0.07, min: 1.12, max: 1.6 },
]

/** Mitigation capacity against a class in front of a customer, in the unit of the class. */
export function defenseCapacity(world: ObservedWorld, customerId: number, threat: ThreatClass): number {
  const column = threatClasses.indexOf(threat)
  const zones = zonesOf(world, { kind: 'Customer', id: customerId })
  let weakest = Infinity
  for (const row of zones) {
    const zone = world.topology.zones[row]
    let sum = 0
    for (const gateway of zone.gateways)
      sum += world.threats.gatewayCapacity[gateway * threatClassCount + column]
    for (const appliance of zone.appliances) {
      sum += world.threats.applianceCapacity[appliance * threatClassCount + column]
    }
    weakest = Math.min(weakest, sum)
  }
  return zones.length === 0 ? 0 : weakest * zones.length
}

/** An attack on a customer, sized by its defenses. */
function drawAttack(world: ObservedWorld, customer: Tenant, stream: RandomStream): FaultSpec {
  const attackClass =
    threatClasses[stream.weighted(threatClasses.map((threat) => attackClasses[threat].share))]
  const strength = strengths[stream.weighted(strengths.map(({ weight }) => weight))]
  const factor = stream.uniform(strength.min, strength.max)
  const capacity = defenseCapacity(world, customer.id, attackClass)
  const { durationMinutes, undefended } = attackClasses[attackClass]
  const magnitude = capacity > 0 ? capacity * factor : stream.uniform(...undefended)
  return {
    kind: 'Attack',
    target: { kind: 'Customer', id: customer.id },
    magnitude,
    lasts: stream.between(...durationMinutes) * minute,
    attackClass,
  }
}

/** Relative likelihood that a customer is attacked, by tier. */
const tierAttraction = { Bronze: 1, Silver: 1.5, Gold: 2.5, Platinum: 3 } as const

export const createAttackSource = (world: ObservedWorld): FaultSource =>
  createCustomerSource(world, {
    stream: 'faults.attack',
    faultsPerDay: attacksPerDay,
    draw(customers, severity) {
      const customer = customers[severity.weighted(customers.map(({ tier }) => tierAttraction[tier]))]
      return drawAttack(world, customer, severity)
    },
  })
