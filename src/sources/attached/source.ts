import type { Clock } from '../../contract/clock.ts'
import { collectionNames, collections } from '../../contract/collections.ts'
import type {
  CollectionName,
  Collections,
  DiagnosticsRecord,
  EventRecord,
  Snapshot,
} from '../../contract/collections.ts'
import { Diagnostics } from '../../contract/records/diagnostics.ts'
import { EngineEvent } from '../../contract/records/operations.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import { BufferPool } from '../../encoding/buffer-pool.ts'
import { Refusal } from '../../encoding/exact-reading.ts'
import type { EncodedContent } from '../../encoding/frame-builder.ts'
import type { ReadItems } from '../../encoding/read-list.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import type { Exposition } from '../../metrics/exposition.ts'
import { createObservedTotals } from '../../metrics/observed-totals.ts'
import { SourceTrouble } from '../source.ts'
import type { Source, WarmUp } from '../source.ts'
import { completed } from './completed-diagnostics.ts'
import { EventWindow } from './event-window.ts'
import { Exchange } from './exchange.ts'
import { HeldList } from './held-list.ts'
import { PublishReader } from './publish-reader.ts'
import type { Publish } from './publish-reader.ts'
import { readTotals } from './server-totals.ts'
import { askHealth } from './server-health.ts'
import type { ServerHealth } from './server-health.ts'

/** The memory that answers are read into is kept for the next ones, up to this. */
const pooledBytesMax = 256 * 2 ** 20

/** A server that has published nothing for this long, and three cadences, has stopped. */
const staleAfterMs = 5_000

/** The most that waiting between two attempts grows to, in cadences: it has to be back soon after the server is. */
const retryCadencesMax = 0.75
const firstRetryMs = 50

/** How soon the server is asked again whether it has published, at first and at most. */
const firstLookMs = 20
const longestLookMs = 250

/** How long an answer may not go on while the server answers otherwise, at least and at most. */
const patienceMinMs = 500
const patienceMaxMs = 8_000

export interface AttachedSourceOptions {
  readonly origin: URL
  readonly exposition: Exposition
  readonly clock: Clock
  readonly cadenceMs: number
  /** A number from 0 to 1: waiting times differ a little, so that mirrors of one server do not ask in step. */
  readonly chance: () => number
}

/** What of a publish tells it from the one before. */
type Moment = Pick<ServerHealth, 'publishSeq' | 'simTimeNs' | 'capturedAtMs'>

