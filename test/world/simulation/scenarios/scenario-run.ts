import { deserialize, serialize } from 'node:v8'
import { beforeAll } from 'vitest'
import type { EventRecord, WorkOrderRecord } from '../../../../src/contract/collections.ts'
import { messageText } from '../../../../src/contract/messages/catalog.ts'
import { bands } from '../../../../src/contract/vocabularies.ts'
import type { Band, EventKind, RootKind } from '../../../../src/contract/vocabularies.ts'
import { nameOf, sameTarget } from '../../../../src/world/simulation/topology/entities.ts'
import type { FaultTarget } from '../../../../src/world/simulation/topology/fault-target.ts'
import type { Scenario } from '../../../../src/world/simulation/scenarios/scenario.ts'
import { shippedScenario } from '../../../../src/world/scenarios/shipped.ts'
import type { Fault } from '../../../../src/world/simulation/faults/model.ts'
import { hour, minute } from '../../../../src/world/simulation/time.ts'
import type { Micros } from '../../../../src/world/simulation/time.ts'
import type { SavedWorld } from '../../../../src/world/simulation/world.ts'
import { createSimulation } from '../../../../src/world/records/simulation.ts'
import type { Simulation } from '../../../../src/world/records/simulation.ts'
import { runUntil } from './scripted-world.ts'
import { followEvents } from '../follow-events.ts'

/** The course of an incident, sampled every simulated minute. Times are minutes of the session. */
interface IncidentTimeline {
  readonly id: number
  readonly opened: number
  ended: number | null
  /** All its bands, in order of time. */
  readonly bands: Band[]
  symptom: string
  /** The leading suspect at the first sample, and the confirmed cause. */
  suspected: RootKind | null
  rootKind: RootKind
  rootId: number | null
  confirmed: number | null
  customers: number
  workOrders: readonly number[]
  readonly timeline: Set<string>
}

/** The quality of service of a customer during the run. */
interface CustomerSample {
  readonly id: number
  readonly name: string
  /** Minutes with more than 1 % of failed requests, and the worst share. */
  minutesFailing: number
  worstFailing: number
  failingAt: number[]
  /** Minutes above the promised latency. */
  minutesSlow: number
  lowestSatisfaction: number
  mostStranded: number
}

interface ScenarioRun {
  readonly world: Simulation
  readonly scenario: Scenario
  readonly incidents: ReadonlyMap<number, IncidentTimeline>
  readonly customers: ReadonlyMap<number, CustomerSample>
  readonly events: readonly (EventRecord & { readonly minute: number; readonly text: string })[]
  readonly workOrders: ReadonlyMap<number, WorkOrderRecord>
  /** By minute: the index of the highest band of any open incident; -1 without one. */
  readonly highestBandAt: readonly number[]
  /** The faults begun by the scenario. */
  readonly faults: readonly Fault[]
}

const seed = 1n
const timeoutMs = 900_000

/**
 * Shipped scenarios, and the same hours of a world without their steps. All runs requested in a `describe` are
 * simulated before its tests.
 */
export function runScenarios(baselineHours: Readonly<Record<string, number>>): {
  readonly baselineOf: (name: string) => ScenarioRun
  readonly runOf: (name: string, hours: number) => ScenarioRun
} {
  const baseline = new Map<string, ScenarioRun>()
  beforeAll(() => {
    for (const [name, run] of simulateBaselines(baselineHours)) baseline.set(name, run)
  }, timeoutMs)
  return {
    baselineOf: (name) => baseline.get(name)!,
    runOf(name, hours) {
      const run = {} as ScenarioRun
      beforeAll(() => {
        Object.assign(run, simulateScenario(name, hours))
      }, timeoutMs)
      return run
    },
  }
}

/** The ends of warm-ups that the baselines have passed, by scenario: their worlds are the same until then. */
const warmed = new Map<string, Buffer>()

/** Runs the scenario for the given hours of its session. */
function simulateScenario(name: string, hours: number): ScenarioRun {
  const scenario = shippedScenario(name)!
  const world = worldOf(scenario, deserialize(Buffer.from(warmed.get(name)!)) as SavedWorld)
  return watch(world, scenario, hours)
}

/** The same hours of each session without its steps, in one world, since they share their past. */
function simulateBaselines(hoursOf: Readonly<Record<string, number>>): Map<string, ScenarioRun> {
  const scenarios = Object.keys(hoursOf).map(withoutSteps)
  const world = worldOf(scenarios[0])
  const runs = new Map<string, ScenarioRun>()
  for (const scenario of scenarios.toSorted((a, b) => a.warmup! - b.warmup!)) {
    if (scenario.spontaneity !== scenarios[0].spontaneity) throw new Error('their pasts are different')
    runUntil(world, scenario.warmup!)
    const saved = world.savedWorld()
    const script = { ...(saved.parts['script'] as object), origin: scenario.warmup! }
    warmed.set(scenario.name, serialize({ ...saved, parts: { ...saved.parts, script } }))
    runs.set(scenario.name, watch(world, scenario, hoursOf[scenario.name]))
  }
  return runs
}

