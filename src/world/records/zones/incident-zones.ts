import { entitiesIn } from '../../../contract/messages/entities.ts'
import type { IncidentSummary } from '../../simulation/incidents/model.ts'
import { zonesOf } from '../../simulation/topology/view.ts'
import type { RecordedWorld } from '../world.ts'

/**
 * Rows of the zones of its hosts, and of the parts that its title and its suspect name. What customers alone notice is where
 * their units are, until a place is confirmed.
 */
function zonesOfIncident(state: RecordedWorld, incident: IncidentSummary): Set<number> {
  const { headline, impact, suspect, confirmed } = incident
  const isPart = suspect !== null && suspect.kind !== 'Customer' && suspect.kind !== 'Pool'
  const cause = isPart && state.handover === null ? zonesOf(state, suspect) : []
  const named = entitiesIn(headline.args).flatMap(({ kind, id }) => {
    const row = Number(id) - 1
    return kind === 'Zone' ? [row] : zonesOf(state, { kind, row })
  })
  const seen = [...named, ...impact.hosts.map((host) => state.topology.hosts.zone[host])]
  const customers = headline.customerId === null ? impact.customers : [headline.customerId]
  const isPlaced = seen.length + (confirmed ? cause.length : 0) > 0
  const felt = isPlaced ? [] : customers.flatMap((id) => zonesOf(state, { kind: 'Customer', id }))
  return new Set([...seen, ...cause, ...felt])
}

/** Counts the open incidents of each zone. */
export function countIncidents(state: RecordedWorld, byZone: Float64Array): void {
  byZone.fill(0)
  for (const incident of state.incidents.values())
    for (const zone of zonesOfIncident(state, incident)) byZone[zone]++
}
