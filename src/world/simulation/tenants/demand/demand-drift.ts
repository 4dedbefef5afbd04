import { power } from '../../numeric.ts'
import type { RandomStream } from '../../random.ts'
import { demandMinutes } from '../../schedule.ts'
import type { Micros } from '../../time.ts'
import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { archetypeTraits } from './archetypes.ts'

/** Mean-reverting random walks of demand: the share retained from move to move, and the standard deviation. */
const customerMemory = power(0.998, demandMinutes)
const customerSpread = 0.055
const serviceMemory = power(0.97, demandMinutes)
const serviceSpread = 0.03
/** Share of a launch's extra demand retained from move to move, with a half-life of about a day. */
const launchMemory = power(0.99952, demandMinutes)

const stepRandomWalk = (value: number, memory: number, spread: number, random: RandomStream): number =>
  value * memory + random.bell() * spread * Math.sqrt(1 - memory * memory)

/** Draws a customer's initial drift from its stationary distribution. */
export function seedDemandDrift(account: Account, noise: RandomStream): void {
  account.demandDrift = noise.bell() * customerSpread
}

/** Exponentially distributed beyond a quarter of the mean, up to five times it: a customer has no two launches in a day. */
export const randomDelay = (random: RandomStream, meanDays: number): Micros =>
  Math.floor(Math.min(5, 0.25 + 0.75 * random.exponential(1)) * meanDays * day)

export function updateDemandDrift({ state, noise }: TenantContext, account: Account): void {
  const traits = archetypeTraits[account.contract.archetype]
  const random = noise.ofAccount(account)
  account.demandDrift = stepRandomWalk(
    account.demandDrift,
    customerMemory,
    customerSpread * traits.volatility,
    random,
  )
  account.launchLevel *= launchMemory
  const { demandDrift } = state.services
  for (const service of account.services) {
    const serviceNoise = noise.ofService(service)
    demandDrift[service] = stepRandomWalk(demandDrift[service], serviceMemory, serviceSpread, serviceNoise)
  }
}
