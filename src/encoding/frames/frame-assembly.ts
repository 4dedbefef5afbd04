import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { EncodedCollection, Frame } from './frame.ts'
import { listLayout } from './frame-message.ts'
import type { FrameMessage, ListPart, TextPart } from './frame-message.ts'

export interface AssembledFrame {
  readonly frame: Frame
  /** Every buffer of the frame, including those shared with earlier frames. */
  readonly buffers: ReadonlySet<ArrayBufferLike>
}

interface Held<T> {
  readonly value: T
  readonly buffer: ArrayBufferLike
}

/** The list in a buffer. */
export function collectionOf(part: ListPart): Held<EncodedCollection> {
  const { buffer, count, jsonLength, isAscending } = part
  const { startsAt, byIdAt, jsonAt } = listLayout(part)
  const value = {
    ids: new BigInt64Array(buffer, 0, count),
    starts: new Uint32Array(buffer, startsAt, count + 1),
    bytes: new Uint8Array(buffer, jsonAt, jsonLength),
    byId: isAscending ? null : new Uint32Array(buffer, byIdAt, count),
  }
  return { value, buffer }
}

const textOf = ({ buffer, length }: TextPart): Held<Uint8Array> => ({
  value: new Uint8Array(buffer, 0, length),
  buffer,
})

/** Combines the parts in a message with those from earlier messages. */
export class FrameAssembler {
  readonly #collections = new Map<CollectionName, Held<EncodedCollection>>()
  #families = new Map<string, Held<ExpositionChunk>>()
  #events: Held<EncodedCollection> | null = null
  #diagnostics: Held<Uint8Array> | null = null
  #totals: Held<Uint8Array> | null = null

  assemble(message: FrameMessage, publishSeq: number): AssembledFrame {
    this.#accept(message)
    const collections = {} as Record<CollectionName, EncodedCollection>
    const buffers = new Set<ArrayBufferLike>()
    const use = <T>(held: Held<T> | null | undefined, name: string): T => {
      if (held === null || held === undefined) throw new Error(`No message has carried ${name} yet.`)
      buffers.add(held.buffer)
      return held.value
    }
    for (const name of collectionNames) collections[name] = use(this.#collections.get(name), name)
    const events = use(this.#events, 'events')
    const frame: Frame = {
      publishSeq,
      simTimeNs: message.simTimeNs,
      capturedAtMs: message.capturedAtMs,
      collections,
      events: {
        bytes: events.bytes,
        starts: events.starts,
        atNs: events.ids,
        newestEvictedNs: message.newestEvictedNs,
      },
      diagnostics: use(this.#diagnostics, 'diagnostics'),
      totals: use(this.#totals, 'totals'),
      unknown: message.unknown,
      exposition: message.families.map((family) => use(this.#families.get(family), `the family ${family}`)),
    }
    return { frame, buffers }
  }

  #accept(message: FrameMessage): void {
    for (const name of collectionNames) {
      const part = message.collections[name]
      if (part !== undefined) this.#collections.set(name, collectionOf(part))
    }
    if (message.events !== null) this.#events = collectionOf(message.events)
    if (message.diagnostics !== null) this.#diagnostics = textOf(message.diagnostics)
    if (message.totals !== null) this.#totals = textOf(message.totals)
    for (const part of message.changedFamilies) {
      const { value, buffer } = textOf(part)
      this.#families.set(part.family, { value: { family: part.family, bytes: value }, buffer })
    }
    if (this.#families.size === message.families.length) return
    const listed = new Set(message.families)
    this.#families = new Map([...this.#families].filter(([family]) => listed.has(family)))
  }
}
