import { serviceNames } from '../../../../contract/messages/customers.ts'
import { day, hour } from '../../time.ts'
import type { Account } from '../account.ts'
import { archetypeTraits } from '../demand/archetypes.ts'
import type { TenantContext } from '../context.ts'
import type { ServiceTerms } from '../contract.ts'
import { randomDelay } from '../demand/demand-drift.ts'
import { classOf } from '../service-table.ts'
import type { Fleet } from '../placement/fleet.ts'
import { traitsOf } from '../relations/character.ts'
import { reasonOf, sizeReason } from '../relations/reasons.ts'
import { poolFillRatio } from './population.ts'
import { contractTraffic, hasNetworkRoom } from '../placement/network-room.ts'
import { addGrievance } from '../relations/grievances.ts'
import { countUnservedTraffic, countUnservedUnits } from './unserved-demand.ts'

/** Fill ratio above which a pool's customers do not grow. */
const poolFillMax = 0.72
/** Demand drift below which a customer gives back units. */
const shrinkingDriftMax = -0.03
/** Minimum share of the contracted units that a satisfied and an unsatisfied customer keep. */
const keptShare = 0.7
const keptShareUnsatisfied = 0.4
/** Time after which a customer withdraws unplaced growth, and the maximum share of its units that it withdraws. */
const growthTimeout = 10 * hour
const abandonedShareMax = 0.3
/** Satisfaction lost by refused growth. */
const refusedGrowthCost = 0.015
/** Minimum time between two changes of size. */
const changePauseMin = 3 * day
/** Satisfaction below which customers shrink instead of growing. */
const satisfactionMin = 0.55

/** Grows or shrinks a customer, and schedules the next change. */
export function resize(context: TenantContext, fleet: Fleet, account: Account): void {
  const {
    world,
    state: { services },
  } = context
  const traits = archetypeTraits[account.contract.archetype]
  const noise = context.noise.ofAccount(account)
  account.nextGrowth = world.now + Math.max(changePauseMin, randomDelay(noise, traits.daysBetweenGrowth))
  const service = account.services[noise.below(account.services.length)]
  const step = Math.max(
    1,
    Math.round(services.requested[service] * noise.uniform(0.08, 0.2) * traitsOf(account.contract).growth),
  )
  if (account.lifecycle !== 'Active') return
  const before = account.requestedUnits
  const isSatisfied = account.satisfaction >= satisfactionMin
  const shrinks = !isSatisfied || account.demandDrift < shrinkingDriftMax
  if (shrinks) shrink(context, fleet, account, service, step)
  else grow(context, fleet, account, service, step)
  if (account.requestedUnits === before) return
  const turn = account.id + account.requestedUnits
  const reason = isSatisfied ? sizeReason(account.contract.archetype, !shrinks, turn) : reasonOf(account)
  const entity = { kind: 'Customer', id: account.id } as const
  const args = { customer: account.name, before, after: account.requestedUnits, reason }
  const lacking = services.unplacedReason[service]
  if (shrinks) world.events.emit(world.now, 'CustomerShrank', 'Info', entity, 'event.customer-shrank', args)
  else if (lacking)
    world.events.emit(world.now, 'ServiceUnplaced', 'Warning', entity, 'event.growth-waits', {
      ...args,
      gap: services.requested[service] - services.placed[service],
      service: serviceNames[classOf(services, service)],
      where: lacking.subject,
    })
  else world.events.emit(world.now, 'CustomerGrew', 'Info', entity, 'event.customer-grew', args)
}

/** Withdraws unplaced growth after the timeout. */
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
    const gapOfService = services.requested[service] - services.placed[service]
    if (gapOfService > 0)
      countUnservedUnits(context, account.contract, termsOf(account, service), gapOfService)
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
  // Who waits for room asks for no more.
  if (room <= 0 || account.placedUnits < account.requestedUnits) return
  const units = Math.min(step, room)
  if (pools.every((pool) => poolFillRatio(context, pool) > poolFillMax)) {
    countUnservedUnits(context, account.contract, termsOf(account, service), units)
    addGrievance(account, 'capacity', refusedGrowthCost)
    return
  }
  const terms = termsOf(account, service)
  const traffic = contractTraffic(context, { ...account.contract, services: [{ ...terms, count: units }] })
  if (!hasNetworkRoom(context, account.homeZone, traffic)) {
    countUnservedTraffic(context, account.contract, traffic.out)
    addGrievance(account, 'capacity', refusedGrowthCost)
    return
  }
  services.requested[service] += units
  account.requestedUnits += units
  fleet.fill(account, service, { silent: true })
}

function shrink(context: TenantContext, fleet: Fleet, account: Account, service: number, step: number): void {
  const { services } = context.state
  const terms = termsOf(account, service)
  const least = Math.max(
    1,
    Math.ceil(terms.count * (account.satisfaction < satisfactionMin ? keptShareUnsatisfied : keptShare)),
  )
  const units = Math.min(step, services.requested[service] - least)
  if (units <= 0) return
  services.requested[service] -= units
  account.requestedUnits -= units
  fleet.trim(service)
}

const termsOf = ({ contract, services }: Account, service: number): ServiceTerms =>
  contract.services[services.indexOf(service)]
