import type { Collections, Snapshot } from '../contract/collections.ts'
import type { WorldHistory } from '../contract/history.ts'
import type { CustomersPart } from './customers/customers.ts'
import { type Truth, truth } from './faults/truth.ts'
import { createHistory } from './history.ts'
import { createParts, layState, type Parts, passTime } from './parts.ts'
import type { ScaleName } from './plant/sizing.ts'
import { createQuests, type Quests } from './quests/quests.ts'
import { createDiagnostics } from './records/diagnostics.ts'
import { createIncidentRecords } from './records/incidents.ts'
import { createPlantRecords } from './records/plant.ts'
import { createQuestRecords } from './records/quests.ts'
import { createCustomerRecords } from './records/tenancy.ts'
import { createWorkOrderRecords } from './records/work-orders.ts'
import { createScenarioRunner } from './scenarios/runner.ts'
import type { Scenario } from './scenarios/scenario.ts'
import type { WorldState } from './state.ts'
import { type Micros, toNs } from './time.ts'

export interface SimulationOptions {
  readonly seed: bigint
  readonly scale: number | ScaleName
  /** Simulated time that passes before anybody looks. A scenario's times count from its end. */
  readonly warmUp: Micros
  readonly scenario: Scenario | null
  /** Simulated seconds a wall second. The world only tells it: it does not know the wall clock. */
  readonly speed: number
}

/** A world that moves when it is told to. */
export interface Simulation {
  readonly nowNs: bigint
  readonly history: WorldHistory
  /** Goes on by 10 simulated seconds. */
  step(): void
  /** The world as it is now. Its records stay the same objects and are brought up to date in place. */
  snapshot(): Snapshot
  /** What is really going on, which no record tells before it is found out. For tests alone. */
  truth(): Truth[]
  /** The parts themselves. For tests alone. */
  readonly state: WorldState
  readonly customers: CustomersPart
}

export function createSimulation(options: SimulationOptions): Simulation {
  const state = layState(options.seed, options.scale)
  const parts = createParts(state)
  const { faults, customers, work } = parts
  faults.spontaneity = options.scenario?.spontaneity ?? 1
  const quests = createQuests(state, work)
  const scenario = runScenario(state, options)
  const records = createRecords(options, state, parts, quests)
  const history = createHistory(state, customers.business)
  announceBeginning(state)
  return {
    get nowNs() {
      return toNs(state.now)
    },
    history,
    step() {
      scenario()
      parts.step()
      quests.step()
      passTime(state)
    },
    snapshot: records,
    truth: () => truth(state, faults),
    state,
    customers,
  }
}

function runScenario(state: WorldState, { scenario, warmUp }: SimulationOptions): () => void {
  if (scenario === null) return () => {}
  const runner = createScenarioRunner(state, scenario, scenario.timesCountFrom === 'warm-up' ? warmUp : 0)
  return () => runner.step()
}

function createRecords(
  { seed, scenario, speed }: SimulationOptions,
  state: WorldState,
  { customers, work, incidents }: Parts,
  quests: Quests,
): () => Snapshot {
  const plant = createPlantRecords(state, customers.books.costs)
  const tenants = createCustomerRecords(state, customers, (row) => plant.hostPorts(row))
  const trouble = createIncidentRecords(state, incidents)
  const orders = createWorkOrderRecords(work)
  const goals = createQuestRecords(quests)
  const collections: Collections = {
    azs: plant.azs,
    customers: tenants.customers,
    hostPools: tenants.hostPools,
    hosts: tenants.hosts,
    incidents: trouble.incidents,
    resolvedIncidents: trouble.resolvedIncidents,
    gateways: plant.gateways,
    cables: plant.cables,
    segments: tenants.segments,
    subnets: tenants.subnets,
    appliances: plant.appliances,
    switches: plant.switches,
    patchPanels: plant.patchPanels,
    prospects: tenants.prospects,
    quests: goals.quests,
    workOrders: orders.workOrders,
  }
  const glance = createDiagnostics({
    state,
    work,
    collections,
    loadedLinks: () => plant.loadedLinks(),
    seed,
    scale: state.plant.scaleName,
    scenario: scenario?.name ?? '',
    speed,
  })
  return () => {
    plant.update()
    tenants.update()
    trouble.update()
    orders.update()
    goals.update()
    glance.update()
    return {
      simTimeNs: toNs(state.now),
      collections,
      events: state.events.window,
      newestEvictedNs: state.events.newestEvictedNs,
      diagnostics: glance.diagnostics,
      totals: state.totals,
    }
  }
}

function announceBeginning(state: WorldState): void {
  const given = { hosts: state.plant.hosts.count, customers: state.tenants.active.length }
  state.events.emit(0, 'WorldStarted', 'Info', { kind: 'World', id: null }, 'event.world-started', given)
}
