import type { Arch, Compliance, ServiceClass, Tier } from '../../../../contract/vocabularies.ts'
import { archetypes, archs, tiers } from '../../../../contract/vocabularies.ts'
import type { Topology } from '../../topology/tables.ts'
import type { RandomStream } from '../../random.ts'
import type { Contract, ServiceTerms } from '../contract.ts'
import { replicasPromised } from '../service-table.ts'
import { poolAccepts } from '../placement/capacity.ts'
import type { ArchetypeTraits } from '../demand/archetypes.ts'
import { archetypeTraits } from '../demand/archetypes.ts'
import { generateCustomerName } from './customer-names.ts'
import { classTraits } from '../demand/service-classes.ts'

/** Units per host at the typical fill ratio. */
const unitsPerHost = 5.2
export const typicalFillRatio = 0.62
/** Units of a customer of average size. */
const meanUnits = 13
/** Largest unit, as a share of a host's CPU. */
const unitShareMax = 0.4

/** Largest initial customer, as a share of the allocatable CPU of its hosts. */
const customerShareMax = 0.3

/** Averages over the hosts that accept a service class. */
interface HostAverages {
  readonly allocatableVcpu: number
  readonly physicalVcpu: number
  readonly memMbPerVcpu: number
  readonly ssdGbPerVcpu: number
  readonly iopsPerVcpu: number
  readonly slicesPerVcpu: number
  readonly hosts: number
}

/** Drafts contracts with unit sizes that fit the hosts of the topology. */
export interface ContractFactory {
  /** `tierTilt` is the factor on each tier's weight relative to the tier below, `size` that on the units. */
  draft(random: RandomStream, tierTilt?: number, size?: number): Contract
}

const archetypeWeights = archetypes.map((name) => archetypeTraits[name].weight)

export function createContractFactory(topology: Topology, takenNames: Set<string>): ContractFactory {
  const averages = new Map<string, HostAverages>()
  let version = topology.version
  const averagesOf = (name: ServiceClass, dedicated: boolean, arch: Arch | null): HostAverages => {
    if (version !== topology.version) averages.clear()
    version = topology.version
    const key = `${name} ${dedicated} ${arch}`
    const known = averages.get(key) ?? averageHosts(topology, name, dedicated, arch)
    averages.set(key, known)
    return known
  }
  return {
    draft(random, tierTilt = 1, size = 1) {
      for (;;) {
        const archetype = archetypes[random.weighted(archetypeWeights)]
        const traits = archetypeTraits[archetype]
        const tier =
          tiers[random.weighted(traits.tiers.map((weight, rank) => weight * power(tierTilt, rank)))]
        const requirements = draftRequirements(random, topology, traits, averagesOf)
        const services = draftServices(random, traits, tier, requirements, averagesOf, size)
        // Small topologies lack hosts for some archetypes.
        if (!services.some((service) => classTraits[service.class].role !== 'behind')) continue
        const units = services.reduce((sum, service) => sum + service.count, 0)
        return {
          name: generateCustomerName(random, archetype, takenNames),
          archetype,
          kindLabel: random.pick(traits.kindLabels),
          tier,
          ...requirements,
          services,
          growthCeiling: Math.ceil(units * random.uniform(1.3, 2.6)),
        }
      }
    },
  }
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result *= base
  return result
}

type HostAveragesOf = (name: ServiceClass, dedicated: boolean, arch: Arch | null) => HostAverages
type Requirements = Omit<Contract, 'name' | 'archetype' | 'kindLabel' | 'tier' | 'services' | 'growthCeiling'>

function draftRequirements(
  random: RandomStream,
  topology: Topology,
  traits: ArchetypeTraits,
  averagesOf: HostAveragesOf,
): Requirements {
  const { chances } = traits
  const rule = random.fraction()
  let compliance: Requirements['compliance'] = null
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
    traits.mix.every((entry) => averagesOf(entry.class, dedicatedHosts, wanted).hosts > 0)
  return {
    compliance,
    requiredArch: arch === null || fits(arch) ? arch : null,
    requiredRegion: random.chance(chances.fixedRegion) ? random.below(topology.regions.length) : null,
    multiZone: random.chance(chances.multiZone),
    privateSegment,
    auditLogs: random.chance(chances.auditLogs) || compliance === 'Government',
    airGap,
    dedicatedHosts,
    uncontended: random.chance(chances.uncontended),
    faultIsolation: random.chance(chances.faultIsolation),
  }
}

