import type { Clock } from '../../contract/clock.ts'
import { collectionNames, collections } from '../../contract/collections.ts'
import type { CollectionName, Collections, EventRecord, UnknownParts } from '../../contract/collections.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import { completed } from '../../encoding/completed-views.ts'
import type { EncodedContent } from '../../encoding/frames/frame-builder.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import type { Exposition } from '../../metrics/exposition/exposition.ts'
import type { HistoryReader } from '../../metrics/history/history-reader.ts'
import { createTotalsFromEvents } from '../../metrics/totals-from-events.ts'
import { fillMissingDiagnostics } from '../missing-diagnostics.ts'
import { SourceError } from '../source.ts'
import type { Source, WarmUp } from '../source.ts'
import { anyPublish, isSamePublish } from './http/envelope.ts'
import type { Envelope } from './http/envelope.ts'
import { EventWindow } from './event-window.ts'
import { connect, upstreamTitle } from './connect.ts'
import type { ConnectionOptions, UpstreamClient } from './http/http-client.ts'
import type { PartName } from './publish-pieces.ts'
import { PublishReader } from './publish-reader.ts'
import type { Publish } from './publish-reader.ts'
import { UpstreamPanels } from './upstream-panels.ts'
import { UpstreamDiagnostics } from './upstream-diagnostics.ts'
import { fetchHealth } from './upstream-health.ts'
import type { UpstreamHealth } from './upstream-health.ts'
import { UpstreamHistory } from './upstream-history.ts'
import { leftOutOf, UpstreamList } from './upstream-list.ts'
import { isAbsent, UpstreamParts } from './upstream-parts.ts'

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

interface AttachedSourceOptions extends ConnectionOptions {
  readonly exposition: Exposition
  readonly cadenceMs: number
  /** Whether errors are those of a check, which need not advise one. */
  readonly isChecked?: boolean
}

