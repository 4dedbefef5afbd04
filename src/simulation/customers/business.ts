import { serviceClasses } from '../../contract/vocabularies.ts'
import type { HostLoad, Money, WorldState } from '../state.ts'
import type { Plant } from '../plant/tables.ts'
import type { Account } from './account.ts'
import { type Capacity, createCapacity } from './capacity.ts'
import { type ContractDesk, createContractDesk, poolTakes } from './contracts.ts'
import { ServiceTable } from './service-table.ts'
import { UnitTable } from './unit-table.ts'

/** What the files of this folder share. */
export interface Business {
  readonly state: WorldState
  readonly capacity: Capacity
  readonly services: ServiceTable
  readonly units: UnitTable
  readonly desk: ContractDesk
  /** Those who are with us, ascending by id; replaced when one comes or goes. */
  accounts: Account[]
  readonly byId: Map<number, Account>
  lastCustomerId: number
  /** Goes up when units are placed, moved or taken away, or customers come and go. */
  version: number
  /** Units have come, gone or moved since hosts were last asked what they serve. */
  unitsChanged: boolean
  /** Hosts of serving units, service by service. */
  servingHosts: Int32Array
  /** Hosts, racks and zones come across in a count that has this number. */
  readonly seen: {
    stamp: number
    readonly seenHost: Float64Array
    readonly seenRack: Float64Array
    readonly seenZone: Float64Array
  }
  /** By direction, so that all demand together meets what the network was built for. */
  readonly trafficFactor: { in: number; out: number; eastWest: number }
  /** Pools that take a class, for customers with and without hosts of their own: rows of pools. */
  readonly poolsFor: readonly (readonly (readonly number[])[])[]
}

export function createBusiness(state: WorldState): Business {
  const { plant } = state
  const poolsTaking = (dedicated: boolean) =>
    serviceClasses.map((name) =>
      plant.pools.flatMap((pool, row) => (poolTakes(pool, name, dedicated, null) ? [row] : [])),
    )
  return {
    state,
    capacity: createCapacity(plant),
    services: new ServiceTable(),
    units: new UnitTable(plant.hosts.count),
    desk: createContractDesk(plant),
    accounts: [],
    byId: new Map(),
    lastCustomerId: 0,
    version: 1,
    unitsChanged: true,
    servingHosts: new Int32Array(0),
    seen: {
      stamp: 0,
      seenHost: new Float64Array(plant.hosts.count),
      seenRack: new Float64Array(plant.racks.count),
      seenZone: new Float64Array(plant.zones.length),
    },
    trafficFactor: { in: 1, out: 1, eastWest: 1 },
    poolsFor: [poolsTaking(false), poolsTaking(true)],
  }
}

/** What hosts are asked to carry, while nobody asks for anything. */
export function createHostLoad(plant: Plant): HostLoad {
  const floats = () => new Float64Array(plant.hosts.count)
  return {
    wantedInGbps: floats(),
    wantedOutGbps: floats(),
    wantedEastWestGbps: floats(),
    cpuDemandMilli: floats(),
    cpuUsedMilli: floats(),
    allocatedMilli: floats(),
    allocatedMemMb: floats(),
    allocatedSsdGb: floats(),
    allocatedSlices: floats(),
    iopsUsed: floats(),
    unitCount: new Uint32Array(plant.hosts.count),
    strandedUnits: new Uint32Array(plant.hosts.count),
    contention: floats(),
    version: 0,
  }
}

export function createMoney(): Money {
  return {
    revenue: 0,
    directCost: 0,
    facilityCost: 0,
    transitCost: 0,
    addonCost: 0,
    credits: 0,
    bonuses: 0,
    evictionFees: 0,
    revenuePerHour: 0,
    costPerHour: 0,
  }
}
