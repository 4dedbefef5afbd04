import {
  archetypes,
  type Arch,
  type Compliance,
  archs,
  type Durability,
  type ServiceClass,
  type Tier,
  tiers,
} from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import type { Contract, ServiceTerms } from './account.ts'
import { archetypeTraits, type ArchetypeTraits } from './archetypes.ts'
import { inventName } from './names.ts'
import { classTraits } from './service-classes.ts'

/** Units that a host carries when it is as full as hosts usually are, and how full that is. */
const unitsPerHost = 5.2
export const usualFill = 0.62
/** Units of a customer of usual size. */
const usualUnits = 13
/** No unit takes more than this share of a host. */
const largestUnitShare = 0.4

/** No customer begins with more than this share of all that its hosts can promise. */
const largestCustomerShare = 0.3

/** What the hosts that take a class have on average. */
interface HostMeasure {
  readonly promisableVcpu: number
  readonly physicalVcpu: number
  readonly memMbPerVcpu: number
  readonly ssdGbPerVcpu: number
  readonly iopsPerVcpu: number
  readonly slicesPerVcpu: number
  readonly hosts: number
}

/** How contracts are worded: sizes of units follow from the hosts that there are. */
export interface ContractDesk {
  draft(random: RandomStream): Contract
  readonly takenNames: Set<string>
}

const archetypeWeights = archetypes.map((name) => archetypeTraits[name].weight)

export function createContractDesk(plant: Plant): ContractDesk {
  const takenNames = new Set<string>()
  const measures = new Map<string, HostMeasure>()
  const measure = (name: ServiceClass, dedicated: boolean, arch: Arch | null): HostMeasure => {
    const key = `${name} ${dedicated} ${arch}`
    const known = measures.get(key) ?? measureHosts(plant, name, dedicated, arch)
    measures.set(key, known)
    return known
  }
  return {
    takenNames,
    draft(random) {
      for (;;) {
        const archetype = archetypes[random.weighted(archetypeWeights)]
        const traits = archetypeTraits[archetype]
        const tier = tiers[random.weighted(traits.tiers)]
        const wishes = draftWishes(random, plant, traits, measure)
        const services = draftServices(random, traits, tier, wishes, measure)
        // Small plants have no hosts for what some ask: those do not even ask.
        if (!services.some((service) => classTraits[service.class].role !== 'behind')) continue
        const units = services.reduce((sum, service) => sum + service.count, 0)
        return {
          name: inventName(random, archetype, takenNames),
          archetype,
          kindLabel: random.pick(traits.kindLabels),
          tier,
          ...wishes,
          services,
          growthCeiling: Math.ceil(units * random.uniform(1.3, 2.6)),
        }
      }
    },
  }
}

type Measure = (name: ServiceClass, dedicated: boolean, arch: Arch | null) => HostMeasure
type Wishes = Omit<Contract, 'name' | 'archetype' | 'kindLabel' | 'tier' | 'services' | 'growthCeiling'>

function draftWishes(random: RandomStream, plant: Plant, traits: ArchetypeTraits, measure: Measure): Wishes {
  const { chances } = traits
  const rule = random.fraction()
  let compliance: Wishes['compliance'] = null
  let passed = 0
  for (const entry of traits.compliance) {
    passed += entry.chance
    if (compliance === null && rule < passed) compliance = entry.rule
  }
  const airGap = random.chance(chances.airGap)
  const dedicatedHosts = random.chance(chances.dedicatedHosts) || airGap
  const fixedArch = random.chance(chances.fixedArch)
  const otherArch = random.chance(0.3)
  const privateSegment = random.chance(chances.privateSegment) || airGap || isStrict(compliance)
  const arch = fixedArch ? (otherArch ? archs[1] : archs[0]) : null
  const fits = (wanted: Arch | null): boolean =>
    traits.mix.every((entry) => measure(entry.class, dedicatedHosts, wanted).hosts > 0)
  return {
    compliance,
    requiredArch: arch === null || fits(arch) ? arch : null,
    requiredRegion: random.chance(chances.fixedRegion) ? random.below(plant.regions.length) : null,
    multiZone: random.chance(chances.multiZone),
    privateSegment,
    auditLogs: random.chance(chances.auditLogs) || compliance === 'Government',
    airGap,
    dedicatedHosts,
    uncontended: random.chance(chances.uncontended),
    faultIsolation: random.chance(chances.faultIsolation),
  }
}

/** Rule books whose hosts may be shared only inside a segment of one's own. */
const isStrict = (compliance: Compliance | null): boolean =>
  compliance === 'HIPAA' || compliance === 'Government'

const tierSize: Readonly<Record<Tier, number>> = { Bronze: 0.55, Silver: 0.9, Gold: 1.25, Platinum: 1.6 }

