import type { Micros } from '../../time.ts'
import { nameOf } from '../../topology/entities.ts'
import type { IncidentContext } from '../context.ts'
import { leadingCause } from '../diagnosis/confidence.ts'
import { hintFor, hintTierAt, hintWithoutSuspect } from '../hints.ts'
import type { Incident } from '../model.ts'
import { touch, writable } from '../model.ts'
import { causeNoun, causeWording } from '../wording.ts'

/** The hint of an incident for its operator. */

const finalHintTier = 3
const endedTier = 4
const quietTier = 5

export function refreshHint(context: IncidentContext, incident: Incident): void {
  const { now } = context.world
  const tier = tierOf(incident, now)
  if (tier === incident.hintTier && incident.version === incident.hintVersion) return
  const hint = hintOf(context, incident, tier)
  if (tier !== incident.hintTier || hint !== incident.hint) touch(incident, now)
  const fields = writable(incident, 'hint')
  fields.hintTier = tier
  fields.hint = hint
  fields.hintVersion = incident.version
}

function tierOf({ quietSince, root, opened }: Incident, now: Micros): number {
  if (quietSince !== null) return quietTier
  if (root === null) return hintTierAt(now - opened)
  return root.ended === null ? finalHintTier : endedTier
}

function hintOf(context: IncidentContext, incident: Incident, tier: number): string | null {
  if (tier === quietTier) return 'Nothing shows it any more. It closes when that lasts.'
  if (tier === endedTier) return 'The cause has ended. See whether all recovers that it hurt.'
  const cause = leadingCause(incident)
  const isOneAffected = incident.impact.customers.length < 2
  if (cause === null) return hintWithoutSuspect(tier, isOneAffected)
  const claim = causeWording(context, cause.kind, cause.target).text
  if (incident.root !== null) return `Cause known: ${claim} See the work orders for progress.`
  return hintFor(tier, context.catalog[cause.kind], nameOf(context.world, cause.target), claim, isOneAffected)
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
  return cause === null || cause.confidence <= 50 ? null : causeNoun(context, cause.kind, cause.target)
}
