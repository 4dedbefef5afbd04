import type { Clock } from '../../contract/clock.ts'
import { collectionNames, collections } from '../../contract/collections.ts'
import type {
  CollectionName,
  Collections,
  DiagnosticsRecord,
  EventRecord,
  Snapshot,
} from '../../contract/collections.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import { BufferPool } from '../../encoding/frames/buffer-pool.ts'
import type { EncodedContent } from '../../encoding/frames/frame-builder.ts'
import { closeObject, skipBlanks } from '../../text/json-scan.ts'
import { DecodeError } from '../../encoding/record-reader.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import type { Exposition } from '../../metrics/exposition/exposition.ts'
import type { HistoryReader } from '../../metrics/history/series-reader.ts'
import { createTotalsFromEvents } from '../../metrics/totals-from-events.ts'
import { fillMissingDiagnostics } from '../missing-diagnostics.ts'
import { SourceError } from '../source.ts'
import type { Source, WarmUp } from '../source.ts'
import { pageRangeOf } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import { EventWindow } from './event-window.ts'
import { HttpClient, responseError } from './http/http-client.ts'
import type { HttpResponse } from './http/http-client.ts'
import { PublishReader } from './publish-reader.ts'
import type { Publish } from './publish-reader.ts'
import { ResponseWatchdog } from './response-watchdog.ts'
import { fetchHealth } from './upstream-health.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import { UpstreamHistory } from './upstream-history.ts'
import { UpstreamList } from './upstream-list.ts'
import { readTotals, TotalsError } from './upstream-totals.ts'

/** Bound of the buffers kept for later responses. */
const pooledBytesMax = 256 * 2 ** 20

/** An upstream is stale after this long plus three cadences without a publish. */
const staleAfterMs = 5_000

/** Upper bound of the cadence inferred from an upstream's ages, which may be wrong. */
const upstreamCadenceMaxMs = 60_000

/** The longest pause between two attempts, in cadences: the mirror must recover soon after the upstream does. */
const retryCadencesMax = 0.75
const firstRetryMs = 50

/** The first and the longest pause between reads of the upstream's health. */
const firstPollMs = 20
const pollMaxMs = 250

interface AttachedSourceOptions {
  readonly origin: URL
  readonly exposition: Exposition
  readonly clock: Clock
  readonly cadenceMs: number
  /** A random number from 0 to 1. It spreads pauses, so that mirrors of one upstream do not send requests in step. */
  readonly chance: () => number
}

