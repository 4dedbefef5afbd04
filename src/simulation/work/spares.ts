import type { Plant } from '../plant/tables.ts'
import type { RandomStream } from '../random.ts'
import { hour, type Micros } from '../time.ts'

export const partKinds = [
  'ssd',
  'psu',
  'fan',
  'mainboard',
  'transceiver',
  'cable',
  'switch',
  'gateway',
  'appliance',
  'compressor',
  'filter',
  'battery',
] as const
export type PartKind = (typeof partKinds)[number]

interface Catalogue {
  readonly name: string
  /** For a new one, the broken one given in exchange. */
  readonly dollars: number
  /** Kept on the shelf: this many, and one more for so many devices. */
  readonly shelf: number
  readonly devicesForOneMore: number
  /** How long a delivery takes, in hours. */
  readonly delivery: readonly [number, number]
}

export const parts: Readonly<Record<PartKind, Catalogue>> = {
  ssd: { name: 'SSD', dollars: 120, shelf: 4, devicesForOneMore: 15, delivery: [8, 26] },
  psu: { name: 'power supply', dollars: 70, shelf: 3, devicesForOneMore: 25, delivery: [8, 26] },
  fan: { name: 'fan tray', dollars: 40, shelf: 3, devicesForOneMore: 25, delivery: [8, 26] },
  mainboard: { name: 'mainboard', dollars: 210, shelf: 2, devicesForOneMore: 60, delivery: [12, 36] },
  transceiver: { name: 'transceiver', dollars: 45, shelf: 4, devicesForOneMore: 30, delivery: [8, 20] },
  cable: { name: 'cable', dollars: 20, shelf: 6, devicesForOneMore: 20, delivery: [6, 18] },
  switch: { name: 'switch', dollars: 360, shelf: 1, devicesForOneMore: 150, delivery: [10, 30] },
  gateway: { name: 'gateway', dollars: 1_100, shelf: 1, devicesForOneMore: 1_000, delivery: [12, 36] },
  appliance: { name: 'appliance', dollars: 800, shelf: 1, devicesForOneMore: 1_000, delivery: [12, 36] },
  compressor: { name: 'compressor', dollars: 300, shelf: 2, devicesForOneMore: 600, delivery: [10, 30] },
  filter: { name: 'air filter', dollars: 25, shelf: 6, devicesForOneMore: 60, delivery: [10, 30] },
  battery: { name: 'battery string', dollars: 240, shelf: 2, devicesForOneMore: 600, delivery: [12, 36] },
}

/** The part with its article, as in a sentence. */
export const aPart = (part: PartKind): string =>
  `${part === 'ssd' || part === 'appliance' || part === 'filter' ? 'an' : 'a'} ${parts[part].name}`

/** By courier: for a part that somebody waits for while the shelf is empty. */
const courierHours: readonly [number, number] = [2, 7]
const courierDollars = 90

interface Delivery {
  readonly part: PartKind
  readonly due: Micros
}

/** The spare parts of the whole company. What is taken is ordered again at once, so no more is underway than was here. */
export class SpareShelf {
  /** Dollars spent since the last reading. */
  spent = 0
  /** A factor on how long deliveries take. */
  private hurry = 1
  private readonly stock = new Map<PartKind, number>()
  /** In the order in which they were ordered. */
  private readonly deliveries: Delivery[] = []
  private readonly random: RandomStream

  constructor(plant: Plant, random: RandomStream) {
    this.random = random
    const devices = plant.hosts.count + plant.switches.count + plant.gateways.count + plant.appliances.count
    for (const part of partKinds) {
      const { shelf, devicesForOneMore } = parts[part]
      this.stock.set(part, shelf + Math.floor(devices / devicesForOneMore))
    }
  }

  count(part: PartKind): number {
    return this.stock.get(part) as number
  }

  /** Takes one and orders another; false when there is none. */
  take(part: PartKind, now: Micros): boolean {
    const left = this.count(part)
    if (left === 0) return false
    this.stock.set(part, left - 1)
    this.order(part, now, parts[part].delivery)
    return true
  }

  /** Somebody waits for it: one of those underway comes by courier instead, unless one is about to come anyway. */
  rush(part: PartKind, now: Micros): void {
    const [low, high] = courierHours
    const due = now + this.random.uniform(low, high) * this.hurry * hour
    const slow = this.deliveries.findIndex((delivery) => delivery.part === part && delivery.due > due)
    if (slow === -1) return
    this.deliveries.splice(slow, 1)
    this.deliveries.push({ part, due })
    this.spent += courierDollars
  }

  /** Puts what has arrived on the shelf; true when anything has. */
  receive(now: Micros): boolean {
    let any = false
    for (let i = this.deliveries.length - 1; i >= 0; i--) {
      const { part, due } = this.deliveries[i]
      if (due > now) continue
      this.stock.set(part, this.count(part) + 1)
      this.deliveries.splice(i, 1)
      any = true
    }
    return any
  }

  /** More on the shelf, paid for by somebody else. */
  donate(part: PartKind, count: number): void {
    this.stock.set(part, this.count(part) + count)
  }

  /** Deliveries take that share of the time from now on. */
  hasten(factor: number): void {
    this.hurry *= factor
  }

  private order(part: PartKind, now: Micros, [low, high]: readonly [number, number]): void {
    this.deliveries.push({ part, due: now + this.random.uniform(low, high) * this.hurry * hour })
    this.spent += parts[part].dollars
  }
}
