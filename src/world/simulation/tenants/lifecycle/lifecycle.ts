import { hoursPerMonth } from '../../../../contract/fields.ts'
import type { Tier } from '../../../../contract/vocabularies.ts'
import { turnsPerDay } from '../../schedule.ts'
import type { Micros } from '../../time.ts'
import { day, dayNumber, hour } from '../../time.ts'
import type { Account } from '../account.ts'
import { createSlaPeriod, slaPeriod } from '../account.ts'
import type { Accounting } from '../billing/accounting.ts'
import type { TenantContext } from '../context.ts'
import type { Fleet } from '../placement/fleet.ts'
import { resize, abandonGrowth } from './growth.ts'
import { announceArrival, announceMovingOut, keyShareOf, movingOutDays } from './key-accounts.ts'
import type { Placer } from '../placement/placement.ts'
import { pricePlans } from '../prices.ts'
import type { Contract, Prospect } from '../contract.ts'
import type { TenantsState } from '../state.ts'
import { traitsOf } from '../relations/character.ts'
import { loseReputation } from '../relations/reputation.ts'
import { stepComplaints } from '../relations/complaints.ts'
import { ordinaryReason, reasonOf } from '../relations/reasons.ts'
import { updateProbation } from '../relations/probation.ts'
import { stepRenewal } from '../relations/renewal.ts'
import { closeAccount, openAccount } from './signing.ts'

/** Notice period by tier, in days. */
const noticeDays: Readonly<Record<Tier, number>> = { Bronze: 1, Silver: 2, Gold: 4, Platinum: 7 }
const noticePeriod = ({ tier }: Account): Micros => noticeDays[tier] * day
/** A customer below this share of placed units is evicted after the timeout, which grows with its patience. */
const servedShareMin = 0.7
const unservedTimeout = 4 * day
const formerCustomersMax = 100
/** Mean days until a customer leaves for its own reasons. */
const meanStayDays = 1_500

interface LifecycleSteps {
  sign(prospect: Prospect): Account
  goLive(account: Account): void
  /** At the turn of a customer. */
  stepTurn(account: Account): void
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

  return {
    sign(prospect) {
      const account = openAccount(context, prospect.contract, prospect.placement.zone)
      // Capacity is reserved at signing, not at onboarding.
      for (const service of account.services) fleet.fill(account, service)
      account.isKey = prospect.isKey
      account.pendingUntil = world.now + Math.floor(choices.uniform(0.5, 3) * hour)
      accounting.bonus(prospect.bonusDollars)
      world.events.emit(world.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-signed', {
        customer: account.name,
        tier: account.tier,
        character: traitsOf(account.contract).says,
      })
      return account
    },
    goLive(account) {
      if (account.live || account.lifecycle === 'Leaving') return
      account.lifecycle = 'Active'
      account.pendingUntil = null
      account.live = true
      account.period = createSlaPeriod(world.now, world.now + slaPeriod)
      if (account.isKey) {
        announceArrival(context, account)
        return
      }
      world.events.emit(world.now, 'CustomerSigned', 'Info', entityOf(account), 'event.customer-live', {
        customer: account.name,
        units: account.placedUnits,
      })
    },
    stepTurn(account) {
      const due = account.pendingUntil !== null && world.now >= account.pendingUntil
      if (account.lifecycle === 'Pending' && due) startOnboarding(account)
      else if (account.lifecycle === 'Probation' && due)
        giveNotice(context, account, blame(context.state, account))
      else if (account.lifecycle === 'Leaving' && due) return leave(context, placer, accounting, account)
      if (!account.live) return
      if (account.lifecycle !== 'Leaving') stepComplaints(context, account)
      updateProbation(context, account)
      if (account.lifecycle !== 'Leaving') evictUnserved(context, accounting, account)
      abandonGrowth(context, fleet, account)
      if (world.now >= account.nextGrowth) resize(context, fleet, account)
      if (account.lifecycle !== 'Active') return
      stepRenewal(context, account)
      if (choices.chance(1 / (meanStayDays * traitsOf(account.contract).loyalty * turnsPerDay))) {
        giveNotice(context, account, ordinaryReason(choices, account.contract.archetype))
      }
    },
  }
}

function giveNotice(context: TenantContext, account: Account, reason: string): void {
  const { world, state } = context
  const share = keyShareOf(state, account)
  account.lifecycle = 'Leaving'
  account.leavingReason = reason
  account.pendingUntil = world.now + (share === null ? noticePeriod(account) : movingOutDays * day)
  if (share !== null) {
    announceMovingOut(context, account, share)
    return
  }
  const args = { customer: account.name, reason }
  const { events, now } = world
  events.emit(now, 'CustomerLeaving', 'Warning', entityOf(account), 'event.customer-leaving', args)
}

function rememberFormer({ formerCustomers }: TenantsState, contract: Contract, left: Micros): void {
  formerCustomers.push({ contract, left })
  if (formerCustomers.length > formerCustomersMax) formerCustomers.shift()
}

/** Registers a customer that leaves because of its grievances. Returns its reason. */
function blame(state: TenantsState, account: Account): string {
  account.mayReturn = true
  loseReputation(state)
  return reasonOf(account)
}

const entityOf = (account: Account) => ({ kind: 'Customer', id: account.id }) as const

/** Closes the account; its totals stay in the accounting. */
function leave(context: TenantContext, placer: Placer, accounting: Accounting, account: Account): void {
  const { world } = context
  const days = Math.max(1, dayNumber(world.now) - dayNumber(account.signed))
  accounting.close(account)
  closeAccount(context, account, (unit) => placer.remove(unit))
  account.lifecycle = 'Gone'
  if (account.mayReturn) rememberFormer(context.state, account.contract, world.now)
  world.events.emit(world.now, 'CustomerLeft', 'Warning', entityOf(account), 'event.customer-left', {
    customer: account.name,
    days,
    reason: account.leavingReason,
  })
}

/** Patience from 0.6 to 1.4 times the timeout, the reverse of the sensitivity to failures. */
const patienceOf = ({ temper }: Account): Micros => Math.round((2 - temper) * unservedTimeout)

/** Ends the contract of a customer whose units have been unplaced for too long. */
function evictUnserved({ world }: TenantContext, accounting: Accounting, account: Account): void {
  const unserved = account.placedUnits < servedShareMin * account.requestedUnits
  if (!unserved) account.unservedSince = null
  else account.unservedSince ??= world.now
  if (account.unservedSince === null || world.now - account.unservedSince < patienceOf(account)) return
  account.unservedSince = null
  account.mayReturn = true
  account.leavingReason = 'no host can take what it needs'
  const dollars = Math.round(evictionFee(account))
  accounting.eviction(dollars)
  account.lifecycle = 'Leaving'
  account.pendingUntil = world.now + noticePeriod(account)
  world.events.emit(world.now, 'CustomerLeaving', 'Error', entityOf(account), 'event.customer-evicted', {
    customer: account.name,
    reason: account.leavingReason,
    dollars,
  })
}

/** Fee for ending a contract early: a share of a month's revenue. */
export const evictionFee = ({ revenuePerHour, tier }: Account): number =>
  revenuePerHour * hoursPerMonth * pricePlans[tier].evictionFee
