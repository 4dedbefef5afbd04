import { announceOrder, announceRefusal } from './announcements.ts'
import type { OperatorContext } from './context.ts'
import type { Requirement, Purchase, Refusal } from './model.ts'
import { leadTime } from './prices.ts'
import { affordable, depositOf, instalmentOf } from './treasury.ts'
import { day } from '../time.ts'
import type { OrderedWorks } from '../topology/works.ts'

/** Orders a requirement if it is affordable, and announces a refusal otherwise. Returns whether it was ordered. */
export function order(context: OperatorContext, need: Requirement): boolean {
  const { world, state, deliveries } = context
  const isHost = need.works.some(({ kind }) => kind === 'Hosts' || kind === 'Renewal')
  const available = affordable(state, world, isHost)
  if (need.dollars > available) {
    state.company.blockedSince ??= world.now
    refuse(context, need, 'money', available)
    return false
  }
  const { company } = state
  company.blockedSince = null
  company.programDollars = Math.max(0, company.programDollars - need.dollars)
  state.reserves -= depositOf(need.dollars)
  state.totals.spent += need.dollars
  state.totals.ordered++
  const purchase: Purchase = {
    id: ++state.lastId,
    what: need.what,
    zone: need.zone,
    works: [...need.works],
    hires: need.hires ?? null,
    region: need.region ?? null,
    dollars: need.dollars,
    instalment: need.hires === undefined ? instalmentOf(need.dollars, isHost) : 0,
    ordered: world.now,
    due: world.now + leadTime(need.lead, deliveries),
    isExchanged: false,
    resaleDollars: need.resaleDollars ?? 0,
    workOrder: null,
  }
  state.purchases.push(purchase)
  announceOrder(world, need, purchase)
  return true
}

/** Announces that a requirement is not ordered: once per subject and reason, until it has not been refused for a week. */
export function refuse(
  { world, state }: OperatorContext,
  need: Pick<Requirement, 'what' | 'because' | 'entity' | 'dollars'>,
  refusal: Refusal,
  available = 0,
): void {
  const key = `${refusal} ${need.entity.kind} ${need.entity.id}`
  const last = state.refusedAt.get(key)
  state.refusedAt.set(key, world.now)
  if (last !== undefined && world.now - last < refusalPause) return
  state.totals.refused++
  announceRefusal(world, need, refusal, available)
}

const refusalPause = 7 * day

/** Whether matching works are on order. */
export const isOnOrder = ({ state }: OperatorContext, test: (works: OrderedWorks) => boolean): boolean =>
  state.purchases.some(({ works }) => works.some(test))
