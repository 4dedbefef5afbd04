import type { PlacementCode, PlacementUnit } from '../../contract/vocabularies.ts'
import type { PlacementLack } from './account.ts'
import type { Business } from './business.ts'
import { type Ask, rule, type Standing } from './placement-rules.ts'
import type { Placer } from './placement.ts'

interface Lack {
  readonly rule: number
  readonly code: PlacementCode
  readonly unit: PlacementUnit
  readonly needed: (ask: Ask) => number
  /** What a host has of it. */
  readonly has: (business: Business, host: number, ask: Ask) => number
}

const nothing = () => 0
const one = () => 1

/** In the order in which they are told when several stand in the way of as many hosts. */
const lacks: readonly Lack[] = [
  {
    rule: rule.memory,
    code: 'no_memory',
    unit: 'mb',
    needed: (ask) => ask.memMb,
    has: ({ capacity, state }, host) => capacity.memMb[host] - state.load.allocatedMemMb[host],
  },
  {
    rule: rule.cpu,
    code: 'no_vcpu',
    unit: 'vcpu',
    needed: (ask) => ask.milli / 1000,
    has: ({ capacity, state }, host) =>
      Math.floor((capacity.maxMilli[host] - state.load.allocatedMilli[host]) / 1000),
  },
  {
    rule: rule.slices,
    code: 'no_gpu',
    unit: 'slices',
    needed: (ask) => ask.slices,
    has: ({ capacity, state }, host) => capacity.slices[host] - state.load.allocatedSlices[host],
  },
  {
    rule: rule.disk,
    code: 'no_disk',
    unit: 'gb',
    needed: (ask) => ask.ssdGb,
    has: ({ capacity, state }, host) => capacity.ssdGb[host] - state.load.allocatedSsdGb[host],
  },
  {
    rule: rule.iops,
    code: 'no_iops',
    unit: 'iops',
    needed: (ask) => ask.iops,
    has: ({ capacity }, host) => capacity.iops[host] - capacity.promisedIops[host],
  },
  { rule: rule.dedicated, code: 'no_dedicated_host', unit: 'hosts', needed: one, has: nothing },
  { rule: rule.calm, code: 'no_uncontended_host', unit: 'hosts', needed: one, has: nothing },
  { rule: rule.racks, code: 'no_fault_isolation', unit: 'hosts', needed: one, has: nothing },
  { rule: rule.zones, code: 'no_second_zone', unit: 'zones', needed: () => 2, has: one },
  { rule: rule.segment, code: 'no_segment', unit: 'segments', needed: one, has: nothing },
  { rule: rule.online, code: 'no_host_online', unit: 'hosts', needed: one, has: nothing },
]

/** Why no host takes a unit: what stands alone in the way of most hosts, or failing that, of most at all. */
export function explainLack(business: Business, placer: Placer, ask: Ask, standing: Standing): PlacementLack {
  const { plant } = business.state
  const masks: number[] = []
  const hosts: number[] = []
  for (const pool of business.poolsFor[ask.dedicated ? 1 : 0][ask.classIndex]) {
    for (let zone = 0; zone < plant.zones.length; zone++) {
      if (ask.region !== null && plant.zones[zone].region !== ask.region) continue
      for (const host of business.capacity.hostsOf[pool * plant.zones.length + zone]) {
        masks.push(placer.broken(ask, standing, host))
        hosts.push(host)
      }
    }
  }
  const region = ask.region === null ? 'all regions' : plant.regions[ask.region].name
  if (hosts.length === 0) {
    return lackOf(ask.slices > 0 ? 'no_gpu' : ask.dedicated ? 'no_dedicated_host' : 'no_region', region, 0)
  }
  if (masks.every((mask) => (mask & rule.arch) !== 0)) return lackOf('no_arch', region, hosts.length)
  return worstLack(business, ask, hosts, masks)
}

const lackOf = (code: PlacementCode, subject: string, considered: number): PlacementLack => ({
  code,
  unit: 'hosts',
  subject,
  needed: 1,
  available: 0,
  shortfall: 1,
  considered,
  candidates: 0,
})

function worstLack(
  business: Business,
  ask: Ask,
  hosts: readonly number[],
  masks: readonly number[],
): PlacementLack {
  let chosen = lacks[0]
  let most = -1
  let candidates = 0
  for (const lack of lacks) {
    const alone = masks.filter((mask) => mask === lack.rule).length
    const atAll = masks.filter((mask) => (mask & lack.rule) !== 0).length
    const weight = alone > 0 ? alone + masks.length : atAll
    if (weight > most) {
      chosen = lack
      most = weight
      candidates = alone
    }
  }
  // Where other rules stand in the way of every host too, the numbers are those of the best host all the same.
  let available = 0
  let subjectHost = hosts[0]
  for (let i = 0; i < hosts.length; i++) {
    const counts = candidates > 0 ? masks[i] === chosen.rule : (masks[i] & chosen.rule) !== 0
    if (!counts) continue
    const has = Math.max(0, chosen.has(business, hosts[i], ask))
    if (has >= available) {
      available = has
      subjectHost = hosts[i]
    }
  }
  const needed = chosen.needed(ask)
  return {
    code: chosen.code,
    unit: chosen.unit,
    subject: subjectOf(business, chosen.rule, subjectHost),
    needed,
    available,
    shortfall: Math.max(1, needed - available),
    considered: hosts.length,
    candidates,
  }
}

function subjectOf(business: Business, broken: number, host: number): string {
  const { plant } = business.state
  const zone = plant.zones[plant.hosts.zone[host]]
  if (broken === rule.zones) return `region ${plant.regions[zone.region].name}`
  if (broken === rule.segment) return `zone ${zone.name}`
  return `pool ${plant.pools[plant.hosts.pool[host]].name}`
}
