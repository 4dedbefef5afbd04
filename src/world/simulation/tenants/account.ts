import { slaPeriodDays } from '../../../contract/sla.ts'
import type { PlacementCode, PlacementUnit, ThreatClass } from '../../../contract/vocabularies.ts'
import type { Micros } from '../time.ts'
import { day, minute } from '../time.ts'
import type { Contract } from './contract.ts'
import { grievances } from './relations/grievance-names.ts'
import type { Tenant } from './tenant.ts'

/** Why a unit could not be placed. */
export interface UnplacedReason {
  readonly code: PlacementCode
  readonly unit: PlacementUnit
  readonly subject: string
  readonly needed: number
  readonly available: number
  readonly shortfall: number
  readonly considered: number
  readonly candidates: number
}

/** Length of the ring of minutes and of the ring of days for which history is kept. */
export const hourMinutes = 60
export const historyDays = 30
export const latencyBuckets = 80
/** The number of latency terms in the contract. */
export const termCount = 7

export const slaPeriod: Micros = slaPeriodDays * day

/** What counts toward the SLA in the current period. */
export interface SlaPeriod {
  began: Micros
  ends: Micros
  total: number
  failed: number
  secondsOverLatency: number
  revenueMicro: number
  /** Requests by latency, in buckets of geometrically growing width. */
  readonly latency: Float64Array
}

export const createSlaPeriod = (began: Micros, ends: Micros): SlaPeriod => ({
  began,
  ends,
  total: 0,
  failed: 0,
  secondsOverLatency: 0,
  revenueMicro: 0,
  latency: new Float64Array(latencyBuckets),
})

/** A data set that a customer copies between its hosts. */
interface BulkCopy {
  /** Row of the service whose units copy. */
  readonly service: number
  readonly gbpsPerUnit: number
  readonly until: Micros
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A customer with all its state. Money is in whole millionths of a dollar. */
export interface Account extends Mutable<Tenant> {
  /** Tick up to which served requests and traffic are accumulated. */
  servedUntil: number

  readonly contract: Contract
  /** Rows of the region and of the preferred zone of its units. */
  readonly homeRegion: number
  readonly homeZone: number
  /** Rows in the service table. */
  readonly services: number[]
  readonly segmentId: number
  readonly privateSegment: boolean
  readonly signed: Micros
  /** When the current lifecycle state ends by itself; null if it does not. */
  pendingUntil: Micros | null
  /** Onboarded: users send requests. */
  live: boolean

  readonly seasonPhase: number
  /** How hard it takes failures, around 1. */
  readonly temper: number
  /** Slow drift of demand: a random walk with mean reversion around 0. */
  demandDrift: number
  /** Extra demand that is left from the last launch or sale. */
  launchLevel: number
  nextLaunch: Micros
  nextViral: Micros
  nextGrowth: Micros
  nextCopy: Micros
  copy: BulkCopy | null
  /** Factor of an active demand surge; 1 if none. */
  surgeFactor: number
  /** Hostile requests per second that are included in its CPU demand. */
  hostileRequests: number
  /** Demand relative to its curve: season, drift, launches and surges. */
  demandLevel: number

  p50Ms: number
  /** Index of the largest latency term; -1 without demand. */
  topTerm: number
  readonly terms: Float64Array
  cpuLoad: number
  health: number
  blockQuality: number
  attackClass: ThreatClass | null
  totalRequests: number
  failedRequests: number
  /** Fractions of a request, carried to the next step so that counters grow by whole requests. */
  requestCarry: number
  failureCarry: number
  minuteTotal: number
  minuteFailed: number
  readonly failedByMinute: Float64Array
  failedLastHour: number
  readonly revenueByMinute: Float64Array
  revenueLastHourMicro: number
  minuteSlot: number
  period: SlaPeriod
  outageSeconds: number
  lastOutageCredit: Micros

  /** Totals since it signed. */
  revenueMicro: number
  creditsMicro: number
  infrastructureMicro: number
  transitMicro: number
  costPerHourMicro: number

