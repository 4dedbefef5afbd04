import type { Incident, Symptom } from '../model.ts'
import type { IncidentContext } from '../context.ts'
import { findingsOf, noteExplanation } from '../diagnosis/confidence.ts'
import { inheritAnnouncements } from '../incident-events.ts'
import type { IncidentLifecycle } from '../incident-lifecycle.ts'
import type { IncidentsState } from '../state.ts'
import { isOfLostHosts } from '../monitors/signals.ts'
import { subjectName } from '../wording.ts'
import { dropImpactOn } from '../writers/severity.ts'
import { markPartOf, moveSymptom, takeSymptoms } from '../writers/symptoms.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { coincidenceMax } from './similarity.ts'
import { zonesOfSubject } from './subjects.ts'
import type { SymptomAssignment } from './symptom-assignment.ts'
import { canBeCause, createSymptomAssignment, isCustomerSymptom } from './symptom-assignment.ts'

/**
 * Symptoms of one signal in one zone that are correlated individually per poll; the rest join the incident of the
 * last one.
 */
const correlatedMax = 12
/** Symptoms reassessed per poll; the others wait for the next poll. */
const reassessedMax = 40
/**
 * Bound of an incident's symptoms for which other incidents are considered, and the minimum likelihood of such an
 * explanation.
 */
const explainedSymptomsMax = 12
const explanationLikelihoodMin = 0.1

/** Groups symptoms into incidents. */
export interface Correlator {
  /** Assigns each newly reported symptom to an incident, or opens one. */
  assign(symptoms: readonly Symptom[]): void
  /**
   * Moves the symptoms of an incident whose cause has ended to other incidents, or to a new one; returns the
   * recipients.
   */
  split(incident: Incident): Incident[]
  /** Moves the symptoms of an incident that lie on a path from the confirmed cause of another; returns whether any do. */
  merge(from: Incident, into: Incident): boolean
  /** Moves the present symptoms of an incident that its confirmed cause does not explain to others, or to a new one. */
  separate(incident: Incident): void
  /** Records a confirmed incident as a possible explanation of customer symptoms in an otherwise unexplained one. */
  seekExplanation(incident: Incident): void
}

/** The shared context of the functions below. */
interface Correlation extends Pick<IncidentContext, 'world'> {
  readonly open: IncidentsState['open']
  readonly toReassess: IncidentsState['toReassess']
  readonly lifecycle: IncidentLifecycle
  readonly assignment: SymptomAssignment
}

export function createCorrelator(
  { world, blastRadius }: IncidentContext,
  { open, toReassess }: IncidentsState,
  lifecycle: IncidentLifecycle,
): Correlator {
  const assignment = createSymptomAssignment(world, blastRadius)
  const correlation: Correlation = { world, open, toReassess, lifecycle, assignment }
  return {
    assign(symptoms) {
      markForReassessment(correlation, symptoms)
      const opened = assign(correlation, symptoms)
      reassess(correlation)
      // An incident is announced as it is once the symptoms of the poll have found their places.
      for (const incident of opened)
        if (incident.symptoms.size > 0) lifecycle.publish(incident)
        else open.delete(incident.id)
    },
    split: (incident) => split(correlation, incident),
    merge(from, into) {
      const explained = [...from.symptoms].filter((symptom) => assignment.isExplained(symptom, into))
      const wasExplained = from.symptoms.size === 0 && from.explainedBy?.incidentId === into.id
      if (explained.length === 0 && !wasExplained) return false
      for (const symptom of explained) {
        moveSymptom(from, symptom)
        lifecycle.join(into, symptom, false)
      }
      if (from.symptoms.size > 0) return true
      for (const finding of findingsOf(from, into.root))
        addTimelineEntry(world, into, 'EvidenceFound', `Found in incident ${from.id}: ${finding}`)
      markPartOf(world, from, into.id)
      addTimelineEntry(world, from, 'EvidenceFound', `Same cause as incident ${into.id}; continued there.`)
      return true
    },
    separate: (incident) => separate(correlation, incident),
    seekExplanation(incident) {
      if (incident.symptoms.values().some(canBeCause)) return
      // Lost hosts may explain the customer's other symptoms.
      const lost = [...incident.symptoms].filter(({ signal }) => isOfLostHosts(signal))
      const unexplained = lost.length > 0 ? lost : [...incident.symptoms]
      for (const symptom of unexplained.slice(0, explainedSymptomsMax)) {
        const other = assignment.confirmedIncidentFor(symptom, open.values(), explanationLikelihoodMin)
        if (other === null || other.root === null) continue
        noteExplanation(incident, other.id, other.root)
        return
      }
    },
  }
}

