import { collectionNames, collections, type CollectionName, type Snapshot } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { Diagnostics } from '../contract/records/diagnostics.ts'
import { EngineEvent } from '../contract/records/operations.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { EncodedItems } from './encoded-items.ts'
import type { ExpositionChunk } from './frame.ts'
import {
  listLayout,
  type FamilyPart,
  type FrameMessage,
  type ListPart,
  type TextPart,
} from './frame-message.ts'
import { RecordList } from './record-list.ts'

/** What a frame is made of. */
export interface FrameContent {
  readonly snapshot: Snapshot
  /** The families of the text exposition. A family that did not change since the last frame is the same object. */
  readonly exposition: readonly ExpositionChunk[]
  readonly capturedAtMs: number
  readonly projectMs: number
}

/** Makes the messages that carry a world to the mirror: encodes what changed and leaves out what did not. */
export class FrameBuilder {
  readonly #pool: BufferPool
  readonly #nowMs: () => number
  readonly #collections = {} as Record<CollectionName, RecordList>
  readonly #events = new RecordList(EngineEvent, (event) => (event as { readonly at_ns: Int64 }).at_ns)
  readonly #diagnostics = new RecordList(Diagnostics, () => 0)
  #exposition = new Map<string, ExpositionChunk>()

  constructor(pool: BufferPool, nowMs: () => number) {
    this.#pool = pool
    this.#nowMs = nowMs
    for (const name of collectionNames) {
      this.#collections[name] = new RecordList(
        collections[name],
        (record) => (record as { readonly id: Int64 }).id,
      )
    }
  }

  build({ snapshot, exposition, capturedAtMs, projectMs }: FrameContent): FrameMessage {
    const startedMs = this.#nowMs()
    const parts: Partial<Record<CollectionName, ListPart>> = {}
    let recordsEncoded = 0
    let recordsTotal = 0
    for (const name of collectionNames) {
      const list = this.#collections[name]
      const change = list.update(snapshot.collections[name])
      recordsEncoded += change.encoded
      recordsTotal += list.count
      if (change.changed) parts[name] = this.#listPart(list)
    }
    const events = this.#events.update(snapshot.events).changed ? this.#listPart(this.#events) : null
    const diagnosed = this.#diagnostics.update([snapshot.diagnostics]).changed
    return {
      simTimeNs: snapshot.simTimeNs,
      capturedAtMs,
      collections: parts,
      events,
      newestEvictedNs: snapshot.newestEvictedNs,
      diagnostics: diagnosed ? this.#soleItem(this.#diagnostics) : null,
      families: exposition.map((chunk) => chunk.family),
      changedFamilies: this.#changedFamilies(exposition),
      cost: { projectMs, encodeMs: this.#nowMs() - startedMs, recordsEncoded, recordsTotal },
    }
  }

  #listPart(list: EncodedItems): ListPart {
    const { count, jsonLength } = list
    const { startsAt, jsonAt, byteLength } = listLayout(count, jsonLength)
    const buffer = this.#pool.take(byteLength)
    list.writeTo(
      new Uint8Array(buffer, jsonAt, jsonLength),
      new BigInt64Array(buffer, 0, count),
      new Uint32Array(buffer, startsAt, count + 1),
    )
    return { buffer, count, jsonLength }
  }

  #soleItem(list: EncodedItems): TextPart {
    const buffer = this.#pool.take(list.jsonLength)
    list.writeTo(new Uint8Array(buffer, 0, list.jsonLength), new BigInt64Array(1), new Uint32Array(2))
    return { buffer, length: list.jsonLength }
  }

  #changedFamilies(exposition: readonly ExpositionChunk[]): FamilyPart[] {
    const changed = exposition.filter((chunk) => this.#exposition.get(chunk.family) !== chunk)
    this.#exposition = new Map(exposition.map((chunk) => [chunk.family, chunk]))
    return changed.map(({ family, bytes }) => {
      const buffer = this.#pool.take(bytes.byteLength)
      new Uint8Array(buffer).set(bytes)
      return { family, buffer, length: bytes.byteLength }
    })
  }
}
