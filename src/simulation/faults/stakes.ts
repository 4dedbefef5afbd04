import {
  type Band,
  bands,
  type Compliance,
  compliances,
  type Tier,
  tiers,
} from '../../contract/vocabularies.ts'
import type { WorldState } from '../state.ts'
import type { Symptom } from './board.ts'
import type { Domains } from './domain.ts'
import { isFelt, type Subject } from './signals.ts'

/** What an incident puts at stake, and how grave that makes it. */
export interface Stake {
  band: Band
  /** Ids, ascending. */
  customers: readonly number[]
  /** Rows, ascending: the first `hostsNamed`. */
  hosts: readonly number[]
  hostTotal: number
  revenueAtRiskPerHour: number
  /** Of all customers' revenue. */
  revenueShare: number
  /** Of all customers, counting those who merely wait for a third. */
  customerShare: number
  tier: Tier | null
  compliance: Compliance | null
  redundancyBroken: boolean
}

const hostsNamed = 50

export const nothingAtStake: Stake = {
  band: 'Watch',
  customers: [],
  hosts: [],
  hostTotal: 0,
  revenueAtRiskPerHour: 0,
  revenueShare: 0,
  customerShare: 0,
  tier: null,
  compliance: null,
  redundancyBroken: false,
}

/** How hard a customer is hit: 1 down, less for what works still. */
interface Hit {
  worst: number
  breached: boolean
  spareGone: boolean
}

/** `fleetRevenue` is what all customers bring in an hour. */
export function stakeOf(
  state: WorldState,
  domains: Domains,
  symptoms: ReadonlySet<Symptom>,
  fleetRevenue: number,
): Stake {
  const hits = hitsOf(state, symptoms)
  const stake: Stake = { ...nothingAtStake, customers: [...hits.keys()].toSorted((a, b) => a - b) }
  let weighed = 0
  let tier = -1
  let compliance = -1
  let gravest = 0
  let breach = false
  for (const id of stake.customers) {
    const tenant = state.tenants.byId.get(id)
    const hit = hits.get(id)!
    if (tenant === undefined) continue
    stake.revenueAtRiskPerHour += tenant.revenuePerHour * hit.worst
    weighed += hit.worst < feltFrom ? 0 : Math.min(1, 0.33 + hit.worst)
    tier = Math.max(tier, tiers.indexOf(tenant.tier))
    gravest = Math.max(gravest, hit.worst)
    if (hit.spareGone) stake.redundancyBroken = true
    breach ||= hit.breached
    const atRisk = hit.breached || hit.spareGone || hit.worst >= 0.5
    if (tenant.compliance !== null && atRisk)
      compliance = Math.max(compliance, compliances.indexOf(tenant.compliance))
  }
  stake.revenueShare = fleetRevenue > 0 ? Math.min(1, stake.revenueAtRiskPerHour / fleetRevenue) : 0
  stake.customerShare = weighed / Math.max(1, state.tenants.active.length)
  stake.tier = tier < 0 ? null : tiers[tier]
  stake.compliance = compliance < 0 ? null : compliances[compliance]
  const hosts = hostsOf(state, domains, symptoms)
  stake.hosts = hosts.slice(0, hostsNamed)
  stake.hostTotal = hosts.length
  stake.band = bandOf(stake, gravest, breach)
  return stake
}

export function fleetRevenueOf(state: WorldState): number {
  let total = 0
  for (const { revenuePerHour } of state.tenants.active) total += revenuePerHour
  return total
}

/** Customers who feel it, or lost a spare that was promised. */
function hitsOf(state: WorldState, symptoms: ReadonlySet<Symptom>): Map<number, Hit> {
  const hits = new Map<number, Hit>()
  for (const { signal, subject, reading } of symptoms) {
    if (subject.kind !== 'Customer') continue
    if (!isFelt(signal) && signal !== 'customer-redundancy') continue
    let hit = hits.get(subject.id)
    if (hit === undefined) {
      hit = { worst: 0, breached: false, spareGone: false }
      hits.set(subject.id, hit)
    }
    if (signal === 'customer-breached') hit.breached = true
    if (signal === 'customer-redundancy') hit.spareGone = true
    hit.worst = Math.max(hit.worst, hardness(state, signal, subject.id, reading))
  }
  return hits
}

