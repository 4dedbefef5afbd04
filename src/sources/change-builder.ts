import { collections, feedCollections } from '../contract/collections.ts'
import type { EventRecord, FeedCollection, FeedSnapshot } from '../contract/collections.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import type { EncodedWorld } from '../encoding/frames/frame-builder.ts'
import type { ListPart } from '../encoding/frames/frame-message.ts'
import { listPart } from '../encoding/frames/list-part.ts'
import type { Changes, WorldFigures } from '../encoding/frames/changes.ts'
import type { EncodedItems } from '../encoding/records/encoded-items.ts'
import { parseLossless } from '../encoding/lossless-json.ts'
import { EncodedRecordList } from '../encoding/records/encoded-record-list.ts'

/** A batch of changes without its world, whose id and pace its source knows. */
export type ChangeParts = Pick<Changes, 'simTimeNs' | 'newestEvictedNs' | 'events' | 'collections'>

const partOf = (list: EncodedItems, ids: BigInt64Array | null = null): ListPart =>
  listPart(list, ids, (byteLength) => new ArrayBuffer(byteLength))

const idOf = (record: object) => (record as { readonly id: number | bigint }).id

/** Makes the changes of a source for an archive: the lists that differ from those of the last batch. */
export class ChangeBuilder {
  readonly #lists = Object.fromEntries(
    feedCollections.map((name) => [name, new EncodedRecordList(collections[name], idOf)]),
  ) as Record<FeedCollection, EncodedRecordList>
  readonly #events = new EncodedRecordList(EngineEventSchema, (event) => (event as EventRecord).at_ns)
  #encoded: EncodedWorld | null = null

  ofRecords(world: FeedSnapshot): ChangeParts {
    const { simTimeNs, newestEvictedNs } = world
    const parts: Partial<Record<FeedCollection, ListPart>> = {}
    for (const name of feedCollections) {
      const list = this.#lists[name]
      if (list.update(world.collections[name]).changed) parts[name] = partOf(list)
    }
    const events = this.#events.update(world.events).changed ? partOf(this.#events) : null
    return { simTimeNs, newestEvictedNs, events, collections: parts }
  }

  ofEncoded(world: EncodedWorld): ChangeParts {
    const { simTimeNs, newestEvictedNs } = world
    const before = this.#encoded
    this.#encoded = world
    const parts: Partial<Record<FeedCollection, ListPart>> = {}
    for (const name of feedCollections) {
      const list = world.collections[name]
      if (list !== before?.collections[name]) parts[name] = partOf(list, list.keys)
    }
    const events = world.events === before?.events ? null : partOf(world.events)
    return { simTimeNs, newestEvictedNs, events, collections: parts }
  }
}

/** A seed may be any integer, or the text of a game that has words for seeds. */
const textOf = (value: unknown): string =>
  ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : ''

/** The figures of a world in its diagnostics record, which may be of any upstream. */
export function figuresIn(diagnostics: Uint8Array): WorldFigures {
  const text = Buffer.from(diagnostics).toString('utf8')
  const record = parseLossless(text) as { readonly simulation?: Readonly<Record<string, unknown>> | null }
  const { seed, scale, scenario, speed } = record.simulation ?? {}
  return {
    seed: textOf(seed),
    scale: textOf(scale),
    scenario: textOf(scenario),
    speed: Number.isFinite(speed) ? (speed as number) : 0,
  }
}
