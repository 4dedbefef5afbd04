import type { Durability } from '../../../contract/vocabularies.ts'
import type { ServiceTerms } from '../contract.ts'
import { classTraits, type ClassTraits, roleAmong } from '../demand/service-classes.ts'

/** Terms of request latency in milliseconds, at the 99th percentile. */

/** Ratio of the 99th percentile to the median without contention. */
const computeTail = 2.2
const storageTail = 3
/** Users give up after this time. */
export const requestTimeoutMs = 30_000

/** Effect of a host's contention; none below 0.7. */
export function contentionFactor(contention: number): number {
  if (contention <= 0.7) return 0
  return (contention - 0.7) / (1.3 - Math.min(contention, 1.2))
}

/** Waiting time for a worker at a given utilization of the unit's CPU, as in an M/M/1 queue. */
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

/** Waiting for replicas; rebuilding missing ones slows the others down. */
export const replicationTerm = (durability: Durability, acrossZones: boolean, missing: number): number =>
  replicationMs[durability] * (acrossZones ? 2.2 : 1) * (1 + 1.5 * missing)

export const computeTerm = (traits: ClassTraits, slowness: number): number =>
  traits.computeMs * computeTail * slowness
export const contentionTerm = (traits: ClassTraits, factor: number): number => traits.computeMs * 2 * factor
export const storageTerm = (traits: ClassTraits, factor: number): number =>
  traits.storageMs * storageTail * factor
export const queueingTerm = (traits: ClassTraits, factor: number): number => traits.computeMs * 0.6 * factor

/** The 99th percentile of a healthy service under usual load. */
function healthyP99(service: ServiceTerms, multiZone: boolean): number {
  const traits = classTraits[service.class]
  return (
    computeTerm(traits, 1) +
    contentionTerm(traits, 0.25) +
    storageTerm(traits, 1.4) +
    queueingTerm(traits, 1.6) +
    replicationTerm(service.durability, multiZone, 0) +
    1
  )
}

const slackOfTier = { Bronze: 3, Silver: 2.5, Gold: 2.15, Platinum: 1.9 } as const

/** The latency that a contract promises: that of its healthy services, times the slack of its tier. */
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
    const p99 = healthyP99(service, multiZone)
    const role = roleAmong(service.class, classes)
    if (role === 'behind') {
      behind += p99 * traits.waitedCalls
    } else if ((role === 'front') === hasFront) {
      const requests = (service.vcpu * service.count * traits.busyShare) / traits.cpuMsPerRequest
      front += p99 * requests
      weight += requests
    }
  }
  const promised = (front / Math.max(weight, 1e-9) + behind) * slackOfTier[tier]
  return promised < 100 ? Math.ceil(promised / 5) * 5 : Math.ceil(promised / 25) * 25
}
