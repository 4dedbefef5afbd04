import { shutdownCelsius, throttleCelsius } from '../network/cooling.ts'
import { clamp } from '../numeric.ts'
import type { ResidualAttack } from '../state.ts'
import { stepSeconds } from '../time.ts'
import { type Account, termCount } from './account.ts'
import type { Business } from './business.ts'
import { replicasPromised } from './contracts.ts'
import {
  computeTerm,
  contentionFactor,
  contentionTerm,
  diskFactor,
  patienceMs,
  queueingFactor,
  queueingTerm,
  replicationTerm,
  storageTerm,
} from './latency.ts'
import { countServed } from './served.ts'
import { term } from './service-table.ts'
import { traitsByIndex } from './service-classes.ts'

/** What a host still does when it is about to shut itself down for heat. */
const throttledSpeed = 0.45
/** Requests that fail because intruders are inside: what is taken offline to look for them. */
const breachFailing = 0.03

/** How hosts do now: columns by row. Users' fortunes change only when one of them does. */
interface HostWeather {
  /** Shares of good traffic that get through, from and to users. */
  readonly goodIn: Float64Array
  readonly goodOut: Float64Array
  readonly speed: Float64Array
  readonly crowding: Float64Array
  readonly disk: Float64Array
  readonly queueMs: Float64Array
  readonly inspectionMs: Float64Array
  /** Hosts on which something is different from the last step. */
  readonly changed: Uint8Array
}

export interface Quality {
  /** What users get, after the flows of the step. */
  step(): void
}

export function createQuality(business: Business): Quality {
  const { state } = business
  const floats = () => new Float64Array(state.plant.hosts.count)
  const weather: HostWeather = {
    goodIn: floats(),
    goodOut: floats(),
    speed: floats(),
    crowding: floats(),
    disk: floats(),
    queueMs: floats(),
    inspectionMs: floats(),
    changed: new Uint8Array(state.plant.hosts.count),
  }
  let seenLoad = -1
  let seenVersion = -1
  return {
    step() {
      const { residual } = state.threats
      const hostsChanged = lookAtHosts(business, weather)
      const all = seenLoad !== state.load.version || seenVersion !== business.version
      seenLoad = state.load.version
      seenVersion = business.version
      for (const account of business.accounts) {
        const attack = residual.get(account.id)
        if (
          all ||
          account.unsteady ||
          attack !== undefined ||
          (hostsChanged && isTouched(business, account, weather))
        ) {
          countServed(business.services, account, state.tick)
          account.unsteady = attack !== undefined
          for (const service of account.services) {
            serveService(business, account, service, weather)
            if (state.tick < business.services.failoverUntil[service]) account.unsteady = true
          }
          serveAccount(business, account, attack)
        }
        countRequests(account)
      }
    },
  }
}

/** Whether a host that serves the customer has changed. */
function isTouched(
  { services, servingHosts }: Business,
  account: Account,
  { changed }: HostWeather,
): boolean {
  for (const service of account.services) {
    const first = services.firstServing[service]
    const end = first + services.serving[service]
    for (let i = first; i < end; i++) if (changed[servingHosts[i]] === 1) return true
  }
  return false
}

/** Waiting that has become longer or shorter by so little is as it was. */
const isFelt = (change: number, before: number): boolean => Math.abs(change) > 0.02 + 0.03 * before

/** Tells whether anything is different from the last time. */
function lookAtHosts({ state, capacity }: Business, weather: HostWeather): boolean {
  const { goodIn, goodOut, speed, crowding, disk, queueMs, inspectionMs, changed } = weather
  const { hostDeliveredIn, hostDeliveredOut, hostQueueMs, hostInspectionMs } = state.network
  const { contention, iopsUsed } = state.load
  const { hostCelsius } = state.physical
  const { hostDiskBroken } = state.condition
  let any = false
  changed.fill(0)
  for (let host = 0; host < goodIn.length; host++) {
    const celsius = hostCelsius[host]
    const hot =
      celsius <= throttleCelsius
        ? 0
        : (Math.min(celsius, shutdownCelsius) - throttleCelsius) / (shutdownCelsius - throttleCelsius)
    const crowd = contention[host]
    const pace = (1 - (1 - throttledSpeed) * hot) / (crowd > 1 ? crowd : 1)
    const slow = diskFactor(iopsUsed[host] / capacity.iops[host], hostDiskBroken[host] !== 0)
    if (
      hostDeliveredIn[host] !== goodIn[host] ||
      hostDeliveredOut[host] !== goodOut[host] ||
      pace !== speed[host] ||
      slow !== disk[host] ||
      isFelt(hostQueueMs[host] - queueMs[host], queueMs[host]) ||
      isFelt(hostInspectionMs[host] - inspectionMs[host], inspectionMs[host])
    ) {
      any = true
      changed[host] = 1
      goodIn[host] = hostDeliveredIn[host]
      goodOut[host] = hostDeliveredOut[host]
      speed[host] = pace
      disk[host] = slow
      queueMs[host] = hostQueueMs[host]
      inspectionMs[host] = hostInspectionMs[host]
    }
    crowding[host] = crowd <= 0.7 ? 0 : contentionFactor(crowd)
  }
  return any
}

