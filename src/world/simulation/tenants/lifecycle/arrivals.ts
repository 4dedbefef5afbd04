import type { RandomStream } from '../../random.ts'
import type { Micros } from '../../time.ts'
import { day, dayNumber, hour, second } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { Contract, FormerCustomer, Prospect } from '../contract.ts'
import { attemptPlacement } from '../placement/placement-attempt.ts'
import type { Placer } from '../placement/placement.ts'
import { pricePlans, unitMonthDollars } from '../prices.ts'
import { interestFactor, tierTilt } from '../relations/reputation.ts'
import { announceNegotiation, keyAccountSizes, negotiationDays } from './key-accounts.ts'
import type { ContractFactory } from './contracts.ts'

/** Prospects a day for a data center with one host; the rate grows with the square root of its size. */
const arrivalsPerDay = 0.07
/** Satisfaction above which customers recommend the company, and the share of recommended prospects if all do. */
const recommendingSatisfactionMin = 0.82
const recommendedShareMax = 0.5
/** Conditions for the return of a former customer: a minimum absence, and a minimum reputation. */
const absenceMin = 30 * day
const returnReputationMin = 0.7
const returnChance = 0.15

export const timeToNextArrival = ({ world, state }: TenantContext, random: RandomStream): Micros => {
  const perDay =
    arrivalsPerDay * Math.sqrt(world.topology.hosts.rows.length) * interestFactor(state, world.now)
  return Math.max(1, Math.round(random.exponential(24 / perDay) * 3_600)) * second
}

/** Creates a prospect: a former customer, a recommended company, or another one. */
export function createProspect(
  context: TenantContext,
  contracts: ContractFactory,
  placer: Placer,
  random: RandomStream,
  isKey = false,
): Prospect {
  const { world, state } = context
  const former = isKey ? null : pickFormer(context, random)
  const size = isKey ? random.uniform(...keyAccountSizes) : 1
  const contract = former?.contract ?? contracts.draft(random, tierTilt(state), size)
  const referrer = isKey || former !== null ? null : pickReferrer(context, random)
  const patienceHours = isKey ? 24 * random.uniform(...negotiationDays.expires) : random.uniform(60, 200)
  const decisionHours = isKey ? 24 * random.uniform(...negotiationDays.decides) : random.uniform(5, 30)
  const monthly = Math.round(monthlyDollars(contract) * state.tariff.level)
  const prospect = {
    id: ++state.prospects.lastId,
    contract,
    arrived: world.now,
    expires: world.now + Math.floor(patienceHours * hour),
    decides: world.now + Math.floor(decisionHours * hour),
    isKey,
    isFamiliar: former !== null || referrer !== null,
    bonusDollars: Math.round(monthly * pricePlans[contract.tier].signupBonus),
    monthlyDollars: monthly,
    countedUnserved: null,
    placement: attemptPlacement(context, placer, contract),
    placementAt: world.now,
  }
  if (isKey) announceNegotiation(context, prospect)
  else announceArrival(context, prospect, former, referrer)
  return prospect
}

function pickFormer({ world, state }: TenantContext, random: RandomStream): FormerCustomer | null {
  const { formerCustomers, reputation } = state
  const wouldReturn = random.chance(returnChance)
  const [oldest] = formerCustomers
  if (!wouldReturn || oldest === undefined || reputation.value < returnReputationMin) return null
  if (world.now - oldest.left < absenceMin) return null
  formerCustomers.shift()
  return oldest
}

function pickReferrer({ state }: TenantContext, random: RandomStream): Account | null {
  const recommending = state.accounts.filter(
    (account) => account.live && account.satisfaction > recommendingSatisfactionMin,
  )
  const share = recommending.length / Math.max(1, state.accounts.length)
  const isRecommended = random.chance(recommendedShareMax * share)
  return isRecommended ? random.pick(recommending) : null
}

function monthlyDollars(contract: Contract): number {
  let dollars = 0
  for (const service of contract.services) {
    dollars += service.count * unitMonthDollars(service, contract.tier, contract.dedicatedHosts)
  }
  return Math.round(dollars)
}

function announceArrival(
  { world }: TenantContext,
  { id, contract }: Prospect,
  former: FormerCustomer | null,
  referrer: Account | null,
): void {
  let units = 0
  for (const service of contract.services) units += service.count
  const entity = { kind: 'Prospect', id } as const
  const args = { prospect: contract.name, units, tier: contract.tier }
  const { events, now } = world
  if (former !== null) {
    const since = { ...args, day: dayNumber(former.left) }
    events.emit(now, 'ProspectArrived', 'Info', entity, 'event.prospect-returned', since)
  } else if (referrer !== null) {
    const sent = { ...args, customer: referrer.name }
    events.emit(now, 'ProspectArrived', 'Info', entity, 'event.prospect-recommended', sent)
  } else {
    events.emit(now, 'ProspectArrived', 'Info', entity, 'event.prospect-arrived', args)
  }
}
