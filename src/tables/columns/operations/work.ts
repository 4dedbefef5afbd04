import type { WorkOrderRecord } from '../../../contract/collections.ts'
import { nullable, num, oneOf, str } from '../../../contract/fields.ts'
import type { Int64 } from '../../../contract/fields.ts'
import { isoTime, momentOrder, relativeTime, secondsBetween, spanText } from '../../../words/moments.ts'
import { capitalized } from '../../../words/phrases.ts'
import { actorWords, blockingWords, workKindWords } from '../../../words/vocabulary.ts'
import {
  idColumn,
  idOrNone,
  momentColumn,
  percentOf,
  relativeColumn,
  severityColumn,
  wordsOrNone,
} from '../../engine/columns.ts'
import { idOrNull, idText } from '../../engine/table-world.ts'
import type { TableWorld } from '../../engine/table-world.ts'
import { column, defineTable, each, oneOfFilter } from '../../engine/table.ts'
import type { TableColumn, Filters } from '../../engine/table.ts'

type StepRecord = WorkOrderRecord['steps'][number]

const states = ['waiting', 'under way', 'ordered', 'done', 'called off'] as const

const calledOff = /, called off$/

function stateOf({
  resolved_at_ns,
  blocking,
  started_at_ns,
  kind_label: label,
}: WorkOrderRecord): (typeof states)[number] {
  if (resolved_at_ns !== null) return calledOff.test(label) ? 'called off' : 'done'
  if (blocking !== null) return 'waiting'
  return started_at_ns === null ? 'ordered' : 'under way'
}

/** Waiting orders first, then those under way, then the finished ones, the latest first. */
function ordersInOrder({ records }: TableWorld): readonly WorkOrderRecord[] {
  const rank = (order: WorkOrderRecord) =>
    order.resolved_at_ns === null ? states.indexOf(stateOf(order)) : 9
  const moment = (order: WorkOrderRecord) => order.last_progress_at_ns ?? order.started_at_ns
  return records
    .all('workOrders')
    .toSorted((one, other) => rank(one) - rank(other) || momentOrder(moment(other), moment(one)))
}

const filters: Filters<WorkOrderRecord> = {
  order: { meaning: 'Id of a work order.', values: ({ id }) => [id] },
  incident: { meaning: 'Id of the incident that it serves.', values: ({ incident_id }) => [incident_id] },
  state: oneOfFilter(states, (order) => [stateOf(order)]),
  kind: { meaning: 'Kind of work.', values: ({ kind }) => [kind, workKindWords(kind)] },
}

/** The step under way, or the next one. */
function stepText(order: WorkOrderRecord): string {
  const next = order.steps.find(({ completed_at_ns }) => completed_at_ns === null)
  return order.resolved_at_ns === null ? (next?.detail ?? 'done') : stateOf(order)
}

export const work = defineTable<WorkOrderRecord>({
  name: 'work',
  meaning: 'Work orders: those that wait, those under way, then finished ones, the latest first.',
  row: ['WorkRow', 'A work order.'],
  worldParts: ['workOrders'],
  ...each(ordersInOrder),
  archived: 'order',
  filters,
  columns: {
    order_id: column(idColumn('work order'), ({ id }) => idText(id)),
    severity: column(severityColumn, (order) => (stateOf(order) === 'waiting' ? 2 : 0)),
    state: column(oneOf(states, 'How far it is.'), stateOf),
    what: column(str('What is to be done, and to what.'), ({ kind_label: label }) =>
      label.replace(calledOff, ''),
    ),
    by: column(str('Who does it: a technician or the automation.'), ({ actor }) => actorWords(actor)),
    step: column(str('The step under way, or the next one; "done" or "called off" at the end.'), stepText),
    progress_pct: column(num('Steps that are finished, of all.', 'pct'), (order) => {
      const done = order.steps.filter((step) => stepState({ order, step }) === 'done')
      return percentOf(done.length, order.steps.length) ?? 0
    }),
    waits_for: column(nullable(str('What keeps it waiting.')), ({ blocking, resolved_at_ns }) =>
      resolved_at_ns === null ? wordsOrNone(blocking, blockingWords) : null,
    ),
    incident_id: column(idOrNone('incident that it serves'), ({ incident_id }) => idOrNull(incident_id)),
    started_at: column(nullable(momentColumn('When it was started.')), ({ started_at_ns }) =>
      wordsOrNone(started_at_ns, isoTime),
    ),
    started: column(nullable(relativeColumn('When it was started.')), ({ started_at_ns }, { nowNs }) =>
      wordsOrNone(started_at_ns, (ns) => relativeTime(ns, nowNs)),
    ),
    finished_at: column(nullable(momentColumn('When it was finished.')), ({ resolved_at_ns }) =>
      wordsOrNone(resolved_at_ns, isoTime),
    ),
  },
})

interface Step {
  readonly order: WorkOrderRecord
  readonly step: StepRecord
  readonly number: number
}

const stepStates = ['done', 'called off', 'under way', 'to do'] as const

/** A step that ends with an order that is called off was not finished. */
function stepState({ order, step }: Pick<Step, 'order' | 'step'>): (typeof stepStates)[number] {
  const { completed_at_ns, started_at_ns } = step
  if (completed_at_ns === null) return started_at_ns === null ? 'to do' : 'under way'
  const isLast = momentOrder(completed_at_ns, order.resolved_at_ns) === 0
  return isLast && stateOf(order) === 'called off' ? 'called off' : 'done'
}

/** A duration that may be unknown, in words. */
const spanColumn = (meaning: string, spanOf: (item: Step) => Int64 | null): TableColumn<Step> =>
  column(nullable(str(`${meaning}, in words.`)), (item) =>
    wordsOrNone(spanOf(item), (ns) => spanText(secondsBetween(0, ns))),
  )

export const workSteps = defineTable<Step, WorkOrderRecord>({
  name: 'work-steps',
  meaning: 'The steps of work orders, in their order.',
  row: ['WorkStepRow', 'A step of a work order.'],
  worldParts: ['workOrders'],
  entities: ordersInOrder,
  archived: 'order',
  itemsOf: (order) => order.steps.map((step, index) => ({ order, step, number: index + 1 })),
  entityFilters: filters,
  columns: {
    order_id: column(idColumn('work order'), ({ order }) => idText(order.id)),
    incident_id: column(idOrNone('incident that the order serves'), ({ order }) =>
      idOrNull(order.incident_id),
    ),
    work: column(str('What the order is about.'), ({ order }) => order.kind_label),
    what: column(str('What is done.'), ({ step }) => capitalized(step.detail)),
    state: column(oneOf(stepStates, 'How far it is.'), stepState),
    estimate: spanColumn('Simulated time that it should take', ({ step }) => step.estimated_duration_ns),
    took: spanColumn('Simulated time that it took', ({ step }) => step.actual_duration_ns),
  },
})
