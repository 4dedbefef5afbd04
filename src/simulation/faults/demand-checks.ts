import { numberText } from '../../contract/messages/catalogue.ts'
import { type RootKind, type ThreatClass, threatClasses } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { threatClassCount } from '../state.ts'
import { minute } from '../time.ts'
import { type Check, found, normal, percent } from './check.ts'
import { nameOf, tightestPool, zonesOf } from './targets.ts'

/** What is looked at where what users or attackers want is suspected. */

/** Requests over the usual that count as a rush. */
const rushFrom = 1.3

export const demandChecks = {
  CapacityExhaustion: [
    {
      after: 3 * minute,
      look: (state, target) => {
        const label = `Room in **${nameOf(state, target)}**`
        const wanted = target.kind === 'Pool' ? worstContention(state, target.row) : 0
        const waiting = target.kind === 'Pool' ? unitsWaiting(state, target.row) : 0
        if (waiting > 0)
          return found(
            label,
            `none for ${waiting} more`,
            'Units wait for a host, and the others work for them too.',
            4,
          )
        return wanted > 1.05
          ? found(label, `${percent(wanted)} of the CPU is wanted`, 'Units wait for each other.', 3.5)
          : normal(label, `${percent(wanted)} of the CPU is wanted`, 'Its hosts have time to spare.', 0.15)
      },
    },
  ],
  DemandSurge: [
    {
      after: 3 * minute,
      look: (state, target, instruments) => {
        const label = `Requests to **${nameOf(state, target)}**`
        const factor = target.kind === 'Customer' ? instruments.rush(target.id) : 1
        return factor > rushFrom
          ? found(
              label,
              `${numberText(factor)} times what is usual at this hour`,
              'Real users, and many of them.',
              5,
            )
          : normal(label, 'as usual at this hour', 'No more people than on other days.', 0.15)
      },
    },
  ],
  Attack: [
    {
      after: 2 * minute,
      look: (state, target) => {
        const label = `Hostile traffic at **${nameOf(state, target)}**`
        const classes = hostileClasses(state, target)
        return classes.length === 0
          ? normal(label, 'none', 'What arrives looks like users.', 0.1)
          : found(label, classes.join(', ').toLowerCase(), 'Sources and patterns of an attack.', 6)
      },
    },
  ],
} satisfies Partial<Record<RootKind, readonly Check[]>>

function worstContention({ plant, load }: WorldState, pool: number): number {
  let worst = 0
  for (let host = 0; host < plant.hosts.count; host++) {
    if (plant.hosts.pool[host] === pool && load.contention[host] > worst) worst = load.contention[host]
  }
  return worst
}

/** Units that found no room, of suffering customers whose tightest host is in the pool. */
function unitsWaiting(state: WorldState, pool: number): number {
  let waiting = 0
  for (const { id, requestedUnits, placedUnits, failing, p99Ms, p99BudgetMs } of state.tenants.active) {
    const suffers = failing > 0.01 || p99Ms > p99BudgetMs
    if (suffers && requestedUnits > placedUnits && tightestPool(state, id) === pool)
      waiting += requestedUnits - placedUnits
  }
  return waiting
}

/** Classes of attack that reach the gateways of a customer's zones and aim at it. */
function hostileClasses(state: WorldState, target: FaultTarget): string[] {
  if (target.kind !== 'Customer') return []
  const gateways = zonesOf(state, target).flatMap((zone) => state.plant.zones[zone].gateways)
  const aims = (threat: ThreatClass): boolean =>
    state.faults.active.some(({ attack }) => attack?.customerId === target.id && attack.class === threat)
  return threatClasses.filter(
    (threat, column) =>
      aims(threat) &&
      gateways.some((gateway) => state.threats.gatewayReaching[gateway * threatClassCount + column] > 0),
  )
}
