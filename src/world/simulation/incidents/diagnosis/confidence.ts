import type { CauseKind } from '../../../../contract/vocabularies.ts'
import type { RandomStream } from '../../random.ts'
import type { ObservedWorld } from '../../state.ts'
import type { Micros } from '../../time.ts'
import { clockTime, minute } from '../../time.ts'
import { sameTarget, targetKey } from '../../topology/entities.ts'
import type { FaultTarget } from '../../topology/fault-target.ts'
import { isHandedOver } from '../context.ts'
import type { IncidentContext } from '../context.ts'
import { isUnpowered } from '../correlation/path.ts'
import { canBeCause } from '../correlation/symptom-assignment.ts'
import { isCustomerSignal } from '../monitors/signals.ts'
import type { Cause, Incident, Observation, RootCause, Symptom } from '../model.ts'
import { touch, writable } from '../model.ts'
import { addTimelineEntry } from '../writers/timeline.ts'
import { causeReport } from '../wording.ts'
import { ruleOut, takenBack } from './ruled-out.ts'
import type { SuspectsBySignal } from './suspicion.ts'
import { suspectsOf } from './suspicion.ts'

/** Bayesian confidence in the causes of an incident: prior from experience, updated by evidence. */

const causesMax = 16
const suspectedCustomersMax = 2
const ruledOutMax = 60
/** Number of symptoms above which a new one suggests no further cause. */
const suggestiveSymptomsMax = 60
/**
 * Increase of a cause's prior per corroborating symptom, as a share of the symptom's weight, and the upper limit of
 * the prior.
 */
const corroborationShare = 0.35
const priorMax = 1.2
/** Factor on what a customer's symptom suggests that a part of the incident explains already. */
const explainedShare = 0.15
/** Range of the error of experience, as a factor. */
const biasMin = 0.55
const biasMax = 1.45
/** Combined weight of all unsuspected causes, relative to the likeliest suspect. */
const unsuspectedWeight = 0.12
const confidenceMax = 95
/** A cause below this confidence is ruled out by a check with at most this likelihood. */
const ruledOutConfidenceMax = 3
const contradictingLikelihoodMax = 0.3
/** Likelihood above which an observation clearly supports its cause. */
const supportingLikelihoodMin = 3
/**
 * Retention of clear evidence that has passed while symptoms last: what comes and goes reads as normal without them. Evidence
 * of a shortage is retained until customers have recovered.
 */
const evidenceRetention: Micros = 15 * minute
const shortageRetention: Micros = 4 * minute
/** Minimum confidence of a cause that counts as confirmed without an inspection. */
const evidentConfidenceMin = 30

export const isSupporting = ({ likelihood }: Observation): boolean => likelihood >= supportingLikelihoodMin

export const isAbout = (
  cause: { kind: CauseKind; target: FaultTarget },
  kind: CauseKind,
  target: FaultTarget,
): boolean => cause.kind === kind && sameTarget(cause.target, target)

export const findCause = (incident: Incident, kind: CauseKind, target: FaultTarget): Cause | undefined =>
  incident.causes.find((cause) => isAbout(cause, kind, target))

const fieldsOf = (incident: Incident) => writable(incident, 'causes')

/** Adds the causes suggested by a symptom, or raises their priors. */
export function suspectCauses(
  world: ObservedWorld,
  suspects: SuspectsBySignal,
  incident: Incident,
  { signal, subject }: Pick<Symptom, 'signal' | 'subject'>,
  bias: RandomStream,
): void {
  if (incident.symptoms.size > suggestiveSymptomsMax) return
  // Symptoms that a part of the incident explains corroborate no cause elsewhere.
  const isExplained = isCustomerSignal(signal) && incident.symptoms.values().some(canBeCause)
  for (const { kind, target, weight } of suspectsOf(world, suspects, signal, subject)) {
    const prior = weight * bias.uniform(biasMin, biasMax) * (isExplained ? explainedShare : 1)
    const cause = findCause(incident, kind, target)
    if (cause !== undefined)
      cause.prior = isExplained ? cause.prior : Math.min(priorMax, cause.prior + corroborationShare * prior)
    else if (canAdd(incident, kind, target, prior)) {
      fieldsOf(incident).causes.push(newCause(world, { kind, target, prior }))
      touch(incident, world.now)
    }
  }
}

