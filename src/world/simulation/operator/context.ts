import type { Construction } from './construction.ts'
import type { Operations } from '../operations/operations.ts'
import type { RandomStream } from '../random.ts'
import type { WorldView } from '../state.ts'
import type { HostCosts } from '../tenants/billing/host-costs.ts'
import type { Capacity } from '../tenants/placement/capacity.ts'
import type { Site } from '../topology/construction/site.ts'
import type { Tariff } from '../tenants/relations/tariff.ts'
import type { OperatorState } from './model.ts'

/** The shared context of the parts of the operator. */
export interface OperatorContext {
  readonly world: WorldView
  readonly site: Site
  readonly state: OperatorState
  readonly capacity: Capacity
  readonly costs: HostCosts
  readonly operations: Operations
  readonly construct: Construction
  readonly tariff: Tariff
  readonly deliveries: RandomStream
  /** Decides on projects, people and owners. */
  readonly chance: RandomStream
}
