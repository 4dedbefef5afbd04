import { eventWindow } from '../../../src/contract/collections.ts'
import type { IncidentRecord, Snapshot, WorkOrderRecord } from '../../../src/contract/collections.ts'
import type { Int64 } from '../../../src/contract/fields.ts'
import type { Check } from './checked-world.ts'

/** Invariant 6: times are in causal order, and none is in the future. */
export function watchTimes(): Check {
  const changes = watchChanges()
  return (look) => {
    const { snapshot } = look
    const { incidents, resolvedIncidents, workOrders } = snapshot.collections
    const now = snapshot.simTimeNs
    return [
      ...changes(look),
      ...[...incidents, ...resolvedIncidents].flatMap((incident) => incidentViolations(incident, now)),
      ...keepingViolations(snapshot),
      ...workOrders.flatMap((order) => orderViolations(order, now)),
      ...eventViolations(snapshot),
      ...customerViolations(snapshot),
    ]
  }
}

const hourNs = 3_600_000_000_000n

const plain = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))

/** An incident's record changes only together with its time of change, which is monotonic. */
function watchChanges(): Check {
  const texts = new Map<number, { readonly text: string; readonly changed: bigint }>()
  let lookedAt = -1n
  return ({ snapshot }) => {
    const wrong: string[] = []
    const { incidents, resolvedIncidents } = snapshot.collections
    for (const incident of [...incidents, ...resolvedIncidents]) {
      // The order of a fault that outlives its incident moves to the next one, even from a resolved incident.
      const text = plain(incident.resolved_at_ns === null ? incident : { ...incident, work_order_ids: [] })
      const changed = BigInt(incident.last_changed_at_ns)
      const before = texts.get(Number(incident.id))
      texts.set(Number(incident.id), { text, changed })
      if (before === undefined || before.text === text) continue
      // A change in the step that began at the last check has the time of that check.
      if (changed < lookedAt)
        wrong.push(`incident ${incident.id} changed, and says it last did at ${changed}`)
      if (changed < before.changed) wrong.push(`incident ${incident.id}: its last change went back`)
    }
    lookedAt = snapshot.simTimeNs
    return wrong
  }
}

/** Whether the known times are in ascending order. */
function inOrder(moments: readonly (Int64 | null)[]): boolean {
  const known = moments.filter((moment) => moment !== null)
  return known.every((moment, index) => index === 0 || moment >= known[index - 1])
}

function incidentViolations(incident: IncidentRecord, now: bigint): string[] {
  const { id, started_at_ns, last_changed_at_ns, resolved_at_ns, timeline } = incident
  const wrong: string[] = []
  if (!inOrder([0, started_at_ns, last_changed_at_ns, resolved_at_ns, now])) {
    wrong.push(
      `incident ${id}: started ${started_at_ns}, changed ${last_changed_at_ns}, resolved ${resolved_at_ns}`,
    )
  }
  if (!inOrder([started_at_ns, ...timeline.map(({ at_ns }) => at_ns), last_changed_at_ns])) {
    wrong.push(`incident ${id}: its timeline is out of order`)
  }
  return wrong
}

/** Resolved incidents are retained for 24 simulated hours, at most 500, and active ones are not resolved. */
function keepingViolations({ collections, simTimeNs }: Snapshot): string[] {
  const wrong: string[] = []
  for (const { id, resolved_at_ns } of collections.incidents) {
    if (resolved_at_ns !== null) wrong.push(`incident ${id} is active and says it is resolved`)
  }
  for (const { id, resolved_at_ns } of collections.resolvedIncidents) {
    if (resolved_at_ns === null) wrong.push(`incident ${id} is resolved and does not say when`)
    else if (simTimeNs - BigInt(resolved_at_ns) > 24n * hourNs + hourNs / 60n) {
      wrong.push(`incident ${id} was resolved at ${resolved_at_ns} and is still kept`)
    }
  }
  if (collections.resolvedIncidents.length > 500) wrong.push('more than 500 resolved incidents are kept')
  return wrong
}

