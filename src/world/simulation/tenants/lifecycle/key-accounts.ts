import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import { randomDelay } from '../demand/demand-drift.ts'
import type { TenantContext } from '../context.ts'
import type { Prospect } from '../contract.ts'

/** Large customers, whose coming and going takes weeks. */

/** Mean days between negotiations with large prospects, and how long they take. */
const meanDays = 130
export const negotiationDays = { decides: [12, 25], expires: [30, 50] } as const
/** Size of a large prospect relative to an ordinary one. */
export const keyAccountSizes = [2.5, 4] as const
/** A customer with this share of the revenue takes weeks to move out. */
const keyShareMin = 0.08
export const movingOutDays = 28

type Delays = Parameters<typeof randomDelay>[0]

export const nextNegotiation = (now: number, random: Delays): number => now + randomDelay(random, meanDays)

const unitsOf = ({ contract }: Pick<Prospect, 'contract'>): number =>
  contract.services.reduce((sum, { count }) => sum + count, 0)

export function announceNegotiation({ world }: TenantContext, prospect: Prospect): void {
  const { contract, decides, monthlyDollars, id } = prospect
  world.events.emit(world.now, 'ChapterBegan', 'Info', { kind: 'Prospect', id }, 'event.account-courted', {
    customer: contract.name,
    kind: contract.kindLabel,
    tier: contract.tier,
    units: unitsOf(prospect),
    dollars: monthlyDollars,
    days: Math.round((decides - world.now) / day),
  })
}

export function announceLoss({ world }: TenantContext, { id, contract }: Prospect, reason: string): void {
  const entity = { kind: 'Prospect', id } as const
  world.events.emit(world.now, 'ChapterContinued', 'Warning', entity, 'event.account-lost', {
    customer: contract.name,
    reason,
  })
}

const entityOf = ({ id }: Account) => ({ kind: 'Customer', id }) as const

export function announceArrival({ world, state }: TenantContext, account: Account): void {
  const all = state.accounts.reduce((sum, { placedUnits }) => sum + placedUnits, 0)
  world.events.emit(world.now, 'ChapterBegan', 'Info', entityOf(account), 'event.account-won', {
    customer: account.name,
    units: account.placedUnits,
    percent: Math.round((100 * account.placedUnits) / Math.max(1, all)),
  })
}

/** Share of the revenue that a customer brings, if it is a large one; else null. */
export function keyShareOf({ accounts }: TenantContext['state'], account: Account): number | null {
  const all = accounts.reduce((sum, { revenuePerHour }) => sum + revenuePerHour, 0)
  const share = all > 0 ? account.revenuePerHour / all : 0
  return share >= keyShareMin && accounts.length * keyShareMin >= 1 ? share : null
}

export function announceMovingOut({ world }: TenantContext, account: Account, share: number): void {
  world.events.emit(world.now, 'ChapterBegan', 'Warning', entityOf(account), 'event.account-leaving', {
    customer: account.name,
    percent: Math.round(100 * share),
    days: movingOutDays,
    reason: account.leavingReason,
  })
}
