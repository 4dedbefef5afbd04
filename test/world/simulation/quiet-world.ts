import type { Band } from '../../../src/contract/vocabularies.ts'
import { createFaults } from '../../../src/world/simulation/faults/faults.ts'
import type { FaultsPart } from '../../../src/world/simulation/faults/faults.ts'
import { faultKinds } from '../../../src/world/simulation/faults/kinds.ts'
import { createBlastRadius } from '../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import type { BlastRadius } from '../../../src/world/simulation/incidents/correlation/blast-radius.ts'
import { createState } from '../../../src/world/simulation/step.ts'
import type { MutableWorld } from '../../../src/world/simulation/step.ts'
import type { ScaleName } from '../../../src/world/simulation/topology/sizing.ts'
import { replaceDevice } from '../../../src/world/simulation/facility/replacement.ts'
import type { Tenant, Tenants } from '../../../src/world/simulation/tenants/tenant.ts'
import { noDefects } from '../../../src/world/simulation/tenants/tenant.ts'

type MutableTenant = { -readonly [Key in keyof Tenant]: Tenant[Key] }
import { stepLength } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import { createOperations } from '../../../src/world/simulation/operations/operations.ts'
import type { Operations } from '../../../src/world/simulation/operations/operations.ts'
import type { WorkOrder } from '../../../src/world/simulation/operations/work-order.ts'
import type { Fault, FaultSpec } from '../../../src/world/simulation/faults/model.ts'
import type {
  DiagnosisRequest,
  IncidentControl,
  IncidentSummary,
} from '../../../src/world/simulation/incidents/model.ts'

/** An incident that tests may change. */
interface OpenIncident extends IncidentSummary {
  confirmed: boolean
  readonly workOrderIds: number[]
}

interface Note {
  readonly incidentId: number
  readonly what: string
  readonly detail: string
  readonly repaired?: readonly number[]
}

/** A world without events except those of the test: with real equipment, faults and work orders. */
export interface QuietWorld {
  readonly state: MutableWorld
  readonly faults: FaultsPart
  readonly work: Operations
  readonly blastRadius: BlastRadius
  readonly incidents: Map<number, OpenIncident>
  /** Overrides the finding of an incident's inspection, by default the fault it was opened for. */
  answerDiagnosis(answer: IncidentControl['diagnose']): void
  /** Requests the diagnosis of an incident, as at its opening. */
  requestDiagnosis(incident: IncidentSummary): void
  /** Progress of work reported by operations on incidents, oldest first. */
  readonly notes: Note[]
  readonly live: number[]
  /** All work orders to date, by id. */
  readonly orders: ReadonlyMap<number, WorkOrder>
  /** Begins a fault and opens an incident for it, as its consequences would. */
  injectFault(order: FaultSpec, band?: Band): { readonly fault: Fault; readonly incident: OpenIncident }
  /** Adds a customer with a unit on the first host. */
  readonly addTenant: (given?: Partial<Tenant>) => MutableTenant
  /** Advances operations by a span of time, calling `each` after each step. */
  run(span: Micros, each?: () => void): void
}

/** Gives power to all devices, as the first step of a world does. */
export function supplyPower({ facility }: Pick<MutableWorld, 'facility'>): void {
  facility.hostPowered.fill(1)
  for (const feeds of [facility.switchFeeds, facility.gatewayFeeds, facility.applianceFeeds]) feeds.fill(2)
}

const tenantsOf = (tenants: Tenant[], byId: Map<number, Tenant>, live: number[]): Tenants => ({
  active: tenants,
  byId,
  version: 0,
  qualityVersion: 0,
  unservedDemand: new Map(),
  reputation: 0.8,
  onHost: (host) => tenants.filter(({ hosts }) => hosts.includes(host)).map(({ id }) => id),
  goLive: (id) => void live.push(id),
})

