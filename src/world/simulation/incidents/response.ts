import { spanInWords } from '../../../contract/messages/catalog.ts'
import { schedule } from '../schedule.ts'
import type { ObservedWorld } from '../state.ts'
import type { Micros } from '../time.ts'
import { hour, minute, second, stepLength } from '../time.ts'
import { sameTarget } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import { isHandedOver } from './context.ts'
import type { IncidentContext } from './context.ts'
import type { Correlator } from './correlation/correlator.ts'
import {
  confirmCause,
  evidentRootCause,
  incidentOfEvidentCause,
  showClearestEvidence,
  takeReadings,
  updateConfidence,
} from './diagnosis/confidence.ts'
import { ruleOut } from './diagnosis/ruled-out.ts'
import { isInSight } from './diagnosis/inspection.ts'
import { impactOf } from './impact.ts'
import { announceCleared, announceConfirmed } from './incident-events.ts'
import type { IncidentLifecycle } from './incident-lifecycle.ts'
import type { Incident, RootCause, Symptom } from './model.ts'
import { isOfDrops } from './monitors/signals.ts'
import { applyImpact, holdBand } from './writers/severity.ts'
import type { IncidentsState } from './state.ts'
import { addTimelineEntry, noteNothingFound } from './writers/timeline.ts'
import { markPartOf, quietTimeOf, removeSymptom } from './writers/symptoms.ts'
import { retitle } from './writers/title.ts'
import { causeReport } from './wording.ts'

/** The operators' response to incidents: review, diagnosis and resolution. */

/** Time without a symptom before the resolution of an incident whose cause has ended. */
const quietTime: Micros = 3 * minute
/** Time without a symptom before an incident without a confirmed cause is closed despite an active fault. */
const latentTime: Micros = 2 * hour
/** Symptoms that outlast the confirmed cause by this time have another cause; heat dissipates more slowly. */
const aftermathTime: Micros = 8 * minute
const heatAftermathTime: Micros = 25 * minute
/** Routes and demand change at once: traffic that is dropped this long after the end has another cause. */
const trafficAftermathTime: Micros = 3 * minute
const pollInterval: Micros = schedule.symptomPoll.everySteps * stepLength
/** Polls between updates of the confidence in an incident's causes. */
const pollsPerUpdate = 4

export interface Response {
  readonly context: IncidentContext
  readonly state: IncidentsState
  readonly lifecycle: IncidentLifecycle
  readonly correlator: Correlator
}

/** Removes a cleared symptom from its incident. */
export function clearSymptom({ context, state }: Response, symptom: Symptom): void {
  const { world, inspector } = context
  const incident = state.open.get(symptom.incidentId!)!
  removeSymptom(incident, symptom)
  announceCleared(context, incident, symptom, state.symptoms)
  if (incident.symptoms.size > 0) return
  const hasEnded = typeof incident.root?.ended === 'number'
  if (hasEnded && inspector.endOf(incident) === null) {
    addTimelineEntry(world, incident, 'SymptomsCleared', 'No symptoms remain, but not all causes have ended.')
    return
  }
  if (hasPassed(incident)) {
    const isOnlyCause = incident.causes.filter(({ confirmed }) => confirmed).length < 2
    const detail = isOnlyCause ? 'It has ended by itself.' : 'All its causes have ended.'
    addTimelineEntry(world, incident, 'SymptomsCleared', detail)
  } else if (incident.isRemedied)
    addTimelineEntry(world, incident, 'Mitigated', 'The work has removed all symptoms.')
  else addTimelineEntry(world, incident, 'SymptomsCleared', 'No symptoms remain.')
}

/** Whether the confirmed cause has ended by itself, at its time. */
const hasPassed = ({ root }: Incident): boolean =>
  root !== null && root.ended !== null && root.endsBy !== null && root.ended >= root.endsBy

/**
 * Updates an incident after a poll, and resolves it when it is over. `repeated` is the time of the poll before if this one
 * found no news: title and impact stay, and the band is held.
 */
export function reviewIncident(response: Response, incident: Incident, repeated: Micros | null = null): void {
  const { context, correlator, lifecycle } = response
  const { now } = context.world
  const { root, symptoms, id } = incident
  if (repeated === null) {
    retitle(context.world, incident)
    assess(response, incident)
  } else holdBand(context.world, incident, repeated)
  const polls = Math.floor(now / pollInterval)
  if ((polls + id) % pollsPerUpdate === 0) {
    if (root === null && incident.partOfId === null) {
      updateConfidence(context, incident)
      correlator.seekExplanation(incident)
    } else if (root !== null) takeReadings(context, incident)
  }
  lifecycle.refresh(incident)
  if (symptoms.size === 0) {
    const quietFor = quietTimeOf(context.world, incident)
    if (quietFor >= quietTime && isOver(response, incident, quietFor)) resolve(response, incident)
  } else if (root !== null) {
    const ended = context.inspector.endOf(incident)
    if (ended === null) return
    if (now - ended < pollInterval) noteAftermath(response, incident)
    if (now - ended >= aftermathOf(response, incident)) splitAndResolve(response, incident)
  }
}

