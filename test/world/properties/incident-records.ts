import type { Collections, IncidentRecord, WorkOrderRecord } from '../../../src/contract/collections.ts'
import { portsById, sum } from './checked-world.ts'
import type { Check } from './checked-world.ts'

/** Records of incidents and work orders are consistent in themselves and with each other. */
export const incidentRecordViolations: Check = ({ snapshot: { collections } }) => [
  ...linkPartViolations(collections),
  ...[...collections.incidents, ...collections.resolvedIncidents].flatMap(incidentViolations),
  ...collections.workOrders.flatMap(orderViolations),
  ...orderListViolations(collections),
]

function incidentViolations(incident: IncidentRecord): string[] {
  const { id, confirmed, causes, evidence, timeline, redundancy_promise_broken, band, hint, resolved_at_ns } =
    incident
  const wrong: string[] = []
  if (evidence.some(({ leading }, index) => leading && index > 0))
    wrong.push(`incident ${id}: evidence is led by ${evidence.map(({ leading }) => leading).join()}`)
  if (redundancy_promise_broken && band === 'Watch' && resolved_at_ns !== null)
    wrong.push(`incident ${id} broke a promise and was never more than Watch`)
  if (
    timeline.some(({ kind }) => kind === 'Mitigated') &&
    !timeline.some(({ kind }) => kind === 'WorkStarted')
  )
    wrong.push(`incident ${id} was mitigated without any work`)
  if (resolved_at_ns !== null && (hint === null || !hint.startsWith('Resolved. ')))
    wrong.push(`incident ${id} is resolved and hints: ${hint}`)
  // Each confidence is rounded to a whole percentage. Several causes may be confirmed.
  const possible = causes.filter((cause) => !cause.confirmed)
  const isUnsure = causes.some((cause) => cause.confirmed && cause.confidence !== 100)
  if (isUnsure || sum(possible, (cause) => cause.confidence) > 100 + possible.length / 2)
    wrong.push(`incident ${id} is ${causes.map((cause) => cause.confidence).join(', ')} % sure of its causes`)
  if (causes.some((cause) => cause.cleared && cause.confidence > 0))
    wrong.push(`incident ${id} believes in a cause that it ruled out`)
  if (confirmed !== timeline.some(({ kind }) => kind === 'CauseConfirmed'))
    wrong.push(`incident ${id}: confirmed is ${confirmed}, and its timeline differs`)
  if ((timeline.at(-1)?.kind === 'Resolved') !== (resolved_at_ns !== null))
    wrong.push(`incident ${id}: its timeline ends with ${timeline.at(-1)?.kind}`)
  return wrong
}

/** An order with a current or completed step names its actor. */
function orderViolations({ id, actor, actor_staff_id, steps, started_at_ns }: WorkOrderRecord): string[] {
  const begun = steps.filter((step) => step.started_at_ns !== null)
  if (actor === 'Staff' && actor_staff_id === null && (begun.length > 0 || started_at_ns !== null))
    return [`work order ${id} was started without an actor`]
  return actor === 'Automation' && actor_staff_id !== null
    ? [`work order ${id} of the automation names a technician`]
    : []
}

/** A work order names its incident, the only one that lists it. */
function orderListViolations({ incidents, resolvedIncidents, workOrders }: Collections): string[] {
  const incidentOf = new Map(workOrders.map(({ id, incident_id }) => [id, incident_id]))
  const listedBy = new Map<IncidentRecord['id'], IncidentRecord['id']>()
  const wrong: string[] = []
  for (const { id, work_order_ids } of [...incidents, ...resolvedIncidents]) {
    for (const order of work_order_ids) {
      if (listedBy.has(order))
        wrong.push(`incidents ${listedBy.get(order)} and ${id} list work order ${order}`)
      listedBy.set(order, id)
      const named = incidentOf.get(order)
      if (named !== undefined && named !== id)
        wrong.push(`incident ${id} lists work order ${order}, which names ${named}`)
    }
  }
  const known = new Set([...incidents, ...resolvedIncidents].map(({ id }) => id))
  for (const [order, incident] of incidentOf) {
    if (incident !== null && known.has(incident) && listedBy.get(order) !== incident)
      wrong.push(`work order ${order} names incident ${incident}, which does not list it`)
  }
  return wrong
}

/** Transceivers are in ports with fiber; other cables include their connectors. */
function linkPartViolations(collections: Collections): string[] {
  const { incidents, resolvedIncidents, cables } = collections
  const ports = portsById(collections)
  const mediaOf = (id: number): string | undefined => ports.get(id)?.port.media
  const cableEnds = new Map(cables.map(({ id, a }) => [Number(id), Number(a?.port_id ?? -1)]))
  return [...incidents, ...resolvedIncidents].flatMap(({ id, causes }) =>
    causes.flatMap(({ root_kind, entity_id }) => {
      const port = root_kind === 'CableFault' ? cableEnds.get(Number(entity_id)) : Number(entity_id)
      const media = mediaOf(port ?? -1)
      if (root_kind === 'TransceiverFailure' && media !== 'Fiber')
        return [`incident ${id} suspects a transceiver in port ${entity_id}, which has ${media}`]
      return root_kind === 'CableFault' && (media === 'Fiber' || media === undefined)
        ? [`incident ${id} suspects a bad cable ${entity_id} of ${media}`]
        : []
    }),
  )
}
