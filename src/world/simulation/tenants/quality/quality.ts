import { stepSeconds } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { TenantsState } from '../state.ts'
import type { CustomerDefect } from '../tenant.ts'
import { updateAccountQuality } from './account-quality.ts'
import { accumulateServed } from './delivered-traffic.ts'
import { updateHostConditions } from './observe-hosts.ts'
import { updateServiceQuality } from './service-quality.ts'

/** Share of failed requests above which a customer is down. */
const outageFailing = 0.5

/**
 * Updates the quality of service, after the flows of the step. A customer is updated only after a change of demand,
 * placement, an attack or the conditions of one of its hosts.
 */
export function stepQuality(context: TenantContext): void {
  const { world, state } = context
  const { quality, services } = state
  const hostsChanged = updateHostConditions(context, quality.hosts)
  const isUpdateForAll =
    quality.loadVersion !== state.load.version || quality.placementVersion !== state.version
  quality.loadVersion = state.load.version
  quality.placementVersion = state.version
  if (quality.customerFaultVersion !== world.faults.customerVersion) updateDefects(context)
  for (const account of state.accounts) {
    const attack = world.threats.remainders.get(account.id)
    const needsUpdate =
      isUpdateForAll ||
      account.needsQualityUpdate ||
      attack !== undefined ||
      (hostsChanged && hasChangedHost(state, account))
    if (needsUpdate) {
      accumulateServed(services, account, world.tick)
      account.needsQualityUpdate = attack !== undefined
      for (const service of account.services) {
        updateServiceQuality(context, account, service)
        if (world.tick < services.failoverUntil[service]) account.needsQualityUpdate = true
      }
      updateAccountQuality(state, account, attack)
    }
    countRequests(account)
  }
}

/** Takes over the defects of all customers, after one began or ended. */
function updateDefects({ world, state }: TenantContext): void {
  state.quality.customerFaultVersion = world.faults.customerVersion
  for (const account of state.accounts) {
    const share = (defect: CustomerDefect): number => world.faults.defectShare(account.id, defect)
    account.defects = { certificate: share('certificate'), release: share('release'), dns: share('dns') }
    account.needsQualityUpdate = true
  }
}

function hasChangedHost({ services, servingHosts, quality }: TenantsState, account: Account): boolean {
  const { changed } = quality.hosts
  for (const service of account.services) {
    const first = services.firstServing[service]
    const end = first + services.serving[service]
    for (let i = first; i < end; i++) if (changed[servingHosts[i]] === 1) return true
  }
  return false
}

/** Counts whole requests; fractions are carried over to the next step. */
export function countRequests(account: Account): void {
  const exactTotal = account.requestsPerSecond * stepSeconds + account.requestCarry
  const total = Math.floor(exactTotal)
  account.requestCarry = exactTotal - total
  const exactFailed = total * account.failing + account.failureCarry
  const failed = Math.min(total, Math.floor(exactFailed))
  account.failureCarry = Math.min(1, exactFailed - failed)
  account.totalRequests += total
  account.failedRequests += failed
  account.minuteTotal += total
  account.minuteFailed += failed
  const { period } = account
  period.total += total
  period.failed += failed
  if (account.p99Ms > account.p99BudgetMs) period.secondsOverLatency += stepSeconds
  account.outageSeconds = account.failing > outageFailing ? account.outageSeconds + stepSeconds : 0
}
