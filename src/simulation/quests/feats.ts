import type { Band } from '../../contract/vocabularies.ts'
import type { Plant } from '../plant/tables.ts'
import type { WorldState } from '../state.ts'
import { hour, type Micros, minute } from '../time.ts'
import type { Work } from '../work/desk.ts'

/** What quests are measured by. Streaks are whole hours, and go on until what they ask for fails. */
export interface Feats {
  /** Customers whose requests are answered now. */
  customersServed: number
  platinumContent: number
  ruleBooksServed: number
  satisfactionPct: number
  egressGbps: number
  dollarsEarned: number
  customersOnboarded: number
  upkeepDone: number
  jobsByAutomation: number
  incidentsResolved: number
  /** Resolved within half an hour of being opened. */
  quickFixes: number
  /** Critical ones, resolved within the hour. */
  criticalsWithinTheHour: number
  /** Resolved in a row of which none was ever Major. */
  mildIncidents: number
  attacksTurnedAway: number
  hoursReliable: number
  hoursProfitable: number
  hoursRichlyProfitable: number
  hoursWithRoom: number
  hoursRedundant: number
  hoursCool: number
}

/** Share of requests that must be answered in every minute of a reliable hour. */
const reliable = 0.999
const served = 0.99
const profitable = 0.1
const richlyProfitable = 0.3
/** CPU promised, of what may be promised, that still leaves room. */
const roomy = 0.85
const coolCelsius = 27
const contentAt = 0.75
const quickFix: Micros = 30 * minute
/** An attack is turned away if what got through of it lasted no longer than this. */
const residualFor: Micros = 10 * minute

/** A run of minutes, told in whole hours. */
class Streak {
  private since: Micros | null = null

  hours(holds: boolean, now: Micros): number {
    if (!holds) this.since = null
    else this.since ??= now
    return this.since === null ? 0 : Math.floor((now - this.since) / hour)
  }
}

interface Watched {
  readonly opened: Micros
  wasMajor: boolean
  wasCritical: boolean
}

const isMajor = (band: Band): boolean => band === 'Major' || band === 'Critical'

/** Reads the world once a simulated minute and keeps count of what has been achieved. */
export class FeatBook {
  readonly feats: Feats = {
    customersServed: 0,
    platinumContent: 0,
    ruleBooksServed: 0,
    satisfactionPct: 0,
    egressGbps: 0,
    dollarsEarned: 0,
    customersOnboarded: 0,
    upkeepDone: 0,
    jobsByAutomation: 0,
    incidentsResolved: 0,
    quickFixes: 0,
    criticalsWithinTheHour: 0,
    mildIncidents: 0,
    attacksTurnedAway: 0,
    hoursReliable: 0,
    hoursProfitable: 0,
    hoursRichlyProfitable: 0,
    hoursWithRoom: 0,
    hoursRedundant: 0,
    hoursCool: 0,
  }
  private readonly state: WorldState
  private readonly work: Work
  private readonly promisableMilli: number
  private readonly incidents = new Map<number, Watched>()
  /** How long something of an active attack has got through, by fault. */
  private readonly attacks = new Map<number, Micros>()
  private readonly reliable = new Streak()
  private readonly profitable = new Streak()
  private readonly richlyProfitable = new Streak()
  private readonly roomy = new Streak()
  private readonly redundant = new Streak()
  private readonly cool = new Streak()

  constructor(state: WorldState, work: Work) {
    this.state = state
    this.work = work
    this.promisableMilli = promisableMilli(state.plant)
  }

  read(): void {
    this.readCustomers()
    this.readMoney()
    this.readWork()
    this.readIncidents()
    this.readAttacks()
    this.readPlant()
  }