/** Replicas that a way of keeping data promises; each is a unit on a host of its own. */
export const replicasPromised: Readonly<Record<Durability, number>> = {
  Ephemeral: 0,
  Single: 1,
  Replicated2: 2,
  Replicated3: 3,
  ErasureCoded: 3,
}

function draftServices(
  random: RandomStream,
  traits: ArchetypeTraits,
  tier: Tier,
  wishes: Wishes,
  measure: Measure,
): ServiceTerms[] {
  const spread = random.fraction() + random.fraction() + random.fraction()
  const units = usualUnits * traits.size * tierSize[tier] * (0.35 + 0.45 * spread)
  const chosen = traits.mix.filter((entry) => {
    const wanted = random.chance(entry.chance)
    return wanted && measure(entry.class, wishes.dedicatedHosts, wishes.requiredArch).hosts > 0
  })
  // A customer whose every service is left out by the dice still runs what its kind is known for.
  if (!chosen.some((entry) => classTraits[entry.class].role !== 'behind')) {
    const usual = traits.mix.find(
      (entry) =>
        classTraits[entry.class].role === 'front' &&
        measure(entry.class, wishes.dedicatedHosts, wishes.requiredArch).hosts > 0,
    )
    if (usual !== undefined) chosen.unshift(usual)
  }
  let shares = 0
  for (const entry of chosen) shares += entry.share
  return chosen.map((entry) => {
    const hosts = measure(entry.class, wishes.dedicatedHosts, wishes.requiredArch)
    // Nobody buys more replicas than there are hosts to keep them apart.
    const durability = replicasPromised[entry.durability] > hosts.hosts ? 'Single' : entry.durability
    const least = Math.max(replicasPromised[durability], wishes.multiZone ? 2 : 1)
    const size = unitSize(random, entry.class, hosts)
    const most = Math.floor((hosts.hosts * hosts.promisableVcpu * largestCustomerShare) / size.vcpu)
    const wanted = Math.min(most, Math.round((units * entry.share) / shares))
    return Object.assign(size, { class: entry.class, count: Math.max(least, wanted), durability })
  })
}

function unitSize(
  random: RandomStream,
  name: ServiceClass,
  hosts: HostMeasure,
): Pick<ServiceTerms, 'vcpu' | 'memMb' | 'ssdGb' | 'iops' | 'slices'> {
  const traits = classTraits[name]
  const usual = (hosts.promisableVcpu * usualFill) / unitsPerHost
  const wanted = Math.min(usual * random.uniform(0.55, 1.45), hosts.physicalVcpu * largestUnitShare)
  const vcpu = Math.max(1, wanted < 8 ? Math.round(wanted) : Math.round(wanted / 2) * 2)
  const about = (perVcpu: number, factor: number) => vcpu * perVcpu * factor * random.uniform(0.8, 1.15)
  return {
    vcpu,
    memMb: Math.max(512, Math.round(about(hosts.memMbPerVcpu, traits.memory) / 512) * 512),
    ssdGb: Math.max(10, Math.round(about(hosts.ssdGbPerVcpu, traits.disk) / 10) * 10),
    iops: Math.max(100, Math.round(about(hosts.iopsPerVcpu, traits.iops) / 100) * 100),
    slices: traits.accelerator === null ? 0 : Math.max(1, Math.round(about(hosts.slicesPerVcpu, 0.95))),
  }
}

function measureHosts(plant: Plant, name: ServiceClass, dedicated: boolean, arch: Arch | null): HostMeasure {
  let hosts = 0
  let promisable = 0
  let physical = 0
  let mem = 0
  let ssd = 0
  let iops = 0
  let slices = 0
  for (let host = 0; host < plant.hosts.count; host++) {
    const pool = plant.pools[plant.hosts.pool[host]]
    if (!poolTakes(pool, name, dedicated, arch)) continue
    const sku = plant.hostSkus[plant.hosts.sku[host]]
    hosts++
    promisable += sku.vcpu * pool.overcommitMax
    physical += sku.vcpu
    mem += sku.memMb
    ssd += sku.ssdGb
    iops += sku.iops
    slices += sku.vgpuSlices
  }
  return {
    hosts,
    promisableVcpu: promisable / Math.max(1, hosts),
    physicalVcpu: physical / Math.max(1, hosts),
    memMbPerVcpu: mem / Math.max(1, promisable),
    ssdGbPerVcpu: ssd / Math.max(1, promisable),
    iopsPerVcpu: iops / Math.max(1, promisable),
    slicesPerVcpu: slices / Math.max(1, promisable),
  }
}

/** Whether a pool is meant for units of a class, by its rules alone. */
export function poolTakes(
  pool: Plant['pools'][number],
  name: ServiceClass,
  dedicated: boolean,
  arch: Arch | null,
): boolean {
  return (
    pool.classes.includes(name) &&
    pool.dedicated === dedicated &&
    (arch === null || pool.arch === arch) &&
    pool.accelerator === classTraits[name].accelerator
  )
}
