import type { RandomStream } from '../../random.ts'
import { isDue, schedule } from '../../schedule.ts'
import type { Micros } from '../../time.ts'
import { hour } from '../../time.ts'
import type { TenantContext } from '../context.ts'
import type { Prospect } from '../contract.ts'
import { isAccepted } from '../placement/admission.ts'
import { contractTraffic } from '../placement/network-room.ts'
import { attemptPlacement } from '../placement/placement-attempt.ts'
import type { Placer } from '../placement/placement.ts'
import { createProspect, timeToNextArrival } from './arrivals.ts'
import { announceLoss, nextNegotiation } from './key-accounts.ts'
import type { ContractFactory } from './contracts.ts'
import { countUnservedContract, countUnservedTraffic } from './unserved-demand.ts'

const prospectsMax = 200
const attemptsPerMinuteMax = 4
const attemptValidity: Micros = 3 * hour
/** Time to the next decision on a prospect that waits for capacity. */
const decisionInterval: Micros = 4 * hour

interface Prospects {
  /** Adds arriving prospects, and decides on due ones. */
  step(sign: (prospect: Prospect) => unknown): void
}

export function createProspects(
  context: TenantContext,
  contracts: ContractFactory,
  placer: Placer,
): Prospects {
  const { world, state } = context
  const { prospects } = state
  const choices = world.random.stream('customers.choices')
  const admitArrivals = createArrivals(context, contracts, placer)

  /** Decides on a prospect as its record recommends. Returns whether the prospect was removed. */
  const decide = (prospect: Prospect, sign: (prospect: Prospect) => unknown): boolean => {
    // The attempt may be outdated by another signing in the same minute.
    if (isAccepted(prospect.placement.recommendation)) {
      prospect.placement = attemptPlacement(context, placer, prospect.contract)
    }
    const { recommendation } = prospect.placement
    if (isAccepted(recommendation)) {
      withdrawUnserved(context, prospect)
      const refusal = refusalOf(state.reputation.value, prospect.isFamiliar, choices, state.tariff.level)
      if (refusal === null) sign(prospect)
      else turnAway(context, prospect, refusal)
      return true
    }
    if (recommendation === 'Decline') {
      turnAway(context, prospect, 'our data center cannot meet its requirements')
      return true
    }
    countUnserved(context, prospect)
    prospect.decides = world.now + decisionInterval
    if (prospect.expires > world.now) return false
    const { networkFull } = prospect.placement
    turnAway(
      context,
      prospect,
      networkFull ? 'our network has no room for it' : 'our pools have no room to spare for it',
    )
    return true
  }

  return {
    step(sign) {
      if (!isDue(schedule.prospects, world.tick)) return
      admitArrivals()
      if (prospects.list.length === 0) return
      refreshPlacements(context, placer)
      const gone = new Set<Prospect>()
      for (const prospect of prospects.list) {
        const isDecided = prospect.decides <= world.now || prospect.expires <= world.now
        if (isDecided && prospect.placementAt === world.now && decide(prospect, sign)) gone.add(prospect)
      }
      if (gone.size > 0) prospects.list = prospects.list.filter((prospect) => !gone.has(prospect))
    },
  }
}

/** Returns a function that adds the prospects that are due: ordinary and large ones. */
function createArrivals(context: TenantContext, contracts: ContractFactory, placer: Placer): () => void {
  const { world } = context
  const { prospects } = context.state
  const arrivals = world.random.stream('customers.arrivals')
  const drafts = world.random.stream('customers.prospects')
  const negotiations = world.random.stream('customers.negotiations')
  prospects.nextArrival = world.now + timeToNextArrival(context, arrivals)
  prospects.nextNegotiation = nextNegotiation(world.now, negotiations)

  const add = (random: RandomStream, isKey: boolean): void => {
    if (prospects.list.length >= prospectsMax) return
    prospects.list = [...prospects.list, createProspect(context, contracts, placer, random, isKey)]
  }

  return () => {
    while (prospects.nextArrival <= world.now) {
      prospects.nextArrival += timeToNextArrival(context, arrivals)
      add(drafts, false)
    }
    if (world.now < prospects.nextNegotiation) return
    prospects.nextNegotiation = nextNegotiation(world.now, negotiations)
    add(negotiations, true)
  }
}

/** Repeats outdated placement attempts and those before a decision, a few per minute. */
function refreshPlacements(context: TenantContext, placer: Placer): void {
  const { now } = context.world
  let attempts = 0
  for (const prospect of context.state.prospects.list) {
    const isDecided = prospect.decides <= now || prospect.expires <= now
    const isOutdated = now - prospect.placementAt >= attemptValidity || isDecided
    if (!isOutdated || attempts >= attemptsPerMinuteMax) continue
    prospect.placement = attemptPlacement(context, placer, prospect.contract)
    prospect.placementAt = now
    attempts++
  }
}

/** Probability that a prospect accepts an offer without any reputation, and its increase with a perfect one. */
const signChance = 0.3
const signChanceByReputation = 0.65
const familiarityBonus = 0.12
/** Decrease of that probability by prices twice those of the beginning. */
const priceWeight = 0.6
const otherRefusals: readonly string[] = [
  'a cheaper offer',
  'its present provider has improved its offer',
  'it runs its systems itself after all',
]

/** The reason for which a prospect rejects an offer; null if it signs. */
export function refusalOf(
  reputation: number,
  isFamiliar: boolean,
  random: RandomStream,
  priceLevel = 1,
): string | null {
  const draw = random.fraction()
  const reason = random.pick(otherRefusals)
  const chance =
    signChance +
    signChanceByReputation * reputation +
    (isFamiliar ? familiarityBonus : 0) -
    priceWeight * (priceLevel - 1)
  if (draw < chance) return null
  // The reputation is the reason if a perfect one would have led to a signature.
  return draw < signChance + signChanceByReputation ? 'it has heard about our outages' : reason
}

function countUnserved(context: TenantContext, prospect: Prospect): void {
  if (prospect.countedUnserved !== null) return
  prospect.countedUnserved = prospect.placement.networkFull ? 'network' : 'hosts'
  addUnserved(context, prospect, 1)
}

function withdrawUnserved(context: TenantContext, prospect: Prospect): void {
  if (prospect.countedUnserved !== null) addUnserved(context, prospect, -1)
  prospect.countedUnserved = null
}

function addUnserved(context: TenantContext, { contract, countedUnserved }: Prospect, sign: 1 | -1): void {
  if (countedUnserved === 'hosts') countUnservedContract(context, contract, sign)
  else countUnservedTraffic(context, contract, sign * contractTraffic(context, contract).out)
}

/** Removes a prospect that chose another provider. */
function turnAway(context: TenantContext, prospect: Prospect, reason: string): void {
  const { world, state } = context
  const { id, contract } = prospect
  state.takenNames.delete(contract.name)
  if (prospect.isKey) {
    announceLoss(context, prospect, reason)
    return
  }
  const entity = { kind: 'Prospect', id } as const
  world.events.emit(world.now, 'ProspectExpired', 'Info', entity, 'event.prospect-expired', {
    prospect: contract.name,
    reason,
  })
}
