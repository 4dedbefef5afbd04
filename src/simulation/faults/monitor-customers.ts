import { threatClasses } from '../../contract/vocabularies.ts'
import { type Fault, type Tenant, threatClassCount, type WorldState } from '../state.ts'
import { hour, type Micros, minute } from '../time.ts'
import type { SymptomBoard } from './board.ts'
import type { SignalName } from './signals.ts'
import { zonesOf } from './targets.ts'

/** What monitoring sees at customers: requests, latency, units, spares, and who knocks at the door. */

/** Share of requests that must fail to be told. */
export const failingTold = 0.01
/** How slowly "as usual" follows that more or fewer users come than a customer's weeks have shown so far. */
const usualFollows = 1 / 288
const usualEvery: Micros = 5 * minute

export interface CustomerMonitor {
  watch(board: SymptomBoard): void
  /** Requests over what is usual for the customer at this hour of the week; 1 while nothing is known. */
  rush(customerId: number): number
}

export function createCustomerMonitor(state: WorldState): CustomerMonitor {
  /** How busy each customer has been lately, against its weeks. */
  const usual = new Map<number, number>()
  const spares = createSpareWatch(state)
  let followed = -Infinity
  const follow = (): void => {
    for (const tenant of state.tenants.active) {
      if (tenant.usualRequestsPerSecond <= 0) continue
      const busy = busyness(tenant)
      const before = usual.get(tenant.id) ?? busy
      usual.set(tenant.id, before + (busy - before) * usualFollows)
    }
    for (const id of usual.keys()) if (!state.tenants.byId.has(id)) usual.delete(id)
    spares.forget()
  }
  return {
    watch(board) {
      if (state.now - followed >= usualEvery) {
        followed = state.now
        follow()
      }
      for (const tenant of state.tenants.active) {
        if (!isServed(tenant)) continue
        watchCustomer(tenant, board, state.now)
        if (spares.isLost(tenant)) board.see('customer-redundancy', 'Customer', tenant.id, 1, state.now)
      }
      for (const fault of state.faults.active) {
        if (fault.attack !== null) watchAttack(state, fault, fault.attack, board)
      }
    },
    rush(customerId) {
      const before = usual.get(customerId) ?? 0
      const tenant = state.tenants.byId.get(customerId)
      return tenant !== undefined && before > 0 ? busyness(tenant) / before : 1
    },
  }
}

const busyness = ({ requestsPerSecond, usualRequestsPerSecond }: Tenant): number =>
  usualRequestsPerSecond > 0 ? requestsPerSecond / usualRequestsPerSecond : 1

function watchCustomer(tenant: Tenant, board: SymptomBoard, now: Micros): void {
  const { id } = tenant
  if (isOver(board, 'customer-failing', id, tenant.failing, failingTold)) {
    board.see('customer-failing', 'Customer', id, 100 * tenant.failing, now)
  }
  if (isOver(board, 'customer-slow', id, tenant.p99Ms, tenant.p99BudgetMs)) {
    board.see('customer-slow', 'Customer', id, tenant.p99Ms, now)
  }
  if (tenant.strandedUnits > 0) board.see('customer-stranded', 'Customer', id, tenant.strandedUnits, now)
  if (tenant.breached) board.see('customer-breached', 'Customer', id, 1, now)
}

/** What hovers about its limit stays told until it is well below. */
export const wellBelow = 0.7

const isOver = (board: SymptomBoard, signal: SignalName, id: number, value: number, limit: number): boolean =>
  value > limit || (value > wellBelow * limit && board.shows(signal, 'Customer', id))

/** Whether a customer has been promised anything yet, and still is. */
export const isServed = (tenant: Tenant): boolean =>
  tenant.lifecycle === 'Active' || tenant.lifecycle === 'Probation' || tenant.lifecycle === 'Leaving'

/** Flow records of the gateways that hostile traffic reaches tell at whom it aims. */
function watchAttack(
  state: WorldState,
  fault: Fault,
  { class: threat, customerId }: NonNullable<Fault['attack']>,
  board: SymptomBoard,
): void {
  const column = threatClasses.indexOf(threat)
  let reaching = 0
  for (const zone of zonesOf(state, fault.target)) {
    for (const gateway of state.plant.zones[zone].gateways) {
      reaching += state.threats.gatewayReaching[gateway * threatClassCount + column]
    }
  }
  if (reaching <= 0) return
  const quiet = threat === 'Intrusion' || threat === 'Scan'
  board.see(quiet ? 'customer-probed' : 'customer-flood', 'Customer', customerId, reaching, state.now)
}

/** A spare that is gone for longer is no incident any more: more of everything must be bought. */
const spareMissed: Micros = 4 * hour

interface SpareWatch {
  /** Whether a customer has lost a spare that it had, because something failed. */
  isLost(tenant: Tenant): boolean
  forget(): void
}

/** Tells spares that were lost to a failure from those that placement never found room for. */
function createSpareWatch(state: WorldState): SpareWatch {
  const { physical, network } = state
  const kept = new Set<number>()
  const lostAt = new Map<number, Micros>()
  const isHit = ({ strandedUnits, hosts }: Tenant): boolean =>
    strandedUnits > 0 ||
    hosts.some((host) => physical.hostRunning[host] === 0 || network.hostReachable[host] === 0)
  return {
    isLost(tenant) {
      const { id } = tenant
      if (!tenant.redundancyBroken) {
        kept.add(id)
        if (lostAt.size > 0) lostAt.delete(id)
        return false
      }
      if (kept.delete(id) && isHit(tenant)) lostAt.set(id, state.now)
      const since = lostAt.get(id)
      return since !== undefined && state.now - since < spareMissed
    },
    forget() {
      for (const id of kept) if (!state.tenants.byId.has(id)) kept.delete(id)
      for (const id of lostAt.keys()) if (!state.tenants.byId.has(id)) lostAt.delete(id)
    },
  }
}