/** Walks over the hosts that serve a service: what share of its requests is answered, and what delays them. */
function serveService(business: Business, account: Account, service: number, weather: HostWeather): void {
  const { services, servingHosts, state } = business
  const { queueMs: hostQueueMs, inspectionMs: hostInspectionMs } = weather
  const { contention } = state.load
  const first = services.firstServing[service]
  const serving = services.serving[service]
  const end = first + serving
  const traits = traitsByIndex[services.class[service]]
  const faced = services.faced[service] === 1
  const use = services.unitDemandMilli[service] / services.vcpuMilli[service]
  services.load[service] = Math.min(1, use)
  carryTraffic(business, service, weather)
  if (serving === 0) {
    services.ok[service] = 0
    services.diskQuality[service] = 0
    return
  }
  let answered = 0
  let slowest = 1
  let crowd = 0
  let disk = 0
  let queueMs = 0
  let inspectionMs = 0
  let crowdingSum = 0
  let worstContention = 0
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    const speed = weather.speed[host]
    const managed = use > speed ? speed / use : 1
    answered += faced ? managed * weather.goodIn[host] * weather.goodOut[host] : managed
    if (speed < slowest) slowest = speed
    if (weather.crowding[host] > crowd) crowd = weather.crowding[host]
    if (weather.disk[host] > disk) disk = weather.disk[host]
    if (hostQueueMs[host] > queueMs) queueMs = hostQueueMs[host]
    if (hostInspectionMs[host] > inspectionMs) inspectionMs = hostInspectionMs[host]
    if (contention[host] > worstContention) worstContention = contention[host]
    crowdingSum += weather.disk[host]
  }
  let ok = answered / serving
  if (state.tick < services.failoverUntil[service]) ok *= 1 - Math.min(1, services.failoverShare[service])
  const durability = services.durabilityOf(service)
  // What is kept once is gone while its host is; replicas step in for the others.
  if (durability === 'Single') ok *= serving / Math.max(serving, services.placed[service])
  services.ok[service] = ok
  services.contention[service] = worstContention
  services.diskQuality[service] = clamp(1.7 / (crowdingSum / serving), 0, 1)
  const { terms } = services
  const at = service * termCount
  const missing = replicasPromised[durability] - services.replicasHeld[service]
  const queueing = queueingTerm(traits, queueingFactor(use / slowest))
  terms[at + term.Compute] = computeTerm(traits, 1 / Math.min(1, slowest * Math.max(1, worstContention)))
  terms[at + term.Contention] = contentionTerm(traits, crowd)
  terms[at + term.Storage] = storageTerm(traits, disk)
  terms[at + term.Network] = faced ? 0.8 + queueMs : 0.3 + 0.2 * queueMs
  terms[at + term.Queueing] = queueing
  terms[at + term.Inspection] = faced ? inspectionMs : 0
  terms[at + term.Replication] = replicationTerm(durability, account.multiZone, missing)
  services.p50[service] =
    traits.computeMs * 0.9 +
    traits.storageMs * 0.8 +
    0.4 * terms[at + term.Contention] +
    0.3 * queueing +
    0.4 * terms[at + term.Network] +
    0.6 * terms[at + term.Inspection] +
    0.7 * terms[at + term.Replication]
}

/** What the network carries of the traffic that a service asks for (see customers/demand.ts). */
function carryTraffic(
  { services, servingHosts, trafficFactor }: Business,
  service: number,
  weather: HostWeather,
): void {
  const first = services.firstServing[service]
  const serving = services.serving[service]
  let arrives = 0
  let leaves = 0
  for (let i = first; i < first + serving; i++) {
    arrives += weather.goodIn[servingHosts[i]]
    leaves += weather.goodOut[servingHosts[i]]
  }
  const asked = serving > 0 && services.faced[service] === 1 ? services.rps[service] / serving : 0
  const wantedMilli = services.unitDemandMilli[service]
  const promisedMilli = services.vcpuMilli[service]
  const answered = wantedMilli > promisedMilli ? asked * (promisedMilli / wantedMilli) : asked
  services.carriedInGbps[service] = asked * arrives * services.inGbpsPerRps[service] * trafficFactor.in
  services.carriedOutGbps[service] = answered * leaves * services.outGbpsPerRps[service] * trafficFactor.out
}