const withoutSteps = (name: string): Scenario => ({ ...shippedScenario(name)!, steps: [] })

const worldOf = (scenario: Scenario, saved: SavedWorld | null = null): Simulation =>
  createSimulation({ seed, scale: 'medium', warmUp: scenario.warmup!, scenario, speed: 60 }, saved)

function watch(world: Simulation, scenario: Scenario, hours: number): ScenarioRun {
  const warmUp = scenario.warmup!
  const incidents = new Map<number, IncidentTimeline>()
  const samples = new Map<number, CustomerSample>()
  const events: ScenarioRun['events'][number][] = []
  const workOrders = new Map<number, WorkOrderRecord>()
  const faults = new Set<Fault>()
  const highestBandAt: number[] = []
  const scripted = new Set(scenario.steps.map(({ at, action }) => `${action} ${warmUp + at}`))
  const newEvents = followEvents(world.state)
  runUntil(world, warmUp + hours * hour, () => {
    const { state } = world
    for (const event of newEvents()) {
      const at = Math.floor((Number(BigInt(event.at_ns) / 1000n) - warmUp) / minute)
      events.push({ ...event, minute: at, text: messageText(event.msg_key, event.msg_args) })
    }
    for (const fault of state.faults.active)
      if (scripted.has(`${fault.kind} ${fault.began}`)) faults.add(fault)
    if (state.now % minute !== 0) return
    sampleCustomers(world, samples, highestBandAt.length)
    highestBandAt.push(Math.max(-1, ...[...state.incidents.values()].map(({ band }) => bands.indexOf(band))))
    if (state.now % (5 * minute) === 0) sampleRecords(world, warmUp, incidents, workOrders)
    sampleBands(world, incidents)
  })
  return {
    world,
    scenario,
    incidents,
    customers: samples,
    events,
    workOrders,
    highestBandAt,
    faults: [...faults],
  }
}

function sampleCustomers({ state }: Simulation, samples: Map<number, CustomerSample>, minutes: number): void {
  for (const tenant of state.tenants.active) {
    let sample = samples.get(tenant.id)
    if (sample === undefined) {
      sample = {
        id: tenant.id,
        name: tenant.name,
        minutesFailing: 0,
        worstFailing: 0,
        // Before a customer joins, nothing of it fails.
        failingAt: Array.from({ length: minutes }, () => 0),
        minutesSlow: 0,
        lowestSatisfaction: 1,
        mostStranded: 0,
      }
      samples.set(tenant.id, sample)
    }
    sample.failingAt.push(tenant.failing)
    if (tenant.failing > 0.01) sample.minutesFailing++
    if (tenant.p99Ms > tenant.p99BudgetMs) sample.minutesSlow++
    sample.worstFailing = Math.max(sample.worstFailing, tenant.failing)
    sample.lowestSatisfaction = Math.min(sample.lowestSatisfaction, tenant.satisfaction)
    sample.mostStranded = Math.max(sample.mostStranded, tenant.strandedUnits)
  }
}

/** Samples bands between two reads of the records. */
function sampleBands({ state }: Simulation, incidents: ReadonlyMap<number, IncidentTimeline>): void {
  for (const [id, { band }] of state.incidents) {
    const incident = incidents.get(id)
    if (incident !== undefined && incident.bands.at(-1) !== band) incident.bands.push(band)
  }
}

function sampleRecords(
  world: Simulation,
  warmUp: Micros,
  incidents: Map<number, IncidentTimeline>,
  workOrders: Map<number, WorkOrderRecord>,
): void {
  const { collections } = world.feedSnapshot()
  const minuteOf = (ns: bigint | number): number => Math.floor((Number(ns) / 1000 - warmUp) / minute)
  for (const record of [...collections.incidents, ...collections.resolvedIncidents]) {
    const id = Number(record.id)
    const opened = minuteOf(record.started_at_ns)
    if (opened < 0) continue
    let incident = incidents.get(id)
    if (incident === undefined) {
      incident = {
        id,
        opened,
        ended: null,
        bands: [bandAtFirst(record.timeline.map(({ detail }) => detail)) ?? record.band],
        symptom: record.symptom_kind,
        suspected: null,
        rootKind: 'Unknown',
        rootId: null,
        confirmed: null,
        customers: 0,
        workOrders: [],
        timeline: new Set(),
      }
      incidents.set(id, incident)
    }
    const [first] = record.causes
    if (!record.confirmed && first !== undefined) incident.suspected ??= first.root_kind
    if (record.confirmed && incident.confirmed === null) {
      const note = record.timeline.find(({ kind }) => kind === 'CauseConfirmed')
      incident.confirmed = note === undefined ? null : minuteOf(note.at_ns)
    }
    incident.rootKind = record.root_kind
    incident.rootId = record.root_entity_id === null ? null : Number(record.root_entity_id)
    incident.ended = record.resolved_at_ns === null ? null : minuteOf(record.resolved_at_ns)
    incident.customers = Math.max(incident.customers, record.affected_customer_ids.length)
    incident.workOrders = record.work_order_ids.map(Number)
    for (const { kind } of record.timeline) incident.timeline.add(kind)
    if (incident.bands.at(-1) !== record.band && record.resolved_at_ns === null)
      incident.bands.push(record.band)
  }
  for (const order of collections.workOrders) workOrders.set(Number(order.id), structuredClone(order))
}

