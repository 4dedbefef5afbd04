import type {
  IncidentRecord,
  ProspectRecord,
  QuestRecord,
  WorkOrderRecord,
} from '../../../contract/collections.ts'
import { messageText } from '../../../contract/messages/catalog.ts'
import { nullable, oneOf, str } from '../../../contract/fields.ts'
import { causeSentence, incidentName, likeliestCause } from '../../../words/incidents.ts'
import { relativeTime } from '../../../words/moments.ts'
import { capitalized, counted, plain, withoutStop } from '../../../words/phrases.ts'
import { bandRank, blockingWords, recommendationWords } from '../../../words/vocabulary.ts'
import { idOrNone, severityColumn, severityFilter } from '../../engine/columns.ts'
import { graphFrom, lastHour } from '../incidents/graph-range.ts'
import { ordersOf, workText } from '../incidents/incidents.ts'
import { byGravity, idOrNull } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable, each, oneOfFilter, unlessUnknown } from '../../engine/table.ts'
import { fitText, prospectSeverity, prospectsInOrder } from '../tenants/prospects.ts'

/** A pending decision or piece of work, with its record. */
type Task =
  | { readonly kind: 'incident'; readonly about: IncidentRecord }
  | { readonly kind: 'work'; readonly about: WorkOrderRecord; readonly alike: number }
  | { readonly kind: 'prospect'; readonly about: ProspectRecord }
  | { readonly kind: 'quest'; readonly about: QuestRecord }

/** The page with more about a task; for one that concerns an incident, the incident's page. */
const pages = { incident: 'incident', work: 'business', prospect: 'growth', quest: 'business' } as const

const kinds = ['incident', 'work', 'prospect', 'quest'] as const

/** The number of incidents of band Watch that are listed while none is graver. */
const watchedMax = 2

function incidentsToAttend({ records }: TableWorld): readonly IncidentRecord[] {
  const incidents = records.all('incidents').toSorted(byGravity)
  const grave = incidents.filter(({ band }) => bandRank(band) >= 2)
  return grave.length > 0 ? grave : incidents.slice(0, watchedMax)
}

/** The work on an incident, or its last completed work. */
function workOn(incident: IncidentRecord, world: TableWorld): string | null {
  const text = workText(incident, world)
  const last = incident.timeline.findLast(({ kind }) => kind.startsWith('Work'))
  const isIdle = ordersOf(incident, world).length === 0 && /^Work(?:Done|CalledOff)$/.test(last?.kind ?? '')
  if (!isIdle) return text
  // A hint about the cause says to see the orders, of which there are none.
  const isOver = incident.confirmed && !incident.hint?.startsWith('Cause known')
  return `${text} ${(isOver ? incident.hint : null) ?? 'No other work is ordered yet.'}`
}

/** The suspect comes first: it says where to look. */
function adviceOn(incident: IncidentRecord, work: string | null): string {
  const next = incident.hint ?? work ?? 'No order is for this incident.'
  const suspect = incident.confirmed ? undefined : likeliestCause(incident)
  if (suspect === undefined) return next
  const cause = withoutStop(causeSentence(suspect))
  // A hint may already name the suspect.
  return next.includes(cause) ? next : `Suspected: ${cause} (${plain(suspect.confidence)} %). ${next}`
}

/** An incident with a confirmed cause and work under way ranks below others of its band: it needs no decision now. */
function isAttended(incident: IncidentRecord, world: TableWorld): boolean {
  return incident.confirmed && workOn(incident, world) !== null
}

/** Upkeep may wait for weeks. */
const isUpkeep = ({ kind }: WorkOrderRecord): boolean => kind === 'Upkeep'

function taskSeverity({ kind, about }: Task, world: TableWorld): number {
  if (kind === 'work') return isUpkeep(about) ? 0 : 2
  if (kind === 'quest') return 0
  if (kind === 'prospect') return prospectSeverity(about, world)
  const gravity = bandRank(about.band)
  return isAttended(about, world) ? Math.max(1, gravity - 1) : gravity
}

/** Orders for the same work at several devices, which wait for the same. */
const alikeKey = ({ kind, kind_label: label, blocking }: WorkOrderRecord): string =>
  [kind, blocking, label.replace(/ in \S+$/, '')].join(' ')

/** `Replace a power supply in tfd-a-b02-u09 (and in 7 others)`. */
const orderText = ({ kind_label: label }: WorkOrderRecord, alike: number): string =>
  alike === 0 ? label : `${label} (and in ${counted(alike, 'other')})`

/** How many others of alike orders are named otherwise: two orders may be about two parts of one device. */
const namesBeside = ({ kind_label }: WorkOrderRecord, others: readonly WorkOrderRecord[]): number =>
  new Set(others.map((order) => order.kind_label)).difference(new Set([kind_label])).size

