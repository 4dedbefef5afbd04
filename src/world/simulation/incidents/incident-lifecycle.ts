import { day, type Micros, second } from '../time.ts'
import { nameOf } from '../topology/entities.ts'
import type { IncidentContext } from './context.ts'
import { zonesOfSubject } from './correlation/subjects.ts'
import { leadingCause, suspectCauses, updateConfidence } from './diagnosis/confidence.ts'
import { indexSuspicions } from './diagnosis/suspicion.ts'
import { hintFor, hintTierAt, hintWithoutSuspect } from './hints.ts'
import { impactOf, noImpact } from './impact.ts'
import { announceOpened, announceResolved, announceSymptom } from './incident-events.ts'
import { type Incident, type Symptom, touch } from './model.ts'
import type { IncidentsState } from './state.ts'
import { addTimelineEntry } from './timeline.ts'
import { headlineOf, titleByWorstHit } from './correlation/incident-title.ts'
import { causeNoun, causeWording, symptomWording } from './wording.ts'

/** Resolved incidents are kept for this long, and longer while they are fewer than this. */
const resolvedRetention: Micros = day
export const resolvedRetainedMax = 500
/** Symptoms of a signal for which a timeline has an entry of their own. */
const symptomEntriesMax = 3
const finalHintTier = 3
/** How entries about returning symptoms begin, and how many a timeline has. */
const seenAgain = 'Seen again: '
const returnEntriesMax = 6

/** Opens incidents, gives them symptoms, keeps them up to date and closes them. */
export interface IncidentLifecycle {
  /** Opens an incident for a symptom that belongs to no other. It is to be published once its symptoms have joined. */
  open(symptom: Symptom): Incident
  /** Adds a symptom to an incident; `isNew` if it has just been reported. */
  join(incident: Incident, symptom: Symptom, isNew: boolean): void
  /** Assesses a new incident, announces it and requests its diagnosis. */
  publish(incident: Incident): void
  /** Brings hint, suspect, channel thread and shown work orders up to date. */
  refresh(incident: Incident): void
  /** Closes an incident; its record shows its impact at its peak from then on. `hasHeirs` if other incidents got its symptoms. */
  close(incident: Incident, hasHeirs: boolean): void
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
      symptom.incidentId = incident.id
      incident.partOfId = null
      const isKnown = incident.symptomKeys.has(symptom.key)
      if (isKnown && incident.symptoms.size === 0) noteReturn(context, incident, symptom)
      else if (!isKnown && incident.symptomKeys.size > 0) noteSymptom(context, incident, symptom)
      incident.symptoms.add(symptom)
      incident.symptomKeys.add(symptom.key)
      incident.quietSince = null
      if (incident.root === null) suspectCauses(world, suspects, incident, symptom, bias)
      addZones(incident, zonesOfSubject(world, symptom.subject))
      if (isNew) announceSymptom(world, incident, symptom)
      touch(incident, world.now)
    },
    publish(incident) {
      titleByWorstHit(world, incident)
      assess(context, state, incident)
      updateConfidence(context, incident)
      refresh(context, state, incident)
      world.totals.incidentOpened(incident.band, incident.headline.kind)
      announceOpened(world, incident)
      const { id, band, suspect } = incident
      state.diagnosisRequests.push({ id, band, suspect })
    },
    refresh: (incident) => refresh(context, state, incident),
    close(incident, hasHeirs) {
      incident.resolved = world.now
      incident.impact = incident.peakImpact
      incident.band = incident.peakBand
      state.open.delete(incident.id)
      state.resolved.push(incident)
      addTimelineEntry(world, incident, 'Resolved', resolutionText(context, incident, hasHeirs))
      incident.hint = finalHint(context, incident)
      const seconds = (world.now - incident.opened) / second
      world.totals.incidentResolved(incident.peakBand, incident.rootKind, seconds)
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
  return {
    id,
    opened: world.now,
    headline: headlineOf(world, symptom),
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
    hintVersion: -1,
    root: null,
    explainedBy: null,
    partOfId: null,
    workOrdersShown: 0,
    channelThreadId: null,
    announcedParts: new Set(),
    version: 0,
    lastChanged: world.now,
    resolved: null,
  }
}

function addZones(incident: Incident, zones: readonly number[]): void {
  const added = zones.filter((zone) => !incident.zones.includes(zone))
  if (added.length > 0) incident.zones = [...incident.zones, ...added].toSorted((a, b) => a - b)
}

