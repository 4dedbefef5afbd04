import type { IncidentRecord } from '../../../contract/collections.ts'
import type { Argument } from '../../../contract/messages/catalog.ts'
import { idOf } from '../../simulation/topology/tables.ts'
import { round } from '../../simulation/numeric.ts'
import type { ObservedWorld } from '../../simulation/state.ts'
import { toNs } from '../../simulation/time.ts'
import type { IncidentContext } from '../../simulation/incidents/context.ts'
import { leadingCause, withoutMarkup } from '../../simulation/incidents/diagnosis/confidence.ts'
import { firstStepsArticle, symptomArticles } from '../../simulation/incidents/hints.ts'
import type { Incidents } from '../../simulation/incidents/incidents.ts'
import type { Cause, Incident, Observation } from '../../simulation/incidents/model.ts'
import { causeWording, unknownCauseWording } from '../../simulation/incidents/wording.ts'
import type { FaultTarget } from '../../simulation/topology/view.ts'
import { rackOf, targetId } from '../../simulation/topology/view.ts'
import { isCustomerSignal } from '../../simulation/incidents/monitors/signals.ts'
import { isOfSignal } from '../../simulation/incidents/monitors/symptom-tracker.ts'
import { blindFields } from '../blind.ts'
import { articleRecord, evidenceMax, evidenceRecord } from './incident-parts.ts'

export interface IncidentRecords {
  /** Open ones, ascending by id. */
  readonly incidents: IncidentRecord[]
  /** Recently resolved ones, ascending by id. */
  readonly resolvedIncidents: IncidentRecord[]
  update(): void
}

/**
 * Incident records: each incident has one object from detection to the end of retention, updated when the incident
 * changes.
 */
export function createIncidentRecords(incidents: Incidents): IncidentRecords {
  const { context, state } = incidents
  const written = new Map<number, { readonly record: IncidentRecord; version: number }>()
  const recordFor = (incident: Incident): IncidentRecord => {
    const { id, version } = incident
    const known = written.get(id)
    if (known === undefined) {
      const record = recordOf(context, incident)
      written.set(id, { record, version })
      return record
    }
    if (known.version !== version) {
      Object.assign(known.record, recordOf(context, incident))
      known.version = version
    }
    return known.record
  }
  const records: IncidentRecords = {
    incidents: [],
    resolvedIncidents: [],
    update() {
      const open = [...state.open.values()]
      const resolved = state.resolved.toSorted((a, b) => a.id - b.id)
      fill(records.incidents, open.map(recordFor))
      fill(records.resolvedIncidents, resolved.map(recordFor))
      const kept = new Set([...open, ...resolved].map(({ id }) => id))
      for (const id of written.keys()) if (!kept.has(id)) written.delete(id)
    },
  }
  return records
}

function fill(list: IncidentRecord[], now: readonly IncidentRecord[]): void {
  list.length = 0
  list.push(...now)
}

function recordOf(context: IncidentContext, incident: Incident): IncidentRecord {
  const { world } = context
  const { impact, headline, root } = incident
  const timeline = incident.timeline.map(({ at, kind, detail }) => ({ at_ns: toNs(at), kind, detail }))
  const rootWording = root === null ? unknownCauseWording : causeWording(context, root.kind, root.target)
  return {
    id: incident.id,
    root_kind: incident.rootKind,
    root_entity_id: root === null ? null : targetId(root.target),
    rack_id: root === null ? null : rackId(world, root.target),
    root_msg_key: rootWording.key,
    root_msg_args: [...rootWording.args],
    symptom_kind: headline.kind,
    symptom_msg_key: headline.key,
    symptom_msg_args: [...headline.args, ...othersOf(incident)],
    symptom_customer_id: headline.customerId,
    confirmed: root !== null,
    causes: incident.causes.map((cause) => causeRecord(context, cause)),
    started_at_ns: toNs(incident.opened),
    last_changed_at_ns: toNs(incident.lastChanged),
    resolved_at_ns: incident.resolved === null ? null : toNs(incident.resolved),
    affected_customer_ids: [...impact.customers],
    affected_host_ids: impact.hosts.map(idOf),
    affected_host_total: impact.hostTotal,
    revenue_at_risk_per_hour_dollars: round(impact.revenueAtRiskPerHour, 2),
    max_sla_tier: impact.tier,
    compliance_at_risk: impact.compliance,
    redundancy_promise_broken: impact.redundancyBroken,
    band: incident.band,
    timeline,
    work_order_ids: [...incident.workOrderIds],
    channel_thread_id: incident.channelThreadId,
    articles: articlesOf(context, incident),
    hint_tier: incident.hintTier,
    hint: incident.hint,
    evidence: evidenceOf(incident),
    ...(world.handover !== null && blindFields(incident, timeline)),
  }
}

