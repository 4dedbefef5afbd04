import { collectionNames } from '../../contract/collections.ts'
import type { CollectionName } from '../../contract/collections.ts'
import type { ExpositionChunk } from '../../contract/exposition-chunk.ts'
import type { EncodedCollection, Frame, PublishMoment } from './frame.ts'
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
  #exposition: readonly Held<ExpositionChunk>[] = []
  #sampled: PublishMoment | null = null
  #events: Held<EncodedCollection> | null = null
  #diagnostics: Held<Uint8Array> | null = null
  #totals: Held<Uint8Array> | null = null

  assemble(message: FrameMessage, publishSeq: number): AssembledFrame {
    const { simTimeNs, capturedAtMs } = message
    const publish = { publishSeq, simTimeNs, capturedAtMs }
    this.#accept(message)
    if (message.families !== null) this.#sampled = publish
    const parts = new Set(message.parts)
    const collections = {} as Record<CollectionName, EncodedCollection>
    const buffers = new Set<ArrayBufferLike>()
    const use = <T>(held: Held<T> | null | undefined, name: string): T => {
      if (held === null || held === undefined) throw new Error(`No message has carried ${name} yet.`)
      buffers.add(held.buffer)
      return held.value
    }
    for (const name of collectionNames)
      if (parts.has(name)) collections[name] = use(this.#collections.get(name), name)
    const events = use(this.#events, 'events')
    const frame = {
      ...publish,
      parts,
      collections,
      events: {
        bytes: events.bytes,
        starts: events.starts,
        atNs: events.ids,
        newestEvictedNs: message.newestEvictedNs,
      },
      ...(parts.has('diagnostics') && { diagnostics: use(this.#diagnostics, 'diagnostics') }),
      totals: use(this.#totals, 'totals'),
      unknown: message.unknown,
      exposition: this.#exposition.map((held) => use(held, 'samples')),
      sampled: this.#sampled,
    }
    return { frame: frame as Frame, buffers }
  }

  #accept(message: FrameMessage): void {
    for (const name of collectionNames) {
      const part = message.collections[name]
      if (part !== undefined) this.#collections.set(name, collectionOf(part))
      else if (!message.parts.includes(name)) this.#collections.delete(name)
    }
    if (message.events !== null) this.#events = collectionOf(message.events)
    if (message.diagnostics !== null) this.#diagnostics = textOf(message.diagnostics)
    if (message.totals !== null) this.#totals = textOf(message.totals)
    for (const part of message.changedFamilies) {
      const { value, buffer } = textOf(part)
      this.#families.set(part.family, { value: { family: part.family, bytes: value }, buffer })
    }
    if (message.families === null) return
    const held = message.families.map((family) => [family, this.#families.get(family)!] as const)
    this.#families = new Map(held)
    this.#exposition = held.map(([, chunk]) => chunk)
  }
}