/** Compliance regimes that require a private segment. */
const isStrict = (compliance: Compliance | null): boolean =>
  compliance === 'HIPAA' || compliance === 'Government'

const sizeOfTier: Readonly<Record<Tier, number>> = { Bronze: 0.55, Silver: 0.9, Gold: 1.25, Platinum: 1.6 }

function draftServices(
  random: RandomStream,
  traits: ArchetypeTraits,
  tier: Tier,
  requirements: Requirements,
  averagesOf: HostAveragesOf,
  size: number,
): ServiceTerms[] {
  const spread = random.fraction() + random.fraction() + random.fraction()
  const units = meanUnits * size * traits.size * sizeOfTier[tier] * (0.35 + 0.45 * spread)
  const chosen = traits.mix.filter((entry) => {
    const wanted = random.chance(entry.chance)
    return wanted && averagesOf(entry.class, requirements.dedicatedHosts, requirements.requiredArch).hosts > 0
  })
  // At least one service must face users or run jobs.
  if (!chosen.some((entry) => classTraits[entry.class].role !== 'behind')) {
    const usual = traits.mix.find(
      (entry) =>
        classTraits[entry.class].role === 'front' &&
        averagesOf(entry.class, requirements.dedicatedHosts, requirements.requiredArch).hosts > 0,
    )
    if (usual !== undefined) chosen.unshift(usual)
  }
  let shares = 0
  for (const entry of chosen) shares += entry.share
  return chosen.map((entry) => {
    const hosts = averagesOf(entry.class, requirements.dedicatedHosts, requirements.requiredArch)
    // Each replica needs a separate host.
    const durability = replicasPromised[entry.durability] > hosts.hosts ? 'Single' : entry.durability
    const least = Math.max(replicasPromised[durability], requirements.multiZone ? 2 : 1)
    const unit = unitSize(random, entry.class, hosts)
    const most = Math.floor((hosts.hosts * hosts.allocatableVcpu * customerShareMax) / unit.vcpu)
    const wanted = Math.min(most, Math.round((units * entry.share) / shares))
    return Object.assign(unit, { class: entry.class, count: Math.max(least, wanted), durability })
  })
}

function unitSize(
  random: RandomStream,
  name: ServiceClass,
  hosts: HostAverages,
): Pick<ServiceTerms, 'vcpu' | 'memMb' | 'ssdGb' | 'iops' | 'slices'> {
  const traits = classTraits[name]
  const usual = (hosts.allocatableVcpu * typicalFillRatio) / unitsPerHost
  const wanted = Math.min(usual * random.uniform(0.55, 1.45), hosts.physicalVcpu * unitShareMax)
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

function averageHosts(
  topology: Topology,
  name: ServiceClass,
  dedicated: boolean,
  arch: Arch | null,
): HostAverages {
  let hosts = 0
  let allocatable = 0
  let physical = 0
  let mem = 0
  let ssd = 0
  let iops = 0
  let slices = 0
  for (const host of topology.hosts.rows) {
    const pool = topology.pools[topology.hosts.pool[host]]
    if (!poolAccepts(pool, name, dedicated, arch)) continue
    const sku = topology.hostSkus[topology.hosts.sku[host]]
    hosts++
    allocatable += sku.vcpu * pool.overcommitMax
    physical += sku.vcpu
    mem += sku.memMb
    ssd += sku.ssdGb
    iops += sku.iops
    slices += sku.vgpuSlices
  }
  return {
    hosts,
    allocatableVcpu: allocatable / Math.max(1, hosts),
    physicalVcpu: physical / Math.max(1, hosts),
    memMbPerVcpu: mem / Math.max(1, allocatable),
    ssdGbPerVcpu: ssd / Math.max(1, allocatable),
    iopsPerVcpu: iops / Math.max(1, allocatable),
    slicesPerVcpu: slices / Math.max(1, allocatable),
  }
}