/** The initial band of an incident that rose before the first sample, from its timeline. */
function bandAtFirst(timeline: readonly string[]): Band | null {
  const rise = timeline.find((detail) => /^From \w+ to \w+/.test(detail))
  return rise === undefined ? null : (/^From (\w+) to/.exec(rise)![1] as Band)
}

/** The incident with a confirmed cause among the scenario's faults. */
export function incidentOf(run: ScenarioRun, kind: RootKind, nth = 0): IncidentTimeline {
  const fault = run.faults.filter((one) => one.kind === kind)[nth]
  if (fault === undefined) throw new Error(`the scenario broke no ${kind} number ${nth}`)
  const began = (fault.began - run.scenario.warmup!) / minute
  const found = [...run.incidents.values()].find(
    ({ rootKind, rootId, opened }) => rootKind === kind && rootId === idOf(fault.target) && opened >= began,
  )
  if (found === undefined) throw new Error(`no incident of ${kind} number ${nth} was confirmed`)
  return found
}

const idOf = (target: FaultTarget): number => (target.kind === 'Customer' ? target.id : target.row + 1)

/** The work orders of an incident. */
export function ordersOf(run: ScenarioRun, incident: IncidentTimeline): WorkOrderRecord[] {
  return incident.workOrders.flatMap((id) => run.workOrders.get(id) ?? [])
}

/** The work order that repaired a scenario's fault, for any incident. */
export function repairOf(run: ScenarioRun, kind: RootKind, nth = 0): WorkOrderRecord {
  const fault = run.faults.filter((one) => one.kind === kind)[nth]
  const name = nameOf(run.world.state, fault.target)
  const about = [...run.workOrders.values()].filter(
    ({ kind, kind_label, started_at_ns }) =>
      kind !== 'Diagnose' && kind_label.endsWith(name) && Number(started_at_ns) / 1000 > fault.began,
  )
  const repair =
    about.find(({ resolved_at_ns }) => Number(resolved_at_ns) / 1000 === fault.ended) ?? about.at(0)
  if (repair === undefined) throw new Error(`${name} was not repaired`)
  return repair
}

/** Duration of a scenario's fault, in minutes. */
export function minutesBroken(run: ScenarioRun, kind: RootKind, nth = 0): number {
  const { began, ended } = run.faults.filter((one) => one.kind === kind)[nth]
  return ended === null ? Number.POSITIVE_INFINITY : (ended - began) / minute
}

/** The highest band of any incident in a half-open range of minutes. */
export function highestBand(run: ScenarioRun, from: number, to: number): Band | undefined {
  return bands[Math.max(...run.highestBandAt.slice(from, to))]
}

export const stepsOf = (order: WorkOrderRecord): string => order.steps.map(({ kind }) => kind).join(' ')

/** Customers with a clearly lower quality of service than in the world without the scenario. */
export function affectedCustomers(run: ScenarioRun, baseline: ScenarioRun): CustomerSample[] {
  return [...run.customers.values()].filter((sample) => {
    const otherwise = baseline.customers.get(sample.id)
    return (
      sample.minutesFailing > (otherwise?.minutesFailing ?? 0) + 2 ||
      sample.minutesSlow > (otherwise?.minutesSlow ?? 0) + 2
    )
  })
}

/** The highest share of failed requests of any customer in a half-open range of minutes. */
export function worstFailing(run: ScenarioRun, from: number, to: number): number {
  return Math.max(...[...run.customers.values()].flatMap(({ failingAt }) => failingAt.slice(from, to)))
}

/** Minutes of all events of a kind, optionally about a target. */
export const minutesOf = (run: ScenarioRun, kind: EventKind, about = ''): number[] =>
  run.events.filter((event) => event.kind === kind && event.text.includes(about)).map((event) => event.minute)

/** Whether no active fault remains at a target. */
export const isRepaired = (run: ScenarioRun, target: FaultTarget): boolean =>
  !run.world.state.faults.active.some((fault) => sameTarget(fault.target, target))
