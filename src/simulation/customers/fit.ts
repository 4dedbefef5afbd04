import type { FitRecommendation } from '../../contract/vocabularies.ts'
import type { Contract, ServiceTerms } from './account.ts'
import type { Business } from './business.ts'
import type { Ask } from './placement-rules.ts'
import { homeZoneIn } from './homes.ts'
import { perHostMax, type Placer, spreadLimits } from './placement.ts'
import { classIndex } from './service-classes.ts'

/** How a contract would fit in, as things are. */
export interface Fit {
  /** Row of the zone that would be its home. */
  zone: number
  vcpuAfterPct: number
  memAfterPct: number
  ssdAfterPct: number
  canServe: boolean
  oversubscribed: boolean
  overCapacity: boolean
  recommendation: FitRecommendation
  uncontendedHosts: number
}

/** A unit put on a host on trial. */
interface Trial {
  readonly host: number
  readonly service: ServiceTerms
}

/** Tries out a whole contract where it may run: every unit is put somewhere, and all of it taken back. */
export function tryFit(business: Business, placer: Placer, contract: Contract): Fit {
  const regions = contract.requiredRegion === null ? roomiestFirst(business) : [contract.requiredRegion]
  const takes = regions.find((row) => fitsInto(business, placer, contract, row))
  const placed = takes !== undefined
  const region = takes ?? regions[0]
  const after = afterPct(business, contract)
  const overCapacity = !placed || after.vcpu > 100 || after.mem > 100 || after.ssd > 100
  return {
    zone: homeZoneIn(business, region),
    vcpuAfterPct: Math.min(100, after.vcpu),
    memAfterPct: Math.min(100, after.mem),
    ssdAfterPct: Math.min(100, after.ssd),
    canServe: placed,
    oversubscribed: after.overTarget,
    overCapacity,
    recommendation: recommend(business, contract, region, placed, after.overTarget),
    uncontendedHosts: uncontendedHosts(business, contract, region),
  }
}

function fitsInto(business: Business, placer: Placer, contract: Contract, region: number): boolean {
  const trials: Trial[] = []
  const home = homeZoneIn(business, region)
  const whole = contract.services.every((service) =>
    tryService(business, placer, contract, service, home, trials),
  )
  for (const trial of trials) occupyOnTrial(business, trial, contract, -1)
  return whole
}

function tryService(
  business: Business,
  placer: Placer,
  contract: Contract,
  service: ServiceTerms,
  home: number,
  trials: Trial[],
): boolean {
  const ask = askFor(business, contract, service, business.state.plant.zones[home].region)
  const { standing } = placer
  const first = trials.length
  let whole = true
  for (let unit = 0; unit < service.count && whole; unit++) {
    const host = placer.findHost(ask, standing, home)
    if (host === -1) {
      whole = false
      continue
    }
    const trial = { host, service }
    trials.push(trial)
    occupyOnTrial(business, trial, contract, 1)
    placer.markHost(host, 1)
  }
  for (let i = first; i < trials.length; i++) placer.markHost(trials[i].host, -1)
  return whole
}

/** Whoever asks is not a customer yet: hosts reserved on trial carry this mark. */
const onTrial = -1

function askFor(business: Business, contract: Contract, service: ServiceTerms, region: number): Ask {
  return {
    customerId: onTrial,
    segmentId: onTrial,
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
    ...spreadLimits(business, region, contract, service.count),
  }
}

/** Takes room on a host for a unit on trial, or gives it back. Sizes are whole numbers, so nothing is left over. */
function occupyOnTrial(business: Business, { host, service }: Trial, contract: Contract, sign: 1 | -1): void {
  const { load } = business.state
  const { capacity } = business
  load.allocatedMilli[host] += sign * service.vcpu * 1000
  load.allocatedMemMb[host] += sign * service.memMb
  load.allocatedSsdGb[host] += sign * service.ssdGb
  load.allocatedSlices[host] += sign * service.slices
  capacity.promisedIops[host] += sign * service.iops
  load.unitCount[host] += sign
  if (contract.uncontended) capacity.calmUnits[host] += sign
  if (contract.dedicatedHosts) capacity.owner[host] = load.unitCount[host] === 0 ? 0 : onTrial
}

/** Rows of the pools that would take any of it. */
function poolsOf(business: Business, contract: Contract): number[] {
  const takers = business.poolsFor[contract.dedicatedHosts ? 1 : 0]
  const rows = contract.services.flatMap((service) => takers[classIndex[service.class]])
  const { pools } = business.state.plant
  const fitting = rows.filter(
    (row) => contract.requiredArch === null || pools[row].arch === contract.requiredArch,
  )
  return [...new Set(fitting)].toSorted((a, b) => a - b)
}

function afterPct(
  business: Business,
  contract: Contract,
): { vcpu: number; mem: number; ssd: number; overTarget: boolean } {
  const sum = { milli: 0, max: 0, target: 0, mem: 0, memAll: 0, ssd: 0, ssdAll: 0 }
  for (const row of poolsOf(business, contract)) {
    const tally = business.capacity.pools[row]
    sum.milli += tally.milli
    sum.max += tally.maxMilli
    sum.target += tally.targetMilli
    sum.mem += tally.memMb
    sum.memAll += tally.memAll
    sum.ssd += tally.ssdGb
    sum.ssdAll += tally.ssdAll
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
  business: Business,
  contract: Contract,
  region: number,
  placed: boolean,
  overTarget: boolean,
): FitRecommendation {
  if (placed) return overTarget ? 'AcceptWithCare' : 'Accept'
  const { plant } = business.state
  const zones = plant.zones.filter((zone) => zone.region === region).length
  const noPool = contract.services.some((service) =>
    business.poolsFor[contract.dedicatedHosts ? 1 : 0][classIndex[service.class]].every(
      (row) => contract.requiredArch !== null && plant.pools[row].arch !== contract.requiredArch,
    ),
  )
  return noPool || (contract.multiZone && zones < 2) ? 'Decline' : 'AddCapacity'
}

/** Hosts that are not contended, would not become so, and take one unit of what it wants most of. */
function uncontendedHosts(business: Business, contract: Contract, region: number): number {
  const { capacity, state } = business
  const { plant, load } = state
  let largest = contract.services[0]
  for (const service of contract.services) if (service.count > largest.count) largest = service
  let count = 0
  for (const pool of business.poolsFor[contract.dedicatedHosts ? 1 : 0][classIndex[largest.class]]) {
    for (let zone = 0; zone < plant.zones.length; zone++) {
      if (plant.zones[zone].region !== region) continue
      for (const host of capacity.hostsOf[pool * plant.zones.length + zone]) {
        const calm =
          capacity.open[host] === 1 &&
          load.contention[host] < 0.7 &&
          load.allocatedMilli[host] + largest.vcpu * 1000 <= capacity.physicalMilli[host] &&
          load.allocatedMemMb[host] + largest.memMb <= capacity.memMb[host]
        if (calm) count++
      }
    }
  }
  return count
}

/** Rows of regions, those with the smallest share of CPU promised first. */
function roomiestFirst(business: Business): number[] {
  const { plant, load } = business.state
  const promised = new Float64Array(plant.regions.length)
  const all = new Float64Array(plant.regions.length)
  for (let host = 0; host < plant.hosts.count; host++) {
    const region = business.capacity.region[host]
    promised[region] += load.allocatedMilli[host]
    all[region] += business.capacity.maxMilli[host]
  }
  return [...promised.keys()].toSorted((a, b) => promised[a] / all[a] - promised[b] / all[b] || a - b)
}
