import type { Collections, DiagnosticsRecord } from '../../../contract/collections.ts'
import { diagnosticListCap } from '../../../contract/records/diagnostics.ts'
import type { Int64 } from '../../../contract/fields.ts'
import { round } from '../../simulation/numeric.ts'
import type { ReadonlyColumn } from '../../simulation/part.ts'
import type { RecordedWorld } from '../world.ts'
import { dayNumber, stepLength, timeOfDay, toNs, weekdayOf, weekdays } from '../../simulation/time.ts'
import type { Operations } from '../../simulation/operations/view.ts'
import { failingParts } from './diagnostic-parts.ts'
import type { LoadedLinks } from '../equipment/loaded-links.ts'

/** A customer counts as unserved above this error ratio. */
const servedErrorRatioMax = 0.001

interface DiagnosticsInputs {
  readonly state: RecordedWorld
  readonly work: Operations
  /** The records of the same snapshot. */
  readonly collections: Collections
  readonly loadedLinks: () => LoadedLinks
  readonly seed: Int64
  readonly scale: string
  /** Empty without a scenario. */
  readonly scenario: string
  /** Requested simulated seconds per wall second. */
  readonly speed: number
}

interface DiagnosticsRecords {
  readonly diagnostics: DiagnosticsRecord
  /** Runs after all other records are updated. Leaves the publishing statistics unchanged. */
  update(): void
}

export function createDiagnostics(inputs: DiagnosticsInputs): DiagnosticsRecords {
  const diagnostics: DiagnosticsRecord = {
    simulation: simulationFigures(inputs),
    publish: {
      cadence_ms: 0,
      step_ms: 0,
      project_ms: 0,
      encode_ms: 0,
      records_encoded: 0,
      records_total: 0,
      bytes_total: 0,
      lag_ms: 0,
    },
    counts: counts(inputs),
    ...lists(inputs),
  }
  return {
    diagnostics,
    update() {
      diagnostics.simulation = simulationFigures(inputs)
      diagnostics.counts = counts(inputs)
      Object.assign(diagnostics, lists(inputs))
    },
  }
}

function simulationFigures(inputs: DiagnosticsInputs): DiagnosticsRecord['simulation'] {
  const { state, seed, scale, scenario, speed } = inputs
  return {
    seed,
    scale,
    scenario,
    tick: state.tick,
    step_ns: toNs(stepLength),
    sim_time_ns: toNs(state.now),
    day: dayNumber(state.now),
    time_of_day: timeOfDay(state.now),
    weekday: weekdays[weekdayOf(state.now)],
    speed,
    paused: speed === 0,
  }
}

function counts({ state, work, collections }: DiagnosticsInputs): DiagnosticsRecord['counts'] {
  const { topology, network, load } = state
  return {
    azs: topology.zones.length,
    racks: topology.racks.count,
    hosts: topology.hosts.rows.length,
    hosts_online: sum(network.hostReachable),
    switches: topology.switches.count,
    gateways: topology.gateways.count,
    appliances: topology.appliances.count,
    patch_panels: topology.panels.count,
    cables: topology.cables.rows.length,
    cables_failed: state.condition.cableCut.reduce((cut, marks) => cut + (marks > 0 ? 1 : 0), 0),
    ports: topology.ports.inPlace,
    ports_up: sum(network.portUp),
    host_pools: topology.pools.length,
    segments: collections.segments.length,
    subnets: collections.subnets.length,
    customers: collections.customers.length,
    prospects: collections.prospects.length,
    units: sum(load.unitCount),
    units_stranded: sum(load.strandedUnits),
    units_unplaced: unplacedServices(collections).reduce((units, { gap }) => units + gap, 0),
    incidents_active: collections.incidents.length,
    incidents_resolved: collections.resolvedIncidents.length,
    work_orders_open: work.openOrders,
    work_orders: collections.workOrders.length,
    quests: collections.quests.length,
    quests_done: collections.quests.filter(({ state }) => state === 'Done').length,
    staff: work.staffCount,
    staff_on_shift: work.staffOnShift(state.now),
    events: state.events.state.emitted,
    incidents_opened: state.totals.incidentsOpened.reduce((opened, { count }) => opened + count, 0),
  }
}

const sum = (column: ReadonlyColumn): number => {
  let total = 0
  for (let row = 0; row < column.length; row++) total += column[row]
  return total
}

type Lists = Omit<DiagnosticsRecord, 'simulation' | 'publish' | 'counts'>

/** The first entries of each list, and the total numbers of entries. */
function lists(inputs: DiagnosticsInputs): Lists {
  const { list, total } = inputs.loadedLinks()
  const contended = contendedHosts(inputs)
  const unplaced = unplacedServices(inputs.collections)
  const failing = failingParts(inputs.collections)
  const unserved = unservedDemand(inputs.state)
  const kinds = rootKinds(inputs.work)
  return {
    loaded_links: list.slice(0, diagnosticListCap),
    loaded_links_total: total,
    contended_hosts: contended.slice(0, diagnosticListCap),
    contended_hosts_total: contended.length,
    unplaced_services: unplaced.slice(0, diagnosticListCap),
    unplaced_services_total: unplaced.length,
    failing_parts: failing.slice(0, diagnosticListCap),
    failing_parts_total: failing.length,
    unserved_demand: unserved.slice(0, diagnosticListCap),
    unserved_demand_total: unserved.length,
    root_kinds_confirmed: kinds.slice(0, diagnosticListCap),
    root_kinds_confirmed_total: kinds.length,
  }
}

function contendedHosts({ state, collections }: DiagnosticsInputs): Lists['contended_hosts'] {
  return collections.hosts
    .flatMap((host) =>
      host.contention_state === 'Contended' || host.contention_state === 'Starved'
        ? [
            {
              host_id: host.id,
              display_name: host.display_name_plain,
              contention_state: host.contention_state,
              cpu_demand_pct: round(state.load.contention[Number(host.id) - 1] * 100, 2),
              unit_count: host.unit_count,
            },
          ]
        : [],
    )
    .toSorted((a, b) => b.cpu_demand_pct - a.cpu_demand_pct || Number(a.host_id) - Number(b.host_id))
}

/** Services that could not be placed, except those of customers waiting for onboarding. */
function unplacedServices({ customers }: Collections): Lists['unplaced_services'] {
  const services = customers.flatMap((customer) =>
    customer.services.flatMap(({ gap, placement, class_tag }) =>
      gap > 0 && placement
        ? [{ customer_id: customer.id, customer_name: customer.name, class_tag, gap, code: placement.code }]
        : [],
    ),
  )
  return services.toSorted((a, b) => b.gap - a.gap || Number(a.customer_id) - Number(b.customer_id))
}

function unservedDemand({ tenants }: RecordedWorld): Lists['unserved_demand'] {
  return tenants.active
    .filter(({ failing }) => failing > servedErrorRatioMax)
    .map((tenant) => ({
      customer_id: tenant.id,
      customer_name: tenant.name,
      failed_per_second: round(tenant.requestsPerSecond * tenant.failing, 2),
      failed_pct: round(100 * tenant.failing, 2),
      unserved_gbps: round(tenant.unservedGbps, 4),
    }))
    .toSorted((a, b) => b.failed_per_second - a.failed_per_second || a.customer_id - b.customer_id)
}

function rootKinds(work: Operations): Lists['root_kinds_confirmed'] {
  return Array.from(work.state.confirmedCauses, ([root_kind, count]) => ({ root_kind, count })).toSorted(
    (a, b) => b.count - a.count || (a.root_kind < b.root_kind ? -1 : 1),
  )
}
