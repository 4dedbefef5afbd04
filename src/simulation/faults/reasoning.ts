import type { RootKind } from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import type { Fault, FaultTarget, WorldState } from '../state.ts'
import { type Micros, minute } from '../time.ts'
import type { Symptom } from './board.ts'
import { type Case, type Cause, touch } from './case.ts'
import { causeWording } from './announcements.ts'
import type { Instruments, Observation } from './check.ts'
import { isEmergent } from './emergent.ts'
import { observe, plain } from './evidence.ts'
import { suspicionsOf } from './suspects.ts'
import { sameTarget, targetKey } from './targets.ts'
import { note } from './timeline.ts'

/** How suspicion moves: experience first, then evidence as it comes in. */

const causesMost = 12
const customersSuspected = 4
/** Of what gave way to likelier causes, so much is remembered as ruled out. */
const ruledOutMost = 60
/** Share of its weight by which each further symptom speaks for a cause, and how far that goes. */
const corroboration = 0.35
const priorMost = 1.2
/** Symptoms after which one more makes nobody think of another cause. */
const symptomsWeighed = 60
/** What could be at fault besides all that was thought of, against the likeliest cause. */
const unthought = 0.12
const confidenceMax = 95
/** A cause that evidence speaks against, and that is held less likely than this, is cleared. */
const clearedBelow = 3
/** An observation that makes its cause so much likelier is worth telling. */
const worthTelling = 3

/** Adds the causes that a symptom makes one think of; experience errs by up to a half either way. */
export function suspect(state: WorldState, at: Case, symptom: Symptom, bias: RandomStream): void {
  if (at.symptoms.size > symptomsWeighed) return
  for (const { kind, target, weight } of suspicionsOf(state, symptom)) {
    const prior = weight * bias.uniform(0.55, 1.45)
    const known = at.causes.find((cause) => cause.kind === kind && sameTarget(cause.target, target))
    if (known !== undefined) known.prior = Math.min(priorMost, known.prior + corroboration * prior)
    if (known !== undefined || isRuledOut(at, kind, target)) continue
    if (target.kind === 'Customer' && isCrowded(at)) continue
    if (at.causes.length === causesMost && !dropWeakest(at, prior)) continue
    const unseen = { observations: [], told: false, spokeAt: -Infinity }
    at.causes.push({ kind, target, prior, added: state.now, ...unseen, ...undecided })
    touch(at, state.now)
  }
}

const undecided = { confidence: 0, confirmed: false, cleared: false }

/** Where several customers suffer, what they share is likelier than something about one more of them. */
const isCrowded = (at: Case): boolean =>
  at.causes.filter(({ target, cleared }) => target.kind === 'Customer' && !cleared).length >=
  customersSuspected

/** Makes room for a cause that is more likely than the least likely one so far; whether it did. */
function dropWeakest(at: Case, prior: number): boolean {
  const weakness = ({ cleared, prior, confidence }: Cause): number => (cleared ? 0 : prior * (1 + confidence))
  const weakest = at.causes.reduce((least, cause) => (weakness(cause) < weakness(least) ? cause : least))
  if (!weakest.cleared && weakest.prior >= prior) return false
  at.causes.splice(at.causes.indexOf(weakest), 1)
  if (weakest.cleared && at.ruledOut.length < ruledOutMost) at.ruledOut.push(weakest)
  return true
}

const isRuledOut = ({ ruledOut }: Case, kind: RootKind, target: FaultTarget): boolean =>
  ruledOut.some((cause) => cause.kind === kind && sameTarget(cause.target, target))

/** Looks at what has come to light and weighs the causes anew. */
export function reason(state: WorldState, at: Case, instruments: Instruments): void {
  const weights = at.causes.map((cause) => (cause.cleared ? 0 : weigh(state, at, cause, instruments)))
  const likeliest = at.causes.reduce((most, { prior }) => Math.max(most, prior), 0)
  const sum = weights.reduce((total, weight) => total + weight, unthought * likeliest)
  at.causes.forEach((cause, index) => {
    if (cause.cleared) return
    const confidence = sum > 0 ? Math.min(confidenceMax, Math.round((100 * weights[index]) / sum)) : 0
    if (confidence !== cause.confidence) touch(at, state.now)
    cause.confidence = confidence
    const against = cause.observations.some(({ likelihood }) => likelihood < 0.3)
    if (against && confidence < clearedBelow) clear(state, at, cause)
  })
  at.causes = at.causes.toSorted(byConfidence)
}

