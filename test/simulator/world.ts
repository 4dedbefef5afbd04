import { collections, eventWindow } from '../../src/contract/collections.ts'
import type {
  CollectionName,
  CustomerRecord,
  EventRecord,
  HostRecord,
  IncidentRecord,
  Snapshot,
  FeedSnapshot,
} from '../../src/contract/collections.ts'
import type { WorldHistory } from '../../src/contract/history.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import { emptyRecord, snapshotWith } from '../fixtures/handmade-snapshot.ts'
import type { SeededRandom } from '../fixtures/seeded-random.ts'

export const stepNs = 10_000_000_000n
export const hourNs = 3_600_000_000_000n
const hostCount = 6
const customerCount = 4
const resolvedMax = 8
/** An incident opens every few steps, and is open for some. */
const [stepsBetween, stepsMinor, stepsOpen] = [3, 4, 7]

/** The state that a record is of, in its text. */
export const marksIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\d+~\d+/g)].map(([mark]) => mark)),
]

/** The events in a text, as life and number. */
export const eventsIn = (text: string): [life: number, number: number][] =>
  [...text.matchAll(/(\d+)#(\d+)/g)].map(([, life, number]) => [Number(life), Number(number)])

const mark = (life: number, step: number): string => `${life}~${step}`

interface WorldOptions {
  /** Whether events may share their time. */
  readonly hasTies: boolean
  readonly stepNs?: bigint
}

const emptyEvent = emptyRecord(EngineEventSchema, {
  kind: 'PartFailed',
  severity: 'Warning',
  msg_key: 'event.customer-reconciled',
})

/** A world in which every record names its step, and each event and incident has a number. */
export class MarkedWorld {
  readonly life: number
  /** Of all events, by their number. */
  readonly eventTimes: bigint[] = []
  readonly history: WorldHistory = { version: 0, entities: [], sample: () => {} }
  readonly #random: SeededRandom
  readonly #hasTies: boolean
  readonly #stepNs: bigint
  readonly #hosts: HostRecord[]
  readonly #customers: CustomerRecord[]
  readonly #incidents: IncidentRecord[] = []
  readonly #resolved: IncidentRecord[] = []
  #events: EventRecord[] = []
  /** The number of events before the step. */
  #toldCount = 0
  readonly #snapshot: Snapshot
  steps = 0

  constructor(life: number, random: SeededRandom, { hasTies, stepNs: ns = stepNs }: WorldOptions) {
    this.#stepNs = ns
    this.life = life
    this.#hasTies = hasTies
    this.#random = random
    this.#hosts = Array.from({ length: hostCount }, (_, i) => emptyRecord(collections.hosts, { id: i + 1 }))
    this.#customers = Array.from({ length: customerCount }, (_, i) =>
      emptyRecord(collections.customers, { id: i + 1 }),
    )
    this.#snapshot = snapshotWith({
      hosts: this.#hosts,
      customers: this.#customers,
      incidents: this.#incidents,
      resolvedIncidents: this.#resolved,
    })
    this.#mark()
  }

  get nowNs(): bigint {
    return BigInt(this.steps) * this.#stepNs
  }

  get eventsEmitted(): number {
    return this.eventTimes.length
  }

  get newestEvictedNs(): bigint {
    const evicted = this.eventTimes.length - eventWindow
    return evicted > 0 ? this.eventTimes[evicted - 1] : -1n
  }

  step(): void {
    this.steps++
    this.#toldCount = this.eventTimes.length
    for (let left = this.#random.pick([0, 0, 0, 1, 3]); left > 0; left--) this.#emit()
    if (this.steps % stepsBetween === 0) this.#open(this.steps / stepsBetween)
    const graver = this.#incidents.find(({ id }) => Number(id) * stepsBetween + stepsMinor === this.steps)
    if (graver !== undefined) Object.assign(graver, { band: 'Major', last_changed_at_ns: Number(this.nowNs) })
    const [oldest] = this.#incidents
    if (oldest !== undefined && Number(oldest.id) * stepsBetween + stepsOpen <= this.steps) this.#resolve()
    this.#mark()
  }

  /** Several events at once, so that some leave the window unseen. */
  burst(count: number): void {
    this.#toldCount = this.eventTimes.length
    for (let left = count; left > 0; left--) this.#emit()
  }

  /** Two in three share their time with a neighbor of the same step. */
  #emit(): void {
    const number = this.eventTimes.length
    const last = this.eventTimes.at(-1) ?? 0n
    const next = (this.nowNs > last ? this.nowNs : last) + 1n
    const isTie = this.#hasTies && number % 3 === 1 && number > this.#toldCount
    const atNs = isTie ? last : next
    this.eventTimes.push(atNs)
    const text = `${this.life}#${number}`
    const event = {
      ...emptyEvent,
      at_ns: Number(atNs),
      msg_args: [{ key: 'customer', text, number: 0, is_number: false }],
    }
    this.#events = [...this.#events, event].slice(-eventWindow)
  }

  #open(id: number): void {
    const now = Number(this.nowNs)
    const started = { id, started_at_ns: now, last_changed_at_ns: now, resolved_at_ns: null }
    this.#incidents.push(
      emptyRecord(collections.incidents, { ...started, band: 'Minor', symptom_kind: 'HighLatency' }),
    )
  }

  #resolve(): void {
    const incident = { ...this.#incidents.shift()! }
    incident.resolved_at_ns = Number(this.nowNs)
    this.#resolved.push(incident)
    if (this.#resolved.length > resolvedMax) this.#resolved.shift()
  }

  #mark(): void {
    const text = mark(this.life, this.steps)
    for (const host of this.#hosts) host.display_name_plain = text
    for (const customer of this.#customers) customer.name = text
  }

  snapshot(): Snapshot {
    return {
      ...this.#snapshot,
      simTimeNs: this.nowNs,
      events: this.#events,
      newestEvictedNs: this.newestEvictedNs,
    }
  }

  feedSnapshot(): FeedSnapshot {
    const { simTimeNs, events, newestEvictedNs, collections: all } = this.snapshot()
    const { incidents, resolvedIncidents, workOrders } = all
    return { simTimeNs, events, newestEvictedNs, collections: { incidents, resolvedIncidents, workOrders } }
  }
}

/** A publish of an upstream: its lists as JSON. */
export interface UpstreamState {
  readonly simTimeNs: bigint
  readonly lists: Readonly<Partial<Record<CollectionName | 'events', readonly string[]>>>
  readonly eventTimes: readonly bigint[]
  readonly newestEvictedNs: bigint
}

const templates = {
  hosts: JSON.stringify(emptyRecord(collections.hosts, { display_name_plain: '%' })),
  customers: JSON.stringify(emptyRecord(collections.customers, { name: '%' })),
}
const itemsOf = (name: keyof typeof templates, count: number, text: string): string[] =>
  Array.from({ length: count }, (_, i) =>
    templates[name].replace('%', text).replace('"id":0', `"id":${i + 1}`),
  )
const jsonOf = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record))
/** Of events, which do not change. */
const eventJson = new WeakMap<EventRecord, string>()
function jsonOfEvent(event: EventRecord): string {
  const json = eventJson.get(event) ?? JSON.stringify(event)
  eventJson.set(event, json)
  return json
}

export function upstreamState(world: MarkedWorld): UpstreamState {
  const { simTimeNs, collections: all, events, newestEvictedNs } = world.snapshot()
  const text = mark(world.life, world.steps)
  return {
    simTimeNs,
    lists: {
      hosts: itemsOf('hosts', hostCount, text),
      customers: itemsOf('customers', customerCount, text),
      incidents: jsonOf(all.incidents),
      resolvedIncidents: jsonOf(all.resolvedIncidents),
      events: events.map(jsonOfEvent),
    },
    eventTimes: world.eventTimes.slice(-eventWindow),
    newestEvictedNs,
  }
}