function assess({ context, state: { fleetRevenuePerHour, symptoms } }: Response, incident: Incident): void {
  const { world, inspector } = context
  const impact = impactOf(context, incident.symptoms, fleetRevenuePerHour, symptoms.values())
  const isAftermath = inspector.endOf(incident) !== null && !inspector.hasActive(incident.id)
  applyImpact(world, incident, impact, isAftermath)
}

const isHot = ({ symptoms }: Incident): boolean =>
  symptoms.values().some(({ signal }) => signal === 'zone-hot' || signal === 'host-hot')

const isDropping = ({ now }: ObservedWorld, { symptoms }: Incident): boolean =>
  symptoms.values().some(({ signal, lastSeen }) => lastSeen === now && isOfDrops(signal))

function aftermathOf({ context: { world } }: Response, incident: Incident): Micros {
  if (isHot(incident)) return heatAftermathTime
  return isDropping(world, incident) ? trafficAftermathTime : aftermathTime
}

function noteAftermath(response: Response, incident: Incident): void {
  const what = isHot(incident) ? 'The heat takes' : 'Its last effects take'
  const span = spanInWords(aftermathOf(response, incident) / second)
  const detail = `The cause has ended. ${what} up to ${span} to pass.`
  addTimelineEntry(response.context.world, incident, 'EvidenceFound', detail)
}

/** Whether the cause has ended: the confirmed cause, otherwise all faults attributed to the incident. */
const isOver = ({ context, state }: Response, incident: Incident, quietFor: Micros): boolean =>
  incident.root === null
    ? isHandedOver(context) ||
      quietFor >= latentTime ||
      !(context.inspector.hasActive(incident.id) || isPartOfOpen(state, incident))
    : context.inspector.endOf(incident) !== null

/** Whether an incident became part of one whose cause is not confirmed yet. */
const isPartOfOpen = ({ open }: IncidentsState, { partOfId }: Incident): boolean =>
  partOfId !== null && open.get(partOfId)?.root === null

/** "1", "1 and 2", "1, 2 and 3". */
const listText = (ids: readonly number[]): string =>
  ids.length < 2 ? ids.join('') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`

function splitAndResolve(response: Response, incident: Incident): void {
  const heirs = response.correlator.split(incident)
  // The next poll may have no news, which would leave the customers of an older one out.
  for (const heir of heirs) assess(response, heir)
  const ids = heirs.map(({ id }) => id).toSorted((a, b) => a - b)
  const noun = ids.length === 1 ? 'incident' : 'incidents'
  resolve(response, incident, `${noun} ${listText(ids)}`)
}

function resolve(response: Response, incident: Incident, heirs: string | null = null): void {
  const { context, state, lifecycle } = response
  if (incident.root === null && !isHandedOver(context)) {
    const evident = evidentRootCause(context, incident, context.inspector.endedOf(incident.id))
    if (evident !== null) confirm(response, incident, evident)
    else if (incident.partOfId === null) {
      const explanation = incident.explainedBy?.incidentId
      const others = [...state.open.values(), ...state.resolved]
      markPartOf(context.world, incident, explanation ?? incidentOfEvidentCause(incident, others))
    }
  }
  if (incident.root !== null) takeReadings(context, incident)
  showClearestEvidence(incident, context.world.now)
  context.inspector.release(incident.id)
  lifecycle.close(incident, heirs)
}

function confirm(response: Response, incident: Incident, root: RootCause): void {
  const { context, lifecycle } = response
  confirmCause(context, incident, root)
  if (root.ended === null) response.correlator.separate(incident)
  lifecycle.refresh(incident)
  announceConfirmed(context.world, incident, causeReport(context, root))
}

/** Inspects an incident without a confirmed cause; see `IncidentControl.diagnose`. */
export function inspectIncident(
  response: Response,
  incident: Incident,
  from: FaultTarget | null,
): RootCause | 'elsewhere' | null {
  const { context, state, correlator } = response
  const { world, blastRadius, inspector } = context
  const root = inspector.inspect(incident) ?? incident.explainedBy?.root ?? null
  const nothing = (): null => {
    noteNothingFound(world, incident)
    return null
  }
  if (root === null) return nothing()
  if (from !== null && !isInSight(world, blastRadius, from, root.target)) {
    const innocent = incident.causes.filter(({ cleared, target }) => !cleared && sameTarget(target, from))
    ruleOut(context, incident, innocent)
    return 'elsewhere'
  }
  const confirmed = state.open.values().find((other) => other !== incident && other.root?.id === root.id)
  if (confirmed !== undefined)
    return !inspector.hasActive(incident.id) && correlator.merge(incident, confirmed) ? root : nothing()
  inspector.attach(root, incident.id)
  confirm(response, incident, root)
  return root
}