function taskText(task: Task, { nowNs }: TableWorld): string {
  if (task.kind === 'work') return orderText(task.about, task.alike)
  const { kind, about } = task
  if (kind === 'incident') return capitalized(incidentName(about).replace(`${about.band} `, ''))
  if (kind === 'prospect') {
    const end = unlessUnknown(() => `: its request expires ${relativeTime(about.expires_at_ns, nowNs)}`)
    return `${about.name} (${about.tier})${end ?? ' waits for an answer'}.`
  }
  return messageText(about.title, about.title_args)
}

function adviceText({ kind, about }: Task, world: TableWorld): string | null {
  if (kind === 'work') return about.blocking === null ? null : `Waits: ${blockingWords(about.blocking)}.`
  if (kind === 'prospect')
    return [`${capitalized(recommendationWords(about.fit_recommendation))}.`, fitText(about)]
      .filter((text) => text !== '' && text !== '.')
      .join(' ')
  if (kind === 'quest') return messageText(about.blurb, about.blurb_args)
  const work = workOn(about, world)
  return isAttended(about, world) ? work : adviceOn(about, work)
}

function incidentId({ kind, about }: Task) {
  if (kind === 'incident') return about.id
  return kind === 'work' ? about.incident_id : null
}

const incidentOf = (task: Task, { records }: TableWorld): IncidentRecord | undefined =>
  records.get('incidents', incidentId(task))

function tasksOf(world: TableWorld): readonly Task[] {
  const { records } = world
  const blocked = Map.groupBy(
    records
      .all('workOrders')
      .filter(({ blocking, resolved_at_ns }) => blocking !== null && resolved_at_ns === null),
    (order) => unlessUnknown(() => alikeKey(order)) ?? String(order.id),
  )
    .values()
    .map(([about, ...others]) => ({ kind: 'work' as const, about, alike: namesBeside(about, others) }))
    .toArray()
  const next = records.all('quests').filter(({ state }) => state === 'Next')
  const tasks: Task[] = [
    ...incidentsToAttend(world).map((about) => ({ kind: 'incident' as const, about })),
    ...blocked.filter(({ about }) => !isUpkeep(about)),
    ...prospectsInOrder(world).map((about) => ({ kind: 'prospect' as const, about })),
    ...next.map((about) => ({ kind: 'quest' as const, about })),
    ...blocked.filter(({ about }) => isUpkeep(about)),
  ]
  const ranked = tasks.map((task) => ({
    task,
    severity: unlessUnknown(() => taskSeverity(task, world)) ?? 0,
  }))
  return ranked.toSorted((one, other) => other.severity - one.severity).map(({ task }) => task)
}

/** The most urgent task as a sentence: what it is about, and the advice on it. */
export function nextTask(world: TableWorld): string | null {
  const [first] = tasksOf(world)
  if (first === undefined) return null
  return unlessUnknown(() => {
    const advice = first.kind === 'prospect' ? null : adviceText(first, world)
    if (advice === null) return taskText(first, world)
    if (first.kind === 'incident') return `Incident ${first.about.id}: ${advice}`
    return first.kind === 'quest'
      ? `Quest "${taskText(first, world)}": ${advice}`
      : `Order "${taskText(first, world)}" ${advice.replace('Waits', 'waits')}`
  })
}

/** The list of pending tasks for the player. */
export const tasks = defineTable<Task>({
  name: 'tasks',
  meaning:
    'What to do next: incidents, work that waits, prospects and the next quest, the most urgent first.',
  row: ['TaskRow', 'Something to do.'],
  worldParts: ['incidents', 'workOrders', 'prospects', 'quests'],
  ...each(tasksOf),
  filters: {
    kind: oneOfFilter(kinds, ({ kind }) => [kind]),
    ...severityFilter<Task>((task, world) => ({ severity: taskSeverity(task, world) })),
  },
  columns: {
    severity: column(severityColumn, taskSeverity),
    kind: column(oneOf(kinds, 'What it is about.'), 'kind'),
    task: column(str('What waits, as a sentence.'), taskText),
    advice: column(nullable(str('What to do about it.')), adviceText),
    incident_id: column(idOrNone('incident that it is about'), (task) => idOrNull(incidentId(task))),
    leads_to: column(oneOf(['incident', 'growth', 'business'], 'What shows more of it.'), (task, world) =>
      incidentOf(task, world) === undefined ? pages[task.kind] : 'incident',
    ),
    graph_from: column(
      str('As of the incident that it is about; the last hour if it is about none.'),
      (task, world) => {
        const incident = incidentOf(task, world)
        return incident === undefined ? lastHour : graphFrom(incident, world)
      },
    ),
  },
})