export function createQuietWorld(seed: bigint, scale: number | ScaleName = 'small'): QuietWorld {
  const incidents = new Map<number, OpenIncident>()
  const tenants: Tenant[] = []
  const byId = new Map<number, Tenant>()
  const live: number[] = []
  const notes: Note[] = []
  const state = createState(seed, scale)
  // Every feed is live, and there are no customers.
  state.facility.feedLive.fill(1)
  state.incidents = incidents
  state.tenants = tenantsOf(tenants, byId, live)
  const blastRadius = createBlastRadius(state)
  const faults = createFaults(state, faultKinds, blastRadius, (target) => replaceDevice(state, target))
  faults.randomFaultRate = 0
  state.faults = faults
  const requests: DiagnosisRequest[] = []
  const control = createIncidentControl(faults, incidents, requests, notes)
  state.incidentControl = control
  const work = createOperations(state, faultKinds)
  state.operations = work
  const orders = new Map<number, WorkOrder>()
  /** Incidents that end with their fault. */
  const broken = new Map<OpenIncident, Fault>()
  return {
    state,
    faults,
    work,
    blastRadius,
    incidents,
    answerDiagnosis(answer) {
      control.diagnose = answer
    },
    requestDiagnosis: ({ id, band, suspect }) => requests.push({ id, band, suspect }),
    notes,
    live,
    orders,
    injectFault(order, band = 'Major') {
      const fault = faults.inject(order)
      const incident = openIncident(fault, broken.size + 1, state.now, band)
      incidents.set(incident.id, incident)
      broken.set(incident, fault)
      requests.push({ id: incident.id, band, suspect: incident.suspect })
      return { fault, incident }
    },
    addTenant(given = {}) {
      const tenant = { ...defaultTenant(tenants.length + 1), ...given }
      tenants.push(tenant)
      byId.set(tenant.id, tenant)
      return tenant
    },
    run(span, each = () => {}) {
      for (const end = state.now + span; state.now < end; ) {
        work.step()
        for (const order of work.dispatcher.open) orders.set(order.id, order)
        each()
        state.now += stepLength
        state.tick++
        for (const [incident, fault] of broken) if (fault.ended !== null) incidents.delete(incident.id)
      }
    },
  }
}

/** A stub of incident response: it knows the cause of each incident, and receives requests from the test. */
const createIncidentControl = (
  faults: FaultsPart,
  incidents: ReadonlyMap<number, OpenIncident>,
  requests: DiagnosisRequest[],
  notes: Note[],
): IncidentControl => ({
  takeDiagnosisRequests: () => requests.splice(0),
  about: () => null,
  attachWorkOrder(incidentId, workOrderId) {
    const ids = incidents.get(incidentId)?.workOrderIds
    if (ids !== undefined && !ids.includes(workOrderId)) ids.push(workOrderId)
  },
  detachWorkOrder(incidentId, workOrderId) {
    const ids = incidents.get(incidentId)?.workOrderIds
    if (ids?.includes(workOrderId)) ids.splice(ids.indexOf(workOrderId), 1)
  },
  diagnoseAgain: (incidentId) => incidents.get(incidentId)?.suspect ?? null,
  symptomOf: () => 'Something fails.',
  noteFinding(incidentId, { kind }, isOrdered) {
    if (!isOrdered) notes.push({ incidentId, what: 'EvidenceFound', detail: kind })
  },
  noteRemedy() {},
  diagnose(id) {
    const fault = faults.active.find(({ incidentId }) => incidentId === id) ?? null
    const incident = incidents.get(id)
    if (fault !== null && incident !== undefined) incident.confirmed = true
    return fault
  },
  noteWork: (incidentId, { repaired }, what, detail) => notes.push({ incidentId, what, detail, repaired }),
})

function openIncident(fault: Fault, id: number, opened: Micros, band: Band): OpenIncident {
  fault.incidentId = id
  return {
    id,
    opened,
    band,
    confirmed: false,
    root: null,
    rootKind: 'Unknown',
    revenueAtRiskPerHour: 0,
    suspect: fault.target,
    zones: [0],
    headline: { args: [], customerId: null },
    workOrderIds: [],
    causes: [],
    quietSince: null,
    impact: { hosts: [], customers: [] },
  }
}

const defaultTenant = (id: number): Tenant => ({
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
  copyGbps: 0,
  starving: 0,
  defects: noDefects,
})
