import type { Durability, ServiceClass } from '../../../contract/vocabularies.ts'
import { durabilities, serviceClasses } from '../../../contract/vocabularies.ts'
import type { UnplacedReason } from './account.ts'
import { historyDays, termCount } from './account.ts'

/** Index of each latency term, in the order of the contract's `latencyTerms`. */
export const term = {
  Compute: 0,
  Contention: 1,
  Storage: 2,
  Network: 3,
  Queueing: 4,
  Inspection: 5,
  Replication: 6,
} as const

const initialCapacity = 64
/** Nonzero default values of columns in a free row. */
const defaults: Readonly<Partial<Record<string, number>>> = { successRatio: 1, diskQuality: 1 }

/** Columns of served requests and revenue. */
const createBookedColumns = () => ({
  /** Price per unit, in millionths of a dollar per minute. */
  unitMicroPerMinute: new Float64Array(initialCapacity),
  /** Millionths of a dollar: by day of the ring, and the sum over the ring. */
  revenueOfDay: new Float64Array(initialCapacity * historyDays),
  infrastructureOfDay: new Float64Array(initialCapacity * historyDays),
  transitOfDay: new Float64Array(initialCapacity * historyDays),
  revenueTotal: new Float64Array(initialCapacity),
  infrastructureTotal: new Float64Array(initialCapacity),
  transitTotal: new Float64Array(initialCapacity),
  /** Answered requests per second. */
  servedRps: new Float64Array(initialCapacity),
  /** Traffic from and to users carried by the network, including that of failed requests. */
  carriedInGbps: new Float64Array(initialCapacity),
  carriedOutGbps: new Float64Array(initialCapacity),
  /** Answered requests and carried Gbit since the last booking. */
  servedRequests: new Float64Array(initialCapacity),
  servedGbit: new Float64Array(initialCapacity),
})

/** The services that customers run, as columns. Rows are reused; `serial` is not, and is the id of the subnet. */
export type ServiceTable = ReturnType<typeof createServiceTable>

export function createServiceTable() {
  return {
    /** Upper bound of the rows in use. */
    rowsEnd: 0,
    capacity: initialCapacity,
    freeRows: [] as number[],
    lastSerial: 0,
    /** Id of the customer; 0 in a free row. */
    customer: new Int32Array(initialCapacity),
    serial: new Int32Array(initialCapacity),
    class: new Int32Array(initialCapacity),
    durability: new Int32Array(initialCapacity),
    vcpuMilli: new Float64Array(initialCapacity),
    memMb: new Float64Array(initialCapacity),
    ssdGb: new Float64Array(initialCapacity),
    iops: new Float64Array(initialCapacity),
    slices: new Float64Array(initialCapacity),
    requested: new Int32Array(initialCapacity),
    placed: new Int32Array(initialCapacity),
    serving: new Int32Array(initialCapacity),
    stranded: new Int32Array(initialCapacity),
    replicasHeld: new Int32Array(initialCapacity),
    /** Until this tick, a share of the requests still goes to newly lost units. */
    failoverUntil: new Int32Array(initialCapacity),
    failoverShare: new Float64Array(initialCapacity),
    /** 1 if units are spread over racks and zones as promised. */
    spreadKept: new Int32Array(initialCapacity),
    /** Index of its first host in `servingHosts`. */
    firstServing: new Int32Array(initialCapacity),
    /** The room version at the last failed placement. */
    attemptedAtRoomVersion: new Float64Array(initialCapacity),
    /** Index in `roles`. */
    role: new Int32Array(initialCapacity),
    /** 1 if users reach it through the gateways, 0 if only hosts of its zone do. */
    userFacing: new Int32Array(initialCapacity),
    curve: new Int32Array(initialCapacity),
    demandDrift: new Float64Array(initialCapacity),
    peakRpsPerUnit: new Float64Array(initialCapacity),
    cpuMs: new Float64Array(initialCapacity),
    inGbpsPerRps: new Float64Array(initialCapacity),
    outGbpsPerRps: new Float64Array(initialCapacity),
    eastWestGbpsPerRps: new Float64Array(initialCapacity),
    /** Demand in requests per second over all units, and CPU demand per serving unit, hostile requests included. */
    rps: new Float64Array(initialCapacity),
    unitDemandMilli: new Float64Array(initialCapacity),
    successRatio: new Float64Array(initialCapacity).fill(1),
    /** CPU demand relative to the allocated CPU, at most 1. */
    load: new Float64Array(initialCapacity),
    /** Disk speed relative to the allocated speed, at most 1. */
    diskQuality: new Float64Array(initialCapacity).fill(1),
    /** Highest contention among its hosts. */
    contention: new Float64Array(initialCapacity),
    p50: new Float64Array(initialCapacity),
    terms: new Float64Array(initialCapacity * termCount),
    ...createBookedColumns(),
    unplacedReason: [] as (UnplacedReason | null)[],
  }
}

/** Replicas promised by each durability; each is a unit on a different host. */
export const replicasPromised: Readonly<Record<Durability, number>> = {
  Ephemeral: 0,
  Single: 1,
  Replicated2: 2,
  Replicated3: 3,
  ErasureCoded: 3,
}

export const classOf = (services: ServiceTable, row: number): ServiceClass =>
  serviceClasses[services.class[row]]

export const durabilityOf = (services: ServiceTable, row: number): Durability =>
  durabilities[services.durability[row]]

type Column = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>

const columnsOf = (services: ServiceTable): [string, Column][] =>
  Object.entries(services).filter((entry): entry is [string, Column] => ArrayBuffer.isView(entry[1]))

/** Takes a free row, with every column at its default. */
export function takeServiceRow(services: ServiceTable): number {
  const row = services.freeRows.pop() ?? services.rowsEnd++
  if (row >= services.capacity) grow(services)
  services.serial[row] = ++services.lastSerial
  services.unplacedReason[row] = null
  return row
}

export function releaseServiceRow(services: ServiceTable, row: number): void {
  for (const [name, column] of columnsOf(services)) {
    const width = column.length / services.capacity
    column.fill(defaults[name] ?? 0, row * width, (row + 1) * width)
  }
  services.unplacedReason[row] = null
  services.freeRows.push(row)
}

function grow(services: ServiceTable): void {
  const longer = columnsOf(services).map(([name, column]) => {
    const length = column.length * 2
    const copy = column instanceof Int32Array ? new Int32Array(length) : new Float64Array(length)
    copy.fill(defaults[name] ?? 0)
    copy.set(column)
    return [name, copy]
  })
  Object.assign(services, Object.fromEntries(longer))
  services.capacity *= 2
}
