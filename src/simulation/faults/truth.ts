import type { RootKind } from '../../contract/vocabularies.ts'
import type { FaultTarget, WorldState } from '../state.ts'
import type { Micros } from '../time.ts'
import type { FaultsPart } from './faults.ts'
import { isServed } from './monitor-customers.ts'

/** A fault as the world knows it: what no record tells before it is confirmed. */
export interface Truth {
  readonly faultId: number
  readonly kind: RootKind
  readonly target: FaultTarget
  readonly since: Micros
  /** Customers in its reach whose users are failed or kept waiting, or whose units lie idle, ascending. */
  readonly feltBy: readonly number[]
  readonly incidentId: number | null
}

/** Every fault that is active now, with those who may feel it. Changes nothing. */
export function truth(state: WorldState, faults: FaultsPart): Truth[] {
  return faults.active.map((fault) => {
    const reaches = faults.domains.reachOf(fault.target)
    const feltBy = state.tenants.active
      .filter((tenant) => isServed(tenant) && tenant.hosts.some(reaches))
      .filter(
        ({ failing, p99Ms, p99BudgetMs, strandedUnits }) =>
          failing > 0.01 || p99Ms > p99BudgetMs || strandedUnits > 0,
      )
      .map(({ id }) => id)
    const { id, kind, target, began, incidentId } = fault
    return { faultId: id, kind, target, since: began, feltBy, incidentId }
  })
}
