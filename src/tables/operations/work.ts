import type { WorkOrderRecord } from '../../contract/collections.ts'
import { defineRecord, int, nullable, oneOf, str } from '../../contract/fields.ts'
import { incidentHeadline } from '../../words/incidents.ts'
import { isoTime, relativeTime, secondsBetween, spanText } from '../../words/moments.ts'
import { capitalized } from '../../words/phrases.ts'
import { actorWords, blockingWords, plainWords, workKindWords } from '../../words/vocabulary.ts'
import {
  amount,
  amountOrNone,
  idColumn,
  idOrNone,
  momentColumn,
  percentOf,
  relativeColumn,
  severityColumn,
} from '../columns.ts'
import { idOrNull, idText } from '../table-world.ts'
import type { TableWorld } from '../table-world.ts'
import { defineTable, filtersVia } from '../table.ts'
import type { Filters } from '../table.ts'

type StepRecord = WorkOrderRecord['steps'][number]

const states = ['waiting', 'under way', 'ordered', 'done'] as const

function stateOf({ resolved_at_ns, blocking, started_at_ns }: WorkOrderRecord): (typeof states)[number] {
  if (resolved_at_ns !== null) return 'done'
  if (blocking !== null) return 'waiting'
  return started_at_ns === null ? 'ordered' : 'under way'
}

/** Waiting orders first, then those under way, then the finished ones, the latest first. */
function ordersInOrder({ records }: TableWorld): readonly WorkOrderRecord[] {
  const rank = (order: WorkOrderRecord) => states.indexOf(stateOf(order))
  const moment = ({ last_progress_at_ns, started_at_ns }: WorkOrderRecord) =>
    BigInt(last_progress_at_ns ?? started_at_ns ?? 0)
  return records
    .all('workOrders')
    .toSorted((one, other) => rank(one) - rank(other) || Number(moment(other) - moment(one)))
}

const filters: Filters<WorkOrderRecord> = {
  order: { meaning: 'Id of a work order.', values: ({ id }) => [id] },
  incident: { meaning: 'Id of the incident that it serves.', values: ({ incident_id }) => [incident_id] },
  state: { meaning: 'waiting, under way, ordered or done.', values: (order) => [stateOf(order)] },
  kind: { meaning: 'Kind of work.', values: ({ kind }) => [kind, workKindWords(kind)] },
}

function incidentText(order: WorkOrderRecord, { records }: TableWorld): string | null {
  const id = order.incident_id
  const incident = records.get('incidents', id) ?? records.get('resolvedIncidents', id)
  return incident === undefined ? null : incidentHeadline(incident)
}

const reads = ['workOrders'] as const

export const work = defineTable({
  name: 'work',
  meaning: 'Work orders: those that wait, those under way, then finished ones, the latest first.',
  row: defineRecord('WorkRow', 'A work order.', {
    order_id: idColumn('work order'),
    severity: severityColumn,
    state: oneOf(states, 'How far it is.'),
    what: str('What is to be done, and to what.'),
    kind: str('Kind of work, in words.'),
    by: str('Who does it: a technician or the automation.'),
    step: str('The step under way, or the next one; "done" at the end.'),
    steps_done: int('Steps that are finished.'),
    steps: int('Steps in all.'),
    progress_pct: amount('Steps that are finished, of all.', 'pct'),
    waits_for: nullable(str('What keeps it waiting.')),
    incident_id: idOrNone('incident that it serves'),
    incident: nullable(str('That incident in one line.')),
    started_at: nullable(momentColumn('When it was started.')),
    started: nullable(relativeColumn('When it was started.')),
    progressed: nullable(relativeColumn('When a step was last started or finished.')),
    left_seconds: amountOrNone('Estimated simulated time until it is done; of started steps the rest.', 's'),
    finished_at: nullable(momentColumn('When it was finished.')),
    finished: nullable(relativeColumn('When it was finished.')),
  }),
  reads,
  items: ordersInOrder,
  filters,
  toRow(order, world) {
    const { nowNs } = world
    const { steps, started_at_ns: started, last_progress_at_ns: progressed, resolved_at_ns: finished } = order
    const state = stateOf(order)
    const next = steps.find(({ completed_at_ns }) => completed_at_ns === null)
    const done = steps.filter(({ completed_at_ns }) => completed_at_ns !== null).length
    return {
      order_id: idText(order.id),
      severity: state === 'waiting' ? 2 : 0,
      state,
      what: order.kind_label,
      kind: workKindWords(order.kind),
      by: actorWords(order.actor),
      step: state === 'done' || next === undefined ? 'done' : next.detail,
      steps_done: done,
      steps: steps.length,
      progress_pct: percentOf(done, steps.length) ?? 0,
      waits_for: order.blocking === null || finished !== null ? null : blockingWords(order.blocking),
      incident_id: idOrNull(order.incident_id),
      incident: incidentText(order, world),
      started_at: started === null ? null : isoTime(started),
      started: started === null ? null : relativeTime(started, nowNs),
      progressed: progressed === null ? null : relativeTime(progressed, nowNs),
      left_seconds: finished === null ? secondsLeft(steps, nowNs) : null,
      finished_at: finished === null ? null : isoTime(finished),
      finished: finished === null ? null : relativeTime(finished, nowNs),
    }
  },
})