export const newCause = (
  { now }: Pick<ObservedWorld, 'now'>,
  given: Pick<Cause, 'kind' | 'target' | 'prior'> & Partial<Cause>,
): Cause => ({
  suspectedAt: now,
  observations: [],
  clearest: [],
  clearestAt: 0,
  isNoted: false,
  supportedAt: -Infinity,
  confidence: 0,
  confirmed: false,
  cleared: false,
  ...given,
})

function canAdd(incident: Incident, kind: CauseKind, target: FaultTarget, prior: number): boolean {
  if (incident.ruledOut.some((cause) => isAbout(cause, kind, target))) return false
  if (target.kind === 'Customer' && areOthersSuspected(incident, target.id)) return false
  return incident.causes.length < causesMax || displaceWeakest(incident, prior)
}

/** With several suffering customers, a shared cause is likelier than one more at a single customer. */
function areOthersSuspected({ causes }: Incident, customerId: number): boolean {
  const suspected = new Set(
    causes.flatMap(({ target, cleared }) => (target.kind === 'Customer' && !cleared ? [target.id] : [])),
  )
  return !suspected.has(customerId) && suspected.size >= suspectedCustomersMax
}

/** Removes the weakest cause if the new one is stronger; returns whether it did. */
function displaceWeakest(incident: Incident, prior: number): boolean {
  const { causes, ruledOut } = fieldsOf(incident)
  // A cause without a reading yet is as strong as its prior: confidence cannot count against it.
  const strength = (cause: Cause): number => {
    if (cause.cleared) return 0
    const { prior, confidence, observations } = cause
    return isObservedAttack(cause)
      ? Infinity
      : prior * (1 + (observations.length === 0 ? confidenceMax : confidence))
  }
  const weakest = causes.reduce((least, cause) => (strength(cause) < strength(least) ? cause : least))
  if (!weakest.cleared && weakest.prior >= prior) return false
  causes.splice(causes.indexOf(weakest), 1)
  if (weakest.cleared && ruledOut.length < ruledOutMax) {
    const { kind, target } = weakest
    ruledOut.push({ kind, target })
  }
  return true
}

/** Takes the due readings, weights the causes by them, and rules out contradicted causes. */
export function updateConfidence(context: IncidentContext, incident: Incident): void {
  const { now } = context.world
  const { causes } = fieldsOf(incident)
  takeReadings(context, incident)
  const weights = causes.map((cause) => (cause.cleared ? 0 : weigh(context, incident, cause)))
  const priorOfLikeliest = causes.reduce((highest, { prior }) => Math.max(highest, prior), 0)
  const contradicted: Cause[] = []
  const sum = weights.reduce((total, weight) => total + weight, unsuspectedWeight * priorOfLikeliest)
  causes.forEach((cause, index) => {
    if (cause.cleared) return
    const confidence = sum > 0 ? Math.min(confidenceMax, Math.round((100 * weights[index]) / sum)) : 0
    if (confidence !== cause.confidence) touch(incident, now)
    cause.confidence = confidence
    const isContradicted = cause.observations.some(
      ({ likelihood }) => likelihood < contradictingLikelihoodMax,
    )
    if (isContradicted && confidence < ruledOutConfidenceMax) contradicted.push(cause)
  })
  // A part that was read as normal may break later: without operators, nothing is ruled out.
  if (!isHandedOver(context)) ruleOut(context, incident, contradicted)
  fieldsOf(incident).causes = causes.toSorted(byConfidence)
}

