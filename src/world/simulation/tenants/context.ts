import { serviceClasses } from '../../../contract/vocabularies.ts'
import type { RandomStream, RandomStreams } from '../random.ts'
import type { WorldView } from '../state.ts'
import type { Account } from './account.ts'
import { poolAccepts } from './placement/capacity.ts'
import type { ServiceTable } from './service-table.ts'
import { classOf } from './service-table.ts'
import type { TenantsState } from './state.ts'

/** The shared context of the parts of tenants; only `state` outlives the process. */
export interface TenantContext {
  readonly world: WorldView
  readonly state: TenantsState
  readonly noise: NoiseStreams
  /** Scratch: hosts, racks and zones visited in the traversal with the current stamp. */
  readonly visited: {
    stamp: number
    readonly hosts: Float64Array
    readonly racks: Float64Array
    readonly zones: Float64Array
  }
  /** Rows of the pools that accept a service class: [customer has dedicated hosts][class]. */
  readonly poolsFor: readonly (readonly (readonly number[])[])[]
}

export function createTenantContext(world: WorldView, state: TenantsState): TenantContext {
  const { topology, random } = world
  const poolsAccepting = (dedicated: boolean) =>
    serviceClasses.map((name) =>
      topology.pools.flatMap((pool, row) => (poolAccepts(pool, name, dedicated, null) ? [row] : [])),
    )
  return {
    world,
    state,
    noise: createNoiseStreams(random, state.services),
    visited: {
      stamp: 0,
      hosts: new Float64Array(topology.hosts.capacity),
      racks: new Float64Array(topology.racks.capacity),
      zones: new Float64Array(topology.zoneCapacity),
    },
    poolsFor: [poolsAccepting(false), poolsAccepting(true)],
  }
}

/** Random streams of customers and services, derived from their names and therefore not part of the state. */
interface NoiseStreams {
  ofAccount(account: Pick<Account, 'id'>): RandomStream
  ofService(row: number): RandomStream
  forget(account: Account): void
}

function createNoiseStreams(random: RandomStreams, services: ServiceTable): NoiseStreams {
  const byAccount = new Map<number, RandomStream>()
  const byService: (RandomStream | undefined)[] = []
  const accountStream = ({ id }: Pick<Account, 'id'>): string => `customers.noise.${id}`
  const serviceStream = (row: number): string =>
    `${accountStream({ id: services.customer[row] })}.${classOf(services, row)}`
  return {
    ofAccount({ id }) {
      const known = byAccount.get(id)
      if (known !== undefined) return known
      const stream = random.stream(accountStream({ id }))
      byAccount.set(id, stream)
      return stream
    },
    ofService(row) {
      return (byService[row] ??= random.stream(serviceStream(row)))
    },
    forget(account) {
      byAccount.delete(account.id)
      random.forget(accountStream(account))
      for (const row of account.services) {
        byService[row] = undefined
        random.forget(serviceStream(row))
      }
    },
  }
}
