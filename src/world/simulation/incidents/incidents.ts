import { noVersions, takeVersions } from '../part.ts'
import { isDue, schedule } from '../schedule.ts'
import type { ObservedWorld } from '../state.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import type { IncidentContext } from './context.ts'
import type { BlastRadius } from './correlation/blast-radius.ts'
import { createCorrelator } from './correlation/correlator.ts'
import type { CauseCatalog, Telemetry } from './diagnosis/cause-diagnosis.ts'
import type { FaultInspector } from './diagnosis/inspection.ts'
import { diagnoseAgain, incidentAbout, noteFinding, symptomText } from './diagnosis/further-diagnosis.ts'
import { fleetRevenueOf } from './impact.ts'
import { createIncidentLifecycle } from './incident-lifecycle.ts'
import type { Incident, IncidentControl, IncidentSummary } from './model.ts'
import { createCustomerMonitor, createCustomerMonitorState } from './monitors/customers.ts'
import type { CustomerMonitor } from './monitors/customers.ts'
import { watchFacility, watchHosts, watchNetworkDevices } from './monitors/devices.ts'
import { createLinkMonitor, createLinkMonitorState } from './monitors/links.ts'
import type { LinkMonitor } from './monitors/links.ts'
import { createSymptomTracker } from './monitors/symptom-tracker.ts'
import type { SymptomTracker } from './monitors/symptom-tracker.ts'
import type { Response } from './response.ts'
import { clearSymptom, inspectIncident, reviewIncident } from './response.ts'
import type { IncidentsState } from './state.ts'
import { addTimelineEntry } from './writers/timeline.ts'
import { addWorkOrder, markRemedied, removeWorkOrder } from './writers/work.ts'

/** Monitoring reports no symptoms during this time. */
const startupTime: Micros = 2 * minute
export interface Incidents extends IncidentControl {
  readonly state: IncidentsState
  /** Open incidents by id. */
  readonly view: ReadonlyMap<number, IncidentSummary>
  readonly context: IncidentContext
  step(): void
}

interface IncidentPorts {
  readonly blastRadius: BlastRadius
  readonly catalog: CauseCatalog
  readonly inspector: FaultInspector
}

const createIncidentsState = (world: ObservedWorld): IncidentsState => ({
  startupEnds: world.now + startupTime,
  symptoms: new Map(),
  open: new Map(),
  resolved: [],
  openedCount: 0,
  known: noVersions(),
  polled: -1,
  channelThreadCount: 0,
  fleetRevenuePerHour: 0,
  toReassess: new Set(),
  diagnosisRequests: [],
  customerMonitor: createCustomerMonitorState(),
  linkMonitor: createLinkMonitorState(world),
})

const telemetryOf = (links: LinkMonitor, customers: CustomerMonitor): Telemetry => ({
  demandRatio: (customerId) => customers.demandRatio(customerId),
  recentFlaps: (port) => links.recentFlaps(port),
})

/** Monitors the world, and detects, correlates, diagnoses and closes incidents, as operators would. */
export function createIncidents(world: ObservedWorld, ports: IncidentPorts): Incidents {
  const state = createIncidentsState(world)
  const tracker = createSymptomTracker(state.symptoms)
  const links = createLinkMonitor(world, state.linkMonitor)
  const customers = createCustomerMonitor(world, state.customerMonitor)
  const context = { ...ports, world, telemetry: telemetryOf(links, customers) }
  const lifecycle = createIncidentLifecycle(context, state)
  const correlator = createCorrelator(context, state, lifecycle)
  const response: Response = { context, state, lifecycle, correlator }
  return {
    state,
    view: state.open,
    context,
    step() {
      if (!isDue(schedule.symptomPoll, world.tick) || world.now < state.startupEnds) return
      const { polled } = state
      let hasNews = poll(context, state, { tracker, links, customers })
      const reported = tracker.settle(world.now, (symptom) => {
        hasNews = true
        clearSymptom(response, symptom)
      })
      if (reported.length > 0 || state.toReassess.size > 0) hasNews = true
      lifecycle.dropExpired()
      if (hasNews) {
        state.fleetRevenuePerHour = fleetRevenueOf(world)
        correlator.assign(reported)
      }
      // A copy: reviews may close and open incidents.
      for (const incident of Array.from(state.open.values()))
        reviewIncident(response, incident, hasNews ? null : polled)
      if (hasNews) ports.inspector.attribute(state.open)
    },
    takeDiagnosisRequests: () => state.diagnosisRequests.splice(0),
    diagnoseAgain(incidentId) {
      const incident = state.open.get(incidentId)
      return incident === undefined ? null : diagnoseAgain(world, incident)
    },
    symptomOf: (incidentId, suspect) => symptomText(world, state.open.get(incidentId)!, suspect),
    about: (target) => incidentAbout(state.open.values(), target),
    noteFinding(incidentId, fault, isOrdered) {
      const incident = state.open.get(incidentId)
      if (incident !== undefined) noteFinding(context, incident, fault, isOrdered)
    },
    attachWorkOrder(incidentId, workOrderId) {
      const incident = state.open.get(incidentId)
      if (incident !== undefined) addWorkOrder(incident, workOrderId)
    },
    detachWorkOrder(incidentId, workOrderId) {
      const incident = state.open.get(incidentId) ?? state.resolved.find(({ id }) => id === incidentId)
      if (incident !== undefined) removeWorkOrder(world, incident, workOrderId)
    },
    noteRemedy(incidentId) {
      const incident = state.open.get(incidentId)
      if (incident !== undefined) markRemedied(incident)
    },
    diagnose(incidentId, from) {
      const incident = state.open.get(incidentId)
      return incident === undefined ? null : (incident.root ?? inspectIncident(response, incident, from))
    },
    noteWork(incidentId, { id, repaired }, progress, detail) {
      const incident = state.open.get(incidentId) ?? resolvedNow(state, incidentId, world.now)
      if (incident === undefined) return
      addWorkOrder(incident, id)
      addTimelineEntry(world, incident, progress, detail, repaired)
    },
  }
}

/** The timeline of an incident that is resolved now ends with the work that its end calls off. */
const resolvedNow = ({ resolved }: IncidentsState, id: number, now: Micros): Incident | undefined =>
  resolved.findLast((incident) => incident.id === id && incident.resolved === now)

interface Monitors {
  readonly tracker: SymptomTracker
  readonly links: LinkMonitor
  readonly customers: CustomerMonitor
}

/** Polls where something may have changed; elsewhere monitors would see the same again. Returns whether they polled. */
function poll(
  { world, blastRadius }: IncidentContext,
  state: IncidentsState,
  { tracker, links, customers }: Monitors,
): boolean {
  const { network, facility, tenants } = world
  const hasNews = takeVersions(
    state.known,
    network.flowVersion,
    facility.version + facility.warningVersion,
    tenants.qualityVersion,
  )
  const isPolling = hasNews || links.isFlapping()
  customers.followDemand()
  if (isPolling) {
    watchFacility(world, tracker)
    watchHosts(world, tracker, blastRadius)
    watchNetworkDevices(world, tracker)
    links.watch(tracker)
    customers.watch(tracker)
  } else tracker.repeat(state.polled, world.now)
  state.polled = world.now
  return isPolling
}
