import type { Account } from '../account.ts'
import type { TenantsState } from '../state.ts'

/** Two-way index of customers and the hosts of their units. */
interface HostLists {
  /** Updates the hosts of the customers with changed placement. */
  update(): void
  onHost(host: number): readonly number[]
}

export function createHostLists(state: TenantsState): HostLists {
  const { units, services } = state
  let listed = -1
  const cache = { version: -1, idsByHost: new Map<number, readonly number[]>() }
  return {
    update() {
      if (listed === state.version) return
      listed = state.version
      for (const account of state.accounts) {
        if (!account.hostsOutdated) continue
        account.hostsOutdated = false
        listHosts(state, account)
      }
    },
    onHost(host) {
      if (cache.version !== state.version) {
        cache.idsByHost.clear()
        cache.version = state.version
      }
      const cached = cache.idsByHost.get(host)
      if (cached !== undefined) return cached
      const ids = new Set<number>()
      for (let unit = units.firstOnHost[host]; unit !== -1; unit = units.nextOnHost[unit]) {
        ids.add(services.customer[units.service[unit]])
      }
      const sorted = [...ids].toSorted((a, b) => a - b)
      cache.idsByHost.set(host, sorted)
      return sorted
    },
  }
}

function listHosts({ units }: TenantsState, account: Account): void {
  const unitsByHost = new Map<number, number>()
  for (const service of account.services) {
    for (let unit = units.firstOfService[service] ?? -1; unit !== -1; unit = units.nextOfService[unit]) {
      unitsByHost.set(units.host[unit], (unitsByHost.get(units.host[unit]) ?? 0) + 1)
    }
  }
  account.hosts = Int32Array.from(unitsByHost.keys()).toSorted()
  account.hostUnits = Int32Array.from(account.hosts, (host) => unitsByHost.get(host) ?? 0)
}
