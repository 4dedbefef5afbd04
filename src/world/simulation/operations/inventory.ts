import type { Topology } from '../topology/tables.ts'
import type { RandomStream } from '../random.ts'
import type { Micros } from '../time.ts'
import { hour } from '../time.ts'
import type { PartKind } from '../work/parts.ts'
import { partCatalog, partKinds } from '../work/parts.ts'

const courierHours: readonly [number, number] = [2, 7]
const courierDollars = 90

interface Delivery {
  readonly part: PartKind
  readonly due: Micros
}

interface InventoryState {
  readonly stock: Map<PartKind, number>
  /** In order of placement. */
  readonly deliveries: Delivery[]
  deliveryTimeFactor: number
  /** Dollars spent since the last `takeSpending`. */
  unbilledDollars: number
}

/** Spare parts of all sites. Every withdrawal is reordered immediately. */
export class SpareInventory {
  readonly state: InventoryState
  readonly #random: RandomStream

  constructor(topology: Topology, random: RandomStream) {
    this.#random = random
    const { hosts, switches, gateways, appliances } = topology
    const devices = hosts.rows.length + switches.count + gateways.count + appliances.count
    const stock = new Map<PartKind, number>()
    for (const part of partKinds) {
      const { stockMin, devicesPerPart } = partCatalog[part]
      stock.set(part, stockMin + Math.floor(devices / devicesPerPart))
    }
    this.state = { stock, deliveries: [], deliveryTimeFactor: 1, unbilledDollars: 0 }
  }

  count(part: PartKind): number {
    return this.state.stock.get(part) ?? 0
  }

  add(part: PartKind, count: number): void {
    this.state.stock.set(part, this.count(part) + count)
  }

  /** Withdraws and reorders a part; false if it is out of stock. */
  take(part: PartKind, now: Micros): boolean {
    if (this.count(part) === 0) return false
    this.add(part, -1)
    const { deliveryHours, dollars } = partCatalog[part]
    this.state.deliveries.push({ part, due: this.#deliveryTime(now, deliveryHours) })
    this.state.unbilledDollars += dollars
    return true
  }

  /** Replaces a pending delivery of the part by a courier, unless all of them arrive earlier. */
  expedite(part: PartKind, now: Micros): void {
    const { deliveries } = this.state
    const due = this.#deliveryTime(now, courierHours)
    const slower = deliveries.findIndex((delivery) => delivery.part === part && delivery.due > due)
    if (slower === -1) return
    deliveries.splice(slower, 1)
    deliveries.push({ part, due })
    this.state.unbilledDollars += courierDollars
  }

  /** Adds arrived deliveries to the stock. */
  receive(now: Micros): void {
    const { deliveries } = this.state
    for (let i = deliveries.length - 1; i >= 0; i--)
      if (deliveries[i].due <= now) this.add(deliveries.splice(i, 1)[0].part, 1)
  }

  scaleDeliveryTimes(factor: number): void {
    this.state.deliveryTimeFactor *= factor
  }

  /** Returns and resets the dollars spent. */
  takeSpending(): number {
    const dollars = this.state.unbilledDollars
    this.state.unbilledDollars = 0
    return dollars
  }

  #deliveryTime(now: Micros, [min, max]: readonly [number, number]): Micros {
    return now + this.#random.uniform(min, max) * this.state.deliveryTimeFactor * hour
  }
}