/** Takes the readings about all causes again, also about the confirmed one and those ruled out. */
export function takeReadings(context: IncidentContext, incident: Incident): void {
  for (const cause of fieldsOf(incident).causes) {
    const observations = currentEvidence(context, incident, cause)
    if (observations.some(isSupporting) && likelihoodOf(observations) >= likelihoodOf(cause.clearest)) {
      cause.clearest = observations
      cause.clearestAt = cause.supportedAt
    }
    const isChanged =
      observations.length !== cause.observations.length ||
      observations.some(
        ({ value, detail }, index) =>
          value !== cause.observations[index].value || detail !== cause.observations[index].detail,
      )
    if (!isChanged) continue
    cause.observations = observations
    touch(incident, context.world.now)
  }
}

function weigh({ world }: IncidentContext, incident: Incident, cause: Cause): number {
  const { observations } = cause
  const evidence = observations.find(isSupporting)
  if (evidence !== undefined && !cause.isNoted) {
    cause.isNoted = true
    addTimelineEntry(world, incident, 'EvidenceFound', readingText(evidence))
  }
  return cause.prior * likelihoodOf(observations)
}

const likelihoodOf = (observations: readonly Observation[]): number =>
  observations.reduce((product, { likelihood }) => product * likelihood, 1)

export const withoutMarkup = (text: string): string => text.replaceAll('**', '')
export const readingText = ({ label, value }: Observation): string =>
  `${withoutMarkup(label)}: ${withoutMarkup(value)}.`

/** The readings that support causes of an incident other than the confirmed one of the incident that it belongs to. */
export const findingsOf = ({ causes }: Incident, root: RootCause | null): string[] =>
  causes
    .filter((cause) => isEvident(cause) && !(root !== null && isAbout(cause, root.kind, root.target)))
    .flatMap(({ clearest }) => clearest.filter(isSupporting).slice(0, 1).map(readingText))

/** The readings about a suspected cause that are due `age` after the suspicion. */
export const observe = (
  { world, catalog, telemetry }: Pick<IncidentContext, 'world' | 'catalog' | 'telemetry'>,
  kind: CauseKind,
  target: FaultTarget,
  age: Micros,
): Observation[] =>
  catalog[kind].checks
    .filter(({ delay }) => age >= delay)
    .map((check) => {
      const { isOnSite = false } = check
      const observation = check.observe(world, target, telemetry)
      return isOnSite || target.kind === 'PowerFeed' || !isUnpowered(world, target)
        ? observation
        : { label: observation.label, value: 'no answer', detail: 'It has no power.', likelihood: 1 }
    })

/** The current readings of a cause, or the last supporting ones. */
function currentEvidence(
  context: IncidentContext,
  { symptoms }: Incident,
  cause: Cause,
): readonly Observation[] {
  const { now } = context.world
  const { isShortage } = context.catalog[cause.kind]
  // Readings after the recovery of the customers are not evidence of the cause.
  const isOver = isShortage && symptoms.size === 0
  const age = cause.confirmed ? Infinity : now - cause.suspectedAt
  const observations = isOver ? cause.observations : observe(context, cause.kind, cause.target, age)
  if (!isOver && observations.some(isSupporting)) {
    cause.supportedAt = now
    return observations
  }
  // A team reads instruments as they are.
  if (isHandedOver(context)) return observations
  const isKept = cause.confirmed || symptoms.size === 0
  const retention = isKept ? Infinity : isShortage ? shortageRetention : evidenceRetention
  return now - cause.supportedAt < retention ? readAt(cause.observations, cause.supportedAt) : observations
}

const readPrefix = ' Read at '

/** Readings that were taken at another time than they are shown at say when. */
const readAt = (observations: readonly Observation[], at: Micros): readonly Observation[] =>
  observations.map((each) =>
    each.detail.includes(readPrefix)
      ? each
      : { ...each, detail: `${each.detail}${readPrefix}${clockTime(at)}.` },
  )

