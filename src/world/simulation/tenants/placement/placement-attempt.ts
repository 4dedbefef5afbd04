import type { FitRecommendation } from '../../../../contract/vocabularies.ts'
import type { Contract, PlacementAttempt, ServiceTerms } from '../contract.ts'
import type { TenantContext } from '../context.ts'
import type { UtilizationAfter } from './admission.ts'
import { admit } from './admission.ts'
import { contractTraffic, hasNetworkRoom } from './network-room.ts'
import type { PlacementRequest } from './placement-rules.ts'
import { homeZoneIn } from './home-zone.ts'
import type { Placer } from './placement.ts'
import { perHostMax, spreadLimits } from './placement.ts'
import { classIndex } from '../demand/service-classes.ts'

/** A unit that is allocated for the duration of an attempt. */
interface TrialUnit {
  readonly host: number
  readonly service: ServiceTerms
}

/** Tries to place every unit of a contract, and releases all of them. */
export function attemptPlacement(
  context: TenantContext,
  placer: Placer,
  contract: Contract,
): PlacementAttempt {
  const regions = contract.requiredRegion === null ? regionsByUtilization(context) : [contract.requiredRegion]
  const acceptingRegion = regions.find((row) => fitsRegion(context, placer, contract, row))
  const placed = acceptingRegion !== undefined
  const region = acceptingRegion ?? regions[0]
  const after = utilizationAfter(context, contract)
  const zone = homeZoneIn(context, region)
  const networkFull = placed && !hasNetworkRoom(context, zone, contractTraffic(context, contract))
  const overCapacity = !placed || after.vcpu > 100 || after.mem > 100 || after.ssd > 100
  return {
    zone,
    vcpuAfterPct: Math.min(100, after.vcpu),
    memAfterPct: Math.min(100, after.mem),
    ssdAfterPct: Math.min(100, after.ssd),
    canServe: placed,
    oversubscribed: after.overTarget,
    overCapacity,
    recommendation: recommend(context, contract, { region, placed, networkFull, after }),
    uncontendedHosts: countUncontendedHosts(context, contract, region),
    networkFull,
  }
}

function fitsRegion(context: TenantContext, placer: Placer, contract: Contract, region: number): boolean {
  const trials: TrialUnit[] = []
  const home = homeZoneIn(context, region)
  const fits = contract.services.every((service) =>
    tryService(context, placer, contract, service, home, trials),
  )
  for (const trial of trials) allocateTrial(context, trial, contract, -1)
  return fits
}

function tryService(
  context: TenantContext,
  placer: Placer,
  contract: Contract,
  service: ServiceTerms,
  home: number,
  trials: TrialUnit[],
): boolean {
  const request = requestForProspect(context, contract, service, context.world.topology.zones[home].region)
  const first = trials.length
  let fits = true
  for (let unit = 0; unit < service.count && fits; unit++) {
    const host = placer.findHost(request, home)
    if (host === -1) {
      fits = false
      continue
    }
    const trial = { host, service }
    trials.push(trial)
    allocateTrial(context, trial, contract, 1)
    placer.markHost(host, 1)
  }
  for (let i = first; i < trials.length; i++) placer.markHost(trials[i].host, -1)
  return fits
}

/** Placeholder customer id of a prospect. */
const prospectId = -1

function requestForProspect(
  context: TenantContext,
  contract: Contract,
  service: ServiceTerms,
  region: number,
): PlacementRequest {
  return {
    customerId: prospectId,
    segmentId: prospectId,
    privateSegment: contract.privateSegment,
    classIndex: classIndex[service.class],
    milli: service.vcpu * 1000,
    memMb: service.memMb,
    ssdGb: service.ssdGb,
    iops: service.iops,
    slices: service.slices,
    units: service.count,
    arch: contract.requiredArch,
    region,
    dedicated: contract.dedicatedHosts,
    uncontended: contract.uncontended,
    perHostMax: perHostMax(service.durability, service.count),
    ...spreadLimits(context.state.capacity, region, contract, service.count),
  }
}

/** Allocates or releases a unit; sizes are integers, so a release restores the exact values. */
function allocateTrial(
  context: TenantContext,
  { host, service }: TrialUnit,
  contract: Contract,
  sign: 1 | -1,
): void {
  const { capacity, load } = context.state
  load.allocatedMilli[host] += sign * service.vcpu * 1000
  load.allocatedMemMb[host] += sign * service.memMb
  load.allocatedSsdGb[host] += sign * service.ssdGb
  load.allocatedSlices[host] += sign * service.slices
  capacity.allocatedIops[host] += sign * service.iops
  load.unitCount[host] += sign
  if (contract.uncontended) capacity.uncontendedUnits[host] += sign
  if (contract.dedicatedHosts) capacity.owner[host] = load.unitCount[host] === 0 ? 0 : prospectId
}

