import { collections, feedCollections } from '../contract/collections.ts'
import type { EventRecord, FeedCollection, FeedSnapshot } from '../contract/collections.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import type { EncodedWorld } from '../encoding/frames/frame-builder.ts'
import type { ListPart } from '../encoding/frames/frame-message.ts'
import { listPart } from '../encoding/frames/list-part.ts'
import type { Changes, WorldFigures } from '../encoding/frames/changes.ts'
import type { EncodedItems } from '../encoding/records/encoded-items.ts'
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

/** The figures of a world in its diagnostics record, which may be of any upstream. */
export function figuresIn(diagnostics: Uint8Array): WorldFigures {
  let simulation: Readonly<Record<string, unknown>> = {}
  try {
    // The seed may exceed 2^53.
    const text = Buffer.from(diagnostics)
      .toString('utf8')
      .replace(/("seed":)(\d+)/, '$1"$2"')
    const record = JSON.parse(text) as { readonly simulation?: typeof simulation | null }
    simulation = record.simulation ?? {}
  } catch {
    // An upstream without diagnostics: its worlds are told apart by their times alone.
  }
  const textOf = (name: string): string => (typeof simulation[name] === 'string' ? simulation[name] : '')
  const { speed } = simulation
  return {
    seed: textOf('seed'),
    scale: textOf('scale'),
    scenario: textOf('scenario'),
    speed: typeof speed === 'number' && Number.isFinite(speed) ? speed : 0,
  }
}
