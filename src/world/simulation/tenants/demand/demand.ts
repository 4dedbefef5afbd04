import { archetypes } from '../../../../contract/vocabularies.ts'
import { isDue, movedAt, schedule } from '../../schedule.ts'
import { day } from '../../time.ts'
import type { Account } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { TenantsState } from '../state.ts'
import { addCopy, stepCopies } from './bulk-copies.ts'
import { calendarFactors } from './calendar.ts'
import { stepLaunches } from './launches.ts'
import { curveNames, curvesAt, seasonAt } from './curves.ts'
import { updateDemandDrift } from './demand-drift.ts'
import { roleIndex } from './service-classes.ts'

/** Bound of the drift's effect on demand. */
const driftMax = 0.2
/** Bound of demand above the usual level; a larger increase is a surge, which is a fault. */
const unusualMax = 1.21
/** Size of a customer's units relative to its usual peak, and the bound of its planned demand. */
const plannedMax = 1.36
/** Disk operations of a unit at its peak, relative to its allocation. */
const peakIopsShare = 0.62
/** CPU time wasted by a hostile request. */
const hostileRequestMs = 2.5
/** Smaller relative changes of a surge or of hostile requests wait for the next move. */
const changeMin = 0.05

/** Updates the demand on hosts: when it moves, and after changes of placement, surges or attacks. */
export function stepDemand(context: TenantContext, servingChanged: boolean): void {
  const { world, state } = context
  const { curves } = state.demand
  const isMoving = isDue(schedule.demand, world.tick)
  if (isMoving) {
    curvesAt(world.now, curves)
    calendarFactors(world.now, state.demand.calendar)
    for (const account of state.accounts) {
      updateDemandDrift(context, account)
      stepLaunches(context, account)
      stepCopies(context, account)
    }
  }
  const surgesChanged = updateSurges(context, isMoving)
  const attacksChanged = updateHostileRequests(context)
  if (!isMoving && !surgesChanged && !servingChanged && !attacksChanged) return
  clearLoad(state)
  for (const account of state.accounts) {
    const ofDate = state.demand.calendar[archetypes.indexOf(account.contract.archetype)]
    const season = account.live ? seasonAt(movedAt(world), account.seasonPhase) * ofDate : 0
    account.demandLevel = demandLevelOf(account, season)
    addDemand(state, account, season)
    addCopy(state, account)
  }
  finishLoad(state, world.topology.hosts.count)
  state.load.version++
}

/** Demand relative to its curve, given the factor of season and date. */
export const demandLevelOf = (
  account: Pick<Account, 'demandDrift' | 'launchLevel' | 'surgeFactor'>,
  season: number,
): number => {
  const drift = Math.max(-driftMax, Math.min(driftMax, account.demandDrift))
  const unusual = Math.min(unusualMax, (1 + account.launchLevel) * (1 + drift))
  return Math.min(plannedMax, season * unusual) * account.surgeFactor
}

/**
 * Each minute, and when one begins or ends, updates the surge factors, every one of them when demand moves. Returns
 * whether any has changed noticeably.
 */
function updateSurges({ world, state }: TenantContext, isMoving: boolean): boolean {
  const { isShapingDemand, customerVersion } = world.faults
  const { demand } = state
  const isNews = demand.faultVersion !== customerVersion || isDue(schedule.surges, world.tick)
  if (!isNews || (!isShapingDemand && !demand.isShaped)) return false
  demand.faultVersion = customerVersion
  if (isShapingDemand || isMoving) demand.isShaped = isShapingDemand
  let changed = false
  for (const account of state.accounts) {
    const surgeFactor = world.faults.demandFactor(account.id)
    const change = Math.abs(surgeFactor - account.surgeFactor)
    if (change === 0 || (!isMoving && change <= changeMin * account.surgeFactor)) continue
    account.surgeFactor = surgeFactor
    changed = true
  }
  return changed
}

/** Updates the hostile requests at customers. Returns whether any has changed noticeably. */
function updateHostileRequests({ world, state }: TenantContext): boolean {
  const { remainders } = world.threats
  const { attacked } = state.demand
  let changed = false
  for (const id of remainders.keys()) {
    const account = state.byId.get(id)
    if (account !== undefined) attacked.add(account)
  }
  for (const account of attacked) {
    const requests = remainders.get(account.id)?.requestsPerSecond ?? 0
    if (requests === 0) attacked.delete(account)
    const change = Math.abs(requests - account.hostileRequests)
    if (change <= changeMin * account.hostileRequests) continue
    account.hostileRequests = requests
    changed = true
  }
  return changed
}

