import { setImmediate } from 'node:timers/promises'
import { collections } from '../contract/collections.ts'
import type { CollectionName, Collections, DiagnosticsRecord, EventRecord } from '../contract/collections.ts'
import type { Int64 } from '../contract/fields.ts'
import { DiagnosticsSchema } from '../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../contract/records/operations.ts'
import type { EncodedList, Frame } from '../encoding/frames/frame.ts'
import { positionOfId } from '../encoding/frames/item-position.ts'
import { recordReader } from '../encoding/record-reader.ts'

export type RecordIn<C extends CollectionName> = Collections[C][number]

/** How many bytes are decoded before other requests get their turn: two to three milliseconds of work. */
const bytesPerTurn = 256 * 1024

const readers = Object.fromEntries(
  Object.entries(collections).map(([name, type]) => [name, recordReader(type)]),
) as Readonly<Record<CollectionName, (text: string) => object>>
const readEvent = recordReader(EngineEventSchema)
const readDiagnostics = recordReader(DiagnosticsSchema)

const textOfItem = ({ bytes, starts }: EncodedList, position: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'utf8',
    starts[position],
    starts[position + 1] - 1,
  )

/**
 * The records of one frame, each decoded when it is first needed. The frame must be the current one or leased while
 * this is read.
 */
export class FrameRecords {
  readonly frame: Frame
  readonly #decoded = new Map<CollectionName, (object | undefined)[]>()
  #events: EventRecord[] | null = null
  #diagnostics: DiagnosticsRecord | null = null

  constructor(frame: Frame) {
    this.frame = frame
  }

  /** The record with an id, if there is one. */
  get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined {
    if (id === null) return undefined
    const position = positionOfId(this.frame.collections[name], BigInt(id))
    return position < 0 ? undefined : this.#at(name, position)
  }

  all<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    const { length } = this.frame.collections[name].ids
    for (let position = 0; position < length; position++) this.#at(name, position)
    return (this.#decoded.get(name) ?? []) as RecordIn<C>[]
  }

  /** Decodes whole collections in turns, so that other requests are answered in between. */
  async load(names: readonly CollectionName[]): Promise<void> {
    let bytes = 0
    for (const name of names) {
      const { ids, starts } = this.frame.collections[name]
      for (let position = 0; position < ids.length; position++) {
        if (this.#decoded.get(name)?.[position] !== undefined) continue
        this.#at(name, position)
        bytes += starts[position + 1] - starts[position]
        if (bytes < bytesPerTurn) continue
        bytes = 0
        await setImmediate()
      }
    }
  }

  /** Oldest first. */
  get events(): readonly EventRecord[] {
    const { events } = this.frame
    this.#events ??= Array.from(
      events.atNs,
      (_, position) => readEvent(textOfItem(events, position)) as EventRecord,
    )
    return this.#events
  }

  get diagnostics(): DiagnosticsRecord {
    this.#diagnostics ??= readDiagnostics(
      Buffer.from(this.frame.diagnostics).toString('utf8'),
    ) as DiagnosticsRecord
    return this.#diagnostics
  }

  #at<C extends CollectionName>(name: C, position: number): RecordIn<C> {
    let decoded = this.#decoded.get(name)
    if (decoded === undefined) this.#decoded.set(name, (decoded = []))
    const record = (decoded[position] ??= readers[name](textOfItem(this.frame.collections[name], position)))
    return record as RecordIn<C>
  }
}
