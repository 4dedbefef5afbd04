import type { RecordedWorld } from '../world.ts'

export interface TenantCounts {
  /** By zone: number of customers with units in it. */
  readonly customers: Uint32Array
  /** Recounts if placement has changed. */
  update(): void
}

export function createTenantCounts(state: RecordedWorld): TenantCounts {
  const { topology } = state
  const customers = new Uint32Array(topology.zones.length)
  /** The last customer counted in each zone, so that each is counted once. */
  const counted = new Float64Array(topology.zones.length)
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
          const zone = topology.hosts.zone[host]
          if (counted[zone] === tenant.id) continue
          counted[zone] = tenant.id
          customers[zone]++
        }
      }
    },
  }
}
