import { ArchiveFeed } from '../../store/archive/archive-feed.ts'
import type { ArchiveFeedOptions } from '../../store/archive/archive-feed.ts'
import type { ArchiveFigures } from '../../contract/archive.ts'
import type { Clock } from '../../contract/clock.ts'
import type { Frame } from '../../encoding/frames/frame.ts'
import type { Changes } from '../../encoding/frames/changes.ts'
import type { TableFrame } from '../engine/frame-records.ts'
import type { PathHistory } from '../engine/history.ts'
import { TableRefused } from '../engine/refused.ts'
import type { TableRequest } from './table-maker.ts'
import { PublishAnswers } from './publish-answers.ts'
import type { FromTables, ToTables } from './protocol.ts'

/** Requests that wait for the thread, the one that it works on included; more are refused. */
const waitingMax = 256
/** A request that has waited for this long is refused when its turn comes. */
const waitedMaxMs = 30_000
/**
 * The thread is ended when it is silent for this many intervals while requests wait. Intervals are counted, not time: a
 * suspended process is no silence. The largest page of a table of 10,000 hosts takes a second, on a busy machine minutes.
 */
const silentIntervalsMax = 300
const watchIntervalMs = 1_000
/** The pause before a thread that has ended is started again. */
const restartPauseMs = 1_000
const closeTimeoutMs = 1_000

/** A worker thread, as far as the client knows it. */
interface TableWorker {
  postMessage(message: ToTables, moved: ArrayBuffer[]): void
  on(event: 'message', call: (message: FromTables) => void): unknown
  on(event: 'error', call: (error: unknown) => void): unknown
  on(event: 'exit', call: () => void): unknown
  terminate(): Promise<unknown>
}

interface ArchiveSupply {
  readonly frame: ArchiveFeedOptions['frame']
  /** Asks the source for a batch of changes with all of its lists. */
  readonly wantWhole: () => void
}

interface TablesClientOptions {
  readonly spawn: () => TableWorker
  readonly clock: Clock
  readonly note: ArchiveFeedOptions['note']
  /** Null without an archive. */
  readonly archive: ArchiveSupply | null
}

interface Waiting {
  readonly resolve: (bytes: Buffer) => void
  readonly reject: (error: Error) => void
}

const errorOf = ({ reason, message }: Extract<FromTables, { kind: 'failed' }>): Error =>
  reason === null
    ? Object.assign(new Error('A table failed.'), { stack: message })
    : new TableRefused(reason, message)

const shownOf = (frame: Frame): TableFrame => {
  const { totals: _, exposition: __, ...shown } = frame
  return shown
}

/**
 * The service thread's side of tables, pictures and the archive. The thread starts with the first message for it, so that
 * it does not hold up the start of the world; nothing of a frame is sent before a table of it is asked for.
 */
export class TablesClient {
  readonly #options: TablesClientOptions
  readonly #archive: ArchiveFeed | null
  readonly #answers = new PublishAnswers()
  readonly #waiting = new Map<number, Waiting>()
  #worker: TableWorker | null = null
  /** The frame that the thread has. */
  #shown: Frame | null = null
  #lastId = 0
  /** Why the thread ends, if it does. */
  #cause = ''
  #silentIntervals = 0
  #isWatched = false
  #isPausing = false
  #isClosed = false

  constructor(options: TablesClientOptions) {
    const { archive, note } = options
    this.#options = options
    const post: ArchiveFeedOptions['post'] = (message, moved) => this.#post(message, moved)
    this.#archive = archive === null ? null : new ArchiveFeed({ frame: archive.frame, note, post })
  }

  /** Of the archive; null without one, or before its first record. */
  get figures(): ArchiveFigures | null {
    return this.#archive?.figures ?? null
  }

  /** Hands over what happens for the archive. */
  add(changes: Changes): void {
    if (!this.#isPausing && !this.#isClosed) this.#archive?.add(changes)
  }

  /**
   * The finished body, which requests of one publish share. The frame must be leased until the promise settles.
   * `histories` reads what the table needs of the history of metrics.
   */
  ask(
    frame: Frame,
    request: TableRequest,
    histories: (() => Promise<readonly PathHistory[]>) | null = null,
  ): Promise<Buffer> {
    return this.#answers.of(frame, request, () => this.#made(frame, request, histories))
  }

  /** Resolves once the database of the archive is closed, or after a timeout. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#worker === null) return
    if (this.#archive !== null) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const stopTimer = this.#options.clock.after(closeTimeoutMs, resolve)
      this.#archive.close(resolve)
      await promise
      stopTimer()
    }
    await this.#worker?.terminate()
  }

  async #made(
    frame: Frame,
    request: TableRequest,
    readHistories: (() => Promise<readonly PathHistory[]>) | null,
  ): Promise<Buffer> {
    const histories = readHistories === null ? [] : await readHistories()
    if (this.#isPausing || this.#isClosed)
      throw new TableRefused(
        'stopped',
        'The thread that makes tables has stopped; it starts again in a second.',
      )
    if (this.#waiting.size >= waitingMax) throw new TableRefused('busy', `${waitingMax} others wait.`)
    if (frame !== this.#shown) this.#post({ kind: 'show', frame: shownOf(frame) })
    this.#shown = frame
    const id = ++this.#lastId
    const untilMs = this.#options.clock.nowMs() + waitedMaxMs
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    this.#waiting.set(id, { resolve, reject })
    if (this.#waiting.size === 1) this.#silentIntervals = 0
    if (!this.#isWatched) this.#watch()
    this.#post({ kind: 'make', id, request, histories, untilMs })
    return promise
  }

  #post(message: ToTables, moved: ArrayBuffer[] = []): void {
    this.#worker ??= this.#spawn()
    this.#worker.postMessage(message, moved)
  }

  #spawn(): TableWorker {
    const worker = this.#options.spawn()
    this.#cause = 'it ended'
    worker.on('message', (message) => this.#receive(message))
    worker.on('error', (error) => {
      this.#cause = error instanceof Error ? error.message : String(error)
    })
    worker.on('exit', () => this.#end(this.#cause))
    return worker
  }

  #receive(message: FromTables): void {
    this.#silentIntervals = 0
    if (message.kind === 'made') this.#settle(message.id)?.resolve(Buffer.from(message.bytes.buffer))
    else if (message.kind === 'failed') this.#settle(message.id)?.reject(errorOf(message))
    else this.#archive?.receive(message)
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }

  /** Ends a thread that hangs. */
  #watch(): void {
    this.#isWatched = true
    this.#options.clock.after(watchIntervalMs, () => {
      this.#isWatched = false
      if (this.#waiting.size === 0) return
      if (++this.#silentIntervals <= silentIntervalsMax) return this.#watch()
      this.#cause = `it has not answered for ${(silentIntervalsMax * watchIntervalMs) / 1_000} s`
      void this.#worker?.terminate()
    })
  }

  #end(cause: string): void {
    this.#worker = null
    this.#shown = null
    const stopped = new TableRefused('stopped', `The thread that makes tables has stopped: ${cause}.`)
    for (const { reject } of this.#waiting.values()) reject(stopped)
    this.#waiting.clear()
    this.#archive?.lost()
    if (this.#isClosed) return
    const { clock, note, archive } = this.#options
    note(true, `The thread of tables and the archive stopped: ${cause}. It starts again in a second.`)
    this.#isPausing = true
    clock.after(restartPauseMs, () => {
      this.#isPausing = false
      archive?.wantWhole()
    })
  }
}
