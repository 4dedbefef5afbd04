import type { AlertName } from '../../../alerts/cases/alert-cases.ts'
import type { Truth } from '../../../src/world/simulation/truth/truth.ts'
import type { Sight } from './claim.ts'

/** The critical alert about the world, which an active fault has to justify. */
export const criticalName: AlertName = 'DcsimIncidentCritical'

/** The incident of a fault, and incidents whose customers the fault affects. */
export const incidentsOf = (fault: Truth, { snapshot }: Sight): string[] =>
  snapshot.collections.incidents
    .filter(
      ({ id, affected_customer_ids: affected }) =>
        id === fault.incidentId ||
        affected.some((customer) => fault.affectedCustomerIds.includes(Number(customer))),
    )
    .map(({ id }) => String(id))
