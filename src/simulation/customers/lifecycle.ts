import { day, dayNumber, hour } from '../time.ts'
import type { Account } from './account.ts'
import { archetypeTraits } from './archetypes.ts'
import type { Books } from './books.ts'
import type { Business } from './business.ts'
import { wait } from './demand.ts'
import type { Fleet } from './fleet.ts'
import type { Placer } from './placement.ts'
import { poolFill } from './population.ts'
import { minutesPerMonth, plans } from './prices.ts'
import type { Prospect } from './prospects.ts'
import type { Segments } from './segments.ts'
import { closeAccount, openAccount } from './signing.ts'
import { newPeriod, slaPeriod } from './sla.ts'

const probationBelow = 0.3
const reconciledAbove = 0.5
const probationLasts = 4 * day
const leavingLasts = 18 * hour
/** How long a customer waits for units that find no room before we let it go. */
const unservedPatience = 4 * day
/** Nobody is given more units of a pool that is fuller than this. */
const growBelowFill = 0.72
/** Of the moments at which customers change their size, those at which they become smaller. */
const shrinkShare = 0.28
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
  const { state, services } = business
  const choices = state.random.stream('customers.lifecycle')

  const announce = (account: Account) => ({ kind: 'Customer', id: account.id }) as const

  const startOnboarding = (account: Account): void => {
    account.lifecycle = 'Onboarding'
    account.pendingUntil = null
    for (const service of account.services) fleet.fill(account, service)
    state.work.orderOnboarding(account.id, account.requestedUnits)
  }

  const resize = (account: Account): void => {
    const traits = archetypeTraits[account.contract.archetype]
    account.nextGrowth = state.now + wait(account.noise, traits.daysBetweenGrowth)
    const shrinks = account.noise.chance(shrinkShare)
    const service = account.services[account.noise.below(account.services.length)]
    const step = Math.max(1, Math.round(services.requested[service] * account.noise.uniform(0.08, 0.2)))
    if (account.lifecycle !== 'Active') return
    const before = account.requestedUnits
    if (shrinks) shrink(account, service, step)
    else if (account.satisfaction > 0.55) grow(account, service, step)
    if (account.requestedUnits === before) return
    const key = account.requestedUnits > before ? 'event.customer-grew' : 'event.customer-shrank'
    state.events.emit(state.now, 'CustomerGrew', 'Info', announce(account), key, {
      customer: account.name,
      before,
      after: account.requestedUnits,
    })
  }

  const grow = (account: Account, service: number, step: number): void => {
    const room = account.contract.growthCeiling - account.requestedUnits
    const pools = business.poolsFor[account.dedicatedHosts ? 1 : 0][services.class[service]]
    if (room <= 0 || pools.every((pool) => poolFill(business, pool) > growBelowFill)) return
    const units = Math.min(step, room)
    services.requested[service] += units
    account.requestedUnits += units
    fleet.fill(account, service)
  }

  const shrink = (account: Account, service: number, step: number): void => {
    const terms = account.contract.services[account.services.indexOf(service)]
    const least = Math.max(1, Math.ceil(terms.count * 0.7))
    const units = Math.min(step, services.requested[service] - least)
    if (units <= 0) return
    services.requested[service] -= units
    account.requestedUnits -= units
    fleet.trim(account, service)
  }

  const leave = (account: Account): void => {
    const days = Math.max(1, dayNumber(state.now) - dayNumber(account.signed))
    books.close(account)
    closeAccount(business, segments, account, placer.take)
    account.lifecycle = 'Gone'
    state.events.emit(state.now, 'CustomerLeft', 'Warning', announce(account), 'event.customer-left', {
      customer: account.name,
      days,
    })
  }

  const giveNotice = (account: Account): void => {
    account.lifecycle = 'Leaving'
    account.pendingUntil = state.now + leavingLasts
    const args = { customer: account.name }
    state.events.emit(state.now, 'CustomerLeft', 'Warning', announce(account), 'event.customer-leaving', args)
  }

  const judge = (account: Account): void => {
    if (account.lifecycle === 'Active' && account.satisfaction < probationBelow) {
      account.lifecycle = 'Probation'
      account.pendingUntil = state.now + probationLasts
      state.events.emit(
        state.now,
        'CustomerOnProbation',
        'Error',
        announce(account),
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
        announce(account),
        'event.customer-reconciled',
        args,
      )
    }
  }

  const evictUnserved = (account: Account): void => {
    const unserved = account.placedUnits < 0.7 * account.requestedUnits
    if (!unserved) account.unservedSince = null
    else account.unservedSince ??= state.now
    if (account.unservedSince === null || state.now - account.unservedSince < unservedPatience) return
    account.unservedSince = null
    const dollars = Math.round(evictionFee(account))
    books.eviction(dollars)
    account.lifecycle = 'Leaving'
    account.pendingUntil = state.now + leavingLasts
    state.events.emit(state.now, 'CustomerLeft', 'Error', announce(account), 'event.customer-evicted', {
      customer: account.name,
      reason: 'there is no room for what it needs',
      dollars,
    })
  }

  return {
    sign(prospect) {
      const account = openAccount(business, segments, prospect.contract)
      account.pendingUntil = state.now + Math.floor(choices.uniform(0.5, 3) * hour)
      books.bonus(prospect.bonusDollars)
      state.events.emit(state.now, 'CustomerSigned', 'Info', announce(account), 'event.customer-signed', {
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
      state.events.emit(state.now, 'CustomerSigned', 'Info', announce(account), 'event.customer-live', {
        customer: account.name,
        units: account.placedUnits,
      })
    },
    stepMinute(account) {
      const due = account.pendingUntil !== null && state.now >= account.pendingUntil
      if (account.lifecycle === 'Pending' && due) startOnboarding(account)
      else if (account.lifecycle === 'Probation' && due) giveNotice(account)
      else if (account.lifecycle === 'Leaving' && due) return leave(account)
      if (!account.live) return
      judge(account)
      if (account.lifecycle !== 'Leaving') evictUnserved(account)
      if (state.now >= account.nextGrowth) resize(account)
      if (account.lifecycle === 'Active' && choices.chance(1 / (daysStayed * 1_440))) giveNotice(account)
    },
  }
}

/** What it costs us to end a contract early: a share of a month's revenue. */
export function evictionFee(account: Account): number {
  const perMonth = (account.revenuePerHour / 60) * minutesPerMonth
  return perMonth * plans[account.tier].evictionFee
}