function orderViolations(order: WorkOrderRecord, now: bigint): string[] {
  const { id, steps, current_step, started_at_ns, last_progress_at_ns, resolved_at_ns } = order
  const moments = steps.flatMap((step) => [step.started_at_ns, step.completed_at_ns])
  const rules: Readonly<Record<string, boolean>> = {
    'steps follow one another': inOrder([0, ...moments, now]),
    'it starts, proceeds and ends in that order': inOrder([
      started_at_ns,
      last_progress_at_ns,
      resolved_at_ns,
      now,
    ]),
    'it starts with its first step': started_at_ns === (steps[0]?.started_at_ns ?? null),
    'steps before the current one are done': steps
      .slice(0, current_step)
      .every((step) => step.started_at_ns !== null && step.completed_at_ns !== null),
    'the current step is not done':
      steps[current_step]?.completed_at_ns === null || current_step === steps.length,
    'later steps are not begun': steps.slice(current_step + 1).every((step) => step.started_at_ns === null),
    'it is resolved when all steps are done': (resolved_at_ns !== null) === (current_step === steps.length),
    // An order canceled between two steps ends later than the last completed step.
    'it ends with its last step or later': inOrder([...moments, resolved_at_ns]),
    'what is done waits for nothing': resolved_at_ns === null || order.blocking === null,
    'times taken are times between': steps.every(
      (step) =>
        step.actual_duration_ns ===
        (step.started_at_ns === null || step.completed_at_ns === null
          ? null
          : BigInt(step.completed_at_ns) - BigInt(step.started_at_ns)),
    ),
    'estimates are spans': steps.every(({ estimated_duration_ns }) => (estimated_duration_ns ?? 1) > 0),
  }
  return Object.entries(rules).flatMap(([rule, holds]) =>
    holds ? [] : [`work order ${id}: not so: ${rule}`],
  )
}

function eventViolations({ events, newestEvictedNs, simTimeNs }: Snapshot): string[] {
  const wrong: string[] = []
  events.forEach(({ at_ns }, index) => {
    const before = index === 0 ? newestEvictedNs : events[index - 1].at_ns
    if (at_ns <= before) wrong.push(`event ${index} at ${at_ns} is not later than ${before}`)
  })
  const last = events.at(-1)
  if (last !== undefined && last.at_ns > simTimeNs)
    wrong.push(`the last event is at ${last.at_ns}, now is ${simTimeNs}`)
  if (events.length > eventWindow) wrong.push(`${events.length} events are kept`)
  return wrong
}

const daySeconds = 86_400
/** Each customer is processed once in this time. */
const turnSeconds = 300

function customerViolations({ collections, simTimeNs }: Snapshot): string[] {
  const wrong: string[] = []
  for (const customer of collections.customers) {
    const { id, pending_until_ns, sla_period_elapsed_seconds: elapsed } = customer
    if (pending_until_ns !== null && BigInt(pending_until_ns) + hourNs / 12n < simTimeNs) {
      if (customer.lifecycle !== 'Onboarding') wrong.push(`customer ${id} was due at ${pending_until_ns}`)
    }
    if (elapsed < 0 || elapsed > 30 * daySeconds) wrong.push(`customer ${id}: ${elapsed} s of its period`)
    // A period is settled at the customer's last turn before it ends, and what follows counts for the next one.
    if (customer.sla_period_seconds_over_latency > elapsed + turnSeconds) {
      wrong.push(
        `customer ${id}: ${customer.sla_period_seconds_over_latency} of ${elapsed} s over its latency`,
      )
    }
  }
  for (const { id, expires_at_ns } of collections.prospects) {
    if (BigInt(expires_at_ns) + hourNs / 60n < simTimeNs)
      wrong.push(`prospect ${id} expired at ${expires_at_ns}`)
  }
  return wrong
}
