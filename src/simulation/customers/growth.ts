import { hour } from '../time.ts'
import type { Account } from './account.ts'
import { archetypeTraits } from './archetypes.ts'
import type { Business } from './business.ts'
import { wait } from './demand.ts'
import type { Fleet } from './fleet.ts'
import { poolFill } from './population.ts'

/** Nobody is given more units of a pool that is fuller than this. */
const growBelowFill = 0.72
/** Of the moments at which customers change their size, those at which they become smaller. */
const shrinkShare = 0.28
/** How long a customer waits for units that find no room, and the share of its units that it can do without. */
const wishPatience = 10 * hour
const mostCalledOff = 0.3
/** A customer that is less satisfied does not entrust us with more. */
const growsAbove = 0.55

/** A customer comes to a moment at which it changes its size. */
export function resize(business: Business, fleet: Fleet, account: Account): void {
  const { state, services } = business
  const traits = archetypeTraits[account.contract.archetype]
  account.nextGrowth = state.now + wait(account.noise, traits.daysBetweenGrowth)
  const shrinks = account.noise.chance(shrinkShare)
  const service = account.services[account.noise.below(account.services.length)]
  const step = Math.max(1, Math.round(services.requested[service] * account.noise.uniform(0.08, 0.2)))
  if (account.lifecycle !== 'Active') return
  const before = account.requestedUnits
  if (shrinks) shrink(business, fleet, account, service, step)
  else if (account.satisfaction > growsAbove) grow(business, fleet, account, service, step)
  if (account.requestedUnits === before) return
  const key = account.requestedUnits > before ? 'event.customer-grew' : 'event.customer-shrank'
  state.events.emit(state.now, 'CustomerGrew', 'Info', { kind: 'Customer', id: account.id }, key, {
    customer: account.name,
    before,
    after: account.requestedUnits,
  })
}

/** Growth that has found no room for long is called off: the customer makes do with what it has. */
export function withdrawWishes(business: Business, fleet: Fleet, account: Account): void {
  const { state, services } = business
  const gap = account.requestedUnits - account.placedUnits
  if (gap <= 0) account.wishingSince = null
  else account.wishingSince ??= state.now
  const since = account.wishingSince
  if (since === null || state.now - since < wishPatience || gap > mostCalledOff * account.requestedUnits)
    return
  account.wishingSince = null
  for (const service of account.services) {
    services.requested[service] = services.placed[service]
    fleet.trim(account, service)
  }
  account.requestedUnits = account.placedUnits
  const entity = { kind: 'Customer', id: account.id } as const
  state.events.emit(state.now, 'ServicePlaced', 'Info', entity, 'event.growth-called-off', {
    customer: account.name,
    gap,
  })
}

function grow(business: Business, fleet: Fleet, account: Account, service: number, step: number): void {
  const { services } = business
  const room = account.contract.growthCeiling - account.requestedUnits
  const pools = business.poolsFor[account.dedicatedHosts ? 1 : 0][services.class[service]]
  if (room <= 0 || pools.every((pool) => poolFill(business, pool) > growBelowFill)) return
  const units = Math.min(step, room)
  services.requested[service] += units
  account.requestedUnits += units
  fleet.fill(account, service)
}

function shrink(business: Business, fleet: Fleet, account: Account, service: number, step: number): void {
  const { services } = business
  const terms = account.contract.services[account.services.indexOf(service)]
  const least = Math.max(1, Math.ceil(terms.count * 0.7))
  const units = Math.min(step, services.requested[service] - least)
  if (units <= 0) return
  services.requested[service] -= units
  account.requestedUnits -= units
  fleet.trim(account, service)
}
