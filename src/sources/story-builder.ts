import { collections, storyCollections } from '../contract/collections.ts'
import type { EventRecord, StoryCollection, WorldStory } from '../contract/collections.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import type { EncodedWorld } from '../encoding/frames/frame-builder.ts'
import type { ListPart } from '../encoding/frames/frame-message.ts'
import { listPart } from '../encoding/frames/list-part.ts'
import type { Story, WorldFigures } from '../encoding/frames/story.ts'
import type { EncodedItems } from '../encoding/records/encoded-items.ts'
import { EncodedRecordList } from '../encoding/records/encoded-record-list.ts'

/** A story without its world, whose id and pace its source knows. */
export type StoryParts = Pick<Story, 'simTimeNs' | 'newestEvictedNs' | 'events' | 'collections'>

const partOf = (list: EncodedItems, ids: BigInt64Array | null = null): ListPart =>
  listPart(list, ids, (byteLength) => new ArrayBuffer(byteLength))

const idOf = (record: object) => (record as { readonly id: number | bigint }).id

/** Makes the stories of a source for an archive: the lists that differ from those of the last story. */
export class StoryBuilder {
  readonly #lists = Object.fromEntries(
    storyCollections.map((name) => [name, new EncodedRecordList(collections[name], idOf)]),
  ) as Record<StoryCollection, EncodedRecordList>
  readonly #events = new EncodedRecordList(EngineEventSchema, (event) => (event as EventRecord).at_ns)
  #encoded: EncodedWorld | null = null

  ofRecords(world: WorldStory): StoryParts {
    const { simTimeNs, newestEvictedNs } = world
    const parts: Partial<Record<StoryCollection, ListPart>> = {}
    for (const name of storyCollections) {
      const list = this.#lists[name]
      if (list.update(world.collections[name]).changed) parts[name] = partOf(list)
    }
    const events = this.#events.update(world.events).changed ? partOf(this.#events) : null
    return { simTimeNs, newestEvictedNs, events, collections: parts }
  }

  ofEncoded(world: EncodedWorld): StoryParts {
    const { simTimeNs, newestEvictedNs } = world
    const before = this.#encoded
    this.#encoded = world
    const parts: Partial<Record<StoryCollection, ListPart>> = {}
    for (const name of storyCollections) {
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
