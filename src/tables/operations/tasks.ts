import type {
  IncidentRecord,
  ProspectRecord,
  QuestRecord,
  WorkOrderRecord,
} from '../../contract/collections.ts'
import { messageText } from '../../contract/messages/catalog.ts'
import { defineRecord, nullable, oneOf, str } from '../../contract/fields.ts'
import { causeSentence, incidentHeadline, likeliestCause, workSummary } from '../../words/incidents.ts'
import { relativeTime } from '../../words/moments.ts'
import { capitalized, withoutStop } from '../../words/phrases.ts'
import { blockingWords, recommendationWords } from '../../words/vocabulary.ts'
import { amountOrNone, idOrNone, severityColumn } from '../columns.ts'
import { graphFrom, lastHour } from '../incidents/graph-range.ts'
import { bandRank, byGravity, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable } from '../table.ts'
import { fitText, prospectSeverity } from '../tenants/prospects.ts'
import { questProgress } from './quests.ts'

/** What shows more of a task of a kind; of one that is about an incident, that does. */
const pages = { incident: 'incident', work: 'business', prospect: 'growth', quest: 'business' } as const

const kinds = ['incident', 'work', 'prospect', 'quest'] as const

interface Task {
  readonly severity: number
  readonly kind: (typeof kinds)[number]
  readonly task: string
  readonly advice: string | null
  readonly due: string | null
  readonly progress_pct: number | null
  readonly incident_id: string | null
}

/** How many incidents of band Watch are listed while none is graver. */
const watchedMax = 2

function incidentsToAttend({ records }: TableWorld): readonly IncidentRecord[] {
  const incidents = records.all('incidents').toSorted(byGravity)
  const grave = incidents.filter(({ band }) => bandRank(band) >= 2)
  return grave.length > 0 ? grave : incidents.slice(0, watchedMax)
}

/** The order that serves an incident next, or what was done for it. */
function workOn(incident: IncidentRecord, { records }: TableWorld): string | null {
  const last = workSummary(incident)
  const order = records
    .all('workOrders')
    .find(({ incident_id: id, resolved_at_ns: doneNs }) => id === incident.id && doneNs === null)
  const isDone = incident.timeline.findLast(({ kind }) => kind.startsWith('Work'))?.kind === 'WorkDone'
  if (order === undefined) return isDone ? `${last} No other work is ordered yet.` : last
  if (order.blocking !== null) return `${order.kind_label} waits: ${blockingWords(order.blocking)}.`
  return order.started_at_ns === null ? `${order.kind_label} is ordered.` : last
}

/**
 * One whose cause is confirmed and that is being worked on stands below others of its band: who asks what to do reads
 * there that it is being done.
 */
function incidentTask(incident: IncidentRecord, world: TableWorld): Task {
  const work = workOn(incident, world)
  const gravity = bandRank(incident.band)
  const isAttended = work !== null && incident.confirmed
  const severity = isAttended ? Math.max(1, gravity - 1) : gravity
  const advice = isAttended ? work : adviceOn(incident, work)
  const task = incidentHeadline(incident)
  return {
    severity,
    kind: 'incident',
    task,
    advice,
    due: null,
    progress_pct: null,
    incident_id: idText(incident.id),
  }
}

/** What is suspected comes first: it says where to look. */
function adviceOn(incident: IncidentRecord, work: string | null): string {
  const next = incident.hint ?? work ?? 'No work is under way.'
  const suspect = incident.confirmed ? undefined : likeliestCause(incident)
  if (suspect === undefined) return next
  const cause = withoutStop(causeSentence(suspect))
  // A hint may name it already.
  return next.includes(cause) ? next : `Suspected: ${cause} (${suspect.confidence} %). ${next}`
}

function workTask(order: WorkOrderRecord): Task | null {
  if (order.blocking === null || order.resolved_at_ns !== null) return null
  return {
    severity: 2,
    kind: 'work',
    task: order.kind_label,
    advice: `Waits: ${blockingWords(order.blocking)}.`,
    due: null,
    progress_pct: null,
    incident_id: order.incident_id === null ? null : idText(order.incident_id),
  }
}

function prospectTask(prospect: ProspectRecord, { nowNs }: TableWorld): Task {
  const { name, tier, expires_at_ns, fit_recommendation: advice } = prospect
  return {
    severity: prospectSeverity(prospect, nowNs),
    kind: 'prospect',
    task: `${name} (${tier}) waits for an answer.`,
    advice: `${capitalized(recommendationWords(advice))}. ${fitText(prospect)}`,
    due: relativeTime(expires_at_ns, nowNs),
    progress_pct: null,
    incident_id: null,
  }
}

const questTask = (quest: QuestRecord): Task => ({
  severity: 0,
  kind: 'quest',
  task: `${messageText(quest.title, quest.title_args)}: ${messageText(quest.blurb, quest.blurb_args)}`,
  advice: `Brings: ${quest.reward_label}.`,
  due: null,
  progress_pct: questProgress(quest),
  incident_id: null,
})

function tasksOf(world: TableWorld): readonly Task[] {
  const { records } = world
  const next = records.all('quests').filter(({ state }) => state === 'Next')
  const tasks = [
    ...incidentsToAttend(world).map((incident) => incidentTask(incident, world)),
    ...records.all('workOrders').map(workTask),
    ...records.all('prospects').map((prospect) => prospectTask(prospect, world)),
    ...next.map(questTask),
  ]
  return tasks.filter((task) => task !== null).toSorted((one, other) => other.severity - one.severity)
}

/** What a player does next. */
export const tasks = defineTable({
  name: 'tasks',
  meaning:
    'What to do next: incidents, work that waits, prospects and the next quest, the most urgent first.',
  row: defineRecord('TaskRow', 'Something to do.', {
    severity: severityColumn,
    kind: oneOf(kinds, 'What it is about.'),
    task: str('What waits, as a sentence.'),
    advice: nullable(str('What to do about it.')),
    due: nullable(str('When it is too late, relative to the simulated time of the snapshot.')),
    progress_pct: amountOrNone('How far it is.', 'pct'),
    incident_id: idOrNone('incident that it is about'),
    leads_to: oneOf(['incident', 'growth', 'business'], 'What shows more of it.'),
    graph_from: str('As of the incident that it is about; the last hour if it is about none.'),
  }),
  reads: ['incidents', 'workOrders', 'prospects', 'quests'],
  items: tasksOf,
  filters: {
    kind: { meaning: 'incident, work, prospect or quest.', values: ({ kind }) => [kind] },
    severity: { meaning: 'Its severity, 0 to 4.', values: ({ severity }) => [String(severity)] },
  },
  toRow(task, world) {
    const { incident_id: id } = task
    const incident = id === null ? undefined : world.records.get('incidents', BigInt(id))
    return {
      ...task,
      leads_to: incident === undefined ? pages[task.kind] : 'incident',
      graph_from: incident === undefined ? lastHour : graphFrom(incident, world),
    }
  },
})
