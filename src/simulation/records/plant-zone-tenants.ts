import type { WorldState } from '../state.ts'

export interface TenantCounts {
  /** Customers with units in a zone, by zone. */
  readonly customers: Uint32Array
  /** Counts again if placement has changed. */
  update(): void
}

export function createTenantCounts(state: WorldState): TenantCounts {
  const { plant } = state
  const customers = new Uint32Array(plant.zones.length)
  /** The last customer counted in a zone, so that each counts once. */
  const counted = new Float64Array(plant.zones.length)
  let version = -1
  return {
    customers,
    update() {
      const { tenants } = state
      if (tenants.version === version) return
      version = tenants.version
      customers.fill(0)
      counted.fill(-1)
      for (const tenant of tenants.active) {
        for (const host of tenant.hosts) {
          const zone = plant.hosts.zone[host]
          if (counted[zone] === tenant.id) continue
          counted[zone] = tenant.id
          customers[zone]++
        }
      }
    },
  }
}
