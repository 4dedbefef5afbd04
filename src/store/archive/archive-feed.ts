import { feedCollections } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { ArchiveFigures } from '../../contract/archive.ts'
import type { EncodedCollection, Frame } from '../../encoding/frames/frame.ts'
import { positionOfId, textOfItem } from '../../encoding/frames/item-position.ts'
import { buffersOfChanges } from '../../encoding/frames/changes.ts'
import type { Changes } from '../../encoding/frames/changes.ts'
import type { EntityId, FoundEntity } from './mentioned-entities.ts'
import type { FromArchive, ToArchive } from './protocol.ts'

/** Bounds of what waits for the archive. A batch of changes beyond them is dropped, and counts as an error. */
const waitingChangesMax = 1_000
const waitingBytesMax = 128 * 2 ** 20

export interface ArchiveFeedOptions {
  /** A frame with these lists; null if there is none now. */
  readonly frame: (lists: readonly CollectionName[]) => Frame | null | Promise<Frame | null>
  readonly note: (isProblem: boolean, message: string) => void
  /** Sends a message to the archive's thread; the buffers are moved there. */
  readonly post: (message: ToArchive, moved: ArrayBuffer[]) => void
}

const isWhole = ({ events, collections }: Changes): boolean =>
  events !== null && feedCollections.every((name) => collections[name] !== undefined)

/** The service thread's side of the archive: hands over what happens. It never waits for the database. */
export class ArchiveFeed {
  readonly #options: ArchiveFeedOptions
  readonly #waitingBytes: number[] = []
  #bytes = 0
  #dropped = 0
  /** Whether the archive does not know the lists that a batch of changes leaves out, as its thread is another one. */
  #needsWhole = false
  /** Whether the archive has failed for good. */
  #hasStopped = false
  #figures: ArchiveFigures | null = null
  #onClosed: () => void = () => {}

  constructor(options: ArchiveFeedOptions) {
    this.#options = options
  }

  /** Null before the first batch is stored. */
  get figures(): ArchiveFigures | null {
    return this.#figures === null ? null : { ...this.#figures, errors: this.#figures.errors + this.#dropped }
  }

  /** Hands over a batch of changes, whose buffers are moved. */
  add(changes: Changes): void {
    if (this.#needsWhole && !isWhole(changes)) return
    const buffers = buffersOfChanges(changes)
    const bytes = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
    if (
      this.#hasStopped ||
      this.#waitingBytes.length >= waitingChangesMax ||
      this.#bytes + bytes > waitingBytesMax
    ) {
      this.#dropped++
      return
    }
    this.#needsWhole = false
    this.#waitingBytes.push(bytes)
    this.#bytes += bytes
    this.#options.post({ kind: 'changes', changes }, buffers)
  }

  receive(message: FromArchive): void {
    if (message.kind === 'stored') {
      this.#figures = message.figures
      this.#bytes -= this.#waitingBytes.shift() ?? 0
    } else if (message.kind === 'want') void this.#supply(message.entities)
    else if (message.kind === 'note') this.#options.note(message.isProblem, message.message)
    else if (message.kind === 'stopped') this.#hasStopped = true
    else this.#onClosed()
  }

  /** The archive's thread has ended; another one begins with the next message. */
  lost(): void {
    this.#waitingBytes.length = 0
    this.#bytes = 0
    this.#needsWhole = true
    this.#hasStopped = false
    this.#onClosed()
  }

  /** Calls back once the database is closed. */
  close(call: () => void): void {
    this.#onClosed = call
    this.#options.post({ kind: 'close' }, [])
  }

  /** The wanted entities and all zones, as in the current snapshot. */
  async #supply(entities: readonly EntityId[]): Promise<void> {
    const frame = await this.#options.frame(['azs', ...entities.map(({ collection }) => collection)])
    if (frame !== null) this.#options.post({ kind: 'entities', found: entitiesIn(frame, entities) }, [])
  }
}

function jsonOf(list: EncodedCollection, id: bigint): string | null {
  const position = positionOfId(list, id)
  return position < 0 ? null : textOfItem(list, position)
}

const entitiesIn = ({ collections }: Frame, entities: readonly EntityId[]): FoundEntity[] => [
  ...Array.from(collections.azs.ids, (id) => ({
    collection: 'azs' as const,
    id,
    json: jsonOf(collections.azs, id),
  })),
  ...entities.map(({ collection, id }) => ({ collection, id, json: jsonOf(collections[collection], id) })),
]
