import type { CauseKind } from '../../../contract/vocabularies.ts'
import type { BlastRadius } from '../incidents/correlation/blast-radius.ts'
import { failedRequestThreshold, isServed } from '../incidents/monitors/customers.ts'
import type { WorldView } from '../state.ts'
import type { Tenant } from '../tenants/tenant.ts'
import type { Micros } from '../time.ts'
import { rowOf } from '../topology/entities.ts'
import type { FaultTarget } from '../topology/fault-target.ts'
import { faultKinds } from '../faults/kinds.ts'
import type { Faults } from '../faults/model.ts'

/** An active fault, hidden from records until it is confirmed. */
export interface Truth {
  readonly faultId: number
  readonly kind: CauseKind
  readonly target: FaultTarget
  readonly since: Micros
  /** Ids of customers within reach that fail, wait or have stranded units, ascending. */
  readonly affectedCustomerIds: readonly number[]
  readonly incidentId: number | null
}

/** Whether requests of a customer fail or wait, or units of it are stranded. */
const isHurt = ({ failing, p99Ms, p99BudgetMs, strandedUnits }: Tenant): boolean =>
  failing > failedRequestThreshold || p99Ms > p99BudgetMs || strandedUnits > 0

/** The trouble of customers at a moment, from all causes. */
export interface Harm {
  readonly customers: number
  /** The revenue of those customers. */
  readonly dollarsPerHour: number
}

export function harmOf({ tenants }: WorldView): Harm {
  const hurt = tenants.active.filter((tenant) => isServed(tenant) && isHurt(tenant))
  return {
    customers: hurt.length,
    dollarsPerHour: hurt.reduce((sum, { revenuePerHour }) => sum + revenuePerHour, 0),
  }
}

export const activeTruths = (world: WorldView, faults: Faults, blastRadius: BlastRadius): Truth[] =>
  faults.active.map(({ id, kind, target, began, incidentId }) => {
    const reaches = blastRadius.reachOf(target)
    // It leaves those alone with whom the customer shares hosts.
    const isDefect = 'customerDefect' in faultKinds[kind]
    const affectedCustomerIds = world.tenants.active
      .filter(({ id, hosts }) => (isDefect ? id === rowOf(target) : hosts.some(reaches)))
      .filter(isServed)
      .filter(isHurt)
      .map(({ id }) => id)
    return { faultId: id, kind, target, since: began, affectedCustomerIds, incidentId }
  })
