import { day, dayNumber, hour } from '../../time.ts'
import { type Account, createSlaPeriod, slaPeriod } from '../account.ts'
import type { Accounting } from '../billing/accounting.ts'
import type { TenantContext } from '../context.ts'
import type { Fleet } from '../placement/fleet.ts'
import { resize, abandonGrowth } from './growth.ts'
import type { Placer } from '../placement/placement.ts'
import { minutesPerMonth, pricePlans } from '../prices.ts'
import type { Prospect } from '../contract.ts'
import { closeAccount, openAccount } from './signing.ts'

const probationSatisfaction = 0.3
const reconciledSatisfaction = 0.5
const probationPeriod = 4 * day
const noticePeriod = 18 * hour
/** A customer with fewer placed units than this share of the requested ones is evicted after the timeout. */
const servedShareMin = 0.7
const unservedTimeout = 4 * day
/** Mean days until a satisfied customer leaves. */
const meanStayDays = 260

export interface LifecycleSteps {
  sign(prospect: Prospect): Account
  goLive(account: Account): void
  /** Once a minute. */
  stepMinute(account: Account): void
}

export function createLifecycle(
  context: TenantContext,
  placer: Placer,
  fleet: Fleet,
  accounting: Accounting,
): LifecycleSteps {
  const { world } = context
  const choices = world.random.stream('customers.lifecycle')

  const startOnboarding = (account: Account): void => {
    account.lifecycle = 'Onboarding'
    account.pendingUntil = null
    world.operations.orderOnboarding(account.id, account.requestedUnits)
  }

  const giveNotice = (account: Account): void => {
    account.lifecycle = 'Leaving'
    account.pendingUntil = world.now + noticePeriod
    const args = { customer: account.name }
    world.events.emit(world.now, 'CustomerLeft', 'Warning', entityOf(account), 'event.customer-leaving', args)
  }

  return {
    sign(prospect) {
      const account = openAccount(context, prospect.contract, prospect.placement.zone)
      // Capacity is reserved at signing, not at onboarding.
      for (const service of account.services) fleet.fill(account, service)
      account.pendingUntil = world.now + Math.floor(choices.uniform(0.5, 3) * hour)
      accounting.bonus(prospect.bonusDollars)
      world.events.emit(world.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-signed', {
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
      account.period = createSlaPeriod(world.now, world.now + slaPeriod)
      world.events.emit(world.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-live', {
        customer: account.name,
        units: account.placedUnits,
      })
    },
    stepMinute(account) {
      const due = account.pendingUntil !== null && world.now >= account.pendingUntil
      if (account.lifecycle === 'Pending' && due) startOnboarding(account)
      else if (account.lifecycle === 'Probation' && due) giveNotice(account)
      else if (account.lifecycle === 'Leaving' && due) return leave(context, placer, accounting, account)
      if (!account.live) return
      updateProbation(context, account)
      if (account.lifecycle !== 'Leaving') evictUnserved(context, accounting, account)
      abandonGrowth(context, fleet, account)
      if (world.now >= account.nextGrowth) resize(context, fleet, account)
      if (account.lifecycle === 'Active' && choices.chance(1 / (meanStayDays * 1_440))) giveNotice(account)
    },
  }
}

const entityOf = (account: Account) => ({ kind: 'Customer', id: account.id }) as const

/** Closes the account; its totals stay in the accounting. */
function leave(context: TenantContext, placer: Placer, accounting: Accounting, account: Account): void {
  const { world } = context
  const days = Math.max(1, dayNumber(world.now) - dayNumber(account.signed))
  accounting.close(account)
  closeAccount(context, account, (unit) => placer.remove(unit))
  account.lifecycle = 'Gone'
  world.events.emit(world.now, 'CustomerLeft', 'Warning', entityOf(account), 'event.customer-left', {
    customer: account.name,
    days,
  })
}

/** An unhappy customer enters probation, and leaves it once it is satisfied again. */
function updateProbation({ world }: TenantContext, account: Account): void {
  if (account.lifecycle === 'Active' && account.satisfaction < probationSatisfaction) {
    account.lifecycle = 'Probation'
    account.pendingUntil = world.now + probationPeriod
    world.events.emit(
      world.now,
      'CustomerOnProbation',
      'Error',
      entityOf(account),
      'event.customer-on-probation',
      { customer: account.name, day: dayNumber(account.pendingUntil) },
    )
  } else if (account.lifecycle === 'Probation' && account.satisfaction > reconciledSatisfaction) {
    account.lifecycle = 'Active'
    account.pendingUntil = null
    const args = { customer: account.name }
    world.events.emit(
      world.now,
      'CustomerComplained',
      'Info',
      entityOf(account),
      'event.customer-reconciled',
      args,
    )
  }
}

/** Ends the contract of a customer whose units have been unplaced for too long. */
function evictUnserved({ world }: TenantContext, accounting: Accounting, account: Account): void {
  const unserved = account.placedUnits < servedShareMin * account.requestedUnits
  if (!unserved) account.unservedSince = null
  else account.unservedSince ??= world.now
  if (account.unservedSince === null || world.now - account.unservedSince < unservedTimeout) return
  account.unservedSince = null
  const dollars = Math.round(evictionFee(account))
  accounting.eviction(dollars)
  account.lifecycle = 'Leaving'
  account.pendingUntil = world.now + noticePeriod
  world.events.emit(world.now, 'CustomerLeft', 'Error', entityOf(account), 'event.customer-evicted', {
    customer: account.name,
    reason: 'there is no room for what it needs',
    dollars,
  })
}

/** Fee for ending a contract early: a share of a month's revenue. */
export function evictionFee(account: Account): number {
  const perMonth = (account.revenuePerHour / 60) * minutesPerMonth
  return perMonth * pricePlans[account.tier].evictionFee
}
