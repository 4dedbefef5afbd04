import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { feedCollections } from '../../contract/collections.ts'
import type { FeedCollection } from '../../contract/collections.ts'
import { ChangedItems } from '../../encoding/frames/changed-items.ts'
import { collectionOf } from '../../encoding/frames/frame-assembly.ts'
import type { ListPart } from '../../encoding/frames/frame-message.ts'
import { itemsOf } from '../../encoding/frames/joined-items.ts'
import type { JsonItem } from '../../encoding/frames/joined-items.ts'
import { partOfItems } from '../../encoding/frames/list-part.ts'
import type { ChangeParts } from '../change-builder.ts'

/** A batch of changes with the items alone that differ from those of the batch before. */
interface SavedChanges {
  readonly simTimeNs: bigint
  readonly newestEvictedNs: bigint
  readonly events: readonly JsonItem[]
  readonly collections: Readonly<Partial<Record<FeedCollection, readonly JsonItem[]>>>
}

/** A week of 120 hosts takes 1.6 MB. */
const savedBytesMax = 64 << 20

/** The changes of a warm-up, kept so that an archive has them of a world that continues after it. */
export class WarmUpChanges {
  readonly #changes: SavedChanges[] = []
  readonly #events = new ChangedItems()
  readonly #lists = Object.fromEntries(feedCollections.map((name) => [name, new ChangedItems()])) as Record<
    FeedCollection,
    ChangedItems
  >
  #bytes = 0

  /** Copies what has changed: the buffers of a batch of changes are moved. */
  add({ simTimeNs, newestEvictedNs, events, collections }: ChangeParts): void {
    if (this.#bytes > savedBytesMax) return
    this.#changes.push({
      simTimeNs,
      newestEvictedNs,
      events: events === null ? [] : this.#changed(this.#events, events),
      collections: Object.fromEntries(
        feedCollections.flatMap((name) => {
          const part = collections[name]
          return part === undefined ? [] : [[name, this.#changed(this.#lists[name], part)]]
        }),
      ),
    })
  }

  #changed(list: ChangedItems, part: ListPart): JsonItem[] {
    list.latest = itemsOf(collectionOf({ ...part, buffer: part.buffer.slice(0) }).value)
    const { changed } = list
    list.store()
    for (const { json } of changed) this.#bytes += json.length
    return [...changed]
  }

  /** Null if there are too many to keep. */
  encode(): Uint8Array | null {
    return this.#bytes > savedBytesMax ? null : zstdCompressSync(serialize(this.#changes))
  }
}

export function decodeWarmUpChanges(bytes: Uint8Array): ChangeParts[] {
  const changes = deserialize(
    zstdDecompressSync(bytes, { maxOutputLength: 2 * savedBytesMax }),
  ) as SavedChanges[]
  return changes.map(({ simTimeNs, newestEvictedNs, events, collections }) => ({
    simTimeNs,
    newestEvictedNs,
    events: events.length === 0 ? null : partOfItems(events),
    collections: Object.fromEntries(
      Object.entries(collections).map(([name, items]) => [name, partOfItems(items)]),
    ),
  }))
}