/** The world of an upstream that speaks the specification: the game, or another mirror. */
export class AttachedSource implements Source {
  readonly history: HistoryReader
  readonly #address: string
  readonly #options: AttachedSourceOptions
  readonly #clock: Clock
  readonly #client: UpstreamClient
  readonly #historyClient: UpstreamClient
  readonly #reader: PublishReader
  readonly #window: EventWindow
  readonly #lists = Object.fromEntries(
    collectionNames.map((name) => [name, new UpstreamList(name, collections[name], 'id')]),
  ) as Record<CollectionName, UpstreamList>
  readonly #events = new UpstreamList('events', EngineEventSchema, 'at_ns')
  readonly #diagnostics = new UpstreamDiagnostics()
  readonly #parts: UpstreamParts
  readonly #panels: UpstreamPanels
  /** Whether patch panels are read one by one, without their list. */
  #hasPanels = false
  #hasHealth = false
  /** A simulated time and the moment at which it was assumed, for an upstream that tells none. */
  #ownTime: { readonly simTimeNs: bigint; readonly atMs: number } | null = null
  #totals = createTotalsFromEvents()
  #last: Envelope | null = null
  /** Wall time between the upstream's last two publishes; null while it is unknown. */
  #upstreamCadenceMs: number | null = null
  #attempts = 0
  #lastRequestMs = -Infinity
  #requestsSinceMs = -Infinity

  constructor(options: AttachedSourceOptions) {
    const { origin, clock, cadenceMs, open } = options
    this.#options = options
    this.#address = upstreamTitle(origin)
    this.#clock = clock
    this.#client = connect({ origin, clock, open })
    // Clients' requests for history use connections of their own.
    this.#historyClient = connect({ origin, clock, open })
    this.history = new UpstreamHistory({
      client: this.#historyClient,
      publishSeq: () => this.#last?.publishSeq ?? 0,
    })
    this.#reader = new PublishReader(this.#client)
    this.#parts = new UpstreamParts(this.#client, clock, cadenceMs)
    this.#panels = new UpstreamPanels(this.#client)
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
    return Math.min(grown, retryCadencesMax * this.#options.cadenceMs)
  }

  async capture(): Promise<EncodedContent | null> {
    const nowMs = this.#clock.nowMs()
    // An upstream pauses while it has no readers, so silence counts only from the first request after a
    // pause.
    if (nowMs - this.#lastRequestMs > staleAfterMs) this.#requestsSinceMs = nowMs
    this.#attempts++
    try {
      const next = await this.#nextPublish()
      const content = next === null ? null : await this.#readPublish(next)
      this.#attempts = 0
      return content
    } catch (error) {
      if (error instanceof SourceError) throw this.#withRemedy(error)
      // Invalid input of an upstream costs one publish at most, even if it triggers a bug in this process.
      const problem = error instanceof Error ? error.message : String(error)
      throw new SourceError('bad_record', `${this.#client.name} could not be read: ${problem}.`)
    } finally {
      this.#lastRequestMs = this.#clock.nowMs()
    }
  }

  /** Before the first publish, the error is all that people see. */
  #withRemedy(error: SourceError): SourceError {
    if (this.#options.isChecked === true || this.#last !== null) return error
    const remedy = `To see what it lacks: dcsim-mirror check ${this.#address}`
    return new SourceError(error.fault, `${error.message} ${remedy}`)
  }

  /** Waits for a publish other than the last one; null if the upstream makes none within a cadence. */
  async #nextPublish(): Promise<Envelope | null> {
    const deadlineMs = this.#clock.nowMs() + this.#options.cadenceMs
    let pollMs = firstPollMs
    for (;;) {
      const health = await fetchHealth(this.#client, this.#clock)
      this.#hasHealth = health.isServed
      const { envelope } = health
      if (envelope === null) throw this.#notReady(health)
      const last = this.#last
      if (last === null || !isSamePublish(envelope, last)) return envelope
      const nowMs = this.#clock.nowMs()
      this.#checkLiveness(health, nowMs - Math.max(last.capturedAtMs, this.#requestsSinceMs))
      if (nowMs >= deadlineMs) return null
      const dueMs = this.#upstreamCadenceMs === null ? nowMs : last.capturedAtMs + this.#upstreamCadenceMs
      const pauseMs = Math.min(Math.max(pollMs, dueMs - nowMs), deadlineMs - nowMs)
      await new Promise<void>((resolve) => void this.#clock.after(pauseMs, resolve))
      pollMs = Math.min(1.5 * pollMs, pollMaxMs)
    }
  }

  #notReady({ reason }: UpstreamHealth): SourceError {
    const quote = reason === '' ? '' : ` It reports: ${reason}`
    return new SourceError('no_world', `${this.#client.name} has no world yet.${quote}`)
  }

  #checkLiveness({ status, reason }: UpstreamHealth, silenceMs: number): void {
    if (status === 'stale') {
      throw new SourceError('stale', `${this.#client.name} is stale itself. It reports: ${reason}`)
    }
    const silenceMaxMs = Math.max(
      staleAfterMs,
      3 * this.#options.cadenceMs,
      3 * (this.#upstreamCadenceMs ?? 0),
    )
    if (silenceMs > silenceMaxMs) {
      throw new SourceError('stale', `${this.#client.name} ${this.#client.silence}.`)
    }
  }

  /** Whether the upstream has another world, or the same world from its beginning. */
  #hasRestarted(next: Envelope): boolean {
    const last = this.#last
    if (last === null) return false
    const wentBack = next.simTimeNs !== null && last.simTimeNs !== null && next.simTimeNs < last.simTimeNs
    return wentBack || (next.publishSeq !== anyPublish && next.publishSeq < last.publishSeq)
  }

  #restart(): void {
    this.#window.reset()
    this.#totals = createTotalsFromEvents()
    this.#upstreamCadenceMs = null
    this.#ownTime = null
  }

  /** If none of its responses tells the simulated time, that of the upstream's health counts. */
  async #readPublish(next: Envelope): Promise<EncodedContent> {
    const parts = await this.#readParts()
    const publish = { ...parts, simTimeNs: parts.simTimeNs ?? next.simTimeNs }
    // An upstream may restart after its health was read.
    if (this.#hasRestarted(next) || this.#hasRestarted(publish)) this.#restart()
    const content = await this.#contentOf(publish)
    this.#remember(publish)
    this.#parts.published()
    return content
  }

  /** Reads the parts that can be read. Throws if there are none, or if a part may be readable in a moment. */
  async #readParts(): Promise<Publish> {
    this.#parts.beginPublish()
    const publish = await this.#reader.read(this.#parts.readable)
    const hasNoLists = this.#hasHealth && [...publish.failures.values()].every(isAbsent)
    if (publish.pages.size === 0 && !hasNoLists) {
      throw [...publish.failures.values()][0] ?? this.#parts.error!
    }
    for (const [name, error] of publish.failures) this.#parts.failed(name, error)
    return publish
  }

  async #contentOf(publish: Publish): Promise<EncodedContent> {
    const startedMs = this.#clock.nowMs()
    const lists = await this.#readLists(publish)
    const events = this.#readList('events', this.#events, publish)
    const simTimeNs = this.#simTimeOf(publish, events)
    const newestEvictedNs = await this.#window.advance(events, simTimeNs)
    this.#readPart('diagnostics', this.#diagnostics, publish)
    const { bytes: diagnostics, record } = this.#diagnostics.last
    const unknown = this.#unknown(publish)
    const records = completed(recordsOf(lists), unknown)
    const known = {
      simTimeNs,
      collections: records,
      events: events.records as EventRecord[],
      newestEvictedNs,
      diagnostics: fillMissingDiagnostics(record, simTimeNs, records, unknown),
      unknown,
      leftOut: leftOutOf({ ...lists, events }),
    }
    this.#totals.observe(known)
    const { totals } = this.#totals
    const exposition = this.#options.exposition.render({ ...known, totals })
    const recordsChanged = collectionNames.reduce((sum, name) => sum + this.#lists[name].changed, 0)
    return {
      encoded: {
        simTimeNs,
        collections: lists,
        events,
        newestEvictedNs,
        diagnostics,
        totals,
        unknown,
        recordsChanged,
      },
      exposition,
      capturedAtMs: Math.min(publish.capturedAtMs, startedMs),
      projectMs: this.#clock.nowMs() - startedMs,
    }
  }

  async #readLists(publish: Publish): Promise<Record<CollectionName, ReadItems>> {
    const lists = {} as Record<CollectionName, ReadItems>
    for (const name of collectionNames) lists[name] = this.#readList(name, this.#lists[name], publish)
    return { ...lists, patchPanels: await this.#readPanels(recordsOf(lists)) }
  }

  async #readPanels(records: Collections): Promise<ReadItems> {
    const list = this.#lists.patchPanels
    const reason = this.#parts.reasonOf('patchPanels')
    if (reason === null) this.#panels.reset()
    const found = reason !== null && isAbsent(reason) ? await this.#panels.read(records) : null
    if (found !== null) list.readRecords(found)
    else if (this.#hasPanels && reason !== null) list.clear()
    this.#hasPanels = found !== null
    return list.items
  }

  /** Whether the records of a part without its list are read one by one. */
  #isReadSingly(name: PartName): boolean {
    return name === 'patchPanels' && this.#hasPanels
  }

  /** A list of the publish; if it cannot be read, its last state as long as that counts, then none. */
  #readList(name: PartName, list: UpstreamList, publish: Publish): ReadItems {
    list.changed = 0
    this.#readPart(name, list, publish)
    return list.items
  }

  #readPart(name: PartName, part: UpstreamList | UpstreamDiagnostics, { pages }: Publish): void {
    const own = pages.get(name)
    if (own !== undefined) {
      try {
        part.read(own)
        this.#parts.succeeded(name)
        return
      } catch (error) {
        if (!(error instanceof SourceError)) throw error
        this.#parts.failed(name, error)
      }
    }
    if (this.#parts.reasonOf(name) !== null && !this.#isReadSingly(name)) part.clear()
  }

  #unknown({ simTimeNs }: Publish): UnknownParts {
    const unknown = Object.entries(this.#parts.unknown()).filter(
      ([name]) => !this.#isReadSingly(name as CollectionName),
    )
    if (simTimeNs === null) unknown.push(['simTime', `${this.#client.name} reports no simulated time.`])
    return Object.fromEntries(unknown)
  }

  /** An upstream that tells no time has that of this process, after the newest event. */
  #simTimeOf({ simTimeNs }: Publish, { keys }: ReadItems): bigint {
    if (simTimeNs !== null) return simTimeNs
    const newestNs = keys.at(-1) ?? 0n
    const nowMs = this.#clock.nowMs()
    this.#ownTime ??= { simTimeNs: newestNs, atMs: nowMs }
    const elapsedNs = this.#ownTime.simTimeNs + BigInt(Math.round(nowMs - this.#ownTime.atMs)) * 1_000_000n
    return elapsedNs > newestNs ? elapsedNs : newestNs
  }

  #remember({ publishSeq, simTimeNs, capturedAtMs }: Publish): void {
    const last = this.#last
    this.#last = { publishSeq, simTimeNs, capturedAtMs }
    if (last === null || last.publishSeq === anyPublish || publishSeq <= last.publishSeq) return
    const cadenceMs = (capturedAtMs - last.capturedAtMs) / (publishSeq - last.publishSeq)
    this.#upstreamCadenceMs = Math.min(Math.max(0, cadenceMs), upstreamCadenceMaxMs)
  }
}

const recordsOf = (lists: Readonly<Record<CollectionName, ReadItems>>): Collections =>
  Object.fromEntries(collectionNames.map((name) => [name, lists[name].records])) as unknown as Collections
