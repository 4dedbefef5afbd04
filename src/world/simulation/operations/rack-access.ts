import type { RandomStream } from '../random.ts'
import type { Tenants } from '../tenants/tenant.ts'
import type { Micros } from '../time.ts'
import { minute } from '../time.ts'
import type { FaultTarget } from '../topology/fault-target.ts'

/** Arrival time of a customer's escort at its dedicated hosts. */
const escortMinutes: readonly [min: number, max: number] = [10, 45]

interface RackAccessState {
  /** By rack: the work order that occupies it. */
  readonly orderByRack: Map<number, number>
  /** By work order: arrival of its escort. */
  readonly escortByOrder: Map<number, Micros>
}

/** Access control: one work order at a time in a rack, and an escort at dedicated hosts under a compliance regime. */
export class RackAccess {
  readonly state: RackAccessState = { orderByRack: new Map(), escortByOrder: new Map() }
  readonly #random: RandomStream

  constructor(random: RandomStream) {
    this.#random = random
  }

  /** Enters the rack, or returns the end of the wait; null if it is unknown. */
  enter(
    order: number,
    rack: number,
    target: FaultTarget | null,
    tenants: Tenants,
    now: Micros,
  ): 'entered' | Micros | null {
    const { orderByRack, escortByOrder } = this.state
    if (target?.kind === 'Host' && !escortByOrder.has(order)) {
      const needsEscort = tenants.onHost(target.row).some((id) => {
        const tenant = tenants.byId.get(id)
        return tenant !== undefined && tenant.dedicatedHosts && tenant.compliance !== null
      })
      escortByOrder.set(order, needsEscort ? now + this.#random.uniform(...escortMinutes) * minute : now)
    }
    const escort = escortByOrder.get(order) ?? now
    if (escort > now) return escort
    if (rack === -1) return 'entered'
    const occupant = orderByRack.get(rack)
    if (occupant !== undefined && occupant !== order) return null
    orderByRack.set(rack, order)
    return 'entered'
  }

  /** Leaves the rack; the escort stays until the order is closed. */
  leave(order: number, rack: number): void {
    if (this.state.orderByRack.get(rack) === order) this.state.orderByRack.delete(rack)
  }

  close(order: number, rack: number): void {
    this.leave(order, rack)
    this.state.escortByOrder.delete(order)
  }
}
