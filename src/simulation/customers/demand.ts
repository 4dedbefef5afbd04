import type { RandomStream } from '../random.ts'
import { day, minute, type Micros } from '../time.ts'
import type { Account } from './account.ts'
import { archetypeTraits } from './archetypes.ts'
import type { Business } from './business.ts'
import { curveNames, curvesAt, seasonAt } from './curves.ts'

/** How much of a minute's wander is left a minute later, and how far it goes: customers slowly, services faster. */
const customerMemory = 0.998
const customerSpread = 0.055
const serviceMemory = 0.97
const serviceSpread = 0.03
/** What is left of the rush of a launch a minute later: half of it is gone in a day. */
const launchMemory = 0.99952
/** Disk operations that a unit does when it is busiest, of those promised. */
const busyIops = 0.62
/** CPU that a hostile request wastes. */
export const hostileRequestMs = 2.5

/** A new step of a walk around 0 that forgets; `spread` is how far it strays on average. */
const walk = (value: number, memory: number, spread: number, random: RandomStream): number =>
  value * memory + random.bell() * spread * Math.sqrt(1 - memory * memory)

/** Where a customer's walk begins: anywhere it could be. */
export function startWandering(account: Account): void {
  account.wander = account.noise.bell() * customerSpread
}

export interface Demand {
  /** Asks hosts for what users want now. */
  step(servingChanged: boolean): void
}

export function createDemand(business: Business): Demand {
  const { state, services } = business
  const curves = new Float64Array(curveNames.length)
  const noticeHostile = createHarassment(business)

  const wander = (account: Account): void => {
    const traits = archetypeTraits[account.contract.archetype]
    const { now } = state
    account.wander = walk(account.wander, customerMemory, customerSpread * traits.restless, account.noise)
    account.launchLevel *= launchMemory
    if (now >= account.nextLaunch) {
      account.launchLevel = (traits.launchFactor - 1) * account.noise.uniform(0.5, 1)
      account.nextLaunch = now + wait(account.noise, traits.daysBetweenLaunches)
    }
    for (const service of account.services) {
      services.wander[service] = walk(
        services.wander[service],
        serviceMemory,
        serviceSpread,
        services.noise[service],
      )
    }
  }

  /** Demand of a customer against its curve in this season. */
  const levelOf = (account: Account): number =>
    (1 + account.launchLevel) * (1 + Math.max(-0.2, Math.min(0.2, account.wander))) * account.surge

  const noticeSurges = (): boolean => {
    let changed = false
    for (const account of business.accounts) {
      const surge = state.faults.demandFactor(account.id)
      if (surge === account.surge) continue
      account.surge = surge
      changed = true
    }
    return changed
  }

  return {
    step(servingChanged) {
      const minuteBegins = state.now % minute === 0
      if (minuteBegins) {
        curvesAt(state.now, curves)
        for (const account of business.accounts) wander(account)
      }
      const surged = noticeSurges()
      const hostile = noticeHostile()
      if (!minuteBegins && !surged && !servingChanged && !hostile) return
      clearLoad(business)
      for (const account of business.accounts) {
        const season = account.live ? seasonAt(state.now, account.seasonPhase) : 0
        account.demandLevel = season * levelOf(account)
        askFor(business, account, curves, season)
      }
      finishLoad(business)
      state.load.version++
    },
  }
}

/** Tells whether hostile requests have come to waste noticeably more or less than was reckoned with. */
function createHarassment(business: Business): () => boolean {
  const { state } = business
  /** Customers whose demand is made with hostile requests. */
  const harassed = new Set<Account>()
  return () => {
    let changed = false
    for (const id of state.threats.residual.keys()) {
      const account = business.byId.get(id)
      if (account !== undefined) harassed.add(account)
    }
    for (const account of harassed) {
      const requests = state.threats.residual.get(account.id)?.requests ?? 0
      if (requests === 0) harassed.delete(account)
      if (Math.abs(requests - account.hostileRequests) <= 0.05 * account.hostileRequests) continue
      account.hostileRequests = requests
      changed = true
    }
    return changed
  }
}

export const wait = (random: RandomStream, days: number): Micros =>
  Math.floor(Math.min(5 * days, Math.max(0.02, random.exponential(days))) * day)

