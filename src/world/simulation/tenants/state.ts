import { archetypes } from '../../../contract/vocabularies.ts'
import type { Topology } from '../topology/tables.ts'
import type { Account } from './account.ts'
import { type AccountingState, createAccountingState } from './billing/accounting-state.ts'
import type { Money } from './billing/money.ts'
import type { FormerCustomer, Prospect } from './contract.ts'
import { curveNames } from './demand/curves.ts'
import type { HostLoad } from './host-load.ts'
import { createSegmentsState, type SegmentsState } from './lifecycle/segments.ts'
import { type Capacity, createCapacity } from './placement/capacity.ts'
import { createHostConditions, type HostConditions } from './host-conditions.ts'
import { createServiceTable, type ServiceTable } from './service-table.ts'
import type { UnservedDemand } from './tenant.ts'
import { createUnitTable, type UnitTable } from './unit-table.ts'

/** Everything that the tenants part writes, as plain data. */
export interface TenantsState {
  readonly load: HostLoad
  readonly money: Money
  readonly capacity: Capacity
  readonly services: ServiceTable
  readonly units: UnitTable
  /** Ascending by id; replaced when a customer joins or leaves. */
  accounts: Account[]
  readonly byId: Map<number, Account>
  lastCustomerId: number
  /** Incremented when units are placed, moved or removed, and when customers join or leave. */
  version: number
  /** Units were placed, moved or removed since `servingHosts` was built. */
  unitsChanged: boolean
  /** Hosts of the units that serve, grouped by service. */
  servingHosts: Int32Array
  readonly placement: PlacementState
  readonly demand: DemandState
  readonly quality: QualityState
  readonly accounting: AccountingState
  readonly segments: SegmentsState
  readonly prospects: ProspectsState
  /** Names of customers and prospects, which are unique. */
  readonly takenNames: Set<string>
  /** By id of the pool. */
  readonly unservedDemand: Map<number, MutableDemand>
  /** What the market thinks of the company, from 0 to 1. */
  readonly reputation: { value: number }
  /** Those that left for their grievances and may come back, oldest first. */
  readonly formerCustomers: FormerCustomer[]
}

export type MutableDemand = { -readonly [Key in keyof UnservedDemand]: UnservedDemand[Key] }

interface PlacementState {
  servingChanged: boolean
  /** Reachability of each host in the last step; 255 before the first one. */
  readonly lastReachable: Uint8Array
  readonly lastConnected: Uint8Array
  /** Units whose host does not serve them; some may serve again. */
  lostUnits: number[]
  /** Where the next retry, rebalancing and host search of a pool in a zone begin. */
  retryFrom: number
  rebalanceFrom: number
  readonly searchFrom: Int32Array
}

interface DemandState {
  /** Traffic is scaled so that the weekly peak of all customers matches what the network was built for. */
  /** Highest traffic by zone that was asked for lately. */
  readonly zonePeaks: {
    readonly in: Float64Array
    readonly out: Float64Array
    readonly eastWest: Float64Array
  }
  readonly trafficFactor: { in: number; out: number; eastWest: number }
  /** Height of every demand curve in this minute. */
  readonly curves: Float64Array
  /** Factor of season and date on each archetype in this minute. */
  readonly calendar: Float64Array
  /** Customers whose demand includes hostile requests. */
  readonly attacked: Set<Account>
}

interface QualityState {
  readonly hosts: HostConditions
  /** Versions of load and placement at the last update. */
  loadVersion: number
  placementVersion: number
}

interface ProspectsState {
  /** Ascending by id; replaced when a prospect arrives or leaves. */
  list: Prospect[]
  lastId: number
  nextArrival: number
}

export function createTenantsState(topology: Topology, load: HostLoad, money: Money): TenantsState {
  const hosts = topology.hosts.capacity
  const zoneColumn = () => new Float64Array(topology.zones.length)
  return {
    load,
    money,
    capacity: createCapacity(topology),
    services: createServiceTable(),
    units: createUnitTable(hosts),
    accounts: [],
    byId: new Map(),
    lastCustomerId: 0,
    version: 1,
    unitsChanged: true,
    servingHosts: new Int32Array(0),
    placement: {
      servingChanged: true,
      lastReachable: new Uint8Array(hosts).fill(255),
      lastConnected: new Uint8Array(hosts).fill(255),
      lostUnits: [],
      retryFrom: 0,
      rebalanceFrom: 0,
      searchFrom: new Int32Array(topology.pools.length * topology.zones.length),
    },
    demand: {
      zonePeaks: { in: zoneColumn(), out: zoneColumn(), eastWest: zoneColumn() },
      trafficFactor: { in: 1, out: 1, eastWest: 1 },
      curves: new Float64Array(curveNames.length),
      calendar: new Float64Array(archetypes.length).fill(1),
      attacked: new Set(),
    },
    quality: { hosts: createHostConditions(hosts), loadVersion: -1, placementVersion: -1 },
    accounting: createAccountingState(topology),
    segments: createSegmentsState(),
    prospects: { list: [], lastId: 0, nextArrival: 0 },
    takenNames: new Set(),
    unservedDemand: new Map(),
    reputation: { value: 0 },
    formerCustomers: [],
  }
}