/** The world of an upstream that speaks the specification: the game, or another mirror. */
export class AttachedSource implements Source {
  readonly title: string
  readonly history: HistoryReader
  readonly #exposition: Exposition
  readonly #clock: Clock
  readonly #cadenceMs: number
  readonly #chance: () => number
  readonly #client: HttpClient
  readonly #historyClient: HttpClient
  readonly #reader: PublishReader
  readonly #watchdog: ResponseWatchdog
  readonly #window: EventWindow
  readonly #lists = Object.fromEntries(
    collectionNames.map((name) => [name, new UpstreamList(name, collections[name], 'id')]),
  ) as Record<CollectionName, UpstreamList>
  readonly #events = new UpstreamList('events', EngineEventSchema, 'at_ns')
  readonly #readDiagnostics = recordReader(DiagnosticsSchema)
  #diagnostics: Uint8Array | null = null
  #totalsFromEvents = createTotalsFromEvents()
  #last: Envelope | null = null
  /** Wall time between the upstream's last two publishes; null while it is unknown. */
  #upstreamCadenceMs: number | null = null
  #attempts = 0
  #lastRequestMs = -Infinity
  #requestsSinceMs = -Infinity

  constructor({ origin, exposition, clock, cadenceMs, chance }: AttachedSourceOptions) {
    this.title = origin.origin
    this.#exposition = exposition
    this.#clock = clock
    this.#cadenceMs = cadenceMs
    this.#chance = chance
    this.#client = new HttpClient({ origin, clock, pool: new BufferPool(pooledBytesMax) })
    // Clients' requests for history use connections of their own.
    this.#historyClient = new HttpClient({ origin, clock, pool: new BufferPool() })
    this.history = new UpstreamHistory({
      client: this.#historyClient,
      publishSeq: () => this.#last?.publishSeq ?? 0,
    })
    this.#reader = new PublishReader(this.#client)
    this.#watchdog = new ResponseWatchdog(this.#client, clock, cadenceMs)
    this.#window = new EventWindow(this.#client, clock)
  }

  close(): void {
    this.#client.close()
    this.#historyClient.close()
  }

  /** No warm-up is needed: the first capture reads the upstream. */
  warmUp(): WarmUp {
    return { done: 1, simTimeNs: 0n }
  }

  advance(): number {
    return Infinity
  }

  /** Grows with each failure, but remains short enough to notice a recovered upstream soon. */
  retryMs(): number {
    const grown = firstRetryMs * 2 ** Math.min(this.#attempts, 10)
    return Math.min(grown, retryCadencesMax * this.#cadenceMs) * (0.5 + 0.5 * this.#chance())
  }

  async capture(): Promise<EncodedContent | null> {
    const nowMs = this.#clock.nowMs()
    // An upstream pauses while it has no readers, so silence counts only from the first request after a
    // pause.
    if (nowMs - this.#lastRequestMs > staleAfterMs) this.#requestsSinceMs = nowMs
    this.#attempts++
    try {
      const next = await this.#nextPublish()
      const hasRestarted = next !== null && this.#hasRestarted(next)
      if (hasRestarted) this.#restart()
      const content = next === null ? null : await this.#readPublish(hasRestarted)
      this.#attempts = 0
      return content
    } catch (error) {
      if (error instanceof SourceError) throw error
      // Invalid input of an upstream costs one publish at most, even if it triggers a bug in this process.
      const problem = error instanceof Error ? error.message : String(error)
      throw new SourceError('bad_record', `The upstream at ${this.title} could not be read: ${problem}.`)
    } finally {
      this.#lastRequestMs = this.#clock.nowMs()
    }
  }

  /** Waits for a publish other than the last one; null if the upstream makes none within a cadence. */
  async #nextPublish(): Promise<Envelope | null> {
    const deadlineMs = this.#clock.nowMs() + this.#cadenceMs
    let pollMs = firstPollMs
    for (;;) {
      const health = await fetchHealth(this.#client, this.#clock, this.#cadenceMs)
      const { envelope } = health
      if (envelope === null) throw this.#notReady(health)
      const last = this.#last
      if (last === null || envelope.publishSeq !== last.publishSeq || envelope.simTimeNs !== last.simTimeNs)
        return envelope
      const nowMs = this.#clock.nowMs()
      this.#checkLiveness(health, nowMs - Math.max(last.capturedAtMs, this.#requestsSinceMs))
      if (nowMs >= deadlineMs) return null
      const dueMs = this.#upstreamCadenceMs === null ? nowMs : last.capturedAtMs + this.#upstreamCadenceMs
      await this.#pause(Math.min(Math.max(pollMs, dueMs - nowMs), deadlineMs - nowMs))
      pollMs = Math.min(1.5 * pollMs, pollMaxMs)
    }
  }

  #notReady({ reason }: UpstreamHealth): SourceError {
    const quote = reason === '' ? '' : ` It reports: ${reason}`
    return new SourceError('no_world', `The upstream at ${this.title} has no world yet.${quote}`)
  }

  #checkLiveness({ status, reason }: UpstreamHealth, silenceMs: number): void {
    if (status === 'stale') {
      throw new SourceError('stale', `The upstream at ${this.title} is stale itself. It reports: ${reason}`)
    }
    const silenceMaxMs = Math.max(staleAfterMs, 3 * this.#cadenceMs, 3 * (this.#upstreamCadenceMs ?? 0))
    if (silenceMs > silenceMaxMs) {
      throw new SourceError('stale', `The upstream at ${this.title} responds, but publishes nothing new.`)
    }
  }

  /** Whether the upstream has another world, or the same world from its beginning. */
  #hasRestarted(next: Envelope): boolean {
    const last = this.#last
    if (last === null) return false
    const wentBack = next.simTimeNs !== null && last.simTimeNs !== null && next.simTimeNs < last.simTimeNs
    return wentBack || next.publishSeq < last.publishSeq
  }

  #restart(): void {
    this.#window.reset()
    this.#totalsFromEvents = createTotalsFromEvents()
    this.#reader.requestTotals(true)
    this.#upstreamCadenceMs = null
  }

  #readPublish(isRestartKnown: boolean): Promise<EncodedContent> {
    return this.#watchdog.guard(async (signal) => {
      let publish = await this.#reader.read(signal)
      // An upstream may restart after its health was read: the publish was then read without its totals.
      if (!isRestartKnown && this.#hasRestarted(publish)) {
        this.#restart()
        publish = await this.#reader.read(signal)
      }
      const content = await this.#contentOf(publish, signal)
      this.#remember(publish)
      return content
    })
  }

  async #contentOf(publish: Publish, signal: AbortSignal): Promise<EncodedContent> {
    const startedMs = this.#clock.nowMs()
    const lists = this.#readLists(publish)
    const events = this.#events.read([publish.events])
    const newestEvictedNs = await this.#window.advance(events, publish.simTimeNs, signal)
    const diagnostics = this.#diagnosticsOf(publish)
    const record = this.#diagnosticsRecord(publish, diagnostics)
    for (const list of [...Object.values(this.#lists), this.#events]) list.release()
    const records = Object.fromEntries(
      collectionNames.map((name) => [name, lists[name].records]),
    ) as unknown as Collections
    const known = {
      simTimeNs: publish.simTimeNs,
      collections: records,
      events: events.records as EventRecord[],
      newestEvictedNs,
      diagnostics: fillMissingDiagnostics(record, publish.simTimeNs, records),
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
      projectMs: this.#clock.nowMs() - startedMs,
    }
  }

  #readLists({ pages }: Publish): Record<CollectionName, ReadItems> {
    const lists = {} as Record<CollectionName, ReadItems>
    for (const name of collectionNames) {
      lists[name] = this.#lists[name].read(pages[name])
      const [first] = pages[name]
      const { total } = pageRangeOf(first, 0)
      const { count } = lists[name]
      if (count !== total)
        throw first.error('bad_record', `is refused: it counts ${total} items, but sends ${count}`)
    }
    return lists
  }

  /** The bytes of the diagnostics record without `meta`; the same object as before if they did not change. */
  #diagnosticsOf({ diagnostics }: Publish): Uint8Array {
    const bytes = shortestIfEmpty(diagnostics.without('meta'))
    diagnostics.response.free()
    if (this.#diagnostics !== null && Buffer.from(bytes).equals(this.#diagnostics)) return this.#diagnostics
    this.#diagnostics = bytes
    return bytes
  }

  #diagnosticsRecord({ diagnostics }: Publish, bytes: Uint8Array): DiagnosticsRecord {
    try {
      return this.#readDiagnostics(Buffer.from(bytes).toString()) as DiagnosticsRecord
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      throw diagnostics.error('bad_record', `is refused: ${error.message}`)
    }
  }

  /** The upstream's counters or, if it exposes none, counts since the first publish. */
  #totalsOf({ totals }: Publish, known: Omit<Snapshot, 'totals'>): WorldTotals {
    const counted = totals === null ? null : countersOf(totals)
    if (counted !== null) return counted
    this.#reader.requestTotals(false)
    this.#totalsFromEvents.observe(known)
    return this.#totalsFromEvents.totals
  }

  #remember({ publishSeq, simTimeNs, capturedAtMs }: Publish): void {
    const last = this.#last
    this.#last = { publishSeq, simTimeNs, capturedAtMs }
    if (last === null || publishSeq <= last.publishSeq) return
    const cadenceMs = (capturedAtMs - last.capturedAtMs) / (publishSeq - last.publishSeq)
    this.#upstreamCadenceMs = Math.min(Math.max(0, cadenceMs), upstreamCadenceMaxMs)
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(delayMs, resolve)
    })
  }
}

/**
 * An empty object in its shortest form: readers of a frame tell from the first bytes of a record whether it has
 * members.
 */
function shortestIfEmpty(bytes: Uint8Array): Uint8Array {
  const openAt = skipBlanks(bytes, 0, bytes.length)
  const isEmpty = bytes[skipBlanks(bytes, openAt + 1, bytes.length)] === closeObject
  return isEmpty ? Buffer.from('{}') : bytes
}

function countersOf({ url, body, free }: HttpResponse): WorldTotals | null {
  try {
    return readTotals(body.toString())
  } catch (error) {
    if (!(error instanceof TotalsError)) throw error
    throw responseError(url, 'bad_record', `is refused: ${error.message}`)
  } finally {
    free()
  }
}