function clearLoad({ state }: Business): void {
  const { load } = state
  load.wantedInGbps.fill(0)
  load.wantedOutGbps.fill(0)
  load.wantedEastWestGbps.fill(0)
  load.cpuDemandMilli.fill(0)
  load.iopsUsed.fill(0)
}

/** What each service wants, spread over the hosts that serve it. */
function askFor(business: Business, account: Account, curves: Float64Array, season: number): void {
  const { services } = business
  const wastedRequests = account.hostileRequests
  let faced = 0
  if (wastedRequests > 0) {
    for (const service of account.services)
      if (services.faced[service] === 1) faced += services.serving[service]
  }
  let usual = 0
  for (const service of account.services) {
    const onCurve =
      curves[services.curve[service]] * services.peakRpsPerUnit[service] * services.requested[service]
    if (services.role[service] !== 1) usual += onCurve
    const rps = onCurve * account.demandLevel * (1 + services.wander[service])
    const serving = services.serving[service]
    services.rps[service] = rps
    if (serving === 0) {
      services.unitDemandMilli[service] = 0
      continue
    }
    const unitRps = rps / serving
    const wasted =
      faced > 0 && services.faced[service] === 1 ? (wastedRequests * hostileRequestMs) / faced : 0
    services.unitDemandMilli[service] = unitRps * services.cpuMs[service] + wasted
    spreadOver(business, service, unitRps)
  }
  account.usualRequestsPerSecond = season * usual
}

function spreadOver(business: Business, service: number, unitRps: number): void {
  const { services, servingHosts, trafficFactor } = business
  const { wantedInGbps, wantedOutGbps, wantedEastWestGbps, cpuDemandMilli, iopsUsed } = business.state.load
  const wantedMilli = services.unitDemandMilli[service]
  const promisedMilli = services.vcpuMilli[service]
  const milli = Math.min(wantedMilli, promisedMilli)
  // What a unit cannot work through it does not answer either.
  const answered = wantedMilli > promisedMilli ? unitRps * (promisedMilli / wantedMilli) : unitRps
  const faced = services.faced[service]
  const gbpsIn = faced * unitRps * services.inGbpsPerRps[service] * trafficFactor.in
  const gbpsOut = faced * answered * services.outGbpsPerRps[service] * trafficFactor.out
  const eastWest = answered * services.eastWestGbpsPerRps[service] * trafficFactor.eastWest
  const busy = answered / services.peakRpsPerUnit[service]
  const iops = services.iops[service] * Math.min(1, busy * busyIops)
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    wantedInGbps[host] += gbpsIn
    wantedOutGbps[host] += gbpsOut
    wantedEastWestGbps[host] += eastWest
    cpuDemandMilli[host] += milli
    iopsUsed[host] += iops
  }
}

function finishLoad({ state, capacity }: Business): void {
  const { cpuDemandMilli, cpuUsedMilli, contention } = state.load
  const { physicalMilli } = capacity
  for (let host = 0; host < physicalMilli.length; host++) {
    cpuUsedMilli[host] = Math.min(cpuDemandMilli[host], physicalMilli[host])
    contention[host] = cpuDemandMilli[host] / physicalMilli[host]
  }
}

/** Traffic at the busiest hour of a week, all customers together, as their curves have it. */
export function weeklyPeak(business: Business): { in: number; out: number; eastWest: number } {
  const { services } = business
  const curves = new Float64Array(curveNames.length)
  const peak = { in: 0, out: 0, eastWest: 0 }
  for (let hourOfWeek = 0; hourOfWeek < 168; hourOfWeek++) {
    curvesAt((hourOfWeek * day) / 24, curves)
    const sum = { in: 0, out: 0, eastWest: 0 }
    for (let service = 0; service < services.end; service++) {
      if (services.customer[service] === 0) continue
      const rps =
        curves[services.curve[service]] * services.peakRpsPerUnit[service] * services.requested[service]
      sum.in += services.faced[service] * rps * services.inGbpsPerRps[service]
      sum.out += services.faced[service] * rps * services.outGbpsPerRps[service]
      sum.eastWest += rps * services.eastWestGbpsPerRps[service]
    }
    peak.in = Math.max(peak.in, sum.in)
    peak.out = Math.max(peak.out, sum.out)
    peak.eastWest = Math.max(peak.eastWest, sum.eastWest)
  }
  return peak
}
