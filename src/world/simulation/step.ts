import { createTotalsLedger } from '../../contract/totals.ts'
import type { Money } from './tenants/billing/money.ts'
import { createMoney } from './tenants/billing/money.ts'
import type { HostLoad } from './tenants/host-load.ts'
import { createHostLoad } from './tenants/host-load.ts'
import type { TenantsPart } from './tenants/tenants.ts'
import { createTenants } from './tenants/tenants.ts'
import { EventLog } from './events.ts'
import type { Construction } from './operator/construction.ts'
import { createConstruction } from './operator/construction.ts'
import { createCondition } from './faults/condition.ts'
import { createFaultInspector } from './faults/fault-inspector.ts'
import type { FaultsPart } from './faults/faults.ts'
import { createFaults } from './faults/faults.ts'
import { causeCatalog, faultKinds } from './faults/kinds.ts'
import type { BlastRadius } from './incidents/correlation/blast-radius.ts'
import { createBlastRadius } from './incidents/correlation/blast-radius.ts'
import type { Incidents } from './incidents/incidents.ts'
import { createIncidents } from './incidents/incidents.ts'
import { stepFacility } from './facility/facility.ts'
import { replaceDevice } from './facility/replacement.ts'
import type { FacilityState } from './facility/state.ts'
import { createFacilityState } from './facility/state.ts'
import { stepFlows } from './network/traffic/flows.ts'
import { stepLinks } from './network/links/link-state.ts'
import { stepRoutes } from './network/routing/routing.ts'
import type { NetworkState } from './network/state.ts'
import { createNetworkState } from './network/state.ts'
import { stepAttacks } from './faults/attack-flows.ts'
import { createThreats } from './network/threats/hostile-traffic.ts'
import type { Site } from './topology/construction/site.ts'
import { buildSite } from './topology/construction/site.ts'
import type { ScaleName } from './topology/sizing.ts'
import { carryOut } from './topology/construction/works.ts'
import type { DatedWorks } from './topology/works.ts'
import { RandomStreams } from './random.ts'
import { takesFractions } from './part.ts'
import type { PartViews, WorldWith } from './state.ts'
import type { Micros } from './time.ts'
import { stepLength } from './time.ts'
import type { Operations } from './operations/operations.ts'
import { createOperations } from './operations/operations.ts'
import type { Operator } from './operator/operator.ts'
import { createOperator } from './operator/operator.ts'

/** The world with every block writable, for the composition of its parts and for tests. */
export type MutableWorld = WorldWith<
  {
    readonly facility: FacilityState
    readonly network: NetworkState
    readonly load: HostLoad
    readonly money: Money
    now: Micros
    tick: number
  } & PartViews
>

export interface Parts {
  readonly faults: FaultsPart
  readonly operations: Operations
  readonly customers: TenantsPart
  readonly incidents: Incidents
  readonly blastRadius: BlastRadius
  readonly construct: Construction
  readonly operator: Operator
  /** Advances all parts by one step. */
  readonly step: () => void
}

/** A world with a site that can grow. */
export type BuildableWorld = MutableWorld & { readonly site: Site }

/**
 * The initial state of a world, without the views of its parts, which `createParts` adds. `works` are the
 * construction works of a continued world.
 */
export function createState(
  seed: bigint,
  scale: number | ScaleName,
  works: readonly DatedWorks[] = [],
  handover: Micros | null = null,
): BuildableWorld {
  const random = new RandomStreams(seed)
  const site = buildSite(random, scale)
  for (const { at, ...done } of works) carryOut(site, done, at)
  const { topology } = site
  const totals = createTotalsLedger()
  const blocks: Omit<BuildableWorld, keyof PartViews> = {
    site,
    topology,
    random,
    events: new EventLog(totals, handover !== null),
    totals,
    now: 0,
    tick: 0,
    handover,
    condition: createCondition(topology, random),
    facility: createFacilityState(topology, random),
    network: createNetworkState(topology),
    load: createHostLoad(topology),
    threats: createThreats(topology),
    money: createMoney(),
  }
  // Parts hold references to each other through the world, which is complete before the first step.
  return takesFractions(blocks as BuildableWorld, ['tick'])
}

/**
 * Creates the parts. Each may read the views of earlier parts during its creation, and all views afterwards. Without
 * `populated`, the world has no customers: a saved state brings its own.
 */
export function createParts(state: BuildableWorld, populated = true): Parts {
  const blastRadius = createBlastRadius(state)
  const faults = createFaults(state, faultKinds, blastRadius, (target) => replaceDevice(state, target))
  state.faults = faults
  const inspector = createFaultInspector(state, { kinds: faultKinds, faults, blastRadius })
  const incidents = createIncidents(state, { blastRadius, catalog: causeCatalog, inspector })
  state.incidents = incidents.view
  state.incidentControl = incidents
  const operations = createOperations(state, faultKinds)
  state.operations = operations
  const customers = createTenants(state, populated)
  state.tenants = customers.view
  const construct = createConstruction(state, state.site, customers)
  const operator = createOperator({
    world: state,
    site: state.site,
    capacity: customers.state.capacity,
    costs: customers.accounting.costs,
    tariff: customers.tariff,
    operations,
    construct,
  })
  return {
    faults,
    operations,
    customers,
    incidents,
    blastRadius,
    construct,
    operator,
    step() {
      faults.step()
      stepFacility(state)
      stepLinks(state)
      stepRoutes(state)
      customers.stepDemand()
      stepAttacks(state)
      stepFlows(state)
      customers.stepQuality()
      customers.stepMoney()
      operations.callOff()
      incidents.step()
      operations.step()
      customers.stepLifecycle()
      operator.step()
    },
  }
}

export function advanceClock(state: MutableWorld): void {
  state.now += stepLength
  state.tick++
}
