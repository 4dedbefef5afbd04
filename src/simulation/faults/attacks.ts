import { threatClasses, type ThreatClass } from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import { type FaultOrder, type Tenant, threatClassCount, type WorldState } from '../state.ts'
import { day, minute, stepLength } from '../time.ts'
import { sizeFactor } from './hazards.ts'
import { zonesOf } from './targets.ts'

/** Customers are attacked by themselves this often a day in a medium plant. */
const attacksADay = 4

interface AttackClass {
  readonly share: number
  /** Minutes that it lasts, from and to. */
  readonly minutes: readonly [number, number]
  /** Magnitude that hurts where there is no defence at all, from and to. */
  readonly bare: readonly [number, number]
}

/** Magnitudes are in the natural unit of the class. */
const classes: Readonly<Record<ThreatClass, AttackClass>> = {
  Volumetric: { share: 0.28, minutes: [8, 70], bare: [2, 20] },
  Protocol: { share: 0.22, minutes: [8, 60], bare: [0.5, 4] },
  Application: { share: 0.22, minutes: [15, 150], bare: [2, 15] },
  Intrusion: { share: 0.12, minutes: [30, 240], bare: [5, 40] },
  Scan: { share: 0.16, minutes: [10, 180], bare: [50, 400] },
}

/** How attacks compare with the defences of the zones that they reach: most are absorbed, a few hurt. */
const strengths: readonly { readonly weight: number; readonly from: number; readonly to: number }[] = [
  { weight: 0.7, from: 0.15, to: 0.75 },
  { weight: 0.18, from: 0.75, to: 1.35 },
  { weight: 0.12, from: 1.35, to: 2.4 },
]

/** How much of a class the defences in front of a customer can stop, in its natural unit. */
export function defenceOf(state: WorldState, customerId: number, threat: ThreatClass): number {
  const column = threatClasses.indexOf(threat)
  const zones = zonesOf(state, { kind: 'Customer', id: customerId })
  let least = Number.POSITIVE_INFINITY
  for (const row of zones) {
    const zone = state.plant.zones[row]
    let sum = 0
    for (const gateway of zone.gateways)
      sum += state.threats.gatewayCapacity[gateway * threatClassCount + column]
    for (const appliance of zone.appliances) {
      sum += state.threats.applianceCapacity[appliance * threatClassCount + column]
    }
    least = Math.min(least, sum)
  }
  return zones.length === 0 ? 0 : least * zones.length
}

/** An attack on a customer, sized against what stands in front of it. */
function attackOn(state: WorldState, customer: Tenant, stream: RandomStream): FaultOrder {
  const attackClass = threatClasses[stream.weighted(threatClasses.map((threat) => classes[threat].share))]
  const strength = strengths[stream.weighted(strengths.map(({ weight }) => weight))]
  const factor = stream.uniform(strength.from, strength.to)
  const defence = defenceOf(state, customer.id, attackClass)
  const { minutes, bare } = classes[attackClass]
  const magnitude = defence > 0 ? defence * factor : stream.uniform(bare[0], bare[1])
  return {
    kind: 'Attack',
    target: { kind: 'Customer', id: customer.id },
    magnitude,
    lasts: stream.between(minutes[0], minutes[1]) * minute,
    attackClass,
  }
}

const attractive = { Bronze: 1, Silver: 1.5, Gold: 2.5, Platinum: 3 } as const

/** Attacks that begin by themselves in this step. */
export function createAttackers(state: WorldState): { step(spontaneity: number): FaultOrder | null } {
  const when = state.random.stream('faults.attack')
  const how = state.random.stream('faults.attack.how')
  const perStep = (attacksADay / (day / stepLength)) * sizeFactor(state.plant.hosts.count)
  return {
    step(spontaneity) {
      if (when.fraction() >= perStep * spontaneity) return null
      const targets = state.tenants.active.filter((tenant) => tenant.hosts.length > 0)
      if (targets.length === 0) return null
      const customer = targets[how.weighted(targets.map((tenant) => attractive[tenant.tier]))]
      return attackOn(state, customer, how)
    },
  }
}