function hardness(state: WorldState, signal: Symptom['signal'], id: number, reading: number): number {
  const tenant = state.tenants.byId.get(id)
  if (signal === 'customer-breached') return 0.5
  if (signal === 'customer-failing') return Math.min(1, 0.1 + (1.5 * reading) / 100)
  if (tenant === undefined) return 0
  if (signal === 'customer-stranded') return 0.8 * Math.min(1, reading / Math.max(1, tenant.requestedUnits))
  if (signal === 'customer-slow') return slowness(tenant.p99Ms / tenant.p99BudgetMs)
  return 0
}

/** Answers a little over the promise are noticed by us, not by users. */
const slowness = (overPromise: number): number => (overPromise < 1.5 ? 0.03 : overPromise < 2.5 ? 0.12 : 0.25)
/** Below this, nobody feels it yet. */
const feltFrom = 0.1

/** Hosts concerned: those with a symptom, those that lost a leg, and those cut off behind a device that has one. */
function hostsOf(state: WorldState, domains: Domains, symptoms: ReadonlySet<Symptom>): number[] {
  const hosts = new Set<number>()
  for (const { subject, signal } of symptoms) {
    if (subject.kind === 'Host') hosts.add(subject.row)
    else if (subject.kind !== 'Zone' && lamesHosts(signal))
      for (const host of domains.leggedOn(subject)) hosts.add(host)
    if (cutsOff(signal)) {
      const behind = reachOf(state, domains, subject)
      for (let i = 0; i < behind.length; i++) {
        const host = behind[i]
        if (state.physical.hostRunning[host] === 0 || state.network.hostReachable[host] === 0) hosts.add(host)
      }
    }
  }
  return [...hosts].toSorted((a, b) => a - b)
}

const cutsOff = (signal: Symptom['signal']): boolean =>
  signal.endsWith('-silent') ||
  signal === 'feed-dead' ||
  signal === 'gateway-withdrawn' ||
  signal === 'link-down' ||
  signal === 'zone-hot'

/** Whether what is plugged into the device, or into one end of the cable, can count on it no longer. */
const lamesHosts = (signal: Symptom['signal']): boolean =>
  signal === 'switch-silent' ||
  signal === 'link-down' ||
  signal === 'link-errors' ||
  signal === 'link-flapping'

const reachOf = (state: WorldState, domains: Domains, subject: Subject): ArrayLike<number> =>
  subject.kind === 'Zone' ? state.plant.zones[subject.row].hosts : domains.hostsOf(subject)

/** Rule books of which a break-in must be told to an authority. */
const strict: ReadonlySet<Compliance> = new Set<Compliance>(['PCI-DSS', 'HIPAA', 'Government'])

/** Shares of the company's revenue and of its customers that make an incident so grave. */
const critical = { revenue: 1 / 15, customers: 1 / 6, fewest: 3 }
const major = { revenue: 1 / 22, customers: 1 / 8, fewest: 2 }

const exceeds = ({ revenueShare, customerShare, customers }: Stake, limit: typeof critical): boolean =>
  revenueShare >= limit.revenue || (customerShare >= limit.customers && customers.length >= limit.fewest)

function bandOf(stake: Stake, gravest: number, breach: boolean): Band {
  if (gravest < feltFrom && !breach) return stake.redundancyBroken ? 'Minor' : 'Watch'
  const valued = stake.tier === 'Gold' || stake.tier === 'Platinum'
  const grave = breach && stake.compliance !== null && strict.has(stake.compliance) && valued
  if (exceeds(stake, critical) || grave) return 'Critical'
  if (exceeds(stake, major) || breach || (valued && gravest >= 0.5)) return 'Major'
  return 'Minor'
}

export const graver = (a: Band, b: Band): boolean => bands.indexOf(a) > bands.indexOf(b)
export const gravest = (a: Band, b: Band): Band => (graver(a, b) ? a : b)
