import type { ObservedWorld } from '../../state.ts'
import type { Incident } from '../model.ts'
import { touch, writable } from '../model.ts'

/** The work orders of an incident. */

const fieldsOf = (incident: Incident) => writable(incident, 'work')

/** The record lists the order from the next review on. */
export function addWorkOrder(incident: Incident, id: number): void {
  const { workOrderIds } = fieldsOf(incident)
  if (!workOrderIds.includes(id)) workOrderIds.push(id)
}

export function showWorkOrders({ now }: ObservedWorld, incident: Incident): void {
  if (incident.workOrderIds.length === incident.workOrdersShown) return
  fieldsOf(incident).workOrdersShown = incident.workOrderIds.length
  touch(incident, now)
}

export function removeWorkOrder({ now }: ObservedWorld, incident: Incident, id: number): void {
  const fields = fieldsOf(incident)
  const at = fields.workOrderIds.indexOf(id)
  if (at < 0) return
  fields.workOrderIds.splice(at, 1)
  fields.workOrdersShown = fields.workOrderIds.length
  // A resolved incident keeps its time of change, but its record lists one order less.
  touch(incident, incident.resolved === null ? now : incident.lastChanged)
}

/** Records work other than a diagnosis. */
export function markRemedied(incident: Incident): void {
  fieldsOf(incident).isRemedied = true
}
