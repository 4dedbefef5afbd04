import { thresholds } from '../../../../src/contract/thresholds.ts'
import { threatClasses, threatClassCount } from '../../../../src/contract/vocabularies.ts'
import { keyOf, where } from '../claim.ts'
import type { KeyedStrength, Sight } from '../claim.ts'

/** Residual share of the hostile traffic that arrives for customers. */
function* through({ state }: Sight): Iterable<KeyedStrength> {
  const { threats } = state
  for (const [column, threat] of threatClasses.entries()) {
    let reaching = 0
    for (let gateway = 0; gateway < state.topology.gateways.count; gateway++) {
      reaching += threats.gatewayReaching[gateway * threatClassCount + column]
    }
    let left = 0
    for (const remainder of threats.remainders.values())
      if (remainder.class === threat) left += remainder.magnitude
    if (reaching > 0) yield [threat, left / reaching / thresholds.threatResidualHigh]
  }
}

function* defenses({ state }: Sight): Iterable<KeyedStrength> {
  const { applianceMitigated, applianceCapacity } = state.threats
  for (let cell = 0; cell < applianceCapacity.length; cell++) {
    if (applianceCapacity[cell] === 0) continue
    const key = keyOf(Math.floor(cell / threatClassCount) + 1, threatClasses[cell % threatClassCount])
    yield [key, applianceMitigated[cell] / applianceCapacity[cell] / thresholds.defenseLoadHigh]
  }
}

/** Attacks with residual traffic; an alert on a fully blocked one is allowed but not required. */
function* attacked({ state }: Sight): Iterable<KeyedStrength> {
  for (const { attack } of state.faults.active) {
    if (attack === null) continue
    yield [String(attack.customerId), state.threats.remainders.has(attack.customerId) ? 2 : 1]
  }
}

export const securityClaims = () => ({
  DcsimCustomerBreached: {
    key: ['customer'],
    look: ({ state }: Sight) =>
      where(
        state.tenants.active,
        ({ breached }) => breached,
        ({ id }) => String(id),
      ),
  },
  DcsimCustomerUnderAttack: { key: ['customer'], look: attacked, tolerance: 0.5 },
  DcsimAttackGetsThrough: { key: ['class'], look: through, tolerance: 0.3 },
  DcsimDefenseNearlyFull: {
    key: ['appliance', 'class'],
    look: defenses,
    amount: { unit: 'percent' as const, scale: thresholds.defenseLoadHigh },
  },
})
