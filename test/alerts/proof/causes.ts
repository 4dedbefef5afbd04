import type { Truth } from '../../../src/world/simulation/truth/truth.ts'
import { keyOf } from './claim.ts'
import type { Sight } from './claim.ts'

/** Critical alerts about the world, each with the faults that justify it. */
type CriticalName = 'DcsimIncidentCritical' | 'DcsimPowerFeedDown'

/** The keys of alerts that an active fault justifies. */
type Causes = Readonly<Record<CriticalName, (fault: Truth, sight: Sight) => Iterable<string>>>

/** The incident of a fault, and incidents whose customers the fault affects. */
function incidentsOf(fault: Truth, { snapshot }: Sight): string[] {
  return snapshot.collections.incidents
    .filter(
      ({ id, affected_customer_ids: affected }) =>
        id === fault.incidentId ||
        affected.some((customer) => fault.affectedCustomerIds.includes(Number(customer))),
    )
    .map(({ id }) => String(id))
}

function feedOf({ kind, target }: Truth, { state }: Sight): string[] {
  if (kind !== 'PowerFeedLoss' || target.kind !== 'PowerFeed') return []
  const { zone, side } = state.topology.feeds
  return [keyOf(zone[target.row] + 1, side[target.row] === 0 ? 'A' : 'B')]
}

export const causes: Causes = {
  DcsimIncidentCritical: incidentsOf,
  DcsimPowerFeedDown: feedOf,
}

export const criticalNames = Object.keys(causes) as CriticalName[]
