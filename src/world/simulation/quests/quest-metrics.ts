import type { Band } from '../../../contract/vocabularies.ts'
import { inletSpecifiedCelsius } from '../facility/limits.ts'
import type { Operations } from '../operations/operations.ts'
import { turnMinutes } from '../schedule.ts'
import type { WorldView } from '../state.ts'
import type { Micros } from '../time.ts'
import { hour, minute } from '../time.ts'
import { isDenser } from '../topology/catalog.ts'
import type { Topology } from '../topology/tables.ts'

const streakNames = [
  'hoursReliable',
  'hoursProfitable',
  'hoursRichlyProfitable',
  'hoursWithRoom',
  'hoursRedundant',
  'hoursCool',
] as const
type StreakName = (typeof streakNames)[number]

/** The metrics of quests. A streak counts the whole hours in which its condition has held without interruption. */
export interface QuestMetrics extends Record<StreakName, number> {
  customersServed: number
  /** Platinum customers with high satisfaction. */
  platinumContent: number
  /** Compliance regimes of the served customers. */
  ruleBooksServed: number
  satisfactionPct: number
  dollarsEarned: number
  customersOnboarded: number
  upkeepDone: number
  jobsByAutomation: number
  incidentsResolved: number
  quickFixes: number
  criticalsWithinTheHour: number
  /** Consecutive resolved incidents that were never Major. */
  mildIncidents: number
  /** Attacks with a small remainder. */
  attacksTurnedAway: number
  /** Zones that opened since the world began. */
  zonesOpened: number
  /** Hosts of generations that appeared since then. */
  denserHosts: number
}

const reliableSuccessRatioMin = 0.999
const servedSuccessRatioMin = 0.99
const profitableMarginMin = 0.1
const richMarginMin = 0.3
/** Upper limit of the allocated share of the allocatable CPU for the streak of spare capacity. */
const allocatedShareMax = 0.85
const contentSatisfactionMin = 0.75
const quickFixMax: Micros = 30 * minute
/** Maximum time with a remainder for an attack to count as turned away. */
const attackRemainderMax: Micros = 10 * minute
const questInterval: Micros = turnMinutes * minute

interface TrackedIncident {
  readonly opened: Micros
  wasMajor: boolean
  wasCritical: boolean
}

export interface QuestMetricsState {
  readonly metrics: QuestMetrics
  /** Start of each streak; null while its condition does not hold. */
  readonly streaksBegan: Record<StreakName, Micros | null>
  readonly incidents: Map<number, TrackedIncident>
  /** Time with a remainder of each active attack, by fault id. */
  readonly attackRemainders: Map<number, Micros>
  allocatableMilli: number
  /** The version of the topology that `allocatableMilli` reflects. */
  topologyVersion: number
}

export function createQuestMetrics(topology: Topology): QuestMetricsState {
  return {
    metrics: {
      customersServed: 0,
      platinumContent: 0,
      ruleBooksServed: 0,
      satisfactionPct: 0,
      dollarsEarned: 0,
      customersOnboarded: 0,
      upkeepDone: 0,
      jobsByAutomation: 0,
      incidentsResolved: 0,
      quickFixes: 0,
      criticalsWithinTheHour: 0,
      mildIncidents: 0,
      attacksTurnedAway: 0,
      zonesOpened: 0,
      denserHosts: 0,
      hoursReliable: 0,
      hoursProfitable: 0,
      hoursRichlyProfitable: 0,
      hoursWithRoom: 0,
      hoursRedundant: 0,
      hoursCool: 0,
    },
    streaksBegan: {
      hoursReliable: null,
      hoursProfitable: null,
      hoursRichlyProfitable: null,
      hoursWithRoom: null,
      hoursRedundant: null,
      hoursCool: null,
    },
    incidents: new Map(),
    attackRemainders: new Map(),
    allocatableMilli: allocatableMilli(topology),
    topologyVersion: topology.version,
  }
}

/** CPU allocatable to units at the overcommit target of each pool. */
function allocatableMilli({ hosts, hostSkus, pools }: Topology): number {
  let sum = 0
  for (const host of hosts.rows) {
    sum += hostSkus[hosts.sku[host]].vcpu * 1000 * pools[hosts.pool[host]].overcommitTarget
  }
  return sum
}

export function updateQuestMetrics(state: QuestMetricsState, world: WorldView, operations: Operations): void {
  updateCustomers(state, world)
  updateMoney(state, world)
  updateWork(state, operations)
  updateIncidents(state, world)
  updateAttacks(state, world)
  updateRoomAndHeat(state, world)
}

function updateStreak(state: QuestMetricsState, name: StreakName, holds: boolean, now: Micros): void {
  const began = holds ? (state.streaksBegan[name] ?? now) : null
  state.streaksBegan[name] = began
  state.metrics[name] = began === null ? 0 : Math.floor((now - began) / hour)
}