/** Adds a symptom to the timeline: the first few of a signal one by one, then once that there are more. */
function noteSymptom({ world }: IncidentContext, incident: Incident, symptom: Symptom): void {
  const count = (incident.symptomsNoted.get(symptom.signal) ?? 0) + 1
  incident.symptomsNoted.set(symptom.signal, count)
  if (count > symptomEntriesMax + 1) return
  const { text } = symptomWording(world, symptom)
  const detail = count > symptomEntriesMax ? `${text} More of the same follow.` : text
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

/** Adds to the timeline that a symptom is back, as often as that is worth a line. */
function noteReturn({ world }: IncidentContext, incident: Incident, symptom: Symptom): void {
  const returns = incident.timeline.filter(({ detail }) => detail.startsWith(seenAgain)).length
  if (returns >= returnEntriesMax) return
  const { text } = symptomWording(world, symptom)
  const isLast = returns === returnEntriesMax - 1
  const detail = `${seenAgain}${text}${isLast ? ' It comes and goes.' : ''}`
  addTimelineEntry(world, incident, 'SymptomSeen', detail)
}

function assess(context: IncidentContext, state: IncidentsState, incident: Incident): void {
  const impact = impactOf(context, incident.symptoms, state.fleetRevenuePerHour)
  incident.impact = impact
  incident.peakImpact = impact
  incident.band = impact.band
  incident.peakBand = impact.band
  incident.bandSeenAt.set(impact.band, context.world.now)
  incident.customersNoted = impact.customers.length
  incident.revenueAtRiskPerHour = impact.revenueAtRiskPerHour
}

function refresh(context: IncidentContext, state: IncidentsState, incident: Incident): void {
  const { now } = context.world
  refreshHint(context, incident)
  incident.suspect = leadingCause(incident)?.target ?? null
  if (incident.channelThreadId === null && incident.band !== 'Watch') {
    incident.channelThreadId = ++state.channelThreadCount
    touch(incident, now)
  }
  if (incident.workOrderIds.length !== incident.workOrdersShown) {
    incident.workOrdersShown = incident.workOrderIds.length
    touch(incident, now)
  }
}

function refreshHint(context: IncidentContext, incident: Incident): void {
  const { now } = context.world
  const tier = incident.root === null ? hintTierAt(now - incident.opened) : finalHintTier
  if (tier === incident.hintTier && incident.version === incident.hintVersion) return
  const hint = hintOf(context, incident, tier)
  if (tier !== incident.hintTier || hint !== incident.hint) touch(incident, now)
  incident.hintTier = tier
  incident.hint = hint
  incident.hintVersion = incident.version
}

function hintOf(context: IncidentContext, incident: Incident, tier: number): string | null {
  const cause = leadingCause(incident)
  if (cause === null) return hintWithoutSuspect(tier)
  const claim = causeWording(context, cause.kind, cause.target).text
  if (incident.root !== null) return `Cause known: ${claim} See the work orders for progress.`
  return hintFor(tier, context.catalog[cause.kind], nameOf(context.world, cause.target), claim)
}

/** The hint of a resolved incident: nothing is left to look at. */
function finalHint(context: IncidentContext, incident: Incident): string {
  const { root, partOfId } = incident
  if (root !== null) return `Resolved. Cause: ${causeNoun(context, root.kind, root.target)}.`
  if (partOfId !== null) return `Resolved. It was part of incident ${partOfId}.`
  const suspect = likelyCause(context, incident)
  return suspect === null ? 'Resolved. The cause was not found.' : `Resolved. Suspected cause: ${suspect}.`
}

function resolutionText(context: IncidentContext, incident: Incident, hasHeirs: boolean): string {
  const { root, partOfId } = incident
  if (root !== null) return hasHeirs ? 'Resolved: its cause has ended.' : 'Resolved: all effects have ended.'
  if (partOfId !== null) return `Resolved as part of incident ${partOfId}.`
  const suspect = likelyCause(context, incident)
  return suspect === null
    ? 'Resolved without a known cause.'
    : `Resolved without a confirmed cause; suspected: ${suspect}.`
}

/** The cause that is likelier than all others together; null if there is none. */
function likelyCause(context: IncidentContext, incident: Incident): string | null {
  const cause = leadingCause(incident)
  return cause === null || cause.confidence <= 50 ? null : causeNoun(context, cause.kind, cause.target)
}
