import { serviceClasses } from '../../../../contract/vocabularies.ts'
import { clamp } from '../../numeric.ts'
import type { Account } from '../account.ts'
import { termCount } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { traitsByIndex } from '../demand/service-classes.ts'
import { durabilityOf, replicasPromised, term } from '../service-table.ts'
import type { TenantsState } from '../state.ts'
import {
  computeTerm,
  contentionTerm,
  internalNetworkTerm,
  queueingFactor,
  queueingTerm,
  replicationTerm,
  storageTerm,
  userDistance,
  userNetworkTerm,
} from './latency.ts'

/** Means and worst values over the hosts that serve a service. Scratch. */
const summary = {
  /** Mean share of answered requests. */
  answered: 0.5,
  slowest: 0.5,
  contentionFactor: 0.5,
  diskFactor: 0.5,
  meanDiskFactor: 0.5,
  queueMs: 0.5,
  inspectionMs: 0.5,
  contention: 0.5,
  deliveredIn: 0.5,
  deliveredOut: 0.5,
}

function summarizeHosts(state: TenantsState, service: number, utilization: number): void {
  const { services, servingHosts, quality, load } = state
  const { hosts } = quality
  const isUserFacing = services.userFacing[service] === 1
  const first = services.firstServing[service]
  const serving = services.serving[service]
  let answered = 0
  let slowest = 1
  let contentionFactor = 0
  let diskFactor = 0
  let diskSum = 0
  let queueMs = 0
  let inspectionMs = 0
  let contention = 0
  let deliveredIn = 0
  let deliveredOut = 0
  for (let i = first; i < first + serving; i++) {
    const host = servingHosts[i]
    const speed = hosts.speed[host]
    const processed = utilization > speed ? speed / utilization : 1
    const accepted = processed * hosts.accepted[host]
    answered += isUserFacing ? accepted * hosts.deliveredIn[host] * hosts.deliveredOut[host] : accepted
    if (speed < slowest) slowest = speed
    if (hosts.contentionFactor[host] > contentionFactor) contentionFactor = hosts.contentionFactor[host]
    if (hosts.diskFactor[host] > diskFactor) diskFactor = hosts.diskFactor[host]
    if (hosts.queueMs[host] > queueMs) queueMs = hosts.queueMs[host]
    if (hosts.inspectionMs[host] > inspectionMs) inspectionMs = hosts.inspectionMs[host]
    if (load.contention[host] > contention) contention = load.contention[host]
    diskSum += hosts.diskFactor[host]
    deliveredIn += hosts.deliveredIn[host]
    deliveredOut += hosts.deliveredOut[host]
  }
  summary.answered = answered / serving
  summary.slowest = slowest
  summary.contentionFactor = contentionFactor
  summary.diskFactor = diskFactor
  summary.meanDiskFactor = diskSum / serving
  summary.queueMs = queueMs
  summary.inspectionMs = inspectionMs
  summary.contention = contention
  summary.deliveredIn = deliveredIn
  summary.deliveredOut = deliveredOut
}

/** Updates a service's success ratio, latency and traffic. */
export function updateServiceQuality(
  { world, state }: TenantContext,
  account: Account,
  service: number,
): void {
  const { services } = state
  const serving = services.serving[service]
  const utilization = services.unitDemandMilli[service] / services.vcpuMilli[service]
  services.load[service] = Math.min(1, utilization)
  if (serving === 0) {
    const { successRatio, diskQuality, carriedInGbps, carriedOutGbps } = services
    for (const column of [successRatio, diskQuality, carriedInGbps, carriedOutGbps]) column[service] = 0
    return
  }
  summarizeHosts(state, service, utilization)
  updateCarriedTraffic(state, service)
  let successRatio = summary.answered
  if (world.tick < services.failoverUntil[service]) {
    successRatio *= 1 - Math.min(1, services.failoverShare[service])
  }
  // Without replicas, the data of a stopped host is unavailable.
  if (durabilityOf(services, service) === 'Single') {
    successRatio *= serving / Math.max(serving, services.placed[service])
  }
  services.successRatio[service] = successRatio
  services.contention[service] = summary.contention
  services.diskQuality[service] = clamp(1.7 / summary.meanDiskFactor, 0, 1)
  updateLatency(state, account, service, utilization)
}

function updateLatency(
  { services }: TenantsState,
  account: Account,
  service: number,
  utilization: number,
): void {
  const { slowest, contentionFactor, diskFactor, queueMs, inspectionMs, contention } = summary
  const { terms } = services
  const traits = traitsByIndex[services.class[service]]
  const isUserFacing = services.userFacing[service] === 1
  const durability = durabilityOf(services, service)
  const missingReplicas = replicasPromised[durability] - services.replicasHeld[service]
  const at = service * termCount
  terms[at + term.Compute] = computeTerm(traits, 1 / Math.min(1, slowest * Math.max(1, contention)))
  terms[at + term.Contention] = contentionTerm(traits, contentionFactor)
  terms[at + term.Storage] = storageTerm(traits, diskFactor)
  const name = serviceClasses[services.class[service]]
  terms[at + term.Network] = isUserFacing
    ? userNetworkTerm(name, userDistance(account.id), queueMs)
    : internalNetworkTerm(queueMs)
  terms[at + term.Queueing] = queueingTerm(traits, queueingFactor(utilization / slowest))
  terms[at + term.Inspection] = isUserFacing ? inspectionMs : 0
  terms[at + term.Replication] = replicationTerm(durability, account.multiZone, missingReplicas)
  services.p50[service] =
    traits.computeMs * 0.9 +
    traits.storageMs * 0.8 +
    0.4 * terms[at + term.Contention] +
    0.3 * terms[at + term.Queueing] +
    0.4 * terms[at + term.Network] +
    0.6 * terms[at + term.Inspection] +
    0.7 * terms[at + term.Replication]
}

/** Updates the user traffic of a service carried by the network. */
function updateCarriedTraffic({ services, demand: { trafficFactor } }: TenantsState, service: number): void {
  const unitRps = services.userFacing[service] * (services.rps[service] / services.serving[service])
  const wantedMilli = services.unitDemandMilli[service]
  const allocatedMilli = services.vcpuMilli[service]
  const answeredRps = wantedMilli > allocatedMilli ? unitRps * (allocatedMilli / wantedMilli) : unitRps
  services.carriedInGbps[service] =
    unitRps * summary.deliveredIn * services.inGbpsPerRps[service] * trafficFactor.in
  services.carriedOutGbps[service] =
    answeredRps * summary.deliveredOut * services.outGbpsPerRps[service] * trafficFactor.out
}