function weigh(state: WorldState, at: Case, cause: Cause, instruments: Instruments): number {
  const seen = lookFor(state, cause, instruments)
  const moved =
    seen.length !== cause.observations.length ||
    seen.some(({ value }, index) => value !== cause.observations[index].value)
  if (moved) {
    cause.observations = seen
    touch(at, state.now)
  }
  const telling = seen.find(({ likelihood }) => likelihood >= worthTelling)
  if (telling !== undefined && !cause.told) {
    cause.told = true
    note(state, at, 'EvidenceFound', `${plain(telling.label)}: ${plain(telling.value)}`)
  }
  return seen.reduce((weight, { likelihood }) => weight * likelihood, cause.prior)
}

/** What was plain to see is remembered for so long after it has passed by itself or was repaired for another reason. */
const rememberedFor: Micros = 15 * minute

/** What there is to see of a cause now, or was to see lately; shortages come and go with what is asked for. */
function lookFor(state: WorldState, cause: Cause, instruments: Instruments): readonly Observation[] {
  const { now } = state
  const seen = observe(state, cause.kind, cause.target, now - cause.added, instruments)
  if (seen.some(({ likelihood }) => likelihood >= worthTelling)) cause.spokeAt = now
  return !isEmergent(cause.kind) && now - cause.spokeAt < rememberedFor && cause.spokeAt !== now
    ? cause.observations
    : seen
}

/** From this confidence on, a cause that passed before anybody looked has spoken for itself. */
const spokenFrom = 30

/**
 * The fault that an incident came from as everybody could see, out of those that have ended: it spoke for itself, or
 * it was repaired for another incident. Null where none did.
 */
export function spokenCause(at: Case, ended: readonly Fault[]): Fault | null {
  const own = ended.filter(({ incidentId }) => incidentId === at.id)
  const spoke = at.causes
    .filter(({ cleared, told, confidence }) => told && !cleared && confidence >= spokenFrom)
    .map(({ kind, target }) =>
      own.findLast((fault) => fault.kind === kind && sameTarget(fault.target, target)),
    )
    .find((fault) => fault !== undefined)
  return spoke ?? own.findLast(isRepaired) ?? null
}

/** Shortages end when there is less to do. */
const isRepaired = ({ kind, endsBy, ended }: Fault): boolean =>
  !isEmergent(kind) && ended !== null && (endsBy === null || ended < endsBy)

export function clear(state: WorldState, at: Case, cause: Cause): void {
  cause.cleared = true
  cause.confidence = 0
  const claim = causeWording(state, cause.kind, cause.target).text
  note(state, at, 'CauseCleared', `Ruled out: ${claim}`)
}

/** Confirmed, then by confidence; those ruled out come last. */
const byConfidence = (a: Cause, b: Cause): number =>
  Number(b.confirmed) - Number(a.confirmed) ||
  b.confidence - a.confidence ||
  Number(a.cleared) - Number(b.cleared) ||
  (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : targetKey(a.target) - targetKey(b.target))

/** What is suspected most; null while nothing is. */
export const leading = (at: Case): Cause | null => {
  const [first] = at.causes
  return first === undefined || first.cleared ? null : first
}

/** Several customers may be attacked at once: an attack that was seen is not ruled out by another one. */
const isSeen = ({ kind, observations }: Cause): boolean =>
  kind === 'Attack' && observations.some(({ likelihood }) => likelihood >= worthTelling)

/** What an incident shows for its cause: what is plain now, what was seen before, and of what is over nothing else. */
function proofOf(
  state: WorldState,
  { kind, target, told, observations }: Cause,
  { ended }: Fault,
  instruments: Instruments,
): readonly Observation[] {
  const seen = observe(state, kind, target, Infinity, instruments)
  if (seen.some(({ likelihood }) => likelihood >= worthTelling)) return seen
  if (ended !== null) return told ? observations : []
  return observations.length === 0 ? seen : observations
}

/** Diagnosis has found the cause, and all that there is to see of it: all others are ruled out. */
export function confirm(state: WorldState, at: Case, fault: Fault, instruments: Instruments): void {
  const { kind, target } = fault
  for (const cause of at.causes) {
    cause.confirmed = cause.kind === kind && sameTarget(cause.target, target)
    cause.cleared = !cause.confirmed && !isSeen(cause)
    cause.confidence = cause.confirmed ? 100 : 0
  }
  if (!at.causes.some(({ confirmed }) => confirmed)) {
    const fixed = { confidence: 100, confirmed: true, cleared: false, told: true, spokeAt: state.now }
    at.causes.push({ kind, target, prior: 0, added: state.now, observations: [], ...fixed })
  }
  at.causes = at.causes.toSorted(byConfidence)
  const [cause] = at.causes
  cause.observations = proofOf(state, cause, fault, instruments)
  at.root = fault
  at.behind = null
  at.view.confirmed = true
  at.view.rootKind = kind
  note(state, at, 'CauseConfirmed', causeWording(state, kind, target).text)
}