/** What becomes of a customer's requests, of those who wait for them, and of its traffic. */
function serveAccount(business: Business, account: Account, attack: ResidualAttack | undefined): void {
  const { services, trafficFactor } = business
  const { terms } = account
  terms.fill(0)
  let rps = 0
  let answeredRps = 0
  let behindOk = 1
  let frontRps = 0
  let jobRps = 0
  let gbpsIn = 0
  let gbpsOut = 0
  let wantedGbps = 0
  let p50Front = 0
  let p50Behind = 0
  for (const service of account.services) {
    const wanted = services.rps[service]
    if (services.role[service] === 0) frontRps += wanted
    else if (services.role[service] === 2) jobRps += wanted
    else behindOk *= 1 - traitsByIndex[services.class[service]].noticed * (1 - services.ok[service])
  }
  const leading = frontRps > 0 ? frontRps : jobRps
  const attackOk = 1 - failingFrom(attack, account)
  for (const service of account.services) {
    const traits = traitsByIndex[services.class[service]]
    const at = service * termCount
    if (services.faced[service] === 1) {
      const wantedIn = services.rps[service] * services.inGbpsPerRps[service] * trafficFactor.in
      const wantedOut = services.rps[service] * services.outGbpsPerRps[service] * trafficFactor.out
      gbpsIn += services.carriedInGbps[service]
      gbpsOut += services.carriedOutGbps[service]
      wantedGbps += wantedIn + wantedOut
    }
    if (services.role[service] === 1) {
      for (let i = 0; i < termCount; i++) terms[i] += services.terms[at + i] * traits.waitedCalls
      p50Behind += services.p50[service] * traits.waitedCalls
      services.servedRps[service] = services.rps[service] * services.ok[service]
      continue
    }
    const ok = services.ok[service] * behindOk * attackOk
    const wanted = services.rps[service]
    rps += wanted
    answeredRps += wanted * ok
    services.servedRps[service] = wanted * ok
    if (leading <= 0 || frontRps > 0 !== (services.role[service] === 0)) continue
    const weight = wanted / leading
    for (let i = 0; i < termCount; i++) terms[i] += services.terms[at + i] * weight
    p50Front += services.p50[service] * weight
  }
  account.requestsPerSecond = rps
  account.failing = rps > 0 ? clamp(1 - answeredRps / rps, 0, 1) : 0
  account.servedInGbps = gbpsIn
  account.servedOutGbps = gbpsOut
  account.unservedGbps = Math.max(0, wantedGbps - gbpsIn - gbpsOut)
  account.attackClass = attack?.class ?? null
  account.breached = attack?.breach ?? false
  readServices(business, account, attackOk)
  judgeLatency(account, rps, p50Front + p50Behind)
}

/** How its services do, taken together; an attack takes from what those answer that users face. */
function readServices({ services }: Business, account: Account, attackOk: number): void {
  let used = 0
  let promised = 0
  let health = 0
  let disks = 0
  let diskUnits = 0
  for (const service of account.services) {
    const milli = services.vcpuMilli[service]
    used += services.load[service] * milli * services.serving[service]
    promised += milli * services.placed[service]
    const whole = services.serving[service] / Math.max(1, services.requested[service])
    const apart = services.spreadKept[service] === 1 ? 1 : 0.9
    const spared = services.role[service] === 1 ? 1 : attackOk
    health += Math.min(1, whole) * services.ok[service] * spared * apart
    const keeps = services.durability[service] === 0 ? 0 : Math.max(1, services.placed[service])
    disks += services.diskQuality[service] * keeps
    diskUnits += keeps
  }
  account.cpuLoad = promised > 0 ? used / promised : 0
  account.health = health / Math.max(1, account.services.length)
  account.blockQuality = diskUnits > 0 ? disks / diskUnits : 1
}

function judgeLatency(account: Account, rps: number, p50: number): void {
  if (rps <= 0) {
    account.p99Ms = 0
    account.p50Ms = 0
    account.topTerm = -1
    return
  }
  let sum = 0
  let top = 0
  for (let i = 0; i < termCount; i++) {
    sum += account.terms[i]
    if (account.terms[i] > account.terms[top]) top = i
  }
  account.p99Ms = Math.min(patienceMs, sum)
  account.p50Ms = Math.min(account.p99Ms, p50)
  account.topTerm = top
}

/** Share of a customer's requests that an attack makes fail. */
function failingFrom(attack: ResidualAttack | undefined, account: Account): number {
  if (attack === undefined) return 0
  // A flood pushes good requests aside in proportion; some of them find their way on a second try.
  const wanted = account.servedInGbps + account.servedOutGbps + 0.05
  const flooded = attack.gbps > 0 ? (0.7 * attack.gbps) / (attack.gbps + 2 * wanted) : 0
  return clamp(flooded + (attack.breach ? breachFailing : 0), 0, 0.9)
}

/** Whole requests; what is left of one is carried to the next step. */
function countRequests(account: Account): void {
  const wanted = account.requestsPerSecond * stepSeconds + account.requestCarry
  const total = Math.floor(wanted)
  account.requestCarry = wanted - total
  const failedWanted = total * account.failing + account.failureCarry
  const failed = Math.min(total, Math.floor(failedWanted))
  account.failureCarry = Math.min(1, failedWanted - failed)
  account.totalRequests += total
  account.failedRequests += failed
  account.minuteTotal += total
  account.minuteFailed += failed
  const { period } = account
  period.total += total
  period.failed += failed
  if (account.p99Ms > account.p99BudgetMs) period.secondsOverLatency += stepSeconds
  account.outageSeconds = account.failing > 0.5 ? account.outageSeconds + stepSeconds : 0
}
