import type { Durability, ServiceClass } from '../../../../contract/vocabularies.ts'
import type { ServiceTerms } from '../contract.ts'
import type { ClassTraits } from '../demand/service-classes.ts'
import { classTraits, roleAmong } from '../demand/service-classes.ts'

/** Terms of request latency in milliseconds, at the 99th percentile. */

/** Ratio of the 99th percentile to the median without contention. */
const computeTail = 1.6
const storageTail = 3
/** Client-side timeout of users. */
export const requestTimeoutMs = 30_000

/**
 * Access latency at the mean distance between users and their zone: handshakes, propagation, and transmission of
 * responses, by class.
 */
const accessMs: Readonly<Partial<Record<ServiceClass, number>>> = {
  web: 28,
  app: 14,
  'object-storage': 42,
  'gpu-inference': 12,
}
/** Latency of the path to and from a service within the data center. */
const userPathMs = 0.8
const internalPathMs = 0.3
/** Distributes successive ids evenly over the range of distances. */
const goldenRatio = 0.618033988749895

/** Distance of a customer's users, relative to the mean: most are near, some on other continents. */
export function userDistance(customerId: number): number {
  const rank = (customerId * goldenRatio) % 1
  return 0.4 + 1.8 * rank * rank
}

/** Network time of a service called by users, and of one behind it. */
export const userNetworkTerm = (name: ServiceClass, distance: number, queueMs: number): number =>
  userPathMs + (accessMs[name] ?? 0) * distance + queueMs
export const internalNetworkTerm = (queueMs: number): number => internalPathMs + 0.2 * queueMs

/** Latency factor of a host's contention; 0 below 0.7. */
export function contentionFactor(contention: number): number {
  if (contention <= 0.7) return 0
  return (contention - 0.7) / (1.3 - Math.min(contention, 1.2))
}

/** Queueing for a worker at a given utilization of the unit's CPU, as in an M/M/1 queue. */
export function queueingFactor(use: number): number {
  if (use >= 0.985) return 60 + 200 * Math.min(1, use - 0.985)
  return use / (1 - use)
}

/** Factor on the duration of disk operations at a given utilization. */
export const diskFactor = (use: number, broken: boolean): number => (1 + 2 * use * use) * (broken ? 6 : 1)

const replicationMs: Readonly<Record<Durability, number>> = {
  Ephemeral: 0,
  Single: 0,
  Replicated2: 0.4,
  Replicated3: 1.6,
  ErasureCoded: 2.4,
}

/** Synchronization of replicas; the rebuild of missing ones slows the others down. */
export const replicationTerm = (durability: Durability, acrossZones: boolean, missing: number): number =>
  replicationMs[durability] * (acrossZones ? 2.2 : 1) * (1 + 1.5 * missing)

export const computeTerm = (traits: ClassTraits, slowness: number): number =>
  traits.computeMs * computeTail * slowness
export const contentionTerm = (traits: ClassTraits, factor: number): number => traits.computeMs * 2 * factor
export const storageTerm = (traits: ClassTraits, factor: number): number =>
  traits.storageMs * storageTail * factor
export const queueingTerm = (traits: ClassTraits, factor: number): number => traits.computeMs * 0.6 * factor

/** The 99th percentile of a healthy service under usual load. */
function healthyP99(service: ServiceTerms, multiZone: boolean, isCalledByUsers: boolean): number {
  const traits = classTraits[service.class]
  return (
    computeTerm(traits, 1) +
    contentionTerm(traits, 0.25) +
    storageTerm(traits, 1.4) +
    queueingTerm(traits, 1.6) +
    replicationTerm(service.durability, multiZone, 0) +
    (isCalledByUsers ? userNetworkTerm(service.class, 1, 0) : internalNetworkTerm(0))
  )
}

const slackOfTier = { Bronze: 3, Silver: 2.5, Gold: 2.15, Platinum: 1.9 } as const

/** The promised latency of a contract: that of its healthy services, times the slack of its tier. */
export function promisedP99(
  services: readonly ServiceTerms[],
  tier: keyof typeof slackOfTier,
  multiZone: boolean,
): number {
  const classes = services.map((service) => service.class)
  const hasFront = services.some((service) => roleAmong(service.class, classes) === 'front')
  let front = 0
  let weight = 0
  let behind = 0
  for (const service of services) {
    const traits = classTraits[service.class]
    const role = roleAmong(service.class, classes)
    const p99 = healthyP99(service, multiZone, role === 'front')
    if (role === 'behind') {
      behind += p99 * traits.waitedCalls
    } else if ((role === 'front') === hasFront) {
      const requests = (service.vcpu * service.count * traits.busyShare) / traits.cpuMsPerRequest
      front += p99 * requests
      weight += requests
    }
  }
  const promised = (front / Math.max(weight, 1e-9) + behind) * slackOfTier[tier]
  const step = promised < 100 ? 5 : promised < 200 ? 10 : 25
  return Math.ceil(promised / step) * step
}
