import type { ServiceClass } from '../../../../contract/vocabularies.ts'
import { serviceClasses } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import { randomDelay } from './demand-drift.ts'

/**
 * Occasional copies of whole data sets between a customer's hosts: a restored backup, a rebuilt replica, training
 * data. Only network cards limit them, while rack uplinks are sized for requests.
 */

const copyingClasses: ReadonlySet<ServiceClass> = new Set<ServiceClass>([
  'database',
  'object-storage',
  'block-storage',
  'batch',
  'gpu-training',
])
const daysBetween = 45
const gbpsPerUnit = { from: 3, to: 12 } as const
const durationMinutes = { from: 25, to: 80 } as const

export function scheduleCopy(account: Account, now: Micros, random: RandomStream): void {
  account.nextCopy = now + randomDelay(random, daysBetween)
}

/** When demand moves: begins a due copy, and ends a complete one. */
export function stepCopies(
  { world: { now, faults }, state: { services }, noise }: TenantContext,
  account: Account,
): void {
  if (account.copy !== null && now >= account.copy.until) account.copy = null
  if (now < account.nextCopy) return
  const random = noise.ofAccount(account)
  scheduleCopy(account, now, random)
  const copying = account.services.filter((row) => copyingClasses.has(serviceClasses[services.class[row]]))
  // Worlds with fewer random faults also have fewer copies.
  const isDone = faults.randomFaultRate >= 1 || random.chance(faults.randomFaultRate)
  if (copying.length === 0 || !account.live || !isDone) return
  account.copy = {
    service: random.pick(copying),
    gbpsPerUnit: random.uniform(gbpsPerUnit.from, gbpsPerUnit.to),
    until: now + random.between(durationMinutes.from, durationMinutes.to) * minute,
  }
}

/** Adds a customer's copy to the east-west traffic. A rate-limited customer postpones it. */
export function addCopy({ services, servingHosts, load }: TenantContext['state'], account: Account): void {
  account.copyGbps = 0
  if (account.copy === null || account.surgeFactor < 1) return
  const { service, gbpsPerUnit: gbps } = account.copy
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  account.copyGbps = gbps * (end - first)
  for (let i = first; i < end; i++) {
    load.copyGbps[servingHosts[i]] += gbps
    load.wantedEastWestGbps[servingHosts[i]] += gbps
  }
}