  /** Satisfaction that each grievance costs, in the order of `grievances`. */
  readonly grievances: Float64Array
  /** What it is used to: its satisfaction, averaged over days. */
  usualSatisfaction: number
  lastComplaint: Micros
  /** When its complaint is answered; null if it waits for no answer. */
  answerDue: Micros | null
  /** When its prices were agreed. */
  priced: Micros
  /** Why it leaves; empty while it stays. */
  leavingReason: string
  /** It leaves for its grievances, and may come back when the company does better. */
  mayReturn: boolean
  unservedSince: Micros | null
  /** Since when some of the requested units are unplaced; null if all are placed. */
  growthUnplacedSince: Micros | null
  requirementsUnmet: number
  /** An attack or a failover is in progress, so quality changes even if no host does. */
  needsQualityUpdate: boolean
  /** Units were placed or removed since `hosts` was updated. */
  hostsOutdated: boolean
}

type AccountOrigin = Pick<
  Account,
  | 'id'
  | 'contract'
  | 'homeRegion'
  | 'homeZone'
  | 'segmentId'
  | 'privateSegment'
  | 'signed'
  | 'seasonPhase'
  | 'temper'
  | 'p99BudgetMs'
>

/** What a customer's requests, revenue and costs are counted in. */
const createLedger = (signed: Micros) => ({
  failedByMinute: new Float64Array(hourMinutes),
  failedLastHour: 0,
  revenueByMinute: new Float64Array(hourMinutes),
  revenueLastHourMicro: 0,
  minuteSlot: Math.floor(signed / minute) % hourMinutes,
  period: createSlaPeriod(signed, signed + slaPeriod),
  outageSeconds: 0,
  lastOutageCredit: -day,
  revenueMicro: 0,
  creditsMicro: 0,
  infrastructureMicro: 0,
  transitMicro: 0,
  costPerHourMicro: 0,
})

const noCopy = { nextCopy: 0, copy: null, copyGbps: 0 }

export function createAccount(origin: AccountOrigin): Account {
  const { contract, signed } = origin
  return {
    ...origin,
    name: contract.name,
    tier: contract.tier,
    compliance: contract.compliance,
    classes: contract.services.map((service) => service.class),
    multiZone: contract.multiZone,
    dedicatedHosts: contract.dedicatedHosts,
    lifecycle: 'Pending',
    hosts: new Int32Array(0),
    hostUnits: new Int32Array(0),
    requestedUnits: 0,
    placedUnits: 0,
    strandedUnits: 0,
    revenuePerHour: 0,
    requestsPerSecond: 0,
    usualRequestsPerSecond: 0,
    failing: 0,
    p99Ms: 0,
    satisfaction: 0.8,
    redundancyBroken: false,
    breached: false,
    servedInGbps: 0,
    servedOutGbps: 0,
    unservedGbps: 0,
    starving: 0,
    servedUntil: 0,
    services: [],
    pendingUntil: null,
    live: false,
    demandDrift: 0,
    launchLevel: 0,
    nextLaunch: 0,
    nextViral: 0,
    nextGrowth: 0,
    ...noCopy,
    surgeFactor: 1,
    hostileRequests: 0,
    demandLevel: 0,
    p50Ms: 0,
    topTerm: -1,
    terms: new Float64Array(termCount),
    cpuLoad: 0,
    health: 1,
    blockQuality: 1,
    attackClass: null,
    totalRequests: 0,
    failedRequests: 0,
    requestCarry: 0,
    failureCarry: 0,
    minuteTotal: 0,
    minuteFailed: 0,
    ...createLedger(signed),
    grievances: new Float64Array(grievances.length),
    usualSatisfaction: 0.8,
    lastComplaint: -10 * day,
    answerDue: null,
    priced: signed,
    leavingReason: '',
    mayReturn: false,
    unservedSince: null,
    growthUnplacedSince: null,
    requirementsUnmet: 0,
    needsQualityUpdate: true,
    hostsOutdated: true,
  }
}
