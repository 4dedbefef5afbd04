import {
  type Durability,
  durabilities,
  serviceClasses,
  type ServiceClass,
} from '../../../contract/vocabularies.ts'
import { historyDays, type UnplacedReason, termCount } from './account.ts'

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
/** Value of a column in a free row, where it is not 0. */
const defaults: Readonly<Partial<Record<string, number>>> = { successRatio: 1, diskQuality: 1 }

/**
 * The services that customers run, as columns. Rows are reused; `serial` is not, and is the id of the service's
 * subnet.
 */
export interface ServiceTable {
  /** All rows in use are below this one. */
  rowsEnd: number
  capacity: number
  readonly freeRows: number[]
  lastSerial: number

  /** Id of the customer; 0 in a free row. */
  customer: Int32Array
  serial: Int32Array
  class: Int32Array
  durability: Int32Array
  vcpuMilli: Float64Array
  memMb: Float64Array
  ssdGb: Float64Array
  iops: Float64Array
  slices: Float64Array

  requested: Int32Array
  placed: Int32Array
  serving: Int32Array
  stranded: Int32Array
  replicasHeld: Int32Array
  /** Until this tick, a share of the requests still goes to units that have just been lost. */
  failoverUntil: Int32Array
  failoverShare: Float64Array
  /** 1 if units are spread over racks and zones as promised. */
  spreadKept: Int32Array
  /** Index of its first host in `servingHosts`. */
  firstServing: Int32Array
  /** The room version at which placement failed last. */
  attemptedAtRoomVersion: Float64Array

  /** Index in `roles`. */
  role: Int32Array
  /** 1 if users reach it through the gateways, 0 if only hosts of its zone do. */
  userFacing: Int32Array
  curve: Int32Array
  demandDrift: Float64Array
  peakRpsPerUnit: Float64Array
  cpuMs: Float64Array
  inGbpsPerRps: Float64Array
  outGbpsPerRps: Float64Array
  eastWestGbpsPerRps: Float64Array

  /** Demand in requests per second over all units, and CPU demand per serving unit with hostile requests. */
  rps: Float64Array
  unitDemandMilli: Float64Array
  successRatio: Float64Array
  /** CPU demand relative to the allocated CPU, at most 1. */
  load: Float64Array
  /** Disk speed relative to the allocated speed, at most 1. */
  diskQuality: Float64Array
  /** Highest contention among its hosts. */
  contention: Float64Array
  p50: Float64Array
  terms: Float64Array

  /** Price per unit, in millionths of a dollar per minute. */
  unitMicroPerMinute: Float64Array
  /** Millionths of a dollar: by day of the ring, and the sum over the ring. */
  revenueOfDay: Float64Array
  infrastructureOfDay: Float64Array
  transitOfDay: Float64Array
  revenueTotal: Float64Array
  infrastructureTotal: Float64Array
  transitTotal: Float64Array
  /** Answered requests per second. */
  servedRps: Float64Array
  /** Traffic from and to users that the network carried, including that of failed requests. */
  carriedInGbps: Float64Array
  carriedOutGbps: Float64Array
  /** Answered requests and carried Gbit since the last booking. */
  servedRequests: Float64Array
  servedGbit: Float64Array

  readonly unplacedReason: (UnplacedReason | null)[]
}

export function createServiceTable(): ServiceTable {
  return {
    rowsEnd: 0,
    capacity: initialCapacity,
    freeRows: [],
    lastSerial: 0,
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
    failoverUntil: new Int32Array(initialCapacity),
    failoverShare: new Float64Array(initialCapacity),
    spreadKept: new Int32Array(initialCapacity),
    firstServing: new Int32Array(initialCapacity),
    attemptedAtRoomVersion: new Float64Array(initialCapacity),
    role: new Int32Array(initialCapacity),
    userFacing: new Int32Array(initialCapacity),
    curve: new Int32Array(initialCapacity),
    demandDrift: new Float64Array(initialCapacity),
    peakRpsPerUnit: new Float64Array(initialCapacity),
    cpuMs: new Float64Array(initialCapacity),
    inGbpsPerRps: new Float64Array(initialCapacity),
    outGbpsPerRps: new Float64Array(initialCapacity),
    eastWestGbpsPerRps: new Float64Array(initialCapacity),
    rps: new Float64Array(initialCapacity),
    unitDemandMilli: new Float64Array(initialCapacity),
    successRatio: new Float64Array(initialCapacity).fill(1),
    load: new Float64Array(initialCapacity),
    diskQuality: new Float64Array(initialCapacity).fill(1),
    contention: new Float64Array(initialCapacity),
    p50: new Float64Array(initialCapacity),
    terms: new Float64Array(initialCapacity * termCount),
    unitMicroPerMinute: new Float64Array(initialCapacity),
    revenueOfDay: new Float64Array(initialCapacity * historyDays),
    infrastructureOfDay: new Float64Array(initialCapacity * historyDays),
    transitOfDay: new Float64Array(initialCapacity * historyDays),
    revenueTotal: new Float64Array(initialCapacity),
    infrastructureTotal: new Float64Array(initialCapacity),
    transitTotal: new Float64Array(initialCapacity),
    servedRps: new Float64Array(initialCapacity),
    carriedInGbps: new Float64Array(initialCapacity),
    carriedOutGbps: new Float64Array(initialCapacity),
    servedRequests: new Float64Array(initialCapacity),
    servedGbit: new Float64Array(initialCapacity),
    unplacedReason: [],
  }
}

/** Replicas that each durability promises; each is a unit on a different host. */
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

type Column = Float64Array | Int32Array

const columnsOf = (services: ServiceTable): [string, Column][] =>
  Object.entries(services).filter(([, value]) => ArrayBuffer.isView(value))

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
