import { archetypes } from '../../../contract/vocabularies.ts'
import { noVersions } from '../part.ts'
import type { Topology } from '../topology/tables.ts'
import type { Account } from './account.ts'
import { createAccountingState } from './billing/accounting-state.ts'
import type { Money } from './billing/money.ts'
import type { FormerCustomer, Prospect } from './contract.ts'
import { curveNames } from './demand/curves.ts'
import type { HostLoad } from './host-load.ts'
import { createSegmentsState } from './lifecycle/segments.ts'
import type { SegmentsState } from './lifecycle/segments.ts'
import { createCapacity } from './placement/capacity.ts'
import { createHostConditions } from './host-conditions.ts'
import { createServiceTable } from './service-table.ts'
import type { UnservedDemand } from './tenant.ts'
import { createUnitTable } from './unit-table.ts'

export type MutableDemand = { -readonly [Key in keyof UnservedDemand]: UnservedDemand[Key] }

/** The complete state of the tenants part, as plain data. */
export type TenantsState = ReturnType<typeof createTenantsState>

export function createTenantsState(topology: Topology, load: HostLoad, money: Money) {
  const hosts = topology.hosts.capacity
  const zoneColumn = () => new Float64Array(topology.zoneCapacity)
  const segments: SegmentsState = createSegmentsState()
  return {
    load,
    money,
    capacity: createCapacity(topology),
    services: createServiceTable(),
    units: createUnitTable(hosts),
    /** Ascending by id; replaced when a customer joins or leaves. */
    accounts: [] as Account[],
    byId: new Map<number, Account>(),
    lastCustomerId: 0,
    /** Increases when units are placed, moved or removed, and when customers join or leave. */
    version: 1,
    /** Whether units were placed, moved or removed since `servingHosts` was built. */
    unitsChanged: true,
    /** Hosts of the serving units, grouped by service. */
    servingHosts: new Int32Array(0),
    placement: {
      servingChanged: true,
      /** Reachability of each host in the last step; 255 before the first one. */
      lastReachable: new Uint8Array(hosts).fill(255),
      lastConnected: new Uint8Array(hosts).fill(255),
      /** Units not served by their hosts; some may serve again. */
      lostUnits: [] as number[],
      /** The versions of devices, routes and maintenance that open hosts and lost units reflect. */
      known: noVersions(),
      /** The version of the room in which every missing unit was tried. */
      retriedAt: -1,
      /** Round-robin positions of the next retry, rebalancing, and host search of a pool in a zone. */
      retryFrom: 0,
      rebalanceFrom: 0,
      searchFrom: new Int32Array(topology.pools.length * topology.zoneCapacity),
    },
    demand: createDemandState(zoneColumn),
    quality: createQualityState(hosts),
    accounting: createAccountingState(topology),
    segments,
    /** `list` is ascending by id, and replaced when a prospect arrives or leaves. */
    prospects: { list: [] as Prospect[], lastId: 0, nextArrival: 0, nextNegotiation: 0 },
    /** Names of customers and prospects, which are unique. */
    takenNames: new Set<string>(),
    /** By id of the pool. */
    unservedDemand: new Map<number, MutableDemand>(),
    /** Reputation of the company, from 0 to 1. */
    reputation: { value: 0 },
    /** Prices relative to those of the beginning, and the end of a time with more interest in the company. */
    tariff: { level: 1, promotedUntil: 0 },
    /** Customers that left because of their grievances and may return, oldest first. */
    formerCustomers: [] as FormerCustomer[],
  }
}

const createDemandState = (zoneColumn: () => Float64Array<ArrayBuffer>) => ({
  /** Recent peak demand for traffic, by zone. */
  zonePeaks: { in: zoneColumn(), out: zoneColumn(), eastWest: zoneColumn() },
  /** Scales traffic so that the weekly peak of all customers matches the network's design traffic. */
  trafficFactor: { in: 1, out: 1, eastWest: 1 },
  /** Current value of every demand curve. */
  curves: new Float64Array(curveNames.length),
  /** Current factor of season and date, by archetype. */
  calendar: new Float64Array(archetypes.length).fill(1),
  /** Whether the surge factor of a customer may differ from 1. */
  isShaped: false,
  /** The version of customers' faults that surge factors reflect. */
  faultVersion: -1,
  /** Customers whose demand includes hostile requests. */
  attacked: new Set<Account>(),
})

const createQualityState = (hosts: number) => ({
  hosts: createHostConditions(hosts),
  known: noVersions(),
  /** Of load and placement, whose changes concern all customers. */
  knownForAll: noVersions(),
  knownDefects: noVersions(),
  /** Whether an attack or a failover of a customer is in progress. */
  isPending: true,
  /** Increases when the quality of a customer may have changed. */
  version: 0,
})
