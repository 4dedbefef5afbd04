import type { ObservedWorld } from '../../state.ts'
import type { Incident, Symptom } from '../model.ts'
import { isCustomerSignal, isHostile, signals } from '../monitors/signals.ts'
import type { BlastRadius } from './blast-radius.ts'
import { canExplain, createSimilarity, similarityMin } from './similarity.ts'
import { isSameSubject } from './subjects.ts'

/** Decides which incident a symptom belongs to, as far as an operator can tell. */
export interface SymptomAssignment {
  /** The incident that a symptom belongs to; null if it is to open its own. */
  incidentFor(symptom: Symptom, incidents: Iterable<Incident>): Incident | null
  /** The incident with a confirmed, active cause that best explains a customer's symptom, by more than `likelihoodMin`. */
  confirmedIncidentFor(
    symptom: Symptom,
    incidents: Iterable<Incident>,
    likelihoodMin?: number,
  ): Incident | null
  /** An incident that explains a customer's symptom better than `current`, to which it is assigned. */
  betterIncidentFor(symptom: Symptom, current: Incident, incidents: Iterable<Incident>): Incident | null
}

/** Symptoms of an incident that a new one is compared with. */
const comparedMax = 40
/** A confirmed cause need not explain as well what remains of another incident. */
const confirmedLikelihoodMin = similarityMin / 2

export function createSymptomAssignment(world: ObservedWorld, blastRadius: BlastRadius): SymptomAssignment {
  const similarity = createSimilarity(world, blastRadius)

  const accepts = (incident: Incident, symptom: Symptom): boolean => {
    const { root } = incident
    if (root !== null && !canExplain(world, blastRadius, root, symptom)) return false
    if (!isHostile(symptom.signal)) return true
    // An attack that begins after the confirmed one has ended is another attack.
    return (root === null || root.ended === null) && mayBeAboutAttack(incident, symptom)
  }
  /**
   * A possible cause joins an incident with other possible causes only if one explains the other, not because both
   * hurt the same customers; a failed part joins other failed parts likewise.
   */
  const similarityTo = (incident: Incident, symptom: Symptom): number => {
    const others = incident.symptoms.values().take(comparedMax).toArray()
    const isComparable =
      [isPartFailure, canBeCause].find((is) => is(symptom) && others.some(is)) ?? (() => true)
    return others
      .filter(isComparable)
      .reduce((highest, other) => Math.max(highest, similarity.between(other, symptom)), 0)
  }
  /** How well the other symptoms of an incident explain a symptom. */
  const explanationIn = (incident: Incident, symptom: Symptom): number =>
    incident.symptoms
      .values()
      .filter(canBeCause)
      .take(comparedMax)
      .reduce((best, cause) => Math.max(best, similarity.explains(cause, symptom)), 0)

  return {
    incidentFor(symptom, incidents) {
      let best: Incident | null = null
      let highest = 0
      for (const incident of incidents) {
        const isAccepted = accepts(incident, symptom)
        if (incident.symptomKeys.has(symptom.key) && (isAccepted || !isHostile(symptom.signal)))
          return incident
        if (!isAccepted) continue
        const isAbout = isPartFailure(symptom) && isAboutSubject(incident, symptom)
        const value = isAbout ? 1 : similarityTo(incident, symptom)
        // Of equals, the latest incident is the likelier cause.
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
      // It does not return to an incident that it left for one that still explains it.
      const hasLeft = ({ id }: Incident): boolean =>
        currentLikelihood > 0 && symptom.leftIncidents.includes(id)
      const isCandidate = (incident: Incident): boolean =>
        incident !== current && !hasLeft(incident) && accepts(incident, symptom)
      const likelihoodMin = Math.max(similarityMin, currentLikelihood)
      return maxBy(incidents, (each) => (isCandidate(each) ? explanationIn(each, symptom) : 0), likelihoodMin)
    },
  }
}

/** Whether what customers feel or felt in an incident is put down to the very thing that shows a symptom now. */
function isAboutSubject({ symptoms, root, suspect, partOfId }: Incident, { subject }: Symptom): boolean {
  if (partOfId !== null || (root !== null && root.ended !== null)) return false
  const about = root?.target ?? suspect
  return about !== null && isSameSubject(about, subject) && !symptoms.values().some(canBeCause)
}

/** The first incident with the highest value above a bound. */
function maxBy(
  incidents: Iterable<Incident>,
  valueOf: (incident: Incident) => number,
  bound: number,
): Incident | null {
  let best: Incident | null = null
  let highest = bound
  for (const incident of incidents) {
    const value = valueOf(incident)
    if (value <= highest) continue
    best = incident
    highest = value
  }
  return best
}

/**
 * Whether an attack may be what an incident is about: its customer is under attack already, or it has no symptom that
 * explains what the customer feels.
 */
const mayBeAboutAttack = ({ symptoms }: Incident, { subject }: Symptom): boolean =>
  symptoms.values().some((other) => isHostile(other.signal) && isSameSubject(other.subject, subject)) ||
  !symptoms.values().some(canBeCause)

const isPartFailure = ({ signal }: Symptom): boolean => signals[signal].isPartFailure
/** Whether a symptom may be the reason that customers suffer. */
export const canBeCause = ({ signal }: Symptom): boolean => signals[signal].harm > 0

/** Whether a symptom is how a customer fares, which any cause may explain. */
export const isCustomerSymptom = ({ signal }: Symptom): boolean =>
  isCustomerSignal(signal) && !isHostile(signal)
