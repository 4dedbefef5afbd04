import { collectionNames, collections, nothingUnknown } from '../../contract/collections.ts'
import type { CollectionName, Snapshot, UnknownParts } from '../../contract/collections.ts'
import type { Int64 } from '../../contract/fields.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import type { BufferPool } from './buffer-pool.ts'
import type { EncodedItems, KeyedItems } from '../records/encoded-items.ts'
import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import { allParts } from './frame-parts.ts'
import type { FramePart } from './frame-parts.ts'
import { listPart } from './list-part.ts'
import type { FamilyPart, FrameMessage, ListPart, TextPart } from './frame-message.ts'
import { EncodedRecordList } from '../records/encoded-record-list.ts'

/** A world in encoded form. Parts that did not change since the last frame are the same objects. */
export interface EncodedWorld {
  readonly simTimeNs: bigint
  /** Items in any order of their ids. */
  readonly collections: Readonly<Record<CollectionName, KeyedItems>>
  /** Events, oldest first; the ids are their `at_ns`. */
  readonly events: EncodedItems
  readonly newestEvictedNs: bigint
  /** The diagnostics record as JSON. */
  readonly diagnostics: Uint8Array
  readonly totals: WorldTotals
  readonly unknown: UnknownParts
  /** The number of records that differ from the last frame. */
  readonly recordsChanged: number
}

interface Publication {
  /** The chunks of the exposition. An unchanged family is the same object as in the last frame. */
  readonly exposition: readonly ExpositionChunk[]
  readonly capturedAtMs: number
  readonly projectMs: number
}

export interface SnapshotContent extends Publication {
  readonly snapshot: Snapshot
  /** The parts that were brought up to date, for clients that read them; all of them if left out. */
  readonly parts?: readonly FramePart[]
}

export interface EncodedContent extends Publication {
  readonly encoded: EncodedWorld
}

/** The input of a frame: a world's records or their bytes. A source provides the same kind at every publish. */
export type FrameContent = SnapshotContent | EncodedContent

type WorldParts = Pick<FrameMessage, 'collections' | 'events' | 'diagnostics'> &
  Pick<FrameMessage['cost'], 'recordsEncoded' | 'recordsTotal'>

const encoder = new TextEncoder()

/** Builds the messages that carry a world to the mirror: encodes changed parts and leaves out the rest. */
export class FrameBuilder {
  readonly #pool: BufferPool
  readonly #nowMs: () => number
  readonly #collections = {} as Record<CollectionName, EncodedRecordList>
  readonly #events = new EncodedRecordList(
    EngineEventSchema,
    (event) => (event as { readonly at_ns: Int64 }).at_ns,
  )
  readonly #diagnostics = new EncodedRecordList(DiagnosticsSchema, () => 0)
  #encoded: EncodedWorld | null = null
  #totals = ''
  #exposition = new Map<string, ExpositionChunk>()

  constructor(pool: BufferPool, nowMs: () => number) {
    this.#pool = pool
    this.#nowMs = nowMs
    for (const name of collectionNames) {
      this.#collections[name] = new EncodedRecordList(
        collections[name],
        (record) => (record as { readonly id: Int64 }).id,
      )
    }
  }

  build(content: FrameContent): FrameMessage {
    const startedMs = this.#nowMs()
    const { exposition, capturedAtMs, projectMs } = content
    const {
      simTimeNs,
      newestEvictedNs,
      totals,
      unknown = nothingUnknown,
    } = 'snapshot' in content ? content.snapshot : content.encoded
    const world = 'snapshot' in content ? this.#partsOf(content) : this.#encodedParts(content.encoded)
    const { recordsEncoded, recordsTotal, ...parts } = world
    const made = ('parts' in content ? content.parts : undefined) ?? allParts
    const isSampled = made.includes('samples')
    return {
      simTimeNs,
      capturedAtMs,
      newestEvictedNs,
      unknown,
      parts: made,
      ...parts,
      totals: this.#totalsPart(totals),
      families: isSampled ? exposition.map((chunk) => chunk.family) : null,
      changedFamilies: isSampled ? this.#changedFamilies(exposition) : [],
      cost: { projectMs, encodeMs: this.#nowMs() - startedMs, recordsEncoded, recordsTotal },
    }
  }

  #partsOf({ snapshot, parts: made = allParts }: SnapshotContent): WorldParts {
    const parts: Partial<Record<CollectionName, ListPart>> = {}
    let recordsEncoded = 0
    let recordsTotal = 0
    for (const name of collectionNames) {
      const list = this.#collections[name]
      const records = snapshot.collections[name]
      recordsTotal += records.length
      if (!made.includes(name)) {
        list.forget()
        continue
      }
      const change = list.update(records)
      recordsEncoded += change.encoded
      if (change.changed) parts[name] = this.#listPart(list)
    }
    const events = this.#events.update(snapshot.events).changed ? this.#listPart(this.#events) : null
    if (!made.includes('diagnostics')) this.#diagnostics.forget()
    const diagnosed = made.includes('diagnostics') && this.#diagnostics.update([snapshot.diagnostics]).changed
    const diagnostics = diagnosed ? this.#soleItem(this.#diagnostics) : null
    return { collections: parts, events, diagnostics, recordsEncoded, recordsTotal }
  }

  #encodedParts(world: EncodedWorld): WorldParts {
    const before = this.#encoded
    this.#encoded = world
    const parts: Partial<Record<CollectionName, ListPart>> = {}
    let recordsTotal = 0
    for (const name of collectionNames) {
      const list = world.collections[name]
      recordsTotal += list.count
      if (list !== before?.collections[name]) parts[name] = this.#listPart(list, list.keys)
    }
    return {
      collections: parts,
      events: world.events === before?.events ? null : this.#listPart(world.events),
      diagnostics: world.diagnostics === before?.diagnostics ? null : this.#textPart(world.diagnostics),
      recordsEncoded: world.recordsChanged,
      recordsTotal,
    }
  }

  #listPart(list: EncodedItems, ids: BigInt64Array | null = null): ListPart {
    return listPart(list, ids, (byteLength) => this.#pool.take(byteLength))
  }

  #textPart(text: Uint8Array): TextPart {
    const buffer = this.#pool.take(text.byteLength)
    new Uint8Array(buffer).set(text)
    return { buffer, length: text.byteLength }
  }

  #totalsPart(totals: WorldTotals): TextPart | null {
    const text = JSON.stringify(totals)
    if (text === this.#totals) return null
    this.#totals = text
    return this.#textPart(encoder.encode(text))
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
      const { buffer, length } = this.#textPart(bytes)
      return { family, buffer, length }
    })
  }
}
