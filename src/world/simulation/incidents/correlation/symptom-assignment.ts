import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import type { Incident, Symptom } from '../model.ts'
import { isCustomerSignal, isHostile, signals } from '../monitors/signals.ts'
import type { BlastRadius } from './blast-radius.ts'
import type { Similarity } from './similarity.ts'
import { canExplain, createSimilarity, similarityMin } from './similarity.ts'
import { isSameSubject } from './subjects.ts'

/** Assigns symptoms to incidents, within the knowledge of an operator. */
export interface SymptomAssignment {
  /** Whether a symptom lies on a path from the confirmed cause of an incident. */
  isExplained(symptom: Symptom, incident: Incident): boolean
  /** The incident of a new symptom; null if the symptom needs a new one. */
  incidentFor(symptom: Symptom, incidents: Iterable<Incident>): Incident | null
  /** The incident whose confirmed, active cause best explains a customer symptom, above `likelihoodMin`. */
  confirmedIncidentFor(
    symptom: Symptom,
    incidents: Iterable<Incident>,
    likelihoodMin?: number,
  ): Incident | null
  /** An incident that explains a customer symptom better than its current one. */
  betterIncidentFor(symptom: Symptom, current: Incident, incidents: Iterable<Incident>): Incident | null
}

/** Symptoms of an incident compared with a new one. */
const comparedMax = 40
/** Time after the end of a cause in which its effects begin, and after the first effect in which an attack is noticed. */
const lastEffectsMax: Micros = 3 * minute
const attackNoticedMax: Micros = 2 * minute
/** Lower limit for confirmed causes, which may explain the remaining symptoms of another incident. */
const confirmedLikelihoodMin = similarityMin / 2

export function createSymptomAssignment(world: ObservedWorld, blastRadius: BlastRadius): SymptomAssignment {
  const similarity = createSimilarity(world, blastRadius)

  const accepts = (incident: Incident, symptom: Symptom): boolean => {
    const { root } = incident
    if (root !== null && !canExplain(world, blastRadius, root, symptom)) return false
    if (!isHostile(symptom.signal)) return !isAfterCause(incident, symptom)
    // An attack that begins after the confirmed one has ended is a separate attack.
    return (root === null || root.ended === null) && mayBeAboutAttack(incident, symptom)
  }
  /** Likelihood that the other symptoms of an incident explain a symptom. */
  const explanationIn = (incident: Incident, symptom: Symptom): number =>
    incident.symptoms
      .values()
      .filter(canBeCause)
      .take(comparedMax)
      .reduce((best, cause) => Math.max(best, similarity.explains(cause, symptom)), 0)

  /** Whether units are stranded on another host than one of an incident of parts: their customer does not tie them to it. */
  const areLostElsewhere = (incident: Incident, symptom: Symptom): boolean =>
    symptom.signal === 'customer-stranded' &&
    incident.symptoms.values().some(canBeCause) &&
    explanationIn(incident, symptom) === 0

  return {
    isExplained: (symptom, { root }) => root !== null && canExplain(world, blastRadius, root, symptom),
    incidentFor(symptom, incidents) {
      let best: Incident | null = null
      let highest = 0
      for (const incident of incidents) {
        if (areLostElsewhere(incident, symptom)) continue
        const isAccepted = accepts(incident, symptom)
        if (incident.symptomKeys.has(symptom.key) && (isAccepted || mayReturn(incident, symptom)))
          return incident
        if (!isAccepted) continue
        const isAbout = isPartFailure(symptom) && isAboutSubject(incident, symptom)
        const value = isAbout ? 1 : similarityTo(similarity, incident, symptom)
        // Ties go to the latest incident, the likelier cause.
        if (value >= similarityMin && value >= highest) {
          best = incident
          highest = value
        }
      }
      return best
    },
    confirmedIncidentFor(symptom, incidents, likelihoodMin = confirmedLikelihoodMin) {
      const isCandidate = ({ root }: Incident): boolean =>
        root?.ended === null && canExplain(world, blastRadius, root, symptom)
      return isCustomerSymptom(symptom)
        ? maxBy(incidents, (each) => (isCandidate(each) ? explanationIn(each, symptom) : 0), likelihoodMin)
        : null
    },
    betterIncidentFor(symptom, current, incidents) {
      const currentLikelihood = explanationIn(current, symptom)
      // Prevents oscillation: a symptom does not return to an incident it left while the current one still explains
      // it.
      const hasLeft = ({ id }: Incident): boolean =>
        currentLikelihood > 0 && symptom.leftIncidents.includes(id)
      const isCandidate = (incident: Incident): boolean =>
        incident !== current && !hasLeft(incident) && accepts(incident, symptom)
      const likelihoodMin = Math.max(similarityMin, currentLikelihood)
      return maxBy(incidents, (each) => (isCandidate(each) ? explanationIn(each, symptom) : 0), likelihoodMin)
    },
  }
}

