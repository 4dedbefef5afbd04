import type { ThreatClass } from '../../../../contract/vocabularies.ts'
import { threatClassCount, threatClasses } from '../../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { hour, minute } from '../../time.ts'
import type { Tenant } from '../../tenants/tenant.ts'
import { zonesOf } from '../../topology/entities.ts'
import type { SignalName } from './signals.ts'
import type { SymptomTracker } from './symptom-tracker.ts'

/** Monitoring of customers: requests, latency, units, redundancy, and attacks. */

/** Minimum share of failed requests for a report. */
export const failedRequestThreshold = 0.01
/** Minimum share of unfinished work of jobs for a report. */
export const starvedThreshold = 0.05
/** Hysteresis: a customer stays reported until its value drops below this share of the limit. */
export const hysteresisRatio = 0.7
/** Weight of a new value in the exponential smoothing of a customer's usual demand, and the update interval. */
const usualDemandWeight = 1 / 288
const usualDemandInterval: Micros = 5 * minute
/** Time limit of lost redundancy as an incident; afterwards it is a lack of capacity. */
const redundancyIncidentMax: Micros = 4 * hour

export interface CustomerMonitorState {
  /** Smoothed ratio of each customer's requests to those of its weekly profile. */
  readonly usualDemand: Map<number, number>
  usualDemandUpdated: Micros
  /** Customers with their promised redundancy. */
  readonly redundant: Set<number>
  /** Time of the failure that broke each customer's redundancy. */
  readonly redundancyLostAt: Map<number, Micros>
}

export const createCustomerMonitorState = (): CustomerMonitorState => ({
  usualDemand: new Map(),
  usualDemandUpdated: -Infinity,
  redundant: new Set(),
  redundancyLostAt: new Map(),
})

export interface CustomerMonitor {
  /** Follows the usual demand of customers. */
  followDemand(): void
  watch(tracker: SymptomTracker): void
  demandRatio(customerId: number): number
}

export const createCustomerMonitor = (
  world: ObservedWorld,
  state: CustomerMonitorState,
): CustomerMonitor => ({
  followDemand() {
    if (world.now - state.usualDemandUpdated < usualDemandInterval) return
    state.usualDemandUpdated = world.now
    updateUsualDemand(world, state)
    forgetDeparted(world, state)
  },
  watch(tracker) {
    for (const tenant of world.tenants.active) {
      if (!isServed(tenant)) continue
      watchService(tenant, tracker, world.now)
      if (hasLostRedundancy(world, state, tenant)) {
        tracker.report('customer-redundancy', 'Customer', tenant.id, 1, world.now)
      }
    }
    watchAttacks(world, tracker)
  },
  demandRatio(customerId) {
    const usual = state.usualDemand.get(customerId) ?? 0
    const tenant = world.tenants.byId.get(customerId)
    return tenant !== undefined && usual > 0 ? weeklyRatio(tenant) / usual : 1
  },
})

const weeklyRatio = ({ requestsPerSecond, usualRequestsPerSecond }: Tenant): number =>
  usualRequestsPerSecond > 0 ? requestsPerSecond / usualRequestsPerSecond : 1

function updateUsualDemand({ tenants }: ObservedWorld, { usualDemand }: CustomerMonitorState): void {
  for (const tenant of tenants.active) {
    if (tenant.usualRequestsPerSecond <= 0) continue
    const ratio = weeklyRatio(tenant)
    const usual = usualDemand.get(tenant.id) ?? ratio
    usualDemand.set(tenant.id, usual + (ratio - usual) * usualDemandWeight)
  }
}

function forgetDeparted({ tenants }: ObservedWorld, state: CustomerMonitorState): void {
  for (const ids of [state.usualDemand, state.redundant, state.redundancyLostAt]) {
    for (const id of ids.keys()) if (!tenants.byId.has(id)) ids.delete(id)
  }
}

function watchService(tenant: Tenant, tracker: SymptomTracker, now: Micros): void {
  const { strandedUnits, failing, p99Ms, p99BudgetMs, starving, breached } = tenant
  const limitShare = Math.max(
    failing / failedRequestThreshold,
    p99Ms / p99BudgetMs,
    starving / starvedThreshold,
  )
  if (strandedUnits === 0 && limitShare <= hysteresisRatio && !breached) return
  const { id } = tenant
  const report = (signal: SignalName, reading: number): void =>
    tracker.report(signal, 'Customer', id, reading, now)
  // A reading below its limit keeps a symptom, and begins none.
  const exceeds = (signal: SignalName, value: number, limit: number): boolean =>
    value > limit || (value > hysteresisRatio * limit && tracker.isReported(signal, 'Customer', id))

  // The first report of a poll becomes the headline of the incident, so the most specific signal is first.
  if (strandedUnits > 0) report('customer-stranded', strandedUnits)
  if (exceeds('customer-failing', failing, failedRequestThreshold)) report('customer-failing', 100 * failing)
  if (exceeds('customer-slow', p99Ms, p99BudgetMs)) report('customer-slow', p99Ms)
  if (exceeds('customer-starved', starving, starvedThreshold)) report('customer-starved', 100 * starving)
  if (breached) report('customer-breached', 1)
}

/** Whether a customer has an SLA in force. */
export const isServed = (tenant: Tenant): boolean =>
  tenant.lifecycle === 'Active' || tenant.lifecycle === 'Probation' || tenant.lifecycle === 'Leaving'

/** Flow records of gateways identify the targets of hostile traffic. */
function watchAttacks(world: ObservedWorld, tracker: SymptomTracker): void {
  const { attacks, attackCount } = world.threats.hostile
  for (let i = 0; i < attackCount; i++) {
    const { customerId, class: threat } = attacks[i]
    const reaching = reachingGateways(world, customerId, threat)
    if (reaching <= 0) continue
    const isQuiet = quietClasses.has(threatClasses[threat])
    tracker.report(
      isQuiet ? 'customer-probed' : 'customer-flood',
      'Customer',
      customerId,
      reaching,
      world.now,
    )
  }
}

const quietClasses: ReadonlySet<ThreatClass> = new Set<ThreatClass>(['Intrusion', 'Scan'])

/** Hostile traffic of a class at the gateways of a customer's zones, in the unit of the class. */
export function reachingGateways(world: ObservedWorld, customerId: number, threat: number): number {
  let reaching = 0
  for (const zone of zonesOf(world, { kind: 'Customer', id: customerId })) {
    for (const gateway of world.topology.zones[zone].gateways) {
      reaching += world.threats.gatewayReaching[gateway * threatClassCount + threat]
    }
  }
  return reaching
}

/** Whether a failure broke a customer's redundancy; one that was never placed redundantly has lost none. */
function hasLostRedundancy(world: ObservedWorld, state: CustomerMonitorState, tenant: Tenant): boolean {
  const { id } = tenant
  if (!tenant.redundancyBroken) {
    state.redundant.add(id)
    state.redundancyLostAt.delete(id)
    return false
  }
  if (state.redundant.delete(id) && isHitByFailure(world, tenant)) state.redundancyLostAt.set(id, world.now)
  const lostAt = state.redundancyLostAt.get(id)
  return lostAt !== undefined && world.now - lostAt < redundancyIncidentMax
}

const isHitByFailure = ({ facility, network }: ObservedWorld, { strandedUnits, hosts }: Tenant): boolean =>
  strandedUnits > 0 ||
  hosts.some((host) => facility.hostRunning[host] === 0 || network.hostReachable[host] === 0)