  private readCustomers(): void {
    const { feats } = this
    const ruleBooks = new Set<string>()
    let customersServed = 0
    let platinumContent = 0
    let satisfaction = 0
    let requests = 0
    let failing = 0
    let egress = 0
    let kept = true
    for (const tenant of this.state.tenants.active) {
      satisfaction += tenant.satisfaction
      requests += tenant.requestsPerSecond
      failing += tenant.requestsPerSecond * tenant.failing
      egress += tenant.servedOutGbps
      if (tenant.redundancyBroken) kept = false
      if (tenant.placedUnits === 0 || tenant.failing > 1 - served) continue
      customersServed++
      if (tenant.compliance !== null) ruleBooks.add(tenant.compliance)
      if (tenant.tier === 'Platinum' && tenant.satisfaction >= contentAt) platinumContent++
    }
    const { now, tenants, physical } = this.state
    const customers = tenants.active.length
    feats.customersServed = customersServed
    feats.platinumContent = platinumContent
    feats.ruleBooksServed = ruleBooks.size
    feats.satisfactionPct = customers === 0 ? 0 : Math.floor((100 * satisfaction) / customers)
    feats.egressGbps = Math.floor(egress)
    feats.hoursReliable = this.reliable.hours(requests > 0 && failing <= requests * (1 - reliable), now)
    const bothFeeds = physical.feedLive.every((live) => live === 1)
    feats.hoursRedundant = this.redundant.hours(customers > 0 && kept && bothFeeds, now)
  }

  private readMoney(): void {
    const { money, now } = this.state
    const margin = money.revenuePerHour > 0 ? 1 - money.costPerHour / money.revenuePerHour : -1
    this.feats.dollarsEarned = Math.floor(money.revenue)
    this.feats.hoursProfitable = this.profitable.hours(margin >= profitable, now)
    this.feats.hoursRichlyProfitable = this.richlyProfitable.hours(margin >= richlyProfitable, now)
  }

  private readWork(): void {
    this.feats.customersOnboarded = this.work.carriedOut.get('Onboarding') ?? 0
    this.feats.upkeepDone = this.work.carriedOut.get('Upkeep') ?? 0
    this.feats.jobsByAutomation = this.work.carriedOutByAutomation
  }

  private readIncidents(): void {
    const { now, incidents } = this.state
    for (const [id, view] of incidents) {
      const watched = this.incidents.get(id) ?? { opened: view.opened, wasMajor: false, wasCritical: false }
      watched.wasMajor ||= isMajor(view.band)
      watched.wasCritical ||= view.band === 'Critical'
      this.incidents.set(id, watched)
    }
    for (const [id, watched] of this.incidents) {
      if (incidents.has(id)) continue
      this.incidents.delete(id)
      const took = now - watched.opened
      this.feats.incidentsResolved++
      this.feats.mildIncidents = watched.wasMajor ? 0 : this.feats.mildIncidents + 1
      if (took <= quickFix) this.feats.quickFixes++
      if (watched.wasCritical && took <= hour) this.feats.criticalsWithinTheHour++
    }
  }

  private readAttacks(): void {
    const { faults, threats } = this.state
    const active = new Set<number>()
    for (const fault of faults.active) {
      if (fault.attack === null) continue
      active.add(fault.id)
      const through = threats.residual.has(fault.attack.customerId) ? minute : 0
      this.attacks.set(fault.id, (this.attacks.get(fault.id) ?? 0) + through)
    }
    for (const [id, through] of this.attacks) {
      if (active.has(id)) continue
      this.attacks.delete(id)
      if (through <= residualFor) this.feats.attacksTurnedAway++
    }
  }

  private readPlant(): void {
    const { load, physical, now } = this.state
    let promised = 0
    for (let host = 0; host < load.allocatedMilli.length; host++) promised += load.allocatedMilli[host]
    let warmest = 0
    for (let rack = 0; rack < physical.rackInletCelsius.length; rack++) {
      warmest = Math.max(warmest, physical.rackInletCelsius[rack])
    }
    this.feats.hoursWithRoom = this.roomy.hours(promised <= roomy * this.promisableMilli, now)
    this.feats.hoursCool = this.cool.hours(warmest <= coolCelsius, now)
  }
}

/** CPU that may be promised to units, with the overcommit that each pool aims for. */
function promisableMilli({ hosts, hostSkus, pools }: Plant): number {
  let sum = 0
  for (let host = 0; host < hosts.count; host++) {
    sum += hostSkus[hosts.sku[host]].vcpu * 1000 * pools[hosts.pool[host]].overcommitTarget
  }
  return sum
}
