import type { AttackRemainder } from '../../network/threats/hostile-traffic.ts'
import { clamp } from '../../numeric.ts'
import type { Account } from '../account.ts'
import { termCount } from '../account.ts'
import { roleIndex, traitsByIndex } from '../demand/service-classes.ts'
import type { TenantsState } from '../state.ts'
import { customerDefects } from '../tenant.ts'
import { requestTimeoutMs } from './latency.ts'

/** Share of failed requests during a breach, as systems are taken offline for the investigation. */
const breachFailing = 0.03
/** Health of a service without its promised spread. */
const unspreadHealth = 0.9

/** Combines the quality of a customer's services into that of its requests. */
export function updateAccountQuality(
  state: TenantsState,
  account: Account,
  attack: AttackRemainder | undefined,
): void {
  const attackSuccess = 1 - attackFailing(attack, account.servedInGbps + account.servedOutGbps)
  const ownSuccess = customerDefects.reduce((left, defect) => left * (1 - account.defects[defect]), 1)
  updateRequests(state, account, attackSuccess * ownSuccess)
  updateTraffic(state, account)
  updateLatency(state, account)
  updateHealth(state, account, attackSuccess * ownSuccess)
  account.attackClass = attack?.class ?? null
  account.breached = attack?.breach ?? false
}

/** A flood displaces legitimate requests in proportion to its volume; retries recover some of them. */
export function attackFailing(
  attack: Pick<AttackRemainder, 'gbps' | 'breach'> | undefined,
  servedGbps: number,
): number {
  if (attack === undefined) return 0
  const displaced = (0.7 * attack.gbps) / (attack.gbps + 2 * (servedGbps + 0.05))
  return displaced + (attack.breach ? breachFailing : 0)
}

/**
 * A user request succeeds if its front service and all services behind it do, and neither an attack nor a defect of the
 * customer's own fails it.
 */
function updateRequests({ services }: TenantsState, account: Account, success: number): void {
  let behindSuccess = 1
  for (const service of account.services) {
    if (services.role[service] !== roleIndex.behind) continue
    const { noticed } = traitsByIndex[services.class[service]]
    behindSuccess *= 1 - noticed * (1 - services.successRatio[service])
  }
  let rps = 0
  let answeredRps = 0
  for (const service of account.services) {
    const wanted = services.rps[service]
    if (services.role[service] === roleIndex.behind) {
      services.servedRps[service] = wanted * services.successRatio[service]
      continue
    }
    const answered = wanted * services.successRatio[service] * behindSuccess * success
    rps += wanted
    answeredRps += answered
    services.servedRps[service] = answered
  }
  account.starving = worstJob(services, account)
  account.requestsPerSecond = rps
  account.failing = rps > 0 ? clamp(1 - answeredRps / rps, 0, 1) : 0
}

/** The largest share of unfinished work among batch services, relative to the capacity of their booked units. */
function worstJob(services: TenantsState['services'], account: Account): number {
  let worst = 0
  for (const service of account.services) {
    if (services.role[service] !== roleIndex.job || services.rps[service] === 0) continue
    worst = Math.max(worst, 1 - services.successRatio[service] / bookedShare(services, service))
  }
  return clamp(worst, 0, 1)
}

/** Share of the demanded work within the capacity of all booked units: demand may exceed the booking. */
function bookedShare(services: TenantsState['services'], service: number): number {
  const wantedMilli = services.unitDemandMilli[service] * services.serving[service]
  const bookedMilli = services.vcpuMilli[service] * services.requested[service]
  return wantedMilli > bookedMilli ? bookedMilli / wantedMilli : 1
}

function updateTraffic({ services, demand }: TenantsState, account: Account): void {
  const { trafficFactor } = demand
  let servedIn = 0
  let servedOut = 0
  let wanted = 0
  for (const service of account.services) {
    if (services.userFacing[service] !== 1) continue
    const wantedIn = services.rps[service] * services.inGbpsPerRps[service] * trafficFactor.in
    const wantedOut = services.rps[service] * services.outGbpsPerRps[service] * trafficFactor.out
    servedIn += services.carriedInGbps[service]
    servedOut += services.carriedOutGbps[service]
    wanted += wantedIn + wantedOut
  }
  account.servedInGbps = servedIn
  account.servedOutGbps = servedOut
  account.unservedGbps = Math.max(0, wanted - servedIn - servedOut)
}

/** Latency is that of the front services, weighted by requests, plus all calls to services behind them. */
function updateLatency({ services }: TenantsState, account: Account): void {
  const { terms } = account
  terms.fill(0)
  let frontRps = 0
  let jobRps = 0
  for (const service of account.services) {
    if (services.role[service] === roleIndex.front) frontRps += services.rps[service]
    else if (services.role[service] === roleIndex.job) jobRps += services.rps[service]
  }
  // Customers without front services are judged by their jobs.
  const leadingRole = frontRps > 0 ? roleIndex.front : roleIndex.job
  const leadingRps = frontRps > 0 ? frontRps : jobRps
  let p50Leading = 0
  let p50Behind = 0
  for (const service of account.services) {
    const at = service * termCount
    if (services.role[service] === roleIndex.behind) {
      const { waitedCalls } = traitsByIndex[services.class[service]]
      for (let i = 0; i < termCount; i++) terms[i] += services.terms[at + i] * waitedCalls
      p50Behind += services.p50[service] * waitedCalls
    } else if (leadingRps > 0 && services.role[service] === leadingRole) {
      const weight = services.rps[service] / leadingRps
      for (let i = 0; i < termCount; i++) terms[i] += services.terms[at + i] * weight
      p50Leading += services.p50[service] * weight
    }
  }
  if (account.requestsPerSecond <= 0) {
    account.p99Ms = 0
    account.p50Ms = 0
    account.topTerm = -1
    return
  }
  let sum = 0
  let top = 0
  for (let i = 0; i < termCount; i++) {
    sum += terms[i]
    if (terms[i] > terms[top]) top = i
  }
  account.p99Ms = Math.min(requestTimeoutMs, sum)
  account.p50Ms = Math.min(account.p99Ms, p50Leading + p50Behind)
  account.topTerm = top
}

/** CPU load, health and disk quality over all services; attacks and defects affect the services called by users. */
function updateHealth({ services }: TenantsState, account: Account, frontSuccess: number): void {
  let used = 0
  let allocated = 0
  let health = 0
  let disks = 0
  let diskUnits = 0
  for (const service of account.services) {
    const milli = services.vcpuMilli[service]
    used += services.load[service] * milli * services.serving[service]
    allocated += milli * services.placed[service]
    const servingShare = services.serving[service] / Math.max(1, services.requested[service])
    const spread = services.spreadKept[service] === 1 ? 1 : unspreadHealth
    const success = services.role[service] === roleIndex.behind ? 1 : frontSuccess
    health += Math.min(1, servingShare) * services.successRatio[service] * success * spread
    const unitsWithData = services.durability[service] === 0 ? 0 : Math.max(1, services.placed[service])
    disks += services.diskQuality[service] * unitsWithData
    diskUnits += unitsWithData
  }
  account.cpuLoad = allocated > 0 ? used / allocated : 0
  account.health = health / Math.max(1, account.services.length)
  account.blockQuality = diskUnits > 0 ? disks / diskUnits : 1
}
