import type { RandomStream } from '../random.ts'
import type { FaultTarget, Tenants } from '../state.ts'
import { type Micros, minute } from '../time.ts'

/** How long a customer takes to send somebody along to a cage of its own. */
const escortMinutes: readonly [number, number] = [10, 45]

/** Who may work where: one at a time in a rack, and at a customer's own machines only in its company. */
export class AccessDesk {
  /** Work orders by the rack in which they are at work. */
  private readonly racks = new Map<number, number>()
  /** When the escort of an order is there. */
  private readonly escorts = new Map<number, Micros>()
  private readonly random: RandomStream

  constructor(random: RandomStream) {
    this.random = random
  }

  /** Lets the order in, or says until when it has to wait; null where that cannot be told. */
  enter(
    order: number,
    rack: number,
    target: FaultTarget | null,
    tenants: Tenants,
    now: Micros,
  ): 'in' | Micros | null {
    if (target?.kind === 'Host' && !this.escorts.has(order)) {
      const owned = tenants.onHost(target.row).some((id) => {
        const tenant = tenants.byId.get(id)
        return tenant !== undefined && tenant.dedicatedHosts && tenant.compliance !== null
      })
      this.escorts.set(order, owned ? now + this.random.uniform(...escortMinutes) * minute : now)
    }
    const escort = this.escorts.get(order) ?? now
    if (escort > now) return escort
    if (rack === -1) return 'in'
    const holder = this.racks.get(rack)
    if (holder !== undefined && holder !== order) return null
    this.racks.set(rack, order)
    return 'in'
  }

  /** Leaves the rack; the escort stays until the order is done. */
  leave(order: number, rack: number): void {
    if (this.racks.get(rack) === order) this.racks.delete(rack)
  }

  done(order: number, rack: number): void {
    this.leave(order, rack)
    this.escorts.delete(order)
  }
}