/** The world of a server that speaks the specification: the game, or another mirror. */
export class AttachedSource implements Source {
  readonly title: string
  readonly history = null
  readonly #exposition: Exposition
  readonly #clock: Clock
  readonly #cadenceMs: number
  readonly #chance: () => number
  readonly #exchange: Exchange
  readonly #reader: PublishReader
  readonly #window: EventWindow
  readonly #lists = Object.fromEntries(
    collectionNames.map((name) => [name, new HeldList(name, collections[name], 'id')]),
  ) as Record<CollectionName, HeldList>
  readonly #events = new HeldList('events', EngineEvent, 'at_ns')
  readonly #readDiagnostics = recordReader(Diagnostics)
  #diagnostics: Uint8Array | null = null
  #observed = createObservedTotals()
  #last: Moment | null = null
  /** Wall time between the server's last two publishes, as far as is known. */
  #serverCadenceMs: number | null = null
  #attempts = 0
  #lastAskedMs = -Infinity
  #askingSinceMs = -Infinity
  #patienceMs: number

  constructor({ origin, exposition, clock, cadenceMs, chance }: AttachedSourceOptions) {
    this.title = origin.origin
    this.#exposition = exposition
    this.#clock = clock
    this.#cadenceMs = cadenceMs
    this.#chance = chance
    this.#exchange = new Exchange({ origin, clock, pool: new BufferPool(pooledBytesMax) })
    this.#reader = new PublishReader(this.#exchange)
    this.#window = new EventWindow(this.#exchange, clock)
    this.#patienceMs = this.#leastPatienceMs
  }

  close(): void {
    this.#exchange.close()
  }

  /** There is nothing to warm up: the first capture asks the server. */
  warmUp(): WarmUp {
    return { done: 1, simTimeNs: 0n }
  }

  advance(): number {
    return Infinity
  }

  /** Grows from failure to failure, but no longer than that a server that is back is soon seen. */
  retryMs(): number {
    const grown = firstRetryMs * 2 ** Math.min(this.#attempts, 10)
    return Math.min(grown, retryCadencesMax * this.#cadenceMs) * (0.5 + 0.5 * this.#chance())
  }

  async capture(): Promise<EncodedContent | null> {
    const nowMs = this.#clock.nowMs()
    // A server may have rested because nobody asked it: that is no silence of its own.
    if (nowMs - this.#lastAskedMs > staleAfterMs) this.#askingSinceMs = nowMs
    this.#attempts++
    try {
      const next = await this.#nextPublish()
      if (next !== null && this.#isAnew(next)) this.#beginAnew()
      const content = next === null ? null : await this.#read()
      this.#attempts = 0
      return content
    } finally {
      this.#lastAskedMs = this.#clock.nowMs()
    }
  }

  /** Waits for a publish that is not the last one; null where the server has none for a cadence. */
  async #nextPublish(): Promise<Moment | null> {
    const untilMs = this.#clock.nowMs() + this.#cadenceMs
    let lookMs = firstLookMs
    for (;;) {
      // Each look waits for the one before.
      // oxlint-disable-next-line no-await-in-loop
      const health = await askHealth(this.#exchange, this.#clock, this.#cadenceMs)
      if (!health.isReady) throw this.#notReady(health)
      const last = this.#last
      if (last === null || health.publishSeq !== last.publishSeq || health.simTimeNs !== last.simTimeNs)
        return health
      const nowMs = this.#clock.nowMs()
      this.#checkAlive(health, nowMs - Math.max(last.capturedAtMs, this.#askingSinceMs))
      if (nowMs >= untilMs) return null
      const dueMs = this.#serverCadenceMs === null ? nowMs : last.capturedAtMs + this.#serverCadenceMs
      // oxlint-disable-next-line no-await-in-loop
      await this.#pause(Math.min(Math.max(lookMs, dueMs - nowMs), untilMs - nowMs))
      lookMs = Math.min(1.5 * lookMs, longestLookMs)
    }
  }

  #notReady({ reason }: ServerHealth): SourceTrouble {
    const why = reason === '' ? '' : ` It says: ${reason}`
    return new SourceTrouble('no_world', `The server at ${this.title} has no world yet.${why}`)
  }

  #checkAlive({ status, reason }: ServerHealth, ageMs: number): void {
    if (status === 'stale') {
      throw new SourceTrouble('stale', `The server at ${this.title} is stale itself. It says: ${reason}`)
    }
    const longestMs = Math.max(staleAfterMs, 3 * this.#cadenceMs, 3 * (this.#serverCadenceMs ?? 0))
    if (ageMs > longestMs) {
      throw new SourceTrouble('stale', `The server at ${this.title} answers, but publishes nothing new.`)
    }
  }

  /** Whether it is another world, or the same one begun again. */
  #isAnew(next: Moment): boolean {
    const last = this.#last
    if (last === null) return false
    const fellBack = next.simTimeNs !== null && last.simTimeNs !== null && next.simTimeNs < last.simTimeNs
    return fellBack || next.publishSeq < last.publishSeq
  }

  #beginAnew(): void {
    this.#window.forget()
    this.#observed = createObservedTotals()
    this.#reader.askForTotals(true)
    this.#serverCadenceMs = null
  }

  async #read(): Promise<EncodedContent> {
    const beganMs = this.#clock.nowMs()
    const control = new AbortController()
    try {
      const content = await this.#watched(this.#readPublish(control.signal), control)
      const tookMs = this.#clock.nowMs() - beganMs
      this.#patienceMs = Math.min(Math.max(this.#leastPatienceMs, tookMs), patienceMaxMs)
      return content
    } finally {
      control.abort()
    }
  }

  /**
   * Gives up on answers that do not go on although the server answers others: they were lost on the way. Where
   * giving up was wrong, as the server is slow, the next attempt has twice the patience.
   */
  async #watched<T>(work: Promise<T>, control: AbortController): Promise<T> {
    const over = new AbortController()
    this.#exchange.lastProgressMs = this.#clock.nowMs()
    void this.#watch(control, over.signal)
    try {
      return await work
    } catch (error) {
      if (!control.signal.aborted) throw error
      const seconds = (this.#patienceMs / 1000).toFixed(1)
      this.#patienceMs = Math.min(2 * this.#patienceMs, patienceMaxMs)
      throw new SourceTrouble('timed_out', `Answers of ${this.title} did not go on for ${seconds} s.`)
    } finally {
      over.abort()
    }
  }

  async #watch(control: AbortController, over: AbortSignal): Promise<void> {
    while (!over.aborted && !control.signal.aborted) {
      const quietMs = this.#clock.nowMs() - this.#exchange.lastProgressMs
      // oxlint-disable-next-line no-await-in-loop
      await this.#pause(Math.max(this.#patienceMs - quietMs, this.#patienceMs / 4))
      if (over.aborted || !this.#isQuiet()) continue
      // oxlint-disable-next-line no-await-in-loop
      const answers = await this.#answersAside()
      if (answers && !over.aborted && this.#isQuiet()) control.abort()
    }
  }

  #isQuiet(): boolean {
    return this.#clock.nowMs() - this.#exchange.lastProgressMs >= this.#patienceMs
  }

  async #answersAside(): Promise<boolean> {
    try {
      await askHealth(this.#exchange, this.#clock, this.#cadenceMs, true)
      return true
    } catch {
      return false
    }
  }

  get #leastPatienceMs(): number {
    return Math.max(patienceMinMs, this.#cadenceMs)
  }

  async #readPublish(signal: AbortSignal): Promise<EncodedContent> {
    const publish = await this.#reader.read(signal)
    const content = await this.#contentOf(publish, signal)
    this.#learn(publish)
    return content
  }

  async #contentOf(publish: Publish, signal: AbortSignal): Promise<EncodedContent> {
    const beganMs = this.#clock.nowMs()
    const lists = this.#readLists(publish)
    const events = this.#events.read([publish.events])
    const newestEvictedNs = await this.#window.evictedBefore(events, publish.simTimeNs, signal)
    const diagnostics = this.#diagnosticsOf(publish)
    const record = this.#diagnosticsIn(publish, diagnostics)
    for (const list of [...Object.values(this.#lists), this.#events]) list.release()
    const records = Object.fromEntries(
      collectionNames.map((name) => [name, lists[name].records]),
    ) as unknown as Collections
    const known = {
      simTimeNs: publish.simTimeNs,
      collections: records,
      events: events.records as EventRecord[],
      newestEvictedNs,
      diagnostics: completed(record, publish.simTimeNs, records),
    }
    const totals = this.#totalsOf(publish, known)
    const exposition = this.#exposition.render({ ...known, totals })
    const recordsChanged = collectionNames.reduce((sum, name) => sum + this.#lists[name].changed, 0)
    return {
      encoded: {
        simTimeNs: publish.simTimeNs,
        collections: lists,
        events,
        newestEvictedNs,
        diagnostics,
        totals,
        recordsChanged,
      },
      exposition,
      capturedAtMs: publish.capturedAtMs,
      projectMs: this.#clock.nowMs() - beganMs,
    }
  }

  #readLists({ pages }: Publish): Record<CollectionName, ReadItems> {
    const lists = {} as Record<CollectionName, ReadItems>
    for (const name of collectionNames) lists[name] = this.#lists[name].read(pages[name])
    return lists
  }

  /** The diagnostics record, in its bytes without `meta`; the same bytes as before where it did not change. */
  #diagnosticsOf({ diagnostics }: Publish): Uint8Array {
    const bytes = diagnostics.without('meta')
    diagnostics.answer.free()
    if (this.#diagnostics !== null && Buffer.from(bytes).equals(this.#diagnostics)) return this.#diagnostics
    this.#diagnostics = bytes
    return bytes
  }

  #diagnosticsIn({ diagnostics }: Publish, bytes: Uint8Array): DiagnosticsRecord {
    try {
      return this.#readDiagnostics(Buffer.from(bytes).toString()) as DiagnosticsRecord
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw diagnostics.trouble('bad_record', `is refused: ${error.message}`)
    }
  }

  /** What the server says that it has counted or, where it does not, what was seen since it was first looked at. */
  #totalsOf({ totals }: Publish, known: Omit<Snapshot, 'totals'>): WorldTotals {
    const told = totals === null ? null : readTotals(totals.body.toString())
    totals?.free()
    if (told !== null) return told
    this.#reader.askForTotals(false)
    this.#observed.observe(known)
    return this.#observed.totals
  }

  #learn({ publishSeq, simTimeNs, capturedAtMs }: Publish): void {
    const last = this.#last
    this.#last = { publishSeq, simTimeNs, capturedAtMs }
    if (last === null || publishSeq <= last.publishSeq) return
    this.#serverCadenceMs = (capturedAtMs - last.capturedAtMs) / (publishSeq - last.publishSeq)
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, resolve)
    })
  }
}