/** How many other parts have, or of a resolved incident had, the symptom in the title. */
function othersOf({
  headline: { symptomKey, signal },
  symptoms,
  symptomKeys,
  resolved,
}: Incident): Argument[] {
  if (symptomKey === null || isCustomerSignal(signal)) return []
  const keys = resolved === null ? Array.from(symptoms, ({ key }) => key) : [...symptomKeys]
  const number = keys.filter((key) => key !== symptomKey && isOfSignal(key, signal)).length
  return number === 0 ? [] : [{ key: 'others', text: String(number), number, is_number: true }]
}

function rackId(world: ObservedWorld, target: FaultTarget): number | null {
  const rack = rackOf(world.topology, target)
  return rack === null ? null : idOf(rack)
}

function causeRecord(context: IncidentContext, cause: Cause): IncidentRecord['causes'][number] {
  const { key, args } = causeWording(context, cause.kind, cause.target)
  return {
    root_kind: cause.kind,
    entity_id: targetId(cause.target),
    rack_id: rackId(context.world, cause.target),
    msg_key: key,
    msg_args: [...args],
    confidence: cause.confidence,
    confirmed: cause.confirmed,
    cleared: cause.cleared,
    articles: [articleRecord(context.catalog[cause.kind].article)],
  }
}

/** Articles about the symptom, the leading cause, and first steps while the cause is not confirmed. */
function articlesOf({ catalog }: IncidentContext, incident: Incident): IncidentRecord['articles'] {
  const cause = leadingCause(incident)
  const articles = [symptomArticles[incident.headline.kind]]
  if (cause !== null) articles.push(catalog[cause.kind].article)
  if (incident.root === null) articles.push(firstStepsArticle)
  return articles.map(articleRecord)
}

/** Normal readings are much the same in each incident. */
const foldedOf = (normal: readonly Observation[]) => ({
  label: 'Other readings',
  value: `${normal.length} are normal`,
  detail: `${normal.map(({ label }) => withoutMarkup(label)).join(', ')}.`,
})

/**
 * Observations that support likely causes, those of the leading one first, each by strength; then the number of those that
 * contradict causes.
 */
function evidenceOf({ causes }: Incident): IncidentRecord['evidence'] {
  const observed = causes.flatMap((cause, at) =>
    // Support of a cause that was ruled out all the same is no evidence of another.
    cause.observations
      .filter(({ likelihood }) => !cause.cleared || likelihood < 1)
      .map((observation) => ({
        observation,
        isLeading: at === 0 && !cause.cleared && observation.likelihood > 1,
        strength:
          observation.likelihood >= 1
            ? observation.likelihood * (1 + (at > 0 && cause.confirmed ? 0 : cause.confidence / 50))
            : 1 / observation.likelihood / 100,
      })),
  )
  const ordered = observed
    .toSorted((a, b) => Number(b.isLeading) - Number(a.isLeading) || b.strength - a.strength)
    .map(({ observation }) => observation)
  const hasLeading = observed.some(({ isLeading }) => isLeading)
  const supporting = ordered.filter(({ likelihood }) => likelihood >= 1)
  // One instrument may be read about several causes.
  const normal = ordered.filter(
    ({ label, likelihood }, at) =>
      likelihood < 1 &&
      ordered.findIndex((other) => withoutMarkup(other.label) === withoutMarkup(label)) === at,
  )
  const shown = normal.length < 3 ? normal : [normal[0], foldedOf(normal.slice(1))]
  return [...supporting.slice(0, evidenceMax - shown.length), ...shown].map((observation, index) =>
    evidenceRecord(observation, hasLeading && index === 0),
  )
}
