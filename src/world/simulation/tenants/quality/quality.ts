import type { AttackRemainder } from '../../network/threats/hostile-traffic.ts'
import { takeVersions } from '../../part.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { TenantsState } from '../state.ts'
import type { CustomerDefect } from '../tenant.ts'
import { updateAccountQuality } from './account-quality.ts'
import { accumulateServed } from './delivered-traffic.ts'
import { updateHostConditions } from './observe-hosts.ts'
import { countRequests } from './requests.ts'
import { updateServiceQuality } from './service-quality.ts'

/**
 * Updates the quality of service, after the flows of the step. A customer is updated only after a change of demand,
 * placement, an attack or the conditions of one of its hosts.
 */
export function stepQuality(context: TenantContext): void {
  const { world, state } = context
  const { quality } = state
  const { load, network, condition, facility } = world
  const mayDiffer = takeVersions(
    quality.known,
    load.version,
    network.flowVersion,
    condition.version,
    facility.warningVersion,
  )
  const hostsChanged = mayDiffer && updateHostConditions(context, quality.hosts)
  const isUpdateForAll = takeVersions(quality.knownForAll, load.version, state.version)
  const hasNewDefects = takeVersions(quality.knownDefects, world.faults.customerVersion)
  if (hasNewDefects) updateDefects(context)
  const { remainders } = world.threats
  if (!isUpdateForAll && !hostsChanged && !hasNewDefects && !quality.isPending && remainders.size === 0)
    return
  quality.isPending = false
  quality.version++
  for (const account of state.accounts) {
    const attack = remainders.get(account.id)
    const needsUpdate =
      isUpdateForAll ||
      account.needsQualityUpdate ||
      attack !== undefined ||
      (hostsChanged && hasChangedHost(state, account))
    if (needsUpdate) updateQuality(context, account, attack)
    if (account.needsQualityUpdate) quality.isPending = true
  }
}

function updateQuality(context: TenantContext, account: Account, attack: AttackRemainder | undefined): void {
  const { world, state } = context
  const { services } = state
  accumulateServed(services, account, world.tick)
  countRequests(account, world.tick)
  account.needsQualityUpdate = attack !== undefined
  for (const service of account.services) {
    updateServiceQuality(context, account, service)
    if (world.tick < services.failoverUntil[service]) account.needsQualityUpdate = true
  }
  updateAccountQuality(state, account, attack)
}

/** Takes over the defects of all customers, after one began or ended. */
function updateDefects({ world, state }: TenantContext): void {
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
