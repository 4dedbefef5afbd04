import { nameOf, sameTarget } from '../../topology/entities.ts'
import type { IncidentContext } from '../context.ts'
import { isSupporting, leadingCause } from '../diagnosis/confidence.ts'
import { hintFor, hintTierAt, hintWithoutSuspect } from '../hints.ts'
import type { Cause, Incident, RootCause } from '../model.ts'
import { touch, writable } from '../model.ts'
import { causeNoun, causeWording } from '../wording.ts'
import { comesAndGoes } from './symptoms.ts'

/** The hint of an incident for its operator. */

/** Confidence above which a cause is likely. */
const likelyMin = 50

export function refreshHint(context: IncidentContext, incident: Incident): void {
  const { now } = context.world
  const tier = incident.root === null ? hintTierAt(now - incident.opened) : 3
  const hint = hintOf(context, incident, tier)
  if (tier === incident.hintTier && hint === incident.hint) return
  touch(incident, now)
  Object.assign(writable(incident, 'hint'), { hintTier: tier, hint })
}

function hintOf(context: IncidentContext, incident: Incident, tier: number): string | null {
  const { root, quietSince, partOfId } = incident
  if (root === null && partOfId !== null)
    return `It is part of incident ${partOfId}. It closes if no symptom returns.`
  const hasEnded = context.inspector.endOf(incident) !== null
  if (quietSince !== null) {
    const closes =
      root === null || hasEnded ? 'It closes if none returns.' : 'It closes once its cause is removed.'
    return comesAndGoes(incident)
      ? `It comes and goes, and has no symptoms now. ${closes}`
      : `No symptoms remain. ${closes}`
  }
  if (hasEnded) return 'The cause has ended. Check that all it affected recovers.'
  const cause = leadingCause(incident)
  const isEarly = tier === 0 || (tier === 1 && (cause?.confidence ?? 0) <= likelyMin)
  if (cause === null || isEarly) return hintWithoutSuspect(tier, incident.impact.customers.length < 2)
  if (root !== null) return hintOfKnown(context, incident, root, cause)
  const claim = causeWording(context, cause.kind, cause.target).text
  return hintFor(
    tier,
    context.catalog[cause.kind],
    nameOf(context.world, cause.target),
    claim,
    cause.observations.some(isSupporting),
  )
}

/** About the confirmed cause, or about what else was found, which outlasts it; it may also have come back. */
function hintOfKnown(
  context: IncidentContext,
  { timeline, causes }: Incident,
  root: RootCause,
  own: Pick<Cause, 'kind' | 'target'>,
): string {
  const hasEnded = root.ended !== null
  const isOther = ({ kind, target }: typeof own): boolean =>
    kind !== root.kind || !sameTarget(target, root.target)
  const other = hasEnded ? causes.find((one) => one.confirmed && isOther(one)) : undefined
  const work = timeline.findLast(
    ({ repaired = [] }) => repaired.length > 0 && repaired.includes(root.id) !== hasEnded,
  )
  if (hasEnded && other === undefined && work === undefined)
    return 'The confirmed cause has ended, but symptoms remain. It has to be diagnosed again.'
  const { kind, target } = other ?? own
  const next = work?.kind === 'WorkBlocked' ? work.detail : 'See the work orders for progress.'
  return `Cause known: ${causeWording(context, kind, target).text} ${next}`
}

/** The hint of a resolved incident. */
export function writeFinalHint(context: IncidentContext, incident: Incident): void {
  writable(incident, 'hint').hint = finalHint(context, incident)
  touch(incident, context.world.now)
}

function finalHint(context: IncidentContext, incident: Incident): string {
  const { root, partOfId } = incident
  if (root !== null) return `Resolved. Cause: ${causeNoun(context, root.kind, root.target)}.`
  if (partOfId !== null) return `Resolved. It was part of incident ${partOfId}.`
  const suspect = likelyCause(context, incident)
  return suspect === null ? 'Resolved. The cause was not found.' : `Resolved. Suspected cause: ${suspect}.`
}

/** The cause with more than half of the confidence; null if there is none. */
export function likelyCause(context: IncidentContext, incident: Incident): string | null {
  const cause = leadingCause(incident)
  return cause === null || cause.confidence <= likelyMin ? null : causeNoun(context, cause.kind, cause.target)
}