function clearLoad({ load }: TenantsState): void {
  load.wantedInGbps.fill(0)
  load.wantedOutGbps.fill(0)
  load.wantedEastWestGbps.fill(0)
  load.copyGbps.fill(0)
  load.cpuDemandMilli.fill(0)
  load.iopsUsed.fill(0)
}

/** Distributes the demand of each service over its serving hosts. */
function addDemand(state: TenantsState, account: Account, season: number): void {
  const { services, demand } = state
  const { hostileRequests } = account
  let facingUnits = 0
  if (hostileRequests > 0) {
    for (const service of account.services) {
      if (services.userFacing[service] === 1) facingUnits += services.serving[service]
    }
  }
  let usual = 0
  for (const service of account.services) {
    const onCurve =
      demand.curves[services.curve[service]] * services.peakRpsPerUnit[service] * services.requested[service]
    if (services.role[service] !== roleIndex.behind) usual += onCurve
    const rps = onCurve * account.demandLevel * (1 + services.demandDrift[service])
    const serving = services.serving[service]
    services.rps[service] = rps
    if (serving === 0) {
      services.unitDemandMilli[service] = 0
      continue
    }
    const unitRps = rps / serving
    const wasted =
      facingUnits > 0 && services.userFacing[service] === 1
        ? (hostileRequests * hostileRequestMs) / facingUnits
        : 0
    services.unitDemandMilli[service] = unitRps * services.cpuMs[service] + wasted
    addUnitDemand(state, service, unitRps)
  }
  account.usualRequestsPerSecond = season * usual
}

function addUnitDemand(state: TenantsState, service: number, unitRps: number): void {
  const { services, servingHosts, demand, load } = state
  const { trafficFactor } = demand
  const { wantedInGbps, wantedOutGbps, wantedEastWestGbps, cpuDemandMilli, iopsUsed } = load
  const wantedMilli = services.unitDemandMilli[service]
  const allocatedMilli = services.vcpuMilli[service]
  const milli = Math.min(wantedMilli, allocatedMilli)
  // Requests beyond the allocated CPU get no response, and cause no outbound traffic.
  const answered = wantedMilli > allocatedMilli ? unitRps * (allocatedMilli / wantedMilli) : unitRps
  const facing = services.userFacing[service]
  const gbpsIn = facing * unitRps * services.inGbpsPerRps[service] * trafficFactor.in
  const gbpsOut = facing * answered * services.outGbpsPerRps[service] * trafficFactor.out
  const eastWest = answered * services.eastWestGbpsPerRps[service] * trafficFactor.eastWest
  const busy = answered / services.peakRpsPerUnit[service]
  const iops = services.iops[service] * Math.min(1, busy * peakIopsShare)
  const first = services.firstServing[service]
  const end = first + services.serving[service]
  for (let i = first; i < end; i++) {
    const host = servingHosts[i]
    wantedInGbps[host] += gbpsIn
    wantedOutGbps[host] += gbpsOut
    wantedEastWestGbps[host] += eastWest
    cpuDemandMilli[host] += milli
    iopsUsed[host] += iops
  }
}

function finishLoad({ load, capacity }: TenantsState, hosts: number): void {
  load.contentionMax = 0
  const { cpuDemandMilli, cpuUsedMilli, contention } = load
  const { physicalMilli } = capacity
  for (let host = 0; host < hosts; host++) {
    cpuUsedMilli[host] = Math.min(cpuDemandMilli[host], physicalMilli[host])
    contention[host] = cpuDemandMilli[host] / physicalMilli[host]
    if (contention[host] > load.contentionMax) load.contentionMax = contention[host]
  }
}

/** Total traffic of all customers at the peak hour of the week, from their curves alone. */
export function weeklyPeakGbps({ services }: TenantsState): { in: number; out: number; eastWest: number } {
  const curves = new Float64Array(curveNames.length)
  const peak = { in: 0, out: 0, eastWest: 0 }
  for (let hourOfWeek = 0; hourOfWeek < 168; hourOfWeek++) {
    curvesAt((hourOfWeek * day) / 24, curves)
    const sum = { in: 0, out: 0, eastWest: 0 }
    for (let service = 0; service < services.rowsEnd; service++) {
      if (services.customer[service] === 0) continue
      const rps =
        curves[services.curve[service]] * services.peakRpsPerUnit[service] * services.requested[service]
      sum.in += services.userFacing[service] * rps * services.inGbpsPerRps[service]
      sum.out += services.userFacing[service] * rps * services.outGbpsPerRps[service]
      sum.eastWest += rps * services.eastWestGbpsPerRps[service]
    }
    peak.in = Math.max(peak.in, sum.in)
    peak.out = Math.max(peak.out, sum.out)
    peak.eastWest = Math.max(peak.eastWest, sum.eastWest)
  }
  return peak
}
