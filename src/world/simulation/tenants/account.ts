import { slaPeriodDays } from '../../../contract/sla.ts'
import type { PlacementCode, PlacementUnit, ThreatClass } from '../../../contract/vocabularies.ts'
import { turnsPerHour } from '../schedule.ts'
import { takesFractions } from '../part.ts'
import type { Micros } from '../time.ts'
import { day } from '../time.ts'
import type { Contract } from './contract.ts'
import { grievances } from './relations/grievance-names.ts'
import type { Tenant } from './tenant.ts'
import { noDefects } from './tenant.ts'

/** The reason for an unplaced unit. */
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

/** Length of the ring of days. */
export const historyDays = 30
export const latencyBuckets = 80
/** Number of latency terms in the contract. */
export const termCount = 7

export const slaPeriod: Micros = slaPeriodDays * day

/** Measurements of the SLA in the current period. */
export interface SlaPeriod {
  began: Micros
  ends: Micros
  total: number
  failed: number
  secondsOverLatency: number
  revenueMicro: number
  /** Histogram of requests by latency, with geometrically growing buckets. */
  readonly latency: Float64Array
}

export const createSlaPeriod = (began: Micros, ends: Micros): SlaPeriod => {
  const counts = { total: 0, failed: 0, secondsOverLatency: 0, revenueMicro: 0 }
  return takesFractions({ began, ends, ...counts, latency: new Float64Array(latencyBuckets) })
}

/** A data set copied between a customer's hosts. */
interface BulkCopy {
  /** Row of the service whose units copy. */
  readonly service: number
  readonly gbpsPerUnit: number
  readonly until: Micros
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A customer with all its state. Money is in whole millionths of a dollar. */
export interface Account extends Mutable<Tenant> {
  /** The accumulation of served requests and traffic ends before this tick. */
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
  /** Scheduled end of the current lifecycle state; null without one. */
  pendingUntil: Micros | null
  /** Onboarded: users send requests. */
  live: boolean

  readonly seasonPhase: number
  /** Sensitivity to failures, around 1. */
  readonly temper: number
  /** Slow drift of demand: a mean-reverting random walk around 0. */
  demandDrift: number
  /** Remaining extra demand of the last launch or sale. */
  launchLevel: number
  nextLaunch: Micros
  nextViral: Micros
  nextGrowth: Micros
  nextCopy: Micros
  copy: BulkCopy | null
  /** Factor of an active demand surge; 1 without one. */
  surgeFactor: number
  /** Hostile requests per second in its CPU demand. */
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
  /** The counters of requests include those of the steps before this one. */
  countedUntil: number
  /** Parts of requests, and of failures, that the counters do not include yet. */
  requestCarry: number
  failureCarry: number
  /** Requests since the customer's last turn. */
  turnTotal: number
  turnFailed: number
  readonly failedByTurn: Float64Array
  failedLastHour: number
  readonly revenueByTurn: Float64Array
  revenueLastHourMicro: number
  turnSlot: number
  period: SlaPeriod
  outageSeconds: number
  lastOutageCredit: Micros

  /** Totals since signing. */
  revenueMicro: number
  creditsMicro: number
  infrastructureMicro: number
  transitMicro: number
  costPerHourMicro: number

  /** Satisfaction lost to each grievance, in the order of `grievances`. */
  readonly grievances: Float64Array
  /** Moving average of satisfaction over days, the customer's expectation. */
  usualSatisfaction: number
  lastComplaint: Micros
  /** Time of the answer to its complaint; null without a pending one. */
  answerDue: Micros | null
  /** The tariff's level at which it pays, and the share by which prices rose since the last agreement. */
  priceLevel: number
  priceRise: number
  /** A large customer. */
  isKey: boolean
  /** Time of the last price agreement. */
  priced: Micros
  /** Reason for leaving; empty while it stays. */
  leavingReason: string
  /** Whether it leaves because of its grievances, and may return when the company has improved. */
  mayReturn: boolean
  unservedSince: Micros | null
  /** Start of the time with unplaced units; null if all are placed. */
  growthUnplacedSince: Micros | null
  requirementsUnmet: number
  /** The versions, added up, of what the unmet requirements follow from; -1 before they were checked. */
  requirementsVersion: number
  /** Whether an attack or a failover is in progress, which changes quality without a change of any host. */
  needsQualityUpdate: boolean
  /** Whether units were placed or removed since the last update of `hosts`. */
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

/** Counters of a customer's requests, revenue and costs. */
const createLedger = (signed: Micros) => ({
  failedByTurn: new Float64Array(turnsPerHour),
  failedLastHour: 0,
  revenueByTurn: new Float64Array(turnsPerHour),
  revenueLastHourMicro: 0,
  turnSlot: 0,
  period: createSlaPeriod(signed, signed + slaPeriod),
  outageSeconds: 0,
  lastOutageCredit: -day,
  revenueMicro: 0,
  creditsMicro: 0,
  infrastructureMicro: 0,
  transitMicro: 0,
  costPerHourMicro: 0,
})

const ordinaryTerms = { priceLevel: 1, priceRise: 0, isKey: false }

const noDemand = { demandDrift: 0, launchLevel: 0, nextLaunch: 0, nextViral: 0, nextGrowth: 0 }

const noCopy = { nextCopy: 0, copy: null, copyGbps: 0 }

/** Indices, small counts and ids. All other numbers take fractions. */
const wholeNumbers = (
  'id segmentId homeRegion homeZone servedUntil countedUntil requestedUnits placedUnits strandedUnits topTerm turnSlot ' +
  'requirementsUnmet requirementsVersion'
).split(' ') as (keyof Account)[]

export function createAccount(origin: AccountOrigin): Account {
  const { contract, signed } = origin
  const account: Account = {
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
    defects: noDefects,
    servedUntil: 0,
    services: [],
    pendingUntil: null,
    live: false,
    ...noDemand,
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
    countedUntil: 0,
    requestCarry: 0,
    failureCarry: 0,
    turnTotal: 0,
    turnFailed: 0,
    ...createLedger(signed),
    grievances: new Float64Array(grievances.length),
    usualSatisfaction: 0.8,
    lastComplaint: -10 * day,
    answerDue: null,
    ...ordinaryTerms,
    priced: signed,
    leavingReason: '',
    mayReturn: false,
    unservedSince: null,
    growthUnplacedSince: null,
    requirementsUnmet: 0,
    requirementsVersion: -1,
    needsQualityUpdate: true,
    hostsOutdated: true,
  }
  return takesFractions(account, wholeNumbers)
}
