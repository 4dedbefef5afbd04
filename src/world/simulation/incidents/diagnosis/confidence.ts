import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { minute } from '../../time.ts'
import { sameTarget, targetKey } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import type { IncidentContext } from '../context.ts'
import type { Cause, Incident, Observation, RootCause, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { causeNoun, causeWording } from '../wording.ts'
import type { SuspectsBySignal } from './suspicion.ts'
import { suspectsOf } from './suspicion.ts'

/** How confidence in the causes of an incident moves: by experience first, then by evidence as it arrives. */

const causesMax = 12
const customerCausesMax = 4
const ruledOutMax = 60
/** Symptoms of an incident after which a further one suggests no new cause. */
const suggestiveSymptomsMax = 60
/** Share of its weight by which each further symptom raises a cause's prior, and the prior it raises it to. */
const corroborationShare = 0.35
const priorMax = 1.2
/** Experience is wrong by up to this much either way. */
const biasMin = 0.55
const biasMax = 1.45
/** Weight of all causes that are not suspected, relative to the likeliest one that is. */
const unsuspectedWeight = 0.12
const confidenceMax = 95
/** A cause below this confidence is ruled out if a check with this likelihood speaks against it. */
const ruledOutConfidenceMax = 3
const contradictingLikelihoodMax = 0.3
/** The likelihood from which an observation plainly supports its cause. */
const supportingLikelihoodMin = 3
/** Plain evidence counts for this long after it has passed; that of a shortage until customers have recovered. */
const evidenceRetention: Micros = 15 * minute
const shortageRetention: Micros = 4 * minute
/** Confidence from which a cause that passed without an inspection counts as confirmed. */
const evidentConfidenceMin = 30

const isSupporting = ({ likelihood }: Observation): boolean => likelihood >= supportingLikelihoodMin

export const isAbout = (
  cause: { kind: CauseKind; target: FaultTarget },
  kind: CauseKind,
  target: FaultTarget,
): boolean => cause.kind === kind && sameTarget(cause.target, target)

export const findCause = (incident: Incident, kind: CauseKind, target: FaultTarget): Cause | undefined =>
  incident.causes.find((cause) => isAbout(cause, kind, target))

const fieldsOf = (incident: Incident) => writable(incident, 'causes')

/** Adds the causes that a symptom suggests, or raises their priors. */
export function suspectCauses(
  world: ObservedWorld,
  suspects: SuspectsBySignal,
  incident: Incident,
  { signal, subject }: Pick<Symptom, 'signal' | 'subject'>,
  bias: RandomStream,
): void {
  if (incident.symptoms.size > suggestiveSymptomsMax) return
  for (const { kind, target, weight } of suspectsOf(world, suspects, signal, subject)) {
    const prior = weight * bias.uniform(biasMin, biasMax)
    const cause = findCause(incident, kind, target)
    if (cause !== undefined) cause.prior = Math.min(priorMax, cause.prior + corroborationShare * prior)
    else if (canAdd(incident, kind, target, prior)) {
      fieldsOf(incident).causes.push({
        kind,
        target,
        prior,
        suspectedAt: world.now,
        observations: [],
        isNoted: false,
        supportedAt: -Infinity,
        confidence: 0,
        confirmed: false,
        cleared: false,
      })
      touch(incident, world.now)
    }
  }
}

function canAdd(incident: Incident, kind: CauseKind, target: FaultTarget, prior: number): boolean {
  if (incident.ruledOut.some((cause) => isAbout(cause, kind, target))) return false
  if (target.kind === 'Customer' && hasManyCustomerCauses(incident)) return false
  return incident.causes.length < causesMax || displaceWeakest(incident, prior)
}

/** When several customers suffer, what they share is likelier than a cause at one more of them. */
const hasManyCustomerCauses = ({ causes }: Incident): boolean =>
  causes.filter(({ target, cleared }) => target.kind === 'Customer' && !cleared).length >= customerCausesMax

/** Removes the weakest cause if it is weaker than a new one; returns whether it did. */
function displaceWeakest(incident: Incident, prior: number): boolean {
  const { causes, ruledOut } = fieldsOf(incident)
  const strength = ({ cleared, prior, confidence }: Cause): number => (cleared ? 0 : prior * (1 + confidence))
  const weakest = causes.reduce((least, cause) => (strength(cause) < strength(least) ? cause : least))
  if (!weakest.cleared && weakest.prior >= prior) return false
  causes.splice(causes.indexOf(weakest), 1)
  if (weakest.cleared && ruledOut.length < ruledOutMax) {
    const { kind, target } = weakest
    ruledOut.push({ kind, target })
  }
  return true
}

/** Takes the readings that are due, weighs the causes by them and rules out those that they contradict. */
export function updateConfidence(context: IncidentContext, incident: Incident): void {
  const { now } = context.world
  const { causes } = incident
  const weights = causes.map((cause) => (cause.cleared ? 0 : weigh(context, incident, cause)))
  const priorOfLikeliest = causes.reduce((highest, { prior }) => Math.max(highest, prior), 0)
  const sum = weights.reduce((total, weight) => total + weight, unsuspectedWeight * priorOfLikeliest)
  causes.forEach((cause, index) => {
    if (cause.cleared) return
    const confidence = sum > 0 ? Math.min(confidenceMax, Math.round((100 * weights[index]) / sum)) : 0
    if (confidence !== cause.confidence) touch(incident, now)
    cause.confidence = confidence
    const isContradicted = cause.observations.some(
      ({ likelihood }) => likelihood < contradictingLikelihoodMax,
    )
    if (isContradicted && confidence < ruledOutConfidenceMax) ruleOut(context, incident, cause)
  })
  fieldsOf(incident).causes = causes.toSorted(byConfidence)
}

function weigh(context: IncidentContext, incident: Incident, cause: Cause): number {
  const { world } = context
  const observations = currentEvidence(context, incident, cause)
  const isChanged =
    observations.length !== cause.observations.length ||
    observations.some(({ value }, index) => value !== cause.observations[index].value)
  if (isChanged) {
    cause.observations = observations
    touch(incident, world.now)
  }
  const evidence = observations.find(isSupporting)
  if (evidence !== undefined && !cause.isNoted) {
    cause.isNoted = true
    const detail = `${withoutMarkup(evidence.label)}: ${withoutMarkup(evidence.value)}.`
    addTimelineEntry(world, incident, 'EvidenceFound', detail)
  }
  return observations.reduce((weight, { likelihood }) => weight * likelihood, cause.prior)
}

export const withoutMarkup = (text: string): string => text.replaceAll('**', '')

/** The readings about a suspected cause that are due `age` after the suspicion. */
export const observe = (
  { world, catalog, telemetry }: Pick<IncidentContext, 'world' | 'catalog' | 'telemetry'>,
  kind: CauseKind,
  target: FaultTarget,
  age: Micros,
): Observation[] =>
  catalog[kind].checks
    .filter(({ delay }) => age >= delay)
    .map((check) => check.observe(world, target, telemetry))

/** Readings of a cause now, or those of when they last supported it. */
function currentEvidence(
  context: IncidentContext,
  { symptoms }: Incident,
  cause: Cause,
): readonly Observation[] {
  const { now } = context.world
  const { isShortage } = context.catalog[cause.kind]
  // What shows once customers have recovered does not say why they suffered.
  if (isShortage && symptoms.size === 0) return cause.observations
  const observations = observe(context, cause.kind, cause.target, now - cause.suspectedAt)
  if (observations.some(isSupporting)) cause.supportedAt = now
  const retention = isShortage ? shortageRetention : evidenceRetention
  const isRetained = now - cause.supportedAt < retention && cause.supportedAt !== now
  return isRetained ? cause.observations : observations
}

/**
 * The ended fault that an incident evidently came from although no inspection confirmed it: the one that its evidence
 * shows, or else the last that was repaired. `ended` are the ended faults attributed to it. Null if there is none.
 */
export function evidentRootCause(
  { catalog }: Pick<IncidentContext, 'catalog'>,
  incident: Incident,
  ended: readonly RootCause[],
): RootCause | null {
  const evident = incident.causes
    .filter(isEvident)
    .map(({ kind, target }) => ended.findLast((fault) => isAbout(fault, kind, target)))
    .find((fault) => fault !== undefined)
  const isRepaired = ({ kind, endsBy, ended }: RootCause): boolean =>
    !catalog[kind].isShortage && ended !== null && (endsBy === null || ended < endsBy)
  return evident ?? ended.findLast(isRepaired) ?? null
}

/** The latest of other incidents with a confirmed cause that the evidence of an incident shows as well; null if there is none. */
export function incidentOfEvidentCause(incident: Incident, others: readonly Incident[]): number | null {
  const evident = incident.causes.filter(isEvident)
  const explains = ({ id, root }: Incident): boolean =>
    id !== incident.id &&
    root !== null &&
    (root.ended === null || root.ended >= incident.opened) &&
    evident.some((cause) => isAbout(cause, root.kind, root.target))
  return others.filter(explains).reduce<number | null>((latest, { id }) => Math.max(latest ?? 0, id), null)
}

/** Whether evidence has shown a cause that was not ruled out since. */
const isEvident = ({ cleared, isNoted, confidence }: Cause): boolean =>
  isNoted && !cleared && confidence >= evidentConfidenceMin

export function ruleOut(
  context: Pick<IncidentContext, 'world' | 'catalog'>,
  incident: Incident,
  cause: Cause,
): void {
  cause.cleared = true
  cause.confidence = 0
  const noun = causeNoun(context, cause.kind, cause.target)
  addTimelineEntry(context.world, incident, 'CauseCleared', `Ruled out: ${noun}.`)
}

/** Confirmed first, then by confidence; those ruled out come last. */
const byConfidence = (a: Cause, b: Cause): number =>
  Number(b.confirmed) - Number(a.confirmed) ||
  b.confidence - a.confidence ||
  Number(a.cleared) - Number(b.cleared) ||
  (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : targetKey(a.target) - targetKey(b.target))

/** The most likely cause; null if there is no suspect. */
export function leadingCause({ causes }: Incident): Cause | null {
  const [first] = causes
  return first === undefined || first.cleared ? null : first
}

/** Operators look first at the target of the leading cause. */
export function suspectLeadingCause(incident: Incident): void {
  fieldsOf(incident).suspect = leadingCause(incident)?.target ?? null
}

/** Remembers a confirmed incident that may explain what customers feel in another. */
export function noteExplanation(incident: Incident, incidentId: number, root: RootCause): void {
  fieldsOf(incident).explainedBy = { incidentId, root }
}

/** Makes a root cause the confirmed cause of an incident, with its evidence, and rules out all others. */
export function confirmCause(context: IncidentContext, incident: Incident, root: RootCause): void {
  const { world } = context
  const { kind, target } = root
  for (const cause of incident.causes) {
    cause.confirmed = isAbout(cause, kind, target)
    cause.cleared = !cause.confirmed && !isObservedAttack(cause)
    cause.confidence = cause.confirmed ? 100 : 0
  }
  if (!incident.causes.some(({ confirmed }) => confirmed)) {
    fieldsOf(incident).causes.push({
      kind,
      target,
      prior: 0,
      suspectedAt: world.now,
      observations: [],
      isNoted: true,
      supportedAt: world.now,
      confidence: 100,
      confirmed: true,
      cleared: false,
    })
  }
  const fields = fieldsOf(incident)
  fields.causes = incident.causes.toSorted(byConfidence)
  const [cause] = incident.causes
  cause.observations = confirmedEvidence(context, cause, root)
  fields.root = root
  fields.explainedBy = null
  fields.confirmed = true
  fields.rootKind = kind
  addTimelineEntry(world, incident, 'CauseConfirmed', causeWording(context, kind, target).text)
}

/** Several customers may be attacked at once: an attack that was observed is not ruled out by another cause. */
const isObservedAttack = ({ kind, observations }: Cause): boolean =>
  kind === 'Attack' && observations.some(isSupporting)

/** Evidence that the record shows for a confirmed cause: what supports it now, or what was observed before. */
function confirmedEvidence(
  context: IncidentContext,
  { kind, target, isNoted, observations }: Cause,
  { ended }: RootCause,
): readonly Observation[] {
  const current = observe(context, kind, target, Infinity)
  if (current.some(isSupporting)) return current
  if (ended !== null) return isNoted ? observations : []
  return observations.length === 0 ? current : observations
}
