import type { IncidentRecord } from '../../../src/contract/collections.ts'
import { bands } from '../../../src/contract/vocabularies.ts'
import { targetId } from '../../../src/world/simulation/topology/entities.ts'
import type { Fault } from '../../../src/world/simulation/faults/model.ts'
import { minute, toNs } from '../../../src/world/simulation/time.ts'
import type { Micros } from '../../../src/world/simulation/time.ts'
import type { Simulation } from '../../../src/world/records/simulation.ts'
import type { Check, CheckedWorld } from './checked-world.ts'

/**
 * Invariant 8: impaired customers have an incident within ten simulated minutes, and resolved incidents are over. No
 * record shows a cause before it is confirmed.
 */
interface IncidentWatch {
  /** Runs once a simulated minute. */
  readonly everyMinute: (sim: Simulation) => void
  readonly look: Check
}

const reportDelayMax: Micros = 10 * minute

export function watchIncidents(): IncidentWatch {
  const impairedSince = new Map<number, Micros>()
  return {
    everyMinute: (sim) => updateImpairments(sim, impairedSince),
    look(look) {
      const { incidents, resolvedIncidents } = look.snapshot.collections
      return [
        ...missingIncidentViolations(look, impairedSince),
        ...incidents.flatMap(openViolations),
        ...[...incidents, ...resolvedIncidents].flatMap(causeViolations),
        ...resolvedIncidents.flatMap((incident) => lingeringViolations(look, incident)),
      ]
    },
  }
}

/** Updates the start of each customer's uninterrupted impairment: failed or slow requests, or stranded units. */
function updateImpairments({ state }: Simulation, since: Map<number, Micros>): void {
  for (const { id, lifecycle, failing, p99Ms, p99BudgetMs, strandedUnits } of state.tenants.active) {
    const served = lifecycle === 'Active' || lifecycle === 'Probation' || lifecycle === 'Leaving'
    if (!served || (failing <= 0.01 && p99Ms <= p99BudgetMs && strandedUnits === 0)) since.delete(id)
    else if (!since.has(id)) since.set(id, state.now)
  }
}

/** An open incident names every impaired customer; otherwise the violation names the possible faults. */
function missingIncidentViolations(
  { sim, snapshot }: CheckedWorld,
  since: ReadonlyMap<number, Micros>,
): string[] {
  const { now, tenants } = sim.state
  const named = new Set(
    snapshot.collections.incidents.flatMap(({ affected_customer_ids }) => affected_customer_ids.map(Number)),
  )
  const wrong: string[] = []
  for (const [id, began] of since) {
    const tenant = tenants.byId.get(id)
    if (tenant === undefined || named.has(id) || now - began <= reportDelayMax) continue
    const { failing, p99Ms, p99BudgetMs, strandedUnits } = tenant
    const how = `${failing} failing, p99 ${p99Ms} of ${p99BudgetMs} ms, ${strandedUnits} units stranded`
    const behind = sim
      .truth()
      .filter(({ affectedCustomerIds }) => affectedCustomerIds.includes(id))
      .map(({ kind, target }) => `${kind} of ${target.kind} ${targetId(target)}`)
    const text = `has been impaired for ${(now - began) / minute} min without an incident`
    wrong.push(`customer ${id} (${how}) ${text}; in the reach of ${behind.join(', ') || 'no fault'}`)
  }
  return wrong
}

/** A technician is assigned, and the impact follows from the affected customers. */
function openViolations(incident: IncidentRecord): string[] {
  const { id, work_order_ids, affected_customer_ids, max_sla_tier, affected_host_ids, affected_host_total } =
    incident
  const wrong: string[] = []
  if (work_order_ids.length === 0) wrong.push(`incident ${id} has no work order`)
  if ((max_sla_tier === null) !== (affected_customer_ids.length === 0)) {
    wrong.push(`incident ${id}: highest tier ${max_sla_tier} of ${affected_customer_ids.length} customers`)
  }
  if (affected_host_ids.length !== Math.min(50, affected_host_total))
    wrong.push(`incident ${id} counts its hosts`)
  return wrong
}

/** A record shows a cause exactly when it is confirmed. */
function causeViolations(incident: IncidentRecord): string[] {
  const { id, confirmed, root_kind, root_entity_id, causes, band } = incident
  const wrong: string[] = []
  const found = causes.filter((cause) => cause.confirmed)
  if (confirmed !== (root_kind !== 'Unknown') || confirmed !== (root_entity_id !== null)) {
    wrong.push(
      `incident ${id} is ${confirmed ? '' : 'not '}confirmed and shows ${root_kind} of ${root_entity_id}`,
    )
  }
  if (found.length > 0 !== confirmed) wrong.push(`incident ${id} has ${found.length} confirmed causes`)
  const [cause] = found
  if (cause !== undefined && (cause.root_kind !== root_kind || cause.entity_id !== root_entity_id)) {
    wrong.push(`incident ${id} confirmed ${cause.root_kind} of ${cause.entity_id}, not ${root_kind}`)
  }
  for (const one of causes) {
    if (one.confirmed && one.cleared) wrong.push(`incident ${id} both confirmed and cleared ${one.root_kind}`)
  }
  if (!bands.includes(band)) wrong.push(`incident ${id} is ${band}`)
  return wrong
}

/** The confirmed cause of a resolved incident has ended. */
function lingeringViolations({ sim }: CheckedWorld, incident: IncidentRecord): string[] {
  const { id, confirmed, root_kind, root_entity_id, started_at_ns, resolved_at_ns } = incident
  if (!confirmed || resolved_at_ns === null) return []
  const { active, ended } = sim.state.faults
  const isSuch = ({ kind, target }: Fault): boolean =>
    kind === root_kind && targetId(target) === Number(root_entity_id)
  const hasEnded = ended.some((fault) => isSuch(fault) && toNs(fault.ended!) >= started_at_ns)
  const isActive = active.some((fault) => isSuch(fault) && toNs(fault.began) < resolved_at_ns)
  // Of two faults of one kind at one target, one may have ended while the other has no effect yet.
  if (hasEnded || !isActive) return []
  return [`incident ${id} is resolved, its cause, ${root_kind} of ${root_entity_id}, remains`]
}

/** Invariant 9: in a world without faults, no incident is above Watch. */
export const quietWorldViolations: Check = ({ snapshot: { collections } }) =>
  [...collections.incidents, ...collections.resolvedIncidents].flatMap(({ id, band, symptom_kind }) =>
    band === 'Watch' ? [] : [`incident ${id}, ${symptom_kind}, is ${band} although all is calm`],
  )
