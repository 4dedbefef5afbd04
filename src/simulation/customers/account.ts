import type {
  Arch,
  Archetype,
  Compliance,
  Durability,
  Lifecycle,
  PlacementCode,
  PlacementUnit,
  ServiceClass,
  ThreatClass,
  Tier,
} from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { Tenant } from '../state.ts'
import { day, type Micros, minute } from '../time.ts'

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
/** Terms that latency is made of: as many as the contract names. */
export const termCount = 7

/** Promises are counted and settled by periods of 30 simulated days. */
export const slaPeriod: Micros = 30 * day

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

export const newPeriod = (began: Micros, ends: Micros): SlaPeriod => ({
  began,
  ends,
  total: 0,
  failed: 0,
  secondsOverLatency: 0,
  revenueMicro: 0,
  latency: new Float64Array(latencyBuckets),
})

interface Signature {
  readonly id: number
  readonly contract: Contract
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly homeRegion: number
  readonly homeZone: number
  readonly noise: RandomStream
  readonly p99BudgetMs: number
  readonly signed: Micros
}

/**
 * A customer with everything that is kept about it. Money is in millionths of a dollar, whole ones. A class, so
 * that each of its many numbers has a fixed place: a good part of a step is spent on them.
 */
export class Account implements Tenant {
  readonly id: number
  readonly name: string
  readonly tier: Tier
  readonly compliance: Compliance | null
  readonly classes: readonly ServiceClass[]
  readonly multiZone: boolean
  readonly dedicatedHosts: boolean
  lifecycle: Lifecycle = 'Pending'
  hosts = new Int32Array(0)
  hostUnits = new Int32Array(0)
  requestedUnits = 0
  placedUnits = 0
  strandedUnits = 0
  revenuePerHour = 0
  requestsPerSecond = 0
  usualRequestsPerSecond = 0
  failing = 0
  p99Ms = 0
  readonly p99BudgetMs: number
  satisfaction = 0.8
  redundancyBroken = false
  breached = false
  servedInGbps = 0
  servedOutGbps = 0
  unservedGbps = 0
  /** Tick up to which what was served is summed up. */
  servedUntil = 0

  readonly contract: Contract
  /** Rows of the region and the zone where it has its units if it can. */
  readonly homeRegion: number
  readonly homeZone: number
  /** Rows in the service table. */
  readonly services: number[] = []
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly signed: Micros
  /** Moment at which the lifecycle's present state ends by itself; null where none is set. */
  pendingUntil: Micros | null = null
  /** Whether its users have come: no demand before. */
  live = false

  readonly noise: RandomStream
  readonly seasonPhase: number
  /** Slow wandering of its demand, a correlated walk around 0. */
  wander = 0
  /** How much busier than usual a launch or a sale still makes it. */
  launchLevel = 0
  nextLaunch: Micros = 0
  nextGrowth: Micros = 0
  /** Factor of a surge that is on; 1 for none. */
  surge = 1
  /** Hostile requests a second that its demand for CPU was made with. */
  hostileRequests = 0
  /** Demand against that of its curve: noise, season, launches and surges. */
  demandLevel = 0

  p50Ms = 0
  /** The largest of the terms of its latency; -1 while nobody asks for anything. */
  topTerm = -1
  readonly terms = new Float64Array(termCount)
  cpuLoad = 0
  health = 1
  blockQuality = 1
  attackClass: ThreatClass | null = null
  totalRequests = 0
  failedRequests = 0
  requestCarry = 0
  failureCarry = 0
  minuteTotal = 0
  minuteFailed = 0
  readonly failedByMinute = new Float64Array(minutesKept)
  failedLastHour = 0
  readonly revenueByMinute = new Float64Array(minutesKept)
  revenueLastHourMicro = 0
  minuteSlot: number
  period: SlaPeriod
  outageSeconds = 0
  lastOutageCredit: Micros = -day

  /** Money since it signed. */
  revenueMicro = 0
  creditsMicro = 0
  infrastructureMicro = 0
  transitMicro = 0
  costPerHourMicro = 0

  /** What the last minute was like, and what it makes of it. */
  experience = 0.9
  lastComplaint: Micros = -10 * day
  unservedSince: Micros | null = null
  /** Since when units that it wants have found no room; null where all are placed. */
  wishingSince: Micros | null = null
  requirementsUnmet = 0
  /** What users get must be worked out again in the next step: an attack or a failover is on. */
  unsteady = true
  /** Placement has changed since hosts and units were listed. */
  unlisted = true

  constructor(given: Signature) {
    const { contract } = given
    this.id = given.id
    this.name = contract.name
    this.tier = contract.tier
    this.compliance = contract.compliance
    this.classes = contract.services.map((service) => service.class)
    this.multiZone = contract.multiZone
    this.dedicatedHosts = contract.dedicatedHosts
    this.p99BudgetMs = given.p99BudgetMs
    this.contract = contract
    this.homeRegion = given.homeRegion
    this.homeZone = given.homeZone
    this.segmentId = given.segmentId
    this.privateSegment = given.privateSegment
    this.signed = given.signed
    this.noise = given.noise
    this.seasonPhase = given.noise.fraction()
    this.minuteSlot = Math.floor(given.signed / minute) % minutesKept
    this.period = newPeriod(given.signed, given.signed + slaPeriod)
  }
}