/**
 * The ended fault that is evidently the cause of an incident without a confirming inspection: the one supported by
 * its evidence, otherwise the last repaired. `ended` are the ended faults attributed to the incident. Null if there
 * are none.
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

/**
 * The latest other incident with a confirmed cause that the evidence of this incident also supports; null if there is
 * none.
 */
export function incidentOfEvidentCause(incident: Incident, others: readonly Incident[]): number | null {
  const evident = incident.causes.filter(isEvident)
  const explains = ({ id, root }: Incident): boolean =>
    id !== incident.id &&
    root !== null &&
    (root.ended === null || root.ended >= incident.opened) &&
    evident.some((cause) => isAbout(cause, root.kind, root.target))
  return others.filter(explains).reduce<number | null>((latest, { id }) => Math.max(latest ?? 0, id), null)
}

/** Whether a cause is supported by noted evidence and has not been ruled out since. */
const isEvident = ({ cleared, isNoted, confidence }: Cause): boolean =>
  isNoted && !cleared && confidence >= evidentConfidenceMin

/** Shows the clearest evidence of each cause of an incident that ends, with its time. */
export function showClearestEvidence(incident: Incident, now: Micros): void {
  for (const cause of fieldsOf(incident).causes) {
    if (cause.cleared || cause.clearest.length === 0) continue
    cause.observations = cause.clearestAt === now ? cause.clearest : readAt(cause.clearest, cause.clearestAt)
  }
}

/** Confirmed causes first, then in descending order of confidence, ruled-out ones last. */
const byConfidence = (a: Cause, b: Cause): number =>
  Number(b.confirmed) - Number(a.confirmed) ||
  b.confidence - a.confidence ||
  Number(a.cleared) - Number(b.cleared) ||
  (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : targetKey(a.target) - targetKey(b.target))

/** The most likely cause; null without a suspect. */
export function leadingCause({ causes }: Incident): Cause | null {
  const [first] = causes
  return first === undefined || first.cleared ? null : first
}

/** The suspect is the target of the leading cause. */
export function suspectLeadingCause(incident: Incident): void {
  fieldsOf(incident).suspect = leadingCause(incident)?.target ?? null
}

/** Records a confirmed incident as a possible explanation of customer symptoms in another. */
export function noteExplanation(incident: Incident, incidentId: number, root: RootCause): void {
  fieldsOf(incident).explainedBy = { incidentId, root }
}

/** Confirms a root cause, with its evidence, and rules out all other causes. */
export function confirmCause(context: IncidentContext, incident: Incident, root: RootCause): void {
  const fields = fieldsOf(incident)
  for (const cause of fields.causes)
    Object.assign(cause, { cleared: !isObservedAttack(cause), confidence: 0 })
  fields.causes = fields.causes.toSorted(byConfidence)
  confirmFound(context, incident, root)
  fields.root = root
  fields.explainedBy = null
  fields.confirmed = true
  fields.rootKind = root.kind
  const report = `${causeReport(context, root)}${takenBack(context, incident, root)}`
  addTimelineEntry(context.world, incident, 'CauseConfirmed', report)
}

/** Confirms a found cause, behind those confirmed before. */
export function confirmFound(context: IncidentContext, incident: Incident, found: RootCause): void {
  const { kind, target } = found
  const fields = fieldsOf(incident)
  const unsuspected = { kind, target, prior: 0, isNoted: true, supportedAt: context.world.now }
  const cause = findCause(incident, kind, target) ?? newCause(context.world, unsuspected)
  Object.assign(cause, { cleared: false, confirmed: true, confidence: 100 })
  cause.observations = confirmedEvidence(context, cause, found)
  const all = new Set([...fields.causes, cause])
  fields.causes = [...all].toSorted((a, b) => Number(b.confirmed) - Number(a.confirmed))
}

/** Customers may be under attack simultaneously: another cause does not rule out an observed attack. */
const isObservedAttack = ({ kind, observations }: Cause): boolean =>
  kind === 'Attack' && observations.some(isSupporting)

/**
 * Evidence of a confirmed cause for the record: the current supporting readings, or else the earlier observations.
 */
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
