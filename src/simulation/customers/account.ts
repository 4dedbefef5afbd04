import type {
  Arch,
  Archetype,
  Compliance,
  Durability,
  PlacementCode,
  PlacementUnit,
  ServiceClass,
  ThreatClass,
  Tier,
} from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { Tenant } from '../state.ts'
import type { Micros } from '../time.ts'

/** A service as a contract words it. */
export interface ServiceTerms {
  readonly class: ServiceClass
  readonly count: number
  /** What a unit is promised. */
  readonly vcpu: number
  readonly memMb: number
  readonly ssdGb: number
  readonly iops: number
  readonly slices: number
  readonly durability: Durability
}

/** What a customer asks for: the same whether it has signed or not. */
export interface Contract {
  readonly name: string
  readonly archetype: Archetype
  readonly kindLabel: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly requiredArch: Arch | null
  /** Row of the region that it must stay in. */
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

/** Why a unit could not be placed. */
export interface PlacementLack {
  readonly code: PlacementCode
  readonly unit: PlacementUnit
  readonly subject: string
  readonly needed: number
  readonly available: number
  readonly shortfall: number
  readonly considered: number
  readonly candidates: number
}

/** Hours of a customer's life that are kept minute by minute, and days that are kept one by one. */
export const stepsPerMinute = 6
export const minutesKept = 60
export const daysKept = 30
export const latencyBuckets = 80

/** A customer with everything that is kept about it. Money is in millionths of a dollar, whole ones. */
export interface Account extends Tenant {
  readonly contract: Contract
  /** Row of the region and the zone where it has its units if it can. */
  readonly homeRegion: number
  homeZone: number
  /** Rows in the service table. */
  readonly services: number[]
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly signed: Micros
  /** Moment at which the lifecycle's present state ends by itself; null where none is set. */
  pendingUntil: Micros | null
  /** Whether its users have come: no demand before. */
  live: boolean
  readonly seasonPhase: number
  readonly noise: RandomStream
  /** Slow wandering of its demand, a correlated walk around 0. */
  wander: number
  launchLevel: number
  /** Factor of a surge that is on; 1 for none. */
  surge: number
  nextLaunch: Micros
  nextGrowth: Micros
  /** Demand against that of its curve: noise, season, launches and surges. */
  demandLevel: number
  /** Counters and readings. */
  p50Ms: number
  topTerm: number
  terms: Float64Array
  cpuLoad: number
  health: number
  blockQuality: number
  attackClass: ThreatClass | null
  totalRequests: number
  failedRequests: number
  requestCarry: number
  failureCarry: number
  minuteTotal: number
  minuteFailed: number
  failedByMinute: Float64Array
  failedLastHour: number
  revenueByMinute: Float64Array
  revenueLastHourMicro: number
  minuteSlot: number
  period: SlaPeriod
  outageSeconds: number
  lastOutageCredit: Micros
  /** Money since it signed. */
  revenueMicro: number
  creditsMicro: number
  infrastructureMicro: number
  transitMicro: number
  experience: number
  lastComplaint: Micros
  unservedSince: Micros | null
  /** Since when units that it wants have found no room; null where all are placed. */
  wishingSince: Micros | null
  requirementsUnmet: number
  costPerHourMicro: number
  /** What users get must be worked out again in the next step: an attack or a failover is on. */
  unsteady: boolean
  /** Placement has changed since hosts and units were listed. */
  unlisted: boolean
}

/** What counts towards the promises of the present SLA period. */
export interface SlaPeriod {
  began: Micros
  ends: Micros
  total: number
  failed: number
  secondsOverLatency: number
  revenueMicro: number
  /** Requests by latency: buckets that grow by the same ratio. */
  readonly latency: Float64Array
}
