import type { Archetype } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { archetypeTraits } from './archetypes.ts'
import { randomDelay } from './demand-drift.ts'

/** Events that raise a customer's demand for a day or two. */
interface Boosts {
  readonly launch: string
  /** An unplanned event; null if the archetype has none. */
  readonly viral: string | null
  readonly daysBetweenViral: number
}

const never = 10_000
const boosts: Readonly<Record<Archetype, Boosts>> = {
  Shop: { launch: 'a sale of its own', viral: 'a celebrity wears what it sells', daysBetweenViral: 150 },
  Saas: { launch: 'a new release', viral: null, daysBetweenViral: never },
  GameStudio: { launch: 'a new season', viral: 'streamers play its game', daysBetweenViral: 90 },
  Media: { launch: 'a premiere', viral: 'a story that everyone shares', daysBetweenViral: 60 },
  Bank: { launch: 'a new savings offer', viral: null, daysBetweenViral: never },
  Hospital: { launch: 'a vaccination campaign', viral: null, daysBetweenViral: never },
  PublicOffice: { launch: 'a deadline for applications', viral: null, daysBetweenViral: never },
  MlLab: { launch: 'a new model', viral: 'its paper makes the news', daysBetweenViral: 150 },
  Startup: { launch: 'a new version', viral: 'its app is featured in a store', daysBetweenViral: 75 },
  Logistics: { launch: 'a new client', viral: null, daysBetweenViral: never },
  University: { launch: 'course registration', viral: null, daysBetweenViral: never },
}

const viralLevel = { from: 0.15, to: 0.21 }
/** Smaller boosts are not announced. */
const announcedMin = 0.1

export function scheduleBoosts(account: Account, now: number, random: RandomStream): void {
  const { archetype } = account.contract
  account.nextLaunch = now + randomDelay(random, archetypeTraits[archetype].daysBetweenLaunches)
  account.nextViral = now + randomDelay(random, boosts[archetype].daysBetweenViral)
}

/** When demand moves: begins due launches and viral days. */
export function stepLaunches(context: TenantContext, account: Account): void {
  const { now, random } = context.world
  const { archetype } = account.contract
  const { launch, viral, daysBetweenViral } = boosts[archetype]
  if (now >= account.nextLaunch) {
    const stream = random.stream('customers.launches')
    const { launchFactor, daysBetweenLaunches } = archetypeTraits[archetype]
    account.nextLaunch = now + randomDelay(stream, daysBetweenLaunches)
    boost(context, account, (launchFactor - 1) * stream.uniform(0.5, 1), launch)
  }
  if (now >= account.nextViral) {
    const stream = random.stream('customers.launches')
    account.nextViral = now + randomDelay(stream, daysBetweenViral)
    if (viral !== null) boost(context, account, stream.uniform(viralLevel.from, viralLevel.to), viral)
  }
}

function boost({ world }: TenantContext, account: Account, level: number, reason: string): void {
  if (level <= account.launchLevel) return
  account.launchLevel = level
  if (!account.live || level < announcedMin) return
  const entity = { kind: 'Customer', id: account.id } as const
  world.events.emit(world.now, 'DemandChanged', 'Info', entity, 'event.customer-boosted', {
    customer: account.name,
    percent: Math.round(100 * level),
    reason,
  })
}