/**
 * A possible cause joins an incident with other possible causes only if one explains the other, not because of
 * common customers; the same holds for failed parts.
 */
function similarityTo({ between }: Similarity, { symptoms }: Incident, symptom: Symptom): number {
  const others = symptoms.values().take(comparedMax).toArray()
  const isComparable = [isPartOrHeat, canBeCause].find((is) => is(symptom) && others.some(is)) ?? (() => true)
  return others.filter(isComparable).reduce((highest, other) => Math.max(highest, between(other, symptom)), 0)
}

/** Whether the customer symptoms of an incident, past or present, are attributed to the subject of a new symptom. */
function isAboutSubject({ symptoms, root, suspect, partOfId }: Incident, { subject }: Symptom): boolean {
  if (partOfId !== null || (root !== null && root.ended !== null)) return false
  const about = root?.target ?? suspect
  return about !== null && isSameSubject(about, subject) && !symptoms.values().some(canBeCause)
}

/** The first incident with the highest value above a bound. */
function maxBy(incidents: Iterable<Incident>, valueOf: (incident: Incident) => number, bound: number) {
  let best: { incident: Incident | null; value: number } = { incident: null, value: bound }
  for (const incident of incidents) {
    const value = valueOf(incident)
    if (value > best.value) best = { incident, value }
  }
  return best.incident
}

/** Whether a customer suffers again after the confirmed cause has ended, and nothing of it is left to explain that. */
const isAfterCause = ({ root, symptoms }: Incident, { subject, since }: Symptom): boolean =>
  subject.kind === 'Customer' &&
  since > (root?.ended ?? Infinity) + lastEffectsMax &&
  !symptoms.values().some(canBeCause)

const mayReturn = (incident: Incident, symptom: Symptom): boolean =>
  !isHostile(symptom.signal) && symptom.signal !== 'customer-stranded' && !isAfterCause(incident, symptom)

/**
 * Whether an attack may explain an incident: the customer is already under attack, or no symptom of the incident
 * explains the customer's, and none is older than the attack.
 */
const mayBeAboutAttack = ({ symptoms }: Incident, { subject, since }: Symptom): boolean =>
  symptoms.values().some((other) => isHostile(other.signal) && isSameSubject(other.subject, subject)) ||
  !symptoms.values().some((other) => canBeCause(other) || other.since < since - attackNoticedMax)

/** The heat of a zone explains hosts that shut down, whichever of them is first. */
const isPartOrHeat = (symptom: Symptom): boolean => isPartFailure(symptom) || symptom.subject.kind === 'Zone'
const isPartFailure = ({ signal }: Symptom): boolean => signals[signal].isPartFailure
/** Whether a symptom may explain customer symptoms. */
export const canBeCause = ({ signal }: Symptom): boolean => signals[signal].harm > 0

/** Whether a symptom describes a customer's service, which any cause may impair. */
export const isCustomerSymptom = ({ signal }: Symptom): boolean =>
  isCustomerSignal(signal) && !isHostile(signal)