/** The estimates of the steps that are not finished; null if one has none. */
function secondsLeft(steps: readonly StepRecord[], nowNs: bigint): number | null {
  let seconds = 0
  for (const { completed_at_ns, started_at_ns, estimated_duration_ns } of steps) {
    if (completed_at_ns !== null) continue
    if (estimated_duration_ns === null) return null
    const estimate = secondsBetween(0, estimated_duration_ns)
    const spent = started_at_ns === null ? 0 : secondsBetween(started_at_ns, nowNs)
    seconds += Math.max(0, estimate - spent)
  }
  return seconds
}

interface Step {
  readonly order: WorkOrderRecord
  readonly step: StepRecord
  readonly number: number
}

const stepStates = ['done', 'under way', 'to do'] as const

function stepState({ completed_at_ns, started_at_ns }: StepRecord): (typeof stepStates)[number] {
  if (completed_at_ns !== null) return 'done'
  return started_at_ns === null ? 'to do' : 'under way'
}

const spanOrNull = (ns: StepRecord['actual_duration_ns']): number | null =>
  ns === null ? null : secondsBetween(0, ns)

export const workSteps = defineTable({
  name: 'work-steps',
  meaning: 'The steps of work orders, in their order.',
  row: defineRecord('WorkStepRow', 'A step of a work order.', {
    order_id: idColumn('work order'),
    incident_id: idOrNone('incident that the order serves'),
    work: str('What the order is about.'),
    step: int('Number of the step, from 1.', 'index'),
    what: str('What is done.'),
    kind: str('Kind of step, in words.'),
    state: oneOf(stepStates, 'How far it is.'),
    estimated_seconds: amountOrNone('Simulated time that it should take.', 's'),
    estimate: nullable(str('Simulated time that it should take, in words.')),
    actual_seconds: amountOrNone('Simulated time that it took.', 's'),
    took: nullable(str('Simulated time that it took, in words.')),
    started: nullable(relativeColumn('When it was started.')),
    finished: nullable(relativeColumn('When it was finished.')),
  }),
  reads,
  items: (world: TableWorld): readonly Step[] =>
    ordersInOrder(world).flatMap((order) =>
      order.steps.map((step, index) => ({ order, step, number: index + 1 })),
    ),
  filters: filtersVia(filters, ({ order }: Step) => order),
  toRow({ order, step, number }, { nowNs }) {
    const estimated = spanOrNull(step.estimated_duration_ns)
    const actual = spanOrNull(step.actual_duration_ns)
    return {
      order_id: idText(order.id),
      incident_id: idOrNull(order.incident_id),
      work: order.kind_label,
      step: number,
      what: capitalized(step.detail),
      kind: plainWords(step.kind),
      state: stepState(step),
      estimated_seconds: estimated,
      estimate: estimated === null ? null : spanText(estimated),
      actual_seconds: actual,
      took: actual === null ? null : spanText(actual),
      started: step.started_at_ns === null ? null : relativeTime(step.started_at_ns, nowNs),
      finished: step.completed_at_ns === null ? null : relativeTime(step.completed_at_ns, nowNs),
    }
  },
})
