import { turnsPerDay } from '../../schedule.ts'
import { day, dayNumber } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { reasonOf } from './reasons.ts'

const probationSatisfaction = 0.52
const reconciledSatisfaction = 0.62
/** Mean time of being so unhappy until a customer says so: not all of an outage do on the same day. */
const meanHesitationDays = 2
/** Range of the decision time: days for some customers, the end of a quarter for others. */
const probationDays = { from: 3, to: 24 }

/** At a customer's turn: an unhappy customer enters probation, and leaves it when it is satisfied again. */
export function updateProbation({ world }: TenantContext, account: Account): void {
  if (account.lifecycle === 'Active' && account.satisfaction < probationSatisfaction) {
    const random = world.random.stream('customers.relations')
    if (!random.chance(1 / (meanHesitationDays * turnsPerDay))) return
    account.lifecycle = 'Probation'
    account.pendingUntil = world.now + Math.floor(random.uniform(probationDays.from, probationDays.to) * day)
    world.events.emit(
      world.now,
      'CustomerOnProbation',
      'Error',
      entityOf(account),
      'event.customer-on-probation',
      { customer: account.name, day: dayNumber(account.pendingUntil), reason: reasonOf(account) },
    )
  } else if (account.lifecycle === 'Probation' && account.satisfaction > reconciledSatisfaction) {
    account.lifecycle = 'Active'
    account.pendingUntil = null
    const args = { customer: account.name }
    world.events.emit(
      world.now,
      'CustomerReconciled',
      'Info',
      entityOf(account),
      'event.customer-reconciled',
      args,
    )
  }
}

const entityOf = (account: Account) => ({ kind: 'Customer', id: account.id }) as const
