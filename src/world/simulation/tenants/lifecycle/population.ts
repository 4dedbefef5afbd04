import { eastWestShare, inboundShare, peakGbpsPerHost } from '../../topology/sizing.ts'
import type { RandomStream } from '../../random.ts'
import { day, hour } from '../../time.ts'
import type { Account } from '../account.ts'
import { createSlaPeriod, slaPeriod } from '../account.ts'
import type { Contract } from '../contract.ts'
import type { TenantContext } from '../context.ts'
import type { ContractFactory } from './contracts.ts'
import { typicalFillRatio } from './contracts.ts'
import { weeklyPeakGbps } from '../demand/demand.ts'
import type { Fleet } from '../placement/fleet.ts'
import type { Placer } from '../placement/placement.ts'
import { classIndex } from '../demand/service-classes.ts'
import { addGrievance, grievanceCost } from '../relations/grievances.ts'
import { satisfactionMax } from '../quality/satisfaction.ts'
import { closeAccount, openAccount } from './signing.ts'

/** Hosts per initial customer. */
const hostsPerCustomer = 3
/** Initial fill ratios of a pool's disks, and of its dedicated hosts, at typically full CPU. */
const diskFillRatio = 0.78
const dedicatedFillRatio = 0.8
/** Traffic at the weekly peak, relative to the network's design traffic. */
const peakShare = 0.9
/** Bound of the drafted contracts per customer. */
const draftsPerCustomer = 8

/** Creates the initial customers of a world, with pools at their typical fill ratio. */
export function seedCustomers(
  context: TenantContext,
  contracts: ContractFactory,
  placer: Placer,
  fleet: Fleet,
): void {
  const { world } = context
  const random = world.random.stream('customers.population')
  const wanted = Math.max(2, Math.round(world.topology.hosts.rows.length / hostsPerCustomer))
  for (
    let drafted = 0;
    drafted < wanted * draftsPerCustomer && context.state.accounts.length < wanted;
    drafted++
  ) {
    const contract = contracts.draft(random)
    if (!poolsHaveRoom(context, contract)) {
      context.state.takenNames.delete(contract.name)
      continue
    }
    const account = openAccount(context, contract)
    const placed = account.services.map((service) => fleet.fill(account, service, { silent: true }))
    if (placed.every(Boolean)) {
      startLive(context, account, random)
    } else {
      closeAccount(context, account, (unit) => placer.remove(unit))
      context.state.takenNames.delete(contract.name)
    }
  }
  fillPools(context, fleet, random)
  scaleTraffic(context)
}

function startLive(context: TenantContext, account: Account, random: RandomStream): void {
  const { now } = context.world
  account.lifecycle = 'Active'
  account.live = true
  // Grievances from the weeks before the world began.
  addGrievance(account, 'failures', random.uniform(0, 0.14))
  addGrievance(account, 'latency', random.uniform(0, 0.05))
  account.priced = now - Math.floor(random.uniform(0, 365) * day)
  account.satisfaction = satisfactionMax - grievanceCost(account)
  account.usualSatisfaction = account.satisfaction
  // SLA periods of different customers end on different days.
  account.period = createSlaPeriod(now, now + Math.floor(random.uniform(0.08, 1) * (slaPeriod / hour)) * hour)
}

/** Fill ratio of a pool by its scarcest resource. */
export function poolFillRatio(context: TenantContext, pool: number): number {
  const usage = context.state.capacity.pools[pool]
  const gpu = usage.slicesTotal === 0 ? 0 : usage.slices / usage.slicesTotal
  return Math.max(
    usage.milli / usage.maxMilli,
    usage.memMb / usage.memMbTotal,
    (usage.ssdGb / usage.ssdGbTotal) * (typicalFillRatio / diskFillRatio),
    gpu * 0.95,
    (usage.dedicatedHosts / usage.hosts) * (typicalFillRatio / dedicatedFillRatio),
  )
}

function poolsHaveRoom(context: TenantContext, contract: Contract): boolean {
  return contract.services.every((service) => {
    const pools = context.poolsFor[contract.dedicatedHosts ? 1 : 0]
    return pools[classIndex[service.class]].some((pool) => poolFillRatio(context, pool) < typicalFillRatio)
  })
}

/** Adds units to random services until every pool has reached its typical fill ratio. */
function fillPools(context: TenantContext, fleet: Fleet, random: RandomStream): void {
  const {
    poolsFor,
    world,
    state: { services },
  } = context
  const done = new Set<number>()
  if (context.state.accounts.length === 0) return
  const slots = world.topology.hosts.rows.length * 8
  for (let grown = 0; grown < slots; grown++) {
    const account = context.state.accounts[random.below(context.state.accounts.length)]
    const service = account.services[random.below(account.services.length)]
    const pools = poolsFor[account.dedicatedHosts ? 1 : 0][services.class[service]]
    if (done.has(service) || pools.every((pool) => poolFillRatio(context, pool) >= typicalFillRatio)) continue
    services.requested[service]++
    if (fleet.fill(account, service, { silent: true })) {
      account.requestedUnits++
    } else {
      services.requested[service]--
      services.unplacedReason[service] = null
      done.add(service)
    }
  }
}

/** Scales traffic so that the weekly peak matches the network's design traffic. */
function scaleTraffic(context: TenantContext): void {
  const peak = weeklyPeakGbps(context.state)
  const target = context.world.topology.hosts.rows.length * peakGbpsPerHost * peakShare
  const { trafficFactor } = context.state.demand
  if (peak.out > 0) trafficFactor.out = target / peak.out
  if (peak.in > 0) trafficFactor.in = (target * inboundShare) / peak.in
  if (peak.eastWest > 0) trafficFactor.eastWest = (target * eastWestShare) / peak.eastWest
  const { zonePeaks } = context.state.demand
  context.world.topology.zones.forEach(({ hosts }, zone) => {
    const gbps = hosts.length * peakGbpsPerHost * peakShare
    zonePeaks.out[zone] = gbps
    zonePeaks.in[zone] = gbps * inboundShare
    zonePeaks.eastWest[zone] = gbps * eastWestShare
  })
}
