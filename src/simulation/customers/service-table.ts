import {
  type Durability,
  durabilities,
  serviceClasses,
  type ServiceClass,
} from '../../contract/vocabularies.ts'
import type { RandomStream } from '../random.ts'
import { daysKept, type PlacementLack, termCount } from './account.ts'

/** Positions of the terms of latency, in the order of the contract's `latencyTerms`. */
export const term = {
  Compute: 0,
  Contention: 1,
  Storage: 2,
  Network: 3,
  Queueing: 4,
  Inspection: 5,
  Replication: 6,
} as const

type Column = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>

/**
 * The services that customers run, as columns. Rows of services that have ended are used again; `serial` is
 * never used again and is the id of the service's subnet.
 */
export class ServiceTable {
  /** Rows in use are below this. */
  end = 0
  capacity = 64
  readonly freeRows: number[] = []
  lastSerial = 0

  /** Id of the customer; 0 where the row is free. */
  customer = new Int32Array(64)
  serial = new Int32Array(64)
  class = new Int32Array(64)
  durability = new Int32Array(64)
  vcpuMilli = new Float64Array(64)
  memMb = new Float64Array(64)
  ssdGb = new Float64Array(64)
  iops = new Float64Array(64)
  slices = new Float64Array(64)

  requested = new Int32Array(64)
  placed = new Int32Array(64)
  serving = new Int32Array(64)
  stranded = new Int32Array(64)
  replicasHeld = new Int32Array(64)
  /** Tick until which requests still go to units that have just been lost, and the share that does. */
  failoverUntil = new Int32Array(64)
  failoverShare = new Float64Array(64)
  /** Spread over racks and zones is as promised. */
  spreadKept = new Int32Array(64)
  /** Where its serving units' hosts begin in `servingHosts`. */
  firstServing = new Int32Array(64)
  /** The room at which placement failed last. */
  triedAtRoom = new Float64Array(64)

  /** 0 users talk to it, 1 other services do, 2 it works through jobs. */
  role = new Int32Array(64)
  /** Whether users reach it over the gateways; others are reached from hosts of the zone. */
  faced = new Int32Array(64)
  curve = new Int32Array(64)
  wander = new Float64Array(64)
  peakRpsPerUnit = new Float64Array(64)
  cpuMs = new Float64Array(64)
  inGbpsPerRps = new Float64Array(64)
  outGbpsPerRps = new Float64Array(64)
  eastWestGbpsPerRps = new Float64Array(64)

  /** Requests wanted a second, over all units; CPU that a serving unit wants; the same with what attackers waste. */
  rps = new Float64Array(64)
  unitDemandMilli = new Float64Array(64)
  ok = new Float64Array(64).fill(1)
  /** CPU wanted against CPU promised. */
  load = new Float64Array(64)
  /** Disk speed against what was promised, 1 at best. */
  diskQuality = new Float64Array(64).fill(1)
  /** Worst contention among its hosts. */
  contention = new Float64Array(64)
  p50 = new Float64Array(64)
  terms = new Float64Array(64 * termCount)

  /** What a unit pays by plan, in millionths of a dollar a minute. */
  unitMicroPerMinute = new Float64Array(64)
  /** Millionths of dollars: by day of the ring, and summed over it. */
  revenueOfDay = new Float64Array(64 * daysKept)
  infrastructureOfDay = new Float64Array(64 * daysKept)
  transitOfDay = new Float64Array(64 * daysKept)
  revenueKept = new Float64Array(64)
  infrastructureKept = new Float64Array(64)
  transitKept = new Float64Array(64)
  /** Requests answered a second. */
  servedRps = new Float64Array(64)
  /** Traffic from and to users that the network carried, whatever became of their requests. */
  carriedInGbps = new Float64Array(64)
  carriedOutGbps = new Float64Array(64)
  /** Requests answered and Gbit carried since money was last booked. */
  servedRequests = new Float64Array(64)
  servedGbit = new Float64Array(64)

  readonly noise: RandomStream[] = []
  readonly lack: (PlacementLack | null)[] = []

  classOf(row: number): ServiceClass {
    return serviceClasses[this.class[row]]
  }

  durabilityOf(row: number): Durability {
    return durabilities[this.durability[row]]
  }

  /** A free row, all columns at their beginning. */
  take(): number {
    const row = this.freeRows.pop() ?? this.end++
    if (row >= this.capacity) this.grow()
    this.serial[row] = ++this.lastSerial
    this.lack[row] = null
    return row
  }

  release(row: number): void {
    for (const key of this.columns()) {
      const column = this[key] as Column
      const width = column.length / this.capacity
      column.fill(key === 'ok' || key === 'diskQuality' ? 1 : 0, row * width, (row + 1) * width)
    }
    this.lack[row] = null
    this.freeRows.push(row)
  }

  private columns(): (keyof this)[] {
    return (Object.keys(this) as (keyof this)[]).filter((key) => ArrayBuffer.isView(this[key]))
  }

  private grow(): void {
    const columns = this as Record<keyof this, unknown>
    for (const key of this.columns()) {
      const column = this[key] as Column
      const longer =
        column instanceof Int32Array ? new Int32Array(column.length * 2) : new Float64Array(column.length * 2)
      if (key === 'ok' || key === 'diskQuality') longer.fill(1)
      longer.set(column)
      columns[key] = longer
    }
    this.capacity *= 2
  }
}
