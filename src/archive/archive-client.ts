import type { Worker } from 'node:worker_threads'
import type { ArchiveAnswer, ArchivedWorld, ArchiveFigures, ArchiveQuery } from '../contract/archive.ts'
import { ArchiveUnavailable } from '../contract/archive.ts'
import type { Clock } from '../contract/clock.ts'
import type { EncodedCollection, Frame } from '../encoding/frames/frame.ts'
import { positionOfId } from '../encoding/frames/item-position.ts'
import { buffersOfStory } from '../encoding/frames/story.ts'
import type { Story } from '../encoding/frames/story.ts'
import type { EntityId } from './mentioned-entities.ts'
import type { ArchiveResult, FromArchive, ToArchive } from './protocol.ts'
import type { FoundEntity } from './wanted-entities.ts'

/** Bounds of what waits for the archive. A story beyond them is dropped, and its events count as missed. */
const waitingStoriesMax = 1_000
const waitingBytesMax = 128 * 2 ** 20
const waitingQueriesMax = 64
const queryTimeoutMs = 5_000
const closeTimeoutMs = 1_000

interface ArchiveClientOptions {
  readonly spawn: () => Worker
  readonly clock: Clock
  readonly frame: () => Frame | null
  readonly note: (isProblem: boolean, message: string) => void
}

interface PendingQuery {
  readonly resolve: (result: ArchiveResult) => void
  readonly reject: (error: ArchiveUnavailable) => void
  readonly stopTimer: () => void
}

/** The service thread's side of the archive: hands over what happens, and asks. It never waits for the database. */
export class ArchiveClient {
  readonly #options: ArchiveClientOptions
  #worker: Worker | null = null
  readonly #pending = new Map<number, PendingQuery>()
  readonly #waitingBytes: number[] = []
  #bytes = 0
  #lastId = 0
  #hasEnded = false
  #onClosed: () => void = () => {}
  #dropped = 0
  #figures: ArchiveFigures | null = null

  constructor(options: ArchiveClientOptions) {
    this.#options = options
  }

  /** Started with the first story or query, so that it does not hold up the start of the world. */
  #send(message: ToArchive, moved: ArrayBuffer[] = []): void {
    this.#worker ??= this.#spawn()
    this.#worker.postMessage(message, moved)
  }

  #spawn(): Worker {
    const worker = this.#options.spawn()
    worker.on('message', (message: FromArchive) => this.#receive(message))
    worker.on('error', (error: unknown) => this.#end(error instanceof Error ? error.message : String(error)))
    worker.on('exit', () => this.#end('its thread ended'))
    return worker
  }

  /** Null before the first story is stored. */
  get figures(): ArchiveFigures | null {
    return this.#figures === null ? null : { ...this.#figures, errors: this.#figures.errors + this.#dropped }
  }

  /** Hands over a story, whose buffers are moved. */
  tell(story: Story): void {
    if (this.#hasEnded) return
    const buffers = buffersOfStory(story)
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (this.#waitingBytes.length >= waitingStoriesMax || this.#bytes + bytes > waitingBytesMax) {
      this.#dropped++
      return
    }
    this.#waitingBytes.push(bytes)
    this.#bytes += bytes
    this.#send({ kind: 'story', story }, buffers)
  }

  /** Null if the archive has no such world. */
  read(query: ArchiveQuery): Promise<ArchiveAnswer | null> {
    return this.#ask(query) as Promise<ArchiveAnswer | null>
  }

  worlds(): Promise<readonly ArchivedWorld[]> {
    return this.#ask('worlds') as Promise<readonly ArchivedWorld[]>
  }

  /** Resolves once the database is closed, or after the timeout. */
  async close(): Promise<void> {
    if (this.#worker === null) {
      this.#hasEnded = true
      return
    }
    if (!this.#hasEnded) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#onClosed = resolve
      const stopTimer = this.#options.clock.after(closeTimeoutMs, resolve)
      this.#send({ kind: 'close' })
      await promise
      stopTimer()
    }
    this.#hasEnded = true
    await this.#worker.terminate()
  }

  #ask(query: ArchiveQuery | 'worlds'): Promise<ArchiveResult> {
    if (this.#hasEnded) throw new ArchiveUnavailable('The archive has stopped.')
    if (this.#pending.size >= waitingQueriesMax)
      throw new ArchiveUnavailable(`${waitingQueriesMax} other requests wait for the archive.`)
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<ArchiveResult>()
    const stopTimer = this.#options.clock.after(queryTimeoutMs, () => {
      this.#pending.delete(id)
      reject(new ArchiveUnavailable(`The archive has not answered for ${queryTimeoutMs / 1_000} s.`))
    })
    this.#pending.set(id, { resolve, reject, stopTimer })
    this.#send({ kind: 'query', id, query })
    return promise
  }

  #receive(message: FromArchive): void {
    if (message.kind === 'told') {
      this.#figures = message.figures
      this.#bytes -= this.#waitingBytes.shift() ?? 0
    } else if (message.kind === 'want') this.#supply(message.entities)
    else if (message.kind === 'note') this.#options.note(message.isProblem, message.message)
    else if (message.kind === 'closed') this.#onClosed()
    else this.#settle(message)
  }

  #settle(message: Extract<FromArchive, { kind: 'answer' | 'failure' }>): void {
    const pending = this.#pending.get(message.id)
    if (pending === undefined) return
    this.#pending.delete(message.id)
    pending.stopTimer()
    if (message.kind === 'answer') pending.resolve(message.result)
    else pending.reject(new ArchiveUnavailable(`The archive cannot be read: ${message.reason}.`))
  }

  /** The wanted entities and all zones, as in the current snapshot. */
  #supply(entities: readonly EntityId[]): void {
    if (this.#hasEnded) return
    const frame = this.#options.frame()
    const found = frame === null ? null : entitiesIn(frame, entities)
    this.#send({ kind: 'entities', found })
  }

  #end(reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onClosed()
    for (const id of this.#pending.keys()) this.#settle({ kind: 'failure', id, reason })
    this.#options.note(
      true,
      `The archive stopped: ${reason}. The mirror serves without it until it is restarted.`,
    )
  }
}

function jsonOf(list: EncodedCollection, id: bigint): string | null {
  const position = positionOfId(list, id)
  if (position < 0) return null
  const { bytes, starts } = list
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'utf8',
    starts[position],
    starts[position + 1] - 1,
  )
}

const entitiesIn = ({ collections }: Frame, entities: readonly EntityId[]): FoundEntity[] => [
  ...Array.from(collections.azs.ids, (id) => ({
    collection: 'azs' as const,
    id,
    json: jsonOf(collections.azs, id),
  })),
  ...entities.map(({ collection, id }) => ({ collection, id, json: jsonOf(collections[collection], id) })),
]
