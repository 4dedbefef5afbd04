import { day, dayNumber, hour } from '../time.ts'
import { type Account, newPeriod, slaPeriod } from './account.ts'
import type { Books } from './books.ts'
import type { Business } from './business.ts'
import type { Fleet } from './fleet.ts'
import { resize, withdrawWishes } from './growth.ts'
import type { Placer } from './placement.ts'
import { minutesPerMonth, plans } from './prices.ts'
import type { Prospect } from './prospects.ts'
import type { Segments } from './segments.ts'
import { closeAccount, openAccount } from './signing.ts'

const probationBelow = 0.3
const reconciledAbove = 0.5
const probationLasts = 4 * day
const leavingLasts = 18 * hour
/** How long a customer waits for units that find no room before we let it go. */
const unservedPatience = 4 * day
/** Days after which a customer leaves for reasons of its own, on average. */
const daysStayed = 260

export interface Lifecycles {
  sign(prospect: Prospect): Account
  goLive(account: Account): void
  /** Once a minute. */
  stepMinute(account: Account): void
}

export function createLifecycles(
  business: Business,
  segments: Segments,
  placer: Placer,
  fleet: Fleet,
  books: Books,
): Lifecycles {
  const { state } = business
  const choices = state.random.stream('customers.lifecycle')

  const startOnboarding = (account: Account): void => {
    account.lifecycle = 'Onboarding'
    account.pendingUntil = null
    state.work.orderOnboarding(account.id, account.requestedUnits)
  }

  const giveNotice = (account: Account): void => {
    account.lifecycle = 'Leaving'
    account.pendingUntil = state.now + leavingLasts
    const args = { customer: account.name }
    state.events.emit(state.now, 'CustomerLeft', 'Warning', entityOf(account), 'event.customer-leaving', args)
  }

  return {
    sign(prospect) {
      const account = openAccount(business, segments, prospect.contract, prospect.fit.zone)
      // Room is set aside at once: what fits today may be taken tomorrow.
      for (const service of account.services) fleet.fill(account, service)
      account.pendingUntil = state.now + Math.floor(choices.uniform(0.5, 3) * hour)
      books.bonus(prospect.bonusDollars)
      state.events.emit(state.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-signed', {
        customer: account.name,
        tier: account.tier,
      })
      return account
    },
    goLive(account) {
      if (account.live || account.lifecycle === 'Leaving') return
      account.lifecycle = 'Active'
      account.pendingUntil = null
      account.live = true
      account.period = newPeriod(state.now, state.now + slaPeriod)
      state.events.emit(state.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-live', {
        customer: account.name,
        units: account.placedUnits,
      })
    },
    stepMinute(account) {
      const due = account.pendingUntil !== null && state.now >= account.pendingUntil
      if (account.lifecycle === 'Pending' && due) startOnboarding(account)
      else if (account.lifecycle === 'Probation' && due) giveNotice(account)
      else if (account.lifecycle === 'Leaving' && due)
        return leave(business, segments, placer, books, account)
      if (!account.live) return
      judge(business, account)
      if (account.lifecycle !== 'Leaving') evictUnserved(business, books, account)
      withdrawWishes(business, fleet, account)
      if (state.now >= account.nextGrowth) resize(business, fleet, account)
      if (account.lifecycle === 'Active' && choices.chance(1 / (daysStayed * 1_440))) giveNotice(account)
    },
  }
}

const entityOf = (account: Account) => ({ kind: 'Customer', id: account.id }) as const

/** A customer is gone: what it was on is free again, and what it brought stays in the books. */
function leave(business: Business, segments: Segments, placer: Placer, books: Books, account: Account): void {
  const { state } = business
  const days = Math.max(1, dayNumber(state.now) - dayNumber(account.signed))
  books.close(account)
  closeAccount(business, segments, account, (unit) => placer.take(unit))
  account.lifecycle = 'Gone'
  state.events.emit(state.now, 'CustomerLeft', 'Warning', entityOf(account), 'event.customer-left', {
    customer: account.name,
    days,
  })
}

/** A customer that is unhappy gives us a last chance, and takes it back when it is content again. */
function judge({ state }: Business, account: Account): void {
  if (account.lifecycle === 'Active' && account.satisfaction < probationBelow) {
    account.lifecycle = 'Probation'
    account.pendingUntil = state.now + probationLasts
    state.events.emit(
      state.now,
      'CustomerOnProbation',
      'Error',
      entityOf(account),
      'event.customer-on-probation',
      { customer: account.name, day: dayNumber(account.pendingUntil) },
    )
  } else if (account.lifecycle === 'Probation' && account.satisfaction > reconciledAbove) {
    account.lifecycle = 'Active'
    account.pendingUntil = null
    const args = { customer: account.name }
    state.events.emit(
      state.now,
      'CustomerComplained',
      'Info',
      entityOf(account),
      'event.customer-reconciled',
      args,
    )
  }
}

/** We let go whoever has waited too long for units that find no room. */
function evictUnserved({ state }: Business, books: Books, account: Account): void {
  const unserved = account.placedUnits < 0.7 * account.requestedUnits
  if (!unserved) account.unservedSince = null
  else account.unservedSince ??= state.now
  if (account.unservedSince === null || state.now - account.unservedSince < unservedPatience) return
  account.unservedSince = null
  const dollars = Math.round(evictionFee(account))
  books.eviction(dollars)
  account.lifecycle = 'Leaving'
  account.pendingUntil = state.now + leavingLasts
  state.events.emit(state.now, 'CustomerLeft', 'Error', entityOf(account), 'event.customer-evicted', {
    customer: account.name,
    reason: 'there is no room for what it needs',
    dollars,
  })
}

/** What it costs us to end a contract early: a share of a month's revenue. */
export function evictionFee(account: Account): number {
  const perMonth = (account.revenuePerHour / 60) * minutesPerMonth
  return perMonth * plans[account.tier].evictionFee
}
