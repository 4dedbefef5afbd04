import type { Band, Compliance } from '../../../contract/vocabularies.ts'
import { bands, compliances, tiers } from '../../../contract/vocabularies.ts'
import type { ObservedWorld } from '../state.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { IncidentContext } from './context.ts'
import { lacksCooling } from './correlation/blast-radius.ts'
import { isFelt, lostThrough } from './correlation/path.ts'
import type { Impact, Symptom } from './model.ts'
import { failedRequestThreshold } from './monitors/customers.ts'
import type { SignalName } from './monitors/signals.ts'
import { isCustomerImpairment, isOfDrops } from './monitors/signals.ts'

/** The impact of an incident, and its band. */

/** Bound of the listed hosts. */
const hostsListedMax = 50

export const noImpact: Impact = {
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

/** Impact on one customer. */
interface CustomerImpact {
  /** From 0, unimpaired, to 1, down. */
  severity: number
  breached: boolean
  redundancyBroken: boolean
}

type Context = Pick<IncidentContext, 'world' | 'blastRadius'>

/** `fleetRevenuePerHour` is the revenue of all customers, `all` the symptoms of all incidents. */
export function impactOf(
  context: Context,
  symptoms: ReadonlySet<Symptom>,
  fleetRevenuePerHour: number,
  all: Iterable<Symptom>,
): Impact {
  const { tenants } = context.world
  const affected = affectedCustomers(context.world, [...symptoms, ...sharedSymptoms(context, symptoms, all)])
  const impact: Impact = { ...noImpact, customers: [...affected.keys()].toSorted((a, b) => a - b) }
  let weightedCustomers = 0
  let tier = -1
  let compliance = -1
  let severityMax = 0
  let breached = false
  for (const id of impact.customers) {
    const tenant = tenants.byId.get(id)
    const customer = affected.get(id)!
    if (tenant === undefined) continue
    impact.revenueAtRiskPerHour += tenant.revenuePerHour * customer.severity
    weightedCustomers += weightOf(customer.severity)
    tier = Math.max(tier, tiers.indexOf(tenant.tier))
    severityMax = Math.max(severityMax, customer.severity)
    impact.redundancyBroken ||= customer.redundancyBroken
    breached ||= customer.breached
    if (isComplianceAtRisk(tenant, customer))
      compliance = Math.max(compliance, compliances.indexOf(tenant.compliance!))
  }
  impact.revenueShare =
    fleetRevenuePerHour > 0 ? Math.min(1, impact.revenueAtRiskPerHour / fleetRevenuePerHour) : 0
  impact.customerShare = weightedCustomers / Math.max(1, tenants.active.length)
  impact.tier = tier < 0 ? null : tiers[tier]
  impact.compliance = compliance < 0 ? null : compliances[compliance]
  for (const { signal } of symptoms) impact.redundancyBroken ||= signal === 'feed-dead'
  const hosts = affectedHosts(context, symptoms)
  impact.hosts = hosts.slice(0, hostsListedMax)
  impact.hostTotal = hosts.length
  impact.band = bandOf(impact, severityMax, breached)
  return impact
}

const isComplianceAtRisk = (
  { compliance }: Tenant,
  { severity, breached, redundancyBroken }: CustomerImpact,
): boolean => compliance !== null && (breached || redundancyBroken || severity >= 0.5)

export function fleetRevenueOf({ tenants }: ObservedWorld): number {
  let total = 0
  for (const { revenuePerHour } of tenants.active) total += revenuePerHour
  return total
}

/** Failing requests of other incidents' customers whose traffic parts of this one lose too, as far as these lose it. */
function sharedSymptoms(
  { world, blastRadius }: Context,
  symptoms: ReadonlySet<Symptom>,
  all: Iterable<Symptom>,
): Symptom[] {
  const parts = [...symptoms].filter(({ signal, lastSeen }) => lastSeen === world.now && losesTraffic(signal))
  if (parts.length === 0) return []
  return [...all].flatMap((symptom) => {
    const tenant = tenantOf(world, symptom)
    const isOther = symptom.incidentId !== null && !symptoms.has(symptom)
    if (tenant === undefined || !isOther || symptom.signal !== 'customer-failing') return []
    const felt = parts.filter(
      ({ subject }) => subject.kind !== 'Zone' && isFelt(world, blastRadius, subject, tenant),
    )
    const lostOn = (part: Symptom): number =>
      part.signal === 'link-errors' ? lostThrough(world, blastRadius, part) : 100
    const lost = Math.max(0, ...felt.map(lostOn))
    const reading = Math.min(symptom.reading, lost)
    return reading < 100 * failedRequestThreshold ? [] : [{ ...symptom, reading }]
  })
}

const losesTraffic = (signal: SignalName): boolean => signal === 'link-errors' || isOfDrops(signal)

/** Customers with an impairment or a loss of promised redundancy. */
function affectedCustomers(world: ObservedWorld, symptoms: readonly Symptom[]): Map<number, CustomerImpact> {
  const affected = new Map<number, CustomerImpact>()
  for (const symptom of symptoms) {
    const { signal, subject } = symptom
    if (subject.kind !== 'Customer') continue
    const severity = severityOf(world, symptom)
    if (!(isCustomerImpairment(signal) && severity > 0) && signal !== 'customer-redundancy') continue
    let customer = affected.get(subject.id)
    if (customer === undefined) {
      customer = { severity: 0, breached: false, redundancyBroken: false }
      affected.set(subject.id, customer)
    }
    if (signal === 'customer-breached') customer.breached = true
    if (signal === 'customer-redundancy') customer.redundancyBroken = true
    customer.severity = Math.max(customer.severity, severity)
  }
  return affected
}

function customerSeverity(tenant: Tenant | undefined, signal: SignalName, reading: number): number {
  if (signal === 'customer-breached') return 0.5
  if (signal === 'customer-failing') return Math.min(1, 0.1 + (1.5 * reading) / 100)
  if (tenant === undefined) return 0
  if (signal === 'customer-stranded') return 0.8 * Math.min(1, reading / Math.max(1, tenant.requestedUnits))
  if (signal === 'customer-starved') return starvedSeverity
  return signal === 'customer-slow' ? latencySeverity(tenant.p99Ms / tenant.p99BudgetMs) : 0
}

/** Severity of latency by its ratio to the SLA; users hardly notice a small excess. */
const latencySeverity = (budgetRatio: number): number =>
  budgetRatio <= 1 ? 0 : budgetRatio < 1.5 ? 0.03 : budgetRatio < 2.5 ? 0.12 : 0.25
/** Delayed jobs affect those who wait for results, not users. */
const starvedSeverity = 0.05
/** Minimum severity that a customer's users notice. */
const noticeableSeverityMin = 0.1
/** Weight of an affected customer in the impact, by severity. */
const weightOf = (severity: number): number =>
  severity < noticeableSeverityMin ? 0 : Math.min(1, 0.15 + 1.2 * severity)

/** Hosts with a symptom, with a lost link or power feed, or cut off behind a device with a symptom; ascending. */
function affectedHosts({ world, blastRadius }: Context, symptoms: ReadonlySet<Symptom>): number[] {
  const { facility, network } = world
  // The network cuts off what runs, and not behind dead edge switches.
  const isCutOff = (host: number): boolean =>
    facility.hostRunning[host] > 0 &&
    network.hostReachable[host] === 0 &&
    blastRadius.edgeSwitchesOf(host).some((edge) => facility.switchUp[edge] > 0)
  const isOverheated = (host: number): boolean =>
    facility.hostRunning[host] === 0 && lacksCooling(world, host)
  const affected = new Set<number>()
  for (const { subject, signal } of symptoms) {
    if (subject.kind === 'Host') affected.add(subject.row)
    else if (subject.kind !== 'Zone' && impairsLinks(signal))
      for (const host of blastRadius.attachedHosts(subject)) affected.add(host)
    if (!mayCutOff(signal)) continue
    const hosts =
      subject.kind === 'Zone' ? world.topology.zones[subject.row].hosts : blastRadius.hostsOf(subject)
    const isHit = subject.kind === 'Zone' ? isOverheated : isCutOff
    // Every host has a supply on both feeds of its zone.
    for (let i = 0; i < hosts.length; i++)
      if (signal === 'feed-dead' || isHit(hosts[i])) affected.add(hosts[i])
  }
  return [...affected].toSorted((a, b) => a - b)
}

/**
 * The symptom of the worst affected customer: by severity, then by reading, then by revenue; null without an impaired
 * customer.
 */
export function worstAffected(world: ObservedWorld, symptoms: Iterable<Symptom>): Symptom | null {
  let worst: Symptom | null = null
  for (const symptom of symptoms)
    if (isCustomerImpairment(symptom.signal) && severityOf(world, symptom) > 0)
      if (worst === null || hitsHarder(world, symptom, worst)) worst = symptom
  return worst
}

function hitsHarder(world: ObservedWorld, a: Symptom, b: Symptom): boolean {
  const bySeverity = severityOf(world, a) - severityOf(world, b)
  if (bySeverity !== 0) return bySeverity > 0
  if (a.signal === b.signal && excessOf(world, a) !== excessOf(world, b))
    return excessOf(world, a) > excessOf(world, b)
  return revenueOf(world, a) > revenueOf(world, b)
}

const tenantOf = ({ tenants }: ObservedWorld, { subject }: Symptom): Tenant | undefined =>
  subject.kind === 'Customer' ? tenants.byId.get(subject.id) : undefined

/** The reading in a unit comparable between customers. */
const excessOf = (world: ObservedWorld, symptom: Symptom): number =>
  symptom.signal === 'customer-slow'
    ? symptom.reading / (tenantOf(world, symptom)?.p99BudgetMs ?? 1)
    : symptom.reading

/** Severity of a symptom for its customer, from 0, unimpaired, to 1, down. */
export const severityOf = (world: ObservedWorld, symptom: Symptom): number =>
  customerSeverity(tenantOf(world, symptom), symptom.signal, symptom.reading)

const revenueOf = (world: ObservedWorld, symptom: Symptom): number =>
  tenantOf(world, symptom)?.revenuePerHour ?? 0

const mayCutOff = (signal: SignalName): boolean =>
  signal.endsWith('-silent') ||
  signal === 'feed-dead' ||
  signal === 'gateway-withdrawn' ||
  signal === 'link-down' ||
  signal === 'zone-hot'

/** Whether a signal impairs the links of the device or cable. */
const impairsLinks = (signal: SignalName): boolean =>
  signal === 'switch-silent' ||
  signal === 'link-down' ||
  signal === 'link-errors' ||
  signal === 'link-flapping'

/** Regulations that require breach notification to an authority. */
const breachNotification: ReadonlySet<Compliance> = new Set<Compliance>(['PCI-DSS', 'HIPAA', 'Government'])

/**
 * Minimum shares of revenue and customers for a band, and a minimum number of customers: in a company with ten
 * customers, the impairment of one is not a crisis.
 */
interface BandLimits {
  readonly revenueShareMin: number
  readonly customerShareMin: number
  readonly customersMin: number
}
const criticalLimits: BandLimits = { revenueShareMin: 1 / 9, customerShareMin: 2 / 9, customersMin: 3 }
const majorLimits: BandLimits = { revenueShareMin: 1 / 24, customerShareMin: 1 / 10, customersMin: 1 }

const reaches = (impact: Impact, limits: BandLimits): boolean =>
  impact.customers.length >= limits.customersMin &&
  (impact.revenueShare >= limits.revenueShareMin || impact.customerShare >= limits.customerShareMin)

function bandOf(impact: Impact, severityMax: number, breached: boolean): Band {
  if (severityMax < noticeableSeverityMin && !breached) return impact.redundancyBroken ? 'Minor' : 'Watch'
  const isPremium = impact.tier === 'Gold' || impact.tier === 'Platinum'
  const mustNotify = breached && impact.compliance !== null && breachNotification.has(impact.compliance)
  if (reaches(impact, criticalLimits) || (mustNotify && isPremium)) return 'Critical'
  if (reaches(impact, majorLimits) || breached || (isPremium && severityMax >= 0.5)) return 'Major'
  return 'Minor'
}

export const isGraver = (a: Band, b: Band): boolean => bands.indexOf(a) > bands.indexOf(b)
export const higherBand = (a: Band, b: Band): Band => (isGraver(a, b) ? a : b)
