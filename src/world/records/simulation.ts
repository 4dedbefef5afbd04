import type { Collections, Snapshot, FeedSnapshot } from '../../contract/collections.ts'
import type { WorldHistory } from '../../contract/history.ts'
import type { Truth } from '../simulation/truth/view.ts'
import { countBytes } from '../simulation/network/view.ts'
import type { BuildableWorld, MutableWorld, Parts } from '../simulation/step.ts'
import type { TenantsPart } from '../simulation/tenants/view.ts'
import { toNs } from '../simulation/time.ts'
import type { RunningWorld, WorldOptions, SavedWorld } from '../simulation/world.ts'
import { createWorld, savedWorldOf } from '../simulation/world.ts'
import { hideDiagnoses, hideMarks, hideOrders, isShownOrder } from './blind.ts'
import { createEquipmentRecords } from './equipment/equipment.ts'
import { createHistory } from './history.ts'
import { createDiagnostics } from './operations/diagnostics.ts'
import { createIncidentRecords } from './operations/incidents.ts'
import { createQuestRecords } from './operations/quests.ts'
import { createWorkOrderRecords } from './operations/work-orders.ts'
import { createTenantRecords } from './tenants/tenants.ts'

export interface SimulationOptions extends WorldOptions {
  /** Simulated seconds per wall second, for the diagnostics: the world does not read the wall clock. */
  readonly speed: number
}

/** A world together with its records. */
export interface Simulation {
  readonly nowNs: bigint
  /** The current values of the metrics that are kept as history. */
  readonly history: WorldHistory
  /** Advances the world by 10 simulated seconds. */
  step(): void
  /**
   * The current records. They stay the same objects, updated in place, until the topology changes. Records that are not
   * read stay as they were.
   */
  snapshot(isRead?: boolean): Snapshot
  /** Events, incidents and work orders alone, which take far less time than a snapshot. */
  feedSnapshot(): FeedSnapshot
  /** The state of the world, to be saved before the next step. */
  savedWorld(): SavedWorld
  /** The active faults, hidden from records until operators find them. For tests only. */
  truth(): Truth[]
  /** The world behind the records. For tests only. */
  readonly state: BuildableWorld
  readonly customers: TenantsPart
  readonly parts: Parts
  readonly world: RunningWorld
}

/** Creates a world with its records, or continues a saved one. */
export function createSimulation(options: SimulationOptions, saved: SavedWorld | null = null): Simulation {
  const world = createWorld(options, saved)
  const { state, parts } = world
  return {
    get nowNs() {
      return toNs(state.now)
    },
    history: createHistory(state, parts.customers.state),
    step: () => world.step(),
    ...createRecords(world, options),
    savedWorld: () => savedWorldOf(world),
    truth: () => world.truth(),
    state,
    customers: parts.customers,
    parts,
    world,
  }
}

/** The records that depend on the topology: equipment, customers, and the hosts that serve them. */
function createTopologyRecords(state: MutableWorld, customers: TenantsPart) {
  const {
    hostPorts,
    loadedLinks,
    update: updateEquipment,
    ...equipment
  } = createEquipmentRecords(state, () => countBytes(state), customers.accounting.costs)
  const { update: updateTenants, ...tenants } = createTenantRecords(state, customers, hostPorts)
  return {
    collections: { ...equipment, ...tenants },
    loadedLinks,
    update() {
      updateEquipment()
      updateTenants()
    },
  }
}

function createRecords(
  { state, parts: { customers, operations: work, incidents }, quests }: RunningWorld,
  { seed, scenario, speed }: SimulationOptions,
): Pick<Simulation, 'snapshot' | 'feedSnapshot'> {
  const isBlind = state.handover !== null
  let topologyRecords = createTopologyRecords(state, customers)
  let { version } = state.topology
  const incidentRecords = createIncidentRecords(incidents)
  const workOrderRecords = createWorkOrderRecords(work, isBlind ? isShownOrder : undefined)
  const questRecords = createQuestRecords(quests)
  const collections: Collections = {
    ...topologyRecords.collections,
    incidents: incidentRecords.incidents,
    resolvedIncidents: incidentRecords.resolvedIncidents,
    // Some goals count what has been diagnosed.
    quests: isBlind ? [] : questRecords.quests,
    workOrders: workOrderRecords.workOrders,
  }
  const diagnosticsRecord = createDiagnostics({
    state,
    work,
    collections,
    loadedLinks: () => topologyRecords.loadedLinks(),
    seed,
    scale: state.topology.scaleName,
    scenario: isBlind ? '' : (scenario?.name ?? ''),
    speed,
  })
  const updateChanges = (): void => {
    incidentRecords.update()
    workOrderRecords.update()
    if (isBlind) hideOrders(collections)
  }
  const updateAll = (): void => {
    if (version !== state.topology.version) {
      version = state.topology.version
      topologyRecords = createTopologyRecords(state, customers)
      Object.assign(collections, topologyRecords.collections)
    }
    topologyRecords.update()
    if (isBlind) hideMarks(collections)
    updateChanges()
    if (!isBlind) questRecords.update()
    diagnosticsRecord.update()
    if (isBlind) hideDiagnoses(diagnosticsRecord.diagnostics)
  }
  const happened = () => ({
    simTimeNs: toNs(state.now),
    collections,
    events: state.events.state.window,
    newestEvictedNs: state.events.state.newestEvictedNs,
  })
  return {
    feedSnapshot() {
      updateChanges()
      return happened()
    },
    snapshot(isRead = true) {
      if (isRead) updateAll()
      return { ...happened(), diagnostics: diagnosticsRecord.diagnostics, totals: state.totals.state }
    },
  }
}
