import type { PlacementCode, PlacementUnit } from '../../../../contract/vocabularies.ts'
import type { UnplacedReason } from '../account.ts'
import type { TenantContext } from '../context.ts'
import type { PlacementRequest } from './placement-rules.ts'
import { placementRule } from './placement-rules.ts'
import type { TenantsState } from '../state.ts'
import type { Placer } from './placement.ts'

interface Obstacle {
  readonly rule: number
  readonly code: PlacementCode
  readonly unit: PlacementUnit
  readonly needed: (request: PlacementRequest) => number
  /** The free amount of the resource on a host. */
  readonly has: (state: TenantsState, host: number) => number
}

const none = () => 0
const one = () => 1

/** In order of precedence between obstacles on equally many hosts. */
const obstacles: readonly Obstacle[] = [
  {
    rule: placementRule.memory,
    code: 'no_memory',
    unit: 'mb',
    needed: (request) => request.memMb,
    has: ({ capacity, load }, host) => capacity.memMb[host] - load.allocatedMemMb[host],
  },
  {
    rule: placementRule.cpu,
    code: 'no_vcpu',
    unit: 'vcpu',
    needed: (request) => request.milli / 1000,
    has: ({ capacity, load }, host) =>
      Math.floor((capacity.maxMilli[host] - load.allocatedMilli[host]) / 1000),
  },
  {
    rule: placementRule.slices,
    code: 'no_gpu',
    unit: 'slices',
    needed: (request) => request.slices,
    has: ({ capacity, load }, host) => capacity.slices[host] - load.allocatedSlices[host],
  },
  {
    rule: placementRule.disk,
    code: 'no_disk',
    unit: 'gb',
    needed: (request) => request.ssdGb,
    has: ({ capacity, load }, host) => capacity.ssdGb[host] - load.allocatedSsdGb[host],
  },
  {
    rule: placementRule.iops,
    code: 'no_iops',
    unit: 'iops',
    needed: (request) => request.iops,
    has: ({ capacity }, host) => capacity.iops[host] - capacity.allocatedIops[host],
  },
  { rule: placementRule.dedicated, code: 'no_dedicated_host', unit: 'hosts', needed: one, has: none },
  { rule: placementRule.uncontended, code: 'no_uncontended_host', unit: 'hosts', needed: one, has: none },
  { rule: placementRule.racks, code: 'no_fault_isolation', unit: 'hosts', needed: one, has: none },
  { rule: placementRule.zones, code: 'no_second_zone', unit: 'zones', needed: () => 2, has: one },
  { rule: placementRule.segment, code: 'no_segment', unit: 'segments', needed: one, has: none },
  { rule: placementRule.online, code: 'no_host_online', unit: 'hosts', needed: one, has: none },
]

/** The reason for unplaced units: the obstacle that is the only one on most hosts, or else the most common one. */
export function explainUnplacedUnits(
  context: TenantContext,
  placer: Placer,
  request: PlacementRequest,
): UnplacedReason {
  const { topology } = context.world
  const masks: number[] = []
  const hosts: number[] = []
  for (const pool of context.poolsFor[request.dedicated ? 1 : 0][request.classIndex]) {
    for (let zone = 0; zone < topology.zones.length; zone++) {
      if (request.region !== null && topology.zones[zone].region !== request.region) continue
      for (const host of context.state.capacity.hostsOf[pool * topology.zones.length + zone]) {
        masks.push(placer.brokenRules(request, host))
        hosts.push(host)
      }
    }
  }
  const region = request.region === null ? 'all regions' : topology.regions[request.region].name
  if (hosts.length === 0) {
    return reasonWithoutHosts(
      request.slices > 0 ? 'no_gpu' : request.dedicated ? 'no_dedicated_host' : 'no_region',
      region,
      0,
    )
  }
  if (masks.every((mask) => (mask & placementRule.arch) !== 0))
    return reasonWithoutHosts('no_arch', region, hosts.length)
  return mainObstacle(context, request, hosts, masks)
}

const reasonWithoutHosts = (code: PlacementCode, subject: string, considered: number): UnplacedReason => ({
  code,
  unit: 'hosts',
  subject,
  needed: 1,
  available: 0,
  shortfall: 1,
  considered,
  candidates: 0,
})

function mainObstacle(
  context: TenantContext,
  request: PlacementRequest,
  hosts: readonly number[],
  masks: readonly number[],
): UnplacedReason {
  let main = obstacles[0]
  let most = -1
  let candidates = 0
  for (const obstacle of obstacles) {
    const alone = masks.filter((mask) => mask === obstacle.rule).length
    const atAll = masks.filter((mask) => (mask & obstacle.rule) !== 0).length
    const weight = alone > 0 ? alone + masks.length : atAll
    if (weight > most) {
      main = obstacle
      most = weight
      candidates = alone
    }
  }
  // The quantities are those of the best host, even if other rules exclude it too.
  let available = 0
  let subjectHost = hosts[0]
  for (let i = 0; i < hosts.length; i++) {
    const counts = candidates > 0 ? masks[i] === main.rule : (masks[i] & main.rule) !== 0
    if (!counts) continue
    const has = Math.max(0, main.has(context.state, hosts[i]))
    if (has >= available) {
      available = has
      subjectHost = hosts[i]
    }
  }
  const needed = main.needed(request)
  return {
    code: main.code,
    unit: main.unit,
    subject: subjectOf(context, main.rule, subjectHost),
    needed,
    available,
    shortfall: Math.max(1, needed - available),
    considered: hosts.length,
    candidates,
  }
}

function subjectOf(context: TenantContext, broken: number, host: number): string {
  const { topology } = context.world
  const zone = topology.zones[topology.hosts.zone[host]]
  if (broken === placementRule.zones) return `region ${topology.regions[zone.region].name}`
  if (broken === placementRule.segment) return `zone ${zone.displayName}`
  return `pool ${topology.pools[topology.hosts.pool[host]].name}`
}
