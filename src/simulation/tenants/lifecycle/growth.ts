import { hour } from '../../time.ts'
import type { Account } from '../account.ts'
import { archetypeTraits } from '../demand/archetypes.ts'
import type { TenantContext } from '../context.ts'
import { randomDelay } from '../demand/demand-drift.ts'
import type { Fleet } from '../placement/fleet.ts'
import { classIndex } from '../demand/service-classes.ts'
import { poolFillRatio } from './population.ts'
import { countUnservedUnits, fittingArch } from './unserved-demand.ts'

/** Customers do not grow into pools above this fill ratio. */
const poolFillMax = 0.72
/** Share of size changes in which the customer shrinks. */
const shrinkShare = 0.28
/** A customer gives up unplaced growth after this time, unless it is more than this share of its units. */
const growthTimeout = 10 * hour
const abandonedShareMax = 0.3
/** Less satisfied customers do not grow. */
const satisfactionMin = 0.55

/** Grows or shrinks a customer, and schedules the next change. */
export function resize(context: TenantContext, fleet: Fleet, account: Account): void {
  const {
    world,
    state: { services },
  } = context
  const traits = archetypeTraits[account.contract.archetype]
  const noise = context.noise.ofAccount(account)
  account.nextGrowth = world.now + randomDelay(noise, traits.daysBetweenGrowth)
  const shrinks = noise.chance(shrinkShare)
  const service = account.services[noise.below(account.services.length)]
  const step = Math.max(1, Math.round(services.requested[service] * noise.uniform(0.08, 0.2)))
  if (account.lifecycle !== 'Active') return
  const before = account.requestedUnits
  if (shrinks) shrink(context, fleet, account, service, step)
  else if (account.satisfaction > satisfactionMin) grow(context, fleet, account, service, step)
  if (account.requestedUnits === before) return
  const key = account.requestedUnits > before ? 'event.customer-grew' : 'event.customer-shrank'
  world.events.emit(world.now, 'CustomerGrew', 'Info', { kind: 'Customer', id: account.id }, key, {
    customer: account.name,
    before,
    after: account.requestedUnits,
  })
}

/** Withdraws growth that has been unplaced for too long. */
export function abandonGrowth(context: TenantContext, fleet: Fleet, account: Account): void {
  const {
    world,
    state: { services },
  } = context
  const gap = account.requestedUnits - account.placedUnits
  if (gap <= 0) account.growthUnplacedSince = null
  else account.growthUnplacedSince ??= world.now
  const since = account.growthUnplacedSince
  if (since === null || world.now - since < growthTimeout || gap > abandonedShareMax * account.requestedUnits)
    return
  account.growthUnplacedSince = null
  for (const service of account.services) {
    countUnservedGrowth(context, account, service, services.requested[service] - services.placed[service])
    services.requested[service] = services.placed[service]
    fleet.trim(service)
  }
  account.requestedUnits = account.placedUnits
  const entity = { kind: 'Customer', id: account.id } as const
  world.events.emit(world.now, 'ServicePlaced', 'Info', entity, 'event.growth-called-off', {
    customer: account.name,
    gap,
  })
}

function grow(context: TenantContext, fleet: Fleet, account: Account, service: number, step: number): void {
  const { services } = context.state
  const room = account.contract.growthCeiling - account.requestedUnits
  const pools = context.poolsFor[account.dedicatedHosts ? 1 : 0][services.class[service]]
  if (room <= 0) return
  const units = Math.min(step, room)
  if (pools.every((pool) => poolFillRatio(context, pool) > poolFillMax)) {
    countUnservedGrowth(context, account, service, units)
    return
  }
  services.requested[service] += units
  account.requestedUnits += units
  fleet.fill(account, service)
}

function shrink(context: TenantContext, fleet: Fleet, account: Account, service: number, step: number): void {
  const { services } = context.state
  const terms = account.contract.services[account.services.indexOf(service)]
  const least = Math.max(1, Math.ceil(terms.count * 0.7))
  const units = Math.min(step, services.requested[service] - least)
  if (units <= 0) return
  services.requested[service] -= units
  account.requestedUnits -= units
  fleet.trim(service)
}

function countUnservedGrowth(context: TenantContext, account: Account, service: number, units: number): void {
  const terms = account.contract.services[account.services.indexOf(service)]
  const pools = context.poolsFor[account.dedicatedHosts ? 1 : 0][classIndex[terms.class]]
  if (units > 0) countUnservedUnits(context, fittingArch(context, pools, account.contract), terms, units)
}
