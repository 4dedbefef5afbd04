import type { IncidentRecord } from '../../contract/collections.ts'
import { idOf } from '../plant/tables.ts'
import { round } from '../numeric.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import { toNs } from '../time.ts'
import { causeArticle, symptomArticles, type Article } from '../faults/advice.ts'
import { causeWording, unknownWording } from '../faults/announcements.ts'
import type { Case, Cause } from '../faults/case.ts'
import { plain } from '../faults/evidence.ts'
import type { Incidents } from '../faults/incidents.ts'
import { rackOf, targetId } from '../faults/targets.ts'

/** Observations that a record shows. */
const evidenceMost = 10

export interface IncidentRecords {
  /** Open ones, ascending by id. */
  readonly incidents: IncidentRecord[]
  /** Those resolved lately, ascending by id. */
  readonly resolvedIncidents: IncidentRecord[]
  update(): void
}

/** Records of incidents: one object an incident from its opening to its end, rewritten when the incident changes. */
export function createIncidentRecords(state: WorldState, incidents: Incidents): IncidentRecords {
  const written = new Map<number, { readonly record: IncidentRecord; version: number }>()
  const records: IncidentRecords = {
    incidents: [],
    resolvedIncidents: [],
    update() {
      const { book } = incidents
      fill(records.incidents, [...book.open.values()].map(current))
      fill(
        records.resolvedIncidents,
        book.resolved.map(current).toSorted((a, b) => Number(a.id) - Number(b.id)),
      )
      for (const id of written.keys()) if (!isKept(id)) written.delete(id)
    },
  }
  const isKept = (id: number): boolean =>
    incidents.book.open.has(id) || incidents.book.resolved.some((at) => at.id === id)
  const current = (at: Case): IncidentRecord => {
    const known = written.get(at.id)
    if (known === undefined) {
      const record = recordOf(state, at)
      written.set(at.id, { record, version: at.version })
      return record
    }
    if (known.version !== at.version) {
      Object.assign(known.record, recordOf(state, at))
      known.version = at.version
    }
    return known.record
  }
  return records
}

function fill(list: IncidentRecord[], now: readonly IncidentRecord[]): void {
  list.length = 0
  list.push(...now)
}

function recordOf(state: WorldState, at: Case): IncidentRecord {
  const { stake, view, headline, root } = at
  const rootWording = root === null ? unknownWording : causeWording(state, root.kind, root.target)
  return {
    id: at.id,
    root_kind: view.rootKind,
    root_entity_id: root === null ? null : targetId(root.target),
    rack_id: root === null ? null : rackId(state, root.target),
    root_msg_key: rootWording.key,
    root_msg_args: [...rootWording.args],
    symptom_kind: headline.kind,
    symptom_msg_key: headline.key,
    symptom_msg_args: [...headline.args],
    symptom_customer_id: headline.customerId,
    confirmed: root !== null,
    causes: at.causes.map((cause) => causeRecord(state, cause)),
    started_at_ns: toNs(at.opened),
    last_changed_at_ns: toNs(at.lastChanged),
    resolved_at_ns: at.resolved === null ? null : toNs(at.resolved),
    affected_customer_ids: [...stake.customers],
    affected_host_ids: stake.hosts.map(idOf),
    affected_host_total: stake.hostTotal,
    revenue_at_risk_per_hour_dollars: round(stake.revenueAtRiskPerHour, 2),
    max_sla_tier: stake.tier,
    compliance_at_risk: stake.compliance,
    redundancy_promise_broken: stake.redundancyBroken,
    band: view.band,
    timeline: at.timeline.map(({ at: moment, kind, detail }) => ({ at_ns: toNs(moment), kind, detail })),
    work_order_ids: [...view.workOrderIds],
    channel_thread_id: at.thread,
    articles: articlesOf(at),
    hint_tier: at.hintTier,
    hint: at.hint,
    evidence: evidenceOf(at),
  }
}

function rackId(state: WorldState, target: FaultTarget): number | null {
  const rack = rackOf(state.plant, target)
  return rack === null ? null : idOf(rack)
}

function causeRecord(state: WorldState, cause: Cause): IncidentRecord['causes'][number] {
  const { key, args } = causeWording(state, cause.kind, cause.target)
  return {
    root_kind: cause.kind,
    entity_id: targetId(cause.target),
    rack_id: rackId(state, cause.target),
    msg_key: key,
    msg_args: [...args],
    confidence: cause.confidence,
    confirmed: cause.confirmed,
    cleared: cause.cleared,
    articles: [articleRecord(causeArticle(cause.kind))],
  }
}

const articleRecord = ({ id, title }: Article) => ({ id, title, title_plain: plain(title) })

/** What helps with the symptom, with what leads, and first of all with nothing known. */
function articlesOf(at: Case): IncidentRecord['articles'] {
  const first = at.causes[0]
  const articles = [symptomArticles[at.headline.kind]]
  if (first !== undefined && !first.cleared) articles.push(causeArticle(first.kind))
  if (at.root === null) articles.push(causeArticle('Unknown'))
  return articles.map(articleRecord)
}

/** Strongest first: what speaks for likely causes, then what speaks against others. */
function evidenceOf(at: Case): IncidentRecord['evidence'] {
  const observed = at.causes.flatMap((cause) =>
    cause.observations.map((observation) => ({
      observation,
      strength:
        observation.likelihood >= 1
          ? observation.likelihood * (1 + cause.confidence / 50)
          : 1 / observation.likelihood / 100,
    })),
  )
  return observed
    .toSorted((a, b) => b.strength - a.strength)
    .slice(0, evidenceMost)
    .map(({ observation: { label, value, detail, likelihood } }, index) => ({
      label,
      label_plain: plain(label),
      value,
      value_plain: plain(value),
      detail,
      detail_plain: plain(detail),
      leading: index === 0 && likelihood > 1,
    }))
}
