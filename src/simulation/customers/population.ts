import { eastWestShare, inboundShare, peakGbpsPerHost } from '../plant/sizing.ts'
import type { RandomStream } from '../random.ts'
import { hour } from '../time.ts'
import { type Account, type Contract, newPeriod, slaPeriod } from './account.ts'
import type { Business } from './business.ts'
import { usualFill } from './contracts.ts'
import { weeklyPeak } from './demand.ts'
import type { Fleet } from './fleet.ts'
import type { Placer } from './placement.ts'
import type { Segments } from './segments.ts'
import { classIndex } from './service-classes.ts'
import { closeAccount, openAccount } from './signing.ts'

/** One customer for so many hosts, to begin with. */
const hostsPerCustomer = 3
/** How full pools are made at first, by the scarcest of CPU, memory, disk and GPU slices. */
const diskFill = 0.78
/** Share of dedicated hosts that are given away at first. */
const ownedFill = 0.8
/** Demand at the busiest hour of a usual week against what the network was sized for. */
const usualPeak = 0.9
/** Contracts that are looked at for each customer that is wanted. */
const draftsPerCustomer = 8

/** The customers that are there when the world begins: they fill the plant as a going concern would. */
export function settlePopulation(business: Business, segments: Segments, placer: Placer, fleet: Fleet): void {
  const { state } = business
  const random = state.random.stream('customers.population')
  const wanted = Math.max(2, Math.round(state.plant.hosts.count / hostsPerCustomer))
  for (
    let drafted = 0;
    drafted < wanted * draftsPerCustomer && business.accounts.length < wanted;
    drafted++
  ) {
    const contract = business.desk.draft(random)
    if (!poolsHaveRoom(business, contract)) {
      business.desk.takenNames.delete(contract.name)
      continue
    }
    const account = openAccount(business, segments, contract)
    const placed = account.services.map((service) => fleet.fill(account, service, 'quietly'))
    if (placed.every(Boolean)) {
      settleIn(business, account, random)
    } else {
      closeAccount(business, segments, account, (unit) => placer.take(unit))
      business.desk.takenNames.delete(contract.name)
    }
  }
  topUp(business, fleet, random)
  tuneTraffic(business)
}

function settleIn(business: Business, account: Account, random: RandomStream): void {
  const { now } = business.state
  account.lifecycle = 'Active'
  account.live = true
  account.satisfaction = random.uniform(0.72, 0.93)
  // They signed on different days, so their periods end on different days.
  account.period = newPeriod(now, now + Math.floor(random.uniform(0.08, 1) * (slaPeriod / hour)) * hour)
}

/** How full a pool is by the scarcest of what it has. */
export function poolFill(business: Business, pool: number): number {
  const tally = business.capacity.pools[pool]
  const gpu = tally.slicesAll === 0 ? 0 : tally.slices / tally.slicesAll
  return Math.max(
    tally.milli / tally.maxMilli,
    tally.memMb / tally.memAll,
    (tally.ssdGb / tally.ssdAll) * (usualFill / diskFill),
    gpu * 0.95,
    (tally.owned / tally.hosts) * (usualFill / ownedFill),
  )
}

function poolsHaveRoom(business: Business, contract: Contract): boolean {
  return contract.services.every((service) => {
    const pools = business.poolsFor[contract.dedicatedHosts ? 1 : 0]
    return pools[classIndex[service.class]].some((pool) => poolFill(business, pool) < usualFill)
  })
}

/** Lets services grow, in turn, until every pool is as full as pools usually are. */
function topUp(business: Business, fleet: Fleet, random: RandomStream): void {
  const { services, poolsFor, state } = business
  const done = new Set<number>()
  if (business.accounts.length === 0) return
  const slots = state.plant.hosts.count * 8
  for (let grown = 0; grown < slots; grown++) {
    const account = business.accounts[random.below(business.accounts.length)]
    const service = account.services[random.below(account.services.length)]
    const pools = poolsFor[account.dedicatedHosts ? 1 : 0][services.class[service]]
    if (done.has(service) || pools.every((pool) => poolFill(business, pool) >= usualFill)) continue
    services.requested[service]++
    if (fleet.fill(account, service, 'quietly')) {
      account.requestedUnits++
    } else {
      services.requested[service]--
      services.lack[service] = null
      done.add(service)
    }
  }
}

/** Makes all traffic together meet what the network was built for at the busiest hour of a week. */
function tuneTraffic(business: Business): void {
  const peak = weeklyPeak(business)
  const target = business.state.plant.hosts.count * peakGbpsPerHost * usualPeak
  const { trafficFactor } = business
  if (peak.out > 0) trafficFactor.out = target / peak.out
  if (peak.in > 0) trafficFactor.in = (target * inboundShare) / peak.in
  if (peak.eastWest > 0) trafficFactor.eastWest = (target * eastWestShare) / peak.eastWest
}
