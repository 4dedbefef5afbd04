import type { Micros } from '../time.ts'
import { day, second } from '../time.ts'
import type { IncidentContext } from './context.ts'
import { suspectCauses, suspectLeadingCause, updateConfidence } from './diagnosis/confidence.ts'
import { indexSuspicions } from './diagnosis/suspicion.ts'
import { impactOf, noImpact } from './impact.ts'
import { announceOpened, announceResolved, announceRestored, announceSymptom } from './incident-events.ts'
import type { Incident, Symptom } from './model.ts'
import { touch, writable } from './model.ts'
import type { IncidentsState } from './state.ts'
import { likelyCause, refreshHint, writeFinalHint } from './writers/hint.ts'
import { assessFirst, showPeak } from './writers/severity.ts'
import { addSymptom } from './writers/symptoms.ts'
import { addTimelineEntry } from './writers/timeline.ts'
import { headlineOf, titleByPeak, titleByWorstAffected } from './writers/title.ts'
import { showWorkOrders } from './writers/work.ts'

/** Retention time of resolved incidents, and the bound of their number. */
const resolvedRetention: Micros = day
const resolvedRetainedMax = 500

/** Opens, updates and closes incidents. */
export interface IncidentLifecycle {
  /** Opens an incident for an unassigned symptom. Publish it after all its symptoms have joined. */
  open(symptom: Symptom): Incident
  /** Adds a symptom to an incident; `isNew` for a newly reported symptom. */
  join(incident: Incident, symptom: Symptom, isNew: boolean): void
  /** Assesses and announces a new incident, and requests its diagnosis. */
  publish(incident: Incident): void
  /** Updates the hint, suspect, channel thread and listed work orders. */
  refresh(incident: Incident): void
  /**
   * Closes an incident; from then on its record shows the peak impact. `heirs` names the incidents that received its
   * symptoms.
   */
  close(incident: Incident, heirs: string | null): void
  dropExpired(): void
}

export function createIncidentLifecycle(context: IncidentContext, state: IncidentsState): IncidentLifecycle {
  const { world } = context
  const suspects = indexSuspicions(context.catalog)
  const bias = world.random.stream('incidents.bias')
  return {
    open(symptom) {
      const incident = createIncident(context, ++state.openedCount, symptom)
      state.open.set(incident.id, incident)
      addTimelineEntry(world, incident, 'Opened', incident.headline.text)
      return incident
    },
    join(incident, symptom, isNew) {
      addSymptom(world, incident, symptom)
      if (incident.root === null) suspectCauses(world, suspects, incident, symptom, bias)
      if (isNew) announceSymptom(world, incident, symptom)
      // The next poll assesses both incidents, whose impacts have changed.
      else state.known.fill(-1)
    },
    publish(incident) {
      const { fleetRevenuePerHour, symptoms } = state
      assessFirst(
        world,
        incident,
        impactOf(context, incident.symptoms, fleetRevenuePerHour, symptoms.values()),
      )
      updateConfidence(context, incident)
      refresh(context, state, incident)
      titleByWorstAffected(world, incident)
      world.totals.incidentOpened(incident.band, incident.headline.kind)
      announceOpened(world, incident)
      const { id, band, suspect } = incident
      state.diagnosisRequests.push({ id, band, suspect })
    },
    refresh: (incident) => refresh(context, state, incident),
    close(incident, heirs) {
      writable(incident, 'lifecycle').resolved = world.now
      showPeak(world, incident)
      titleByPeak(world, incident)
      state.open.delete(incident.id)
      state.resolved.push(incident)
      addTimelineEntry(world, incident, 'Resolved', resolutionText(context, incident, heirs))
      writeFinalHint(context, incident)
      for (const [key, subject] of incident.announcedParts)
        if (!state.symptoms.has(key)) announceRestored(world, incident, subject, state.symptoms)
      const seconds = (world.now - incident.opened) / second
      const kind = world.handover === null ? incident.rootKind : 'Unknown'
      world.totals.incidentResolved(incident.peakBand, kind, seconds)
      announceResolved(world, incident)
    },
    dropExpired() {
      const { resolved } = state
      const isExpired = (incident: Incident): boolean => world.now - incident.resolved! > resolvedRetention
      let expired = Math.max(0, resolved.length - resolvedRetainedMax)
      while (expired < resolved.length && isExpired(resolved[expired])) expired++
      if (expired > 0) resolved.splice(0, expired)
    },
  }
}

function createIncident({ world }: IncidentContext, id: number, symptom: Symptom): Incident {
  const headline = headlineOf(world, symptom)
  return {
    id,
    opened: world.now,
    headline,
    peakHeadline: headline,
    formerPeaks: [],
    peakHostCount: 0,
    band: 'Watch',
    confirmed: false,
    rootKind: 'Unknown',
    revenueAtRiskPerHour: 0,
    suspect: null,
    zones: [],
    workOrderIds: [],
    symptoms: new Set(),
    symptomKeys: new Set(),
    causes: [],
    ruledOut: [],
    timeline: [],
    impact: noImpact,
    peakImpact: noImpact,
    peakBand: 'Watch',
    customersNoted: 0,
    symptomsNoted: new Map(),
    bandSeenAt: new Map(),
    isRemedied: false,
    quietSince: null,
    hintTier: 0,
    hint: null,
    root: null,
    explainedBy: null,
    partOfId: null,
    workOrdersShown: 0,
    channelThreadId: null,
    announcedParts: new Map(),
    version: 0,
    lastChanged: world.now,
    resolved: null,
  }
}

function refresh(context: IncidentContext, state: IncidentsState, incident: Incident): void {
  const { world } = context
  refreshHint(context, incident)
  suspectLeadingCause(incident)
  if (incident.channelThreadId === null && incident.band !== 'Watch') {
    writable(incident, 'lifecycle').channelThreadId = ++state.channelThreadCount
    touch(incident, world.now)
  }
  showWorkOrders(world, incident)
}

function resolutionText(context: IncidentContext, incident: Incident, heirs: string | null): string {
  const { root, partOfId } = incident
  if (heirs !== null) return `Resolved: its cause has ended. What remains belongs to ${heirs}.`
  if (root !== null) return 'Resolved: all effects have ended.'
  if (partOfId !== null) return `Resolved as part of incident ${partOfId}.`
  const suspect = likelyCause(context, incident)
  return suspect === null
    ? 'Resolved without a known cause.'
    : `Resolved without a confirmed cause; suspected: ${suspect}.`
}