function separate(correlation: Correlation, incident: Incident): void {
  const { world, open, lifecycle, assignment } = correlation
  const isForeign = (symptom: Symptom): boolean =>
    symptom.lastSeen === world.now && !assignment.isExplained(symptom, incident)
  let opened: Incident | null = null
  for (const symptom of [...incident.symptoms].filter(isForeign)) {
    const former = symptom.leftIncidents.map((id) => open.get(id)).find((each) => each?.root === null)
    moveSymptom(incident, symptom)
    let heir = former ?? assignment.incidentFor(symptom, open.values())
    if (heir === null) opened = heir = lifecycle.open(symptom)
    lifecycle.join(heir, symptom, false)
  }
  if (opened !== null) lifecycle.publish(opened)
}

/** Marks customer symptoms for reassessment where a newly reported symptom may explain them. */
function markForReassessment({ world, open, toReassess }: Correlation, symptoms: readonly Symptom[]): void {
  const hasNewCause = symptoms.some(canBeCause)
  if (open.size + (hasNewCause ? 1 : 0) < 2) return
  for (const incident of open.values()) {
    for (const symptom of incident.symptoms) {
      const age = world.now - symptom.worsenedAt
      if (isCustomerSymptom(symptom) && (age === 0 || (hasNewCause && age <= coincidenceMax)))
        toReassess.add(symptom)
    }
  }
}

function assign(
  { world, open, toReassess, lifecycle, assignment }: Correlation,
  symptoms: readonly Symptom[],
): Incident[] {
  const opened: Incident[] = []
  const groups = new Map<string, { count: number; last: Incident }>()
  for (const symptom of symptoms) {
    const key = `${symptom.signal} ${zonesOfSubject(world, symptom.subject).join()}`
    const group = groups.get(key)
    let incident =
      group !== undefined && group.count >= correlatedMax
        ? group.last
        : assignment.incidentFor(symptom, open.values())
    if (incident === null) {
      incident = lifecycle.open(symptom)
      opened.push(incident)
    } else if (isCustomerSymptom(symptom))
      incident = assignment.betterIncidentFor(symptom, incident, open.values()) ?? incident
    groups.set(key, { count: (group?.count ?? 0) + 1, last: incident })
    lifecycle.join(incident, symptom, true)
    if (isCustomerSymptom(symptom) && open.size > 1) toReassess.add(symptom)
  }
  return opened
}

/** Moves customer symptoms to the incident that now explains them best. */
function reassess({ world, open, toReassess, lifecycle, assignment }: Correlation): void {
  const moves = new Map<string, Move>()
  for (const symptom of toReassess.values().take(reassessedMax).toArray()) {
    toReassess.delete(symptom)
    const from = open.get(symptom.incidentId ?? -1)
    if (from === undefined || !from.symptoms.has(symptom)) continue
    const to = assignment.betterIncidentFor(symptom, from, open.values())
    if (to === null) continue
    moveSymptom(from, symptom)
    if (world.now - symptom.since <= coincidenceMax) dropImpactOn(from, symptom)
    lifecycle.join(to, symptom, false)
    const key = `${from.id} ${to.id}`
    const move = moves.get(key)
    if (move !== undefined) move.customers++
    else moves.set(key, { from, to, customers: 1, firstName: subjectName(world, symptom.subject) })
  }
  for (const { from, to, customers, firstName } of moves.values()) {
    const who = customers === 1 ? firstName : `${firstName} and others`
    addTimelineEntry(
      world,
      from,
      'EvidenceFound',
      `The impact on ${who} is now attributed to incident ${to.id}.`,
    )
    if (from.symptoms.size === 0 && from.root === null) markPartOf(world, from, to.id)
  }
}

function split({ world, open, lifecycle, assignment }: Correlation, incident: Incident): Incident[] {
  const heirs = new Set<Incident>()
  let opened: Incident | null = null
  for (const symptom of takeSymptoms(incident)) {
    // The remaining cause may have begun at any time.
    symptom.worsenedAt = world.now
    let heir: Incident | null =
      assignment.incidentFor(symptom, open.values()) ??
      assignment.confirmedIncidentFor(symptom, open.values()) ??
      opened
    if (heir === null) {
      heir = opened = lifecycle.open(symptom)
      inheritAnnouncements(heir, incident)
    }
    heirs.add(heir)
    lifecycle.join(heir, symptom, false)
  }
  if (opened !== null) lifecycle.publish(opened)
  return [...heirs]
}

/** Symptoms moved from one incident to another in one poll. */
interface Move {
  readonly from: Incident
  readonly to: Incident
  customers: number
  readonly firstName: string
}
