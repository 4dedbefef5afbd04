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

/** Requirements of a customer or prospect. */
export interface Contract {
  readonly name: string
  readonly archetype: Archetype
  readonly kindLabel: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly requiredArch: Arch | null
  /** Row of the only region in which its units may run; null for any. */
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

/** The fit of a contract into the currently free capacity. */
export interface PlacementAttempt {
  /** Row of the prospective home zone. */
  zone: number
  vcpuAfterPct: number
  memAfterPct: number
  ssdAfterPct: number
  canServe: boolean
  oversubscribed: boolean
  overCapacity: boolean
  recommendation: FitRecommendation
  uncontendedHosts: number
  /** Whether the hosts have room, but the network of the home zone does not. */
  networkFull: boolean
}

/** A company that has asked for an offer. */
export interface Prospect {
  readonly id: number
  readonly contract: Contract
  readonly arrived: Micros
  readonly expires: Micros
  /** Time of the operator's decision. */
  decides: Micros
  /** Whether it was recommended by a customer, or is a former customer. */
  readonly isFamiliar: boolean
  /** A large prospect, with which the company negotiates for weeks. */
  readonly isKey: boolean
  readonly bonusDollars: number
  readonly monthlyDollars: number
  /** The lacking resource for which its contract was counted as unserved demand. */
  countedUnserved: 'hosts' | 'network' | null
  placement: PlacementAttempt
  placementAt: Micros
}

/** A customer that has left. */
export interface FormerCustomer {
  readonly contract: Contract
  readonly left: Micros
}
