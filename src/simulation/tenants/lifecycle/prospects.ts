import type { RandomStream } from '../../random.ts'
import { isDue, schedule } from '../../schedule.ts'
import { hour, type Micros, second } from '../../time.ts'
import type { TenantContext } from '../context.ts'
import type { Contract, PlacementAttempt, Prospect } from '../contract.ts'
import { isAccepted } from '../placement/admission.ts'
import { attemptPlacement } from '../placement/placement-attempt.ts'
import type { Placer } from '../placement/placement.ts'
import type { ContractFactory } from './contracts.ts'
import { pricePlans, unitMonthDollars } from '../prices.ts'
import { countUnservedContract } from './unserved-demand.ts'

const arrivalsPerHostDay = 0.025
const prospectsMax = 200
const attemptsPerMinuteMax = 4
const attemptValidity: Micros = hour
/** Time until the next decision on a prospect that was not signed. */
const decisionInterval: Micros = 4 * hour

export interface Prospects {
  /** Prospects arrive, leave and sign. */
  step(sign: (prospect: Prospect) => unknown): void
}

export function createProspects(
  context: TenantContext,
  contracts: ContractFactory,
  placer: Placer,
): Prospects {
  const { world, state } = context
  const { prospects } = state
  const arrivals = world.random.stream('customers.arrivals')
  const drafts = world.random.stream('customers.prospects')
  const meanHours = 24 / (arrivalsPerHostDay * world.topology.hosts.count)
  const timeToNext = (): Micros => Math.max(1, Math.round(arrivals.exponential(meanHours) * 3_600)) * second
  prospects.nextArrival = world.now + timeToNext()

  const admitArrivals = (): void => {
    while (prospects.nextArrival <= world.now) {
      prospects.nextArrival += timeToNext()
      if (prospects.list.length >= prospectsMax) continue
      const prospect = createProspect(context, contracts, placer, drafts)
      prospects.list = [...prospects.list, prospect]
      announceArrival(context, prospect)
    }
  }

  /** Signs the prospect if it still fits: others may have signed in this very minute. */
  const decide = (prospect: Prospect, sign: (prospect: Prospect) => unknown): boolean => {
    if (isWorthSigning(prospect.placement)) {
      prospect.placement = attemptPlacement(context, placer, prospect.contract)
    }
    if (isWorthSigning(prospect.placement)) {
      if (prospect.countedUnserved) countUnservedContract(context, prospect.contract, -1)
      sign(prospect)
      return true
    }
    if (prospect.placement.recommendation === 'AddCapacity' && !prospect.countedUnserved) {
      prospect.countedUnserved = true
      countUnservedContract(context, prospect.contract, 1)
    }
    prospect.decides = world.now + decisionInterval
    return false
  }

  return {
    step(sign) {
      if (!isDue(schedule.prospects, world.tick)) return
      admitArrivals()
      if (prospects.list.length === 0) return
      refreshPlacements(context, placer)
      const gone = new Set<Prospect>()
      for (const prospect of prospects.list) {
        if (prospect.decides <= world.now && prospect.placementAt === world.now) {
          if (decide(prospect, sign)) gone.add(prospect)
        } else if (prospect.expires <= world.now) {
          announceExpiry(context, prospect)
          state.takenNames.delete(prospect.contract.name)
          gone.add(prospect)
        }
      }
      if (gone.size > 0) prospects.list = prospects.list.filter((prospect) => !gone.has(prospect))
    },
  }
}

function createProspect(
  context: TenantContext,
  contracts: ContractFactory,
  placer: Placer,
  random: RandomStream,
): Prospect {
  const { now } = context.world
  const contract = contracts.draft(random)
  const patienceHours = random.uniform(10, 60)
  const decisionHours = random.uniform(1, 7)
  const monthly = monthlyDollars(contract)
  return {
    id: ++context.state.prospects.lastId,
    contract,
    arrived: now,
    expires: now + Math.floor(patienceHours * hour),
    decides: now + Math.floor(decisionHours * hour),
    bonusDollars: Math.round(monthly * pricePlans[contract.tier].signupBonus),
    monthlyDollars: monthly,
    countedUnserved: false,
    placement: attemptPlacement(context, placer, contract),
    placementAt: now,
  }
}

/** Repeats placement attempts that are outdated or about to be decided on, a few per minute. */
function refreshPlacements(context: TenantContext, placer: Placer): void {
  const { now } = context.world
  let attempts = 0
  for (const prospect of context.state.prospects.list) {
    const isOutdated = now - prospect.placementAt >= attemptValidity || prospect.decides <= now
    if (!isOutdated || attempts >= attemptsPerMinuteMax) continue
    prospect.placement = attemptPlacement(context, placer, prospect.contract)
    prospect.placementAt = now
    attempts++
  }
}

const isWorthSigning = ({ recommendation }: PlacementAttempt): boolean => isAccepted(recommendation)

function monthlyDollars(contract: Contract): number {
  let dollars = 0
  for (const service of contract.services) {
    dollars += service.count * unitMonthDollars(service, contract.tier, contract.dedicatedHosts)
  }
  return Math.round(dollars)
}

function announceArrival({ world }: TenantContext, { id, contract }: Prospect): void {
  let units = 0
  for (const service of contract.services) units += service.count
  const entity = { kind: 'Prospect', id } as const
  world.events.emit(world.now, 'ProspectArrived', 'Info', entity, 'event.prospect-arrived', {
    prospect: contract.name,
    units,
    tier: contract.tier,
  })
}

function announceExpiry({ world }: TenantContext, { id, contract }: Prospect): void {
  const entity = { kind: 'Prospect', id } as const
  world.events.emit(world.now, 'ProspectExpired', 'Info', entity, 'event.prospect-expired', {
    prospect: contract.name,
  })
}