/** Rows of the pools that accept any of the contract's services. */
function acceptingPools(context: TenantContext, contract: Contract): number[] {
  const poolsByClass = context.poolsFor[contract.dedicatedHosts ? 1 : 0]
  const rows = contract.services.flatMap((service) => poolsByClass[classIndex[service.class]])
  const { pools } = context.world.topology
  const fitting = rows.filter(
    (row) => contract.requiredArch === null || pools[row].arch === contract.requiredArch,
  )
  return [...new Set(fitting)].toSorted((a, b) => a - b)
}

function utilizationAfter(
  context: TenantContext,
  contract: Contract,
): { vcpu: number; mem: number; ssd: number; overTarget: boolean } {
  const sum = { milli: 0, max: 0, target: 0, mem: 0, memAll: 0, ssd: 0, ssdAll: 0 }
  for (const row of acceptingPools(context, contract)) {
    const usage = context.state.capacity.pools[row]
    sum.milli += usage.milli
    sum.max += usage.maxMilli
    sum.target += usage.targetMilli
    sum.mem += usage.memMb
    sum.memAll += usage.memMbTotal
    sum.ssd += usage.ssdGb
    sum.ssdAll += usage.ssdGbTotal
  }
  for (const service of contract.services) {
    sum.milli += service.count * service.vcpu * 1000
    sum.mem += service.count * service.memMb
    sum.ssd += service.count * service.ssdGb
  }
  const pct = (part: number, whole: number) => (whole === 0 ? 101 : (100 * part) / whole)
  return {
    vcpu: pct(sum.milli, sum.max),
    mem: pct(sum.mem, sum.memAll),
    ssd: pct(sum.ssd, sum.ssdAll),
    overTarget: sum.milli > sum.target,
  }
}

function recommend(
  context: TenantContext,
  contract: Contract,
  {
    region,
    placed,
    networkFull,
    after,
  }: {
    readonly region: number
    readonly placed: boolean
    readonly networkFull: boolean
    readonly after: UtilizationAfter
  },
): FitRecommendation {
  if (!placed) return recommendUnplaced(context, contract, region)
  return networkFull ? 'AddCapacity' : admit(contract, after)
}

/** The recommendation for a contract that cannot be placed: whether more capacity would help. */
function recommendUnplaced(context: TenantContext, contract: Contract, region: number): FitRecommendation {
  const { topology } = context.world
  const zones = topology.zones.filter((zone) => zone.region === region).length
  const noPool = contract.services.some((service) =>
    context.poolsFor[contract.dedicatedHosts ? 1 : 0][classIndex[service.class]].every(
      (row) => contract.requiredArch !== null && topology.pools[row].arch !== contract.requiredArch,
    ),
  )
  return noPool || (contract.multiZone && zones < 2) ? 'Decline' : 'AddCapacity'
}

/** Number of hosts that could run a unit of the contract's largest service without contention. */
function countUncontendedHosts(context: TenantContext, contract: Contract, region: number): number {
  const {
    world,
    state: { capacity },
  } = context
  const { topology, load } = world
  let largest = contract.services[0]
  for (const service of contract.services) if (service.count > largest.count) largest = service
  let count = 0
  for (const pool of context.poolsFor[contract.dedicatedHosts ? 1 : 0][classIndex[largest.class]]) {
    for (let zone = 0; zone < topology.zones.length; zone++) {
      if (topology.zones[zone].region !== region) continue
      for (const host of capacity.hostsOf[pool * topology.zones.length + zone]) {
        const isUncontended =
          capacity.open[host] === 1 &&
          load.contention[host] < 0.7 &&
          load.allocatedMilli[host] + largest.vcpu * 1000 <= capacity.physicalMilli[host] &&
          load.allocatedMemMb[host] + largest.memMb <= capacity.memMb[host]
        if (isUncontended) count++
      }
    }
  }
  return count
}

/** Rows of regions, ascending by the share of allocated CPU. */
function regionsByUtilization(context: TenantContext): number[] {
  const { topology, load } = context.world
  const allocated = new Float64Array(topology.regions.length)
  const all = new Float64Array(topology.regions.length)
  for (const host of topology.hosts.rows) {
    const region = context.state.capacity.region[host]
    allocated[region] += load.allocatedMilli[host]
    all[region] += context.state.capacity.maxMilli[host]
  }
  return [...allocated.keys()].toSorted((a, b) => allocated[a] / all[a] - allocated[b] / all[b] || a - b)
}