function updateCustomers(state: QuestMetricsState, { topology, tenants, facility, now }: WorldView): void {
  const { metrics } = state
  const regimes = new Set<string>()
  let customersServed = 0
  let platinumContent = 0
  let satisfaction = 0
  let requests = 0
  let failing = 0
  let isRedundant = true
  for (const tenant of tenants.active) {
    satisfaction += tenant.satisfaction
    requests += tenant.requestsPerSecond
    failing += tenant.requestsPerSecond * tenant.failing
    if (tenant.redundancyBroken) isRedundant = false
    if (tenant.placedUnits === 0 || tenant.failing > 1 - servedSuccessRatioMin) continue
    customersServed++
    if (tenant.compliance !== null) regimes.add(tenant.compliance)
    if (tenant.tier === 'Platinum' && tenant.satisfaction >= contentSatisfactionMin) platinumContent++
  }
  const customers = tenants.active.length
  metrics.customersServed = customersServed
  metrics.platinumContent = platinumContent
  metrics.ruleBooksServed = regimes.size
  metrics.satisfactionPct = customers === 0 ? 0 : Math.floor((100 * satisfaction) / customers)
  const isReliable = requests > 0 && failing <= requests * (1 - reliableSuccessRatioMin)
  updateStreak(state, 'hoursReliable', isReliable, now)
  const feedsLive = topology.zones.every(({ feeds }) => feeds.every((feed) => facility.feedLive[feed] === 1))
  updateStreak(state, 'hoursRedundant', customers > 0 && isRedundant && feedsLive, now)
}

function updateMoney(state: QuestMetricsState, { money, now }: WorldView): void {
  const margin = money.revenuePerHour > 0 ? 1 - money.costPerHour / money.revenuePerHour : -1
  state.metrics.dollarsEarned = Math.floor(money.revenue)
  updateStreak(state, 'hoursProfitable', margin >= profitableMarginMin, now)
  updateStreak(state, 'hoursRichlyProfitable', margin >= richMarginMin, now)
}

function updateWork({ metrics }: QuestMetricsState, operations: Operations): void {
  metrics.customersOnboarded = operations.state.completedByKind.get('Onboarding') ?? 0
  metrics.upkeepDone = operations.state.completedByKind.get('Upkeep') ?? 0
  metrics.jobsByAutomation = operations.state.completedByAutomation
}

const isMajor = (band: Band): boolean => band === 'Major' || band === 'Critical'

function updateIncidents(state: QuestMetricsState, { now, incidents }: WorldView): void {
  const { metrics } = state
  for (const [id, { opened, band }] of incidents) {
    const tracked = state.incidents.get(id) ?? { opened, wasMajor: false, wasCritical: false }
    tracked.wasMajor ||= isMajor(band)
    tracked.wasCritical ||= band === 'Critical'
    state.incidents.set(id, tracked)
  }
  for (const [id, { opened, wasMajor, wasCritical }] of state.incidents) {
    if (incidents.has(id)) continue
    state.incidents.delete(id)
    const duration = now - opened
    metrics.incidentsResolved++
    metrics.mildIncidents = wasMajor ? 0 : metrics.mildIncidents + 1
    if (duration <= quickFixMax) metrics.quickFixes++
    if (wasCritical && duration <= hour) metrics.criticalsWithinTheHour++
  }
}

function updateAttacks({ metrics, attackRemainders }: QuestMetricsState, world: WorldView): void {
  const { faults, threats } = world
  const active = new Set<number>()
  for (const { id, attack } of faults.active) {
    if (attack === null) continue
    active.add(id)
    const span = threats.remainders.has(attack.customerId) ? questInterval : 0
    attackRemainders.set(id, (attackRemainders.get(id) ?? 0) + span)
  }
  for (const [id, span] of attackRemainders) {
    if (active.has(id)) continue
    attackRemainders.delete(id)
    if (span <= attackRemainderMax) metrics.attacksTurnedAway++
  }
}

function updateRoomAndHeat(state: QuestMetricsState, { topology, load, facility, now }: WorldView): void {
  if (state.topologyVersion !== topology.version) {
    state.topologyVersion = topology.version
    state.allocatableMilli = allocatableMilli(topology)
    const { hosts, zones } = topology
    state.metrics.zonesOpened = zones.filter(({ opened }) => opened > 0).length
    state.metrics.denserHosts = hosts.rows.filter((host) => isDenser(hosts.sku[host])).length
  }
  let allocated = 0
  for (let host = 0; host < load.allocatedMilli.length; host++) allocated += load.allocatedMilli[host]
  let warmest = 0
  for (let rack = 0; rack < facility.rackInletCelsius.length; rack++) {
    warmest = Math.max(warmest, facility.rackInletCelsius[rack])
  }
  updateStreak(state, 'hoursWithRoom', allocated <= allocatedShareMax * state.allocatableMilli, now)
  updateStreak(state, 'hoursCool', warmest <= inletSpecifiedCelsius, now)
}
