import type { Band } from '../../src/contract/vocabularies.ts'
import { createFaults, type FaultsPart } from '../../src/simulation/faults/faults.ts'
import { layState } from '../../src/simulation/parts.ts'
import type { ScaleName } from '../../src/simulation/plant/sizing.ts'
import type { Fault, FaultOrder, IncidentView, Tenant, WorldState } from '../../src/simulation/state.ts'
import { type Micros, stepLength } from '../../src/simulation/time.ts'
import { createWork, type Work } from '../../src/simulation/work/desk.ts'
import type { Order } from '../../src/simulation/work/orders.ts'

/** A world in which nothing happens but what a test makes happen: a real plant, real faults, real work. */
export interface StillWorld {
  readonly state: WorldState
  readonly faults: FaultsPart
  readonly work: Work
  readonly incidents: Map<number, IncidentView>
  /** What work told about incidents, oldest first. */
  readonly notes: { readonly incidentId: number; readonly what: string; readonly detail: string }[]
  readonly live: number[]
  /** Every work order there ever was, by id. */
  readonly orders: ReadonlyMap<number, Order>
  /** Begins a fault and opens an incident for it, as its consequences would. */
  breakDown(order: FaultOrder, band?: Band): { readonly fault: Fault; readonly incident: IncidentView }
  /** Adds a customer with a unit on the first host. */
  serve(given?: Partial<Tenant>): Tenant
  /** Steps the world on, calling whatever is given after each step of work. */
  run(span: Micros, each?: () => void): void
}

export function stillWorld(seed: bigint, scale: number | ScaleName = 'small'): StillWorld {
  const incidents = new Map<number, IncidentView>()
  const tenants: Tenant[] = []
  const byId = new Map<number, Tenant>()
  const live: number[] = []
  const notes: { incidentId: number; what: string; detail: string }[] = []
  const state = layState(seed, scale)
  // Everything is live, and nobody is served.
  state.physical.feedLive.fill(1)
  state.incidents = incidents
  state.tenants = {
    active: tenants,
    byId,
    version: 0,
    onHost: (host) => tenants.filter(({ hosts }) => hosts.includes(host)).map(({ id }) => id),
    goLive: (id) => live.push(id),
  }
  const faults = createFaults(state)
  faults.spontaneity = 0
  faults.connect({
    diagnose: (id) => {
      const fault = faults.active.find(({ incidentId }) => incidentId === id) ?? null
      const incident = incidents.get(id)
      if (fault !== null && incident !== undefined) incident.confirmed = true
      return fault
    },
    noteWork: (incidentId, _order, what, detail) => notes.push({ incidentId, what, detail }),
  })
  state.faults = faults
  const work = createWork(state)
  state.work = work
  const orders = new Map<number, Order>()
  /** Incidents that are over when their fault is. */
  const broken = new Map<IncidentView, Fault>()
  return {
    state,
    faults,
    work,
    incidents,
    notes,
    live,
    orders,
    breakDown(order, band = 'Major') {
      const fault = faults.inject(order)
      const incident = openedFor(fault, broken.size + 1, state.now, band)
      incidents.set(incident.id, incident)
      broken.set(incident, fault)
      incident.workOrderIds.push(work.orderForIncident(incident))
      return { fault, incident }
    },
    serve(given = {}) {
      const tenant = { ...usualTenant(tenants.length + 1), ...given }
      tenants.push(tenant)
      byId.set(tenant.id, tenant)
      return tenant
    },
    run(span, each = () => {}) {
      for (const end = state.now + span; state.now < end; ) {
        work.step()
        for (const order of work.floor.open) orders.set(order.id, order)
        each()
        state.now += stepLength
        state.tick++
        for (const [incident, fault] of broken) if (fault.ended !== null) incidents.delete(incident.id)
      }
    },
  }
}

function openedFor(fault: Fault, id: number, opened: Micros, band: Band): IncidentView {
  fault.incidentId = id
  return {
    id,
    opened,
    band,
    confirmed: false,
    rootKind: 'Unknown',
    revenueAtRiskPerHour: 0,
    suspect: fault.target,
    zones: [0],
    workOrderIds: [],
  }
}

const usualTenant = (id: number): Tenant => ({
  id,
  name: `Customer ${id}`,
  tier: 'Silver',
  compliance: null,
  classes: ['web'],
  multiZone: false,
  dedicatedHosts: false,
  lifecycle: 'Active',
  hosts: Int32Array.of(0),
  hostUnits: Int32Array.of(1),
  requestedUnits: 1,
  placedUnits: 1,
  strandedUnits: 0,
  revenuePerHour: 1,
  requestsPerSecond: 10,
  usualRequestsPerSecond: 10,
  failing: 0,
  p99Ms: 50,
  p99BudgetMs: 200,
  satisfaction: 0.8,
  redundancyBroken: false,
  breached: false,
  servedInGbps: 0.1,
  servedOutGbps: 0.2,
  unservedGbps: 0,
})
