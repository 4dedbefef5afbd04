import type {
  Arch,
  Archetype,
  Compliance,
  Durability,
  FitRecommendation,
  ServiceClass,
  Tier,
} from '../../../contract/vocabularies.ts'
import type { Micros } from '../time.ts'

/** A service as agreed in a contract. */
export interface ServiceTerms {
  readonly class: ServiceClass
  readonly count: number
  /** Resources allocated to each unit. */
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly iops: number
  readonly slices: number
  readonly durability: Durability
}

/** What a customer requires, before and after it has signed. */
export interface Contract {
  readonly name: string
  readonly archetype: Archetype
  readonly kindLabel: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly requiredArch: Arch | null
  /** Row of the only region in which its units may run. */
  readonly requiredRegion: number | null
  readonly multiZone: boolean
  readonly privateSegment: boolean
  readonly auditLogs: boolean
  readonly airGap: boolean
  readonly dedicatedHosts: boolean
  readonly uncontended: boolean
  readonly faultIsolation: boolean
  readonly growthCeiling: number
  readonly services: readonly ServiceTerms[]
}

/** How a contract would fit into the capacity that is free now. */
export interface PlacementAttempt {
  /** Row of the zone that would be its home zone. */
  zone: number
  vcpuAfterPct: number
  memAfterPct: number
  ssdAfterPct: number
  canServe: boolean
  oversubscribed: boolean
  overCapacity: boolean
  recommendation: FitRecommendation
  uncontendedHosts: number
  /** The hosts have room, but the network of the home zone has not. */
  networkFull: boolean
}

/** A customer that has asked for an offer. */
export interface Prospect {
  readonly id: number
  readonly contract: Contract
  readonly arrived: Micros
  readonly expires: Micros
  /** When the operator decides on it. */
  decides: Micros
  /** It was recommended by a customer, or has been one. */
  readonly isFamiliar: boolean
  readonly bonusDollars: number
  readonly monthlyDollars: number
  /** What its contract lacked when it was counted as unserved demand. */
  countedUnserved: 'hosts' | 'network' | null
  placement: PlacementAttempt
  placementAt: Micros
}

/** A customer that has left. */
export interface FormerCustomer {
  readonly contract: Contract
  readonly left: Micros
}
