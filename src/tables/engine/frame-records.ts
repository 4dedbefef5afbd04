import { collectionNames, collections } from '../../contract/collections.ts'
import type {
  CollectionName,
  Collections,
  DiagnosticsRecord,
  EventRecord,
} from '../../contract/collections.ts'
import { areComplete, completed } from '../../encoding/completed-views.ts'
import type { Int64 } from '../../contract/fields.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import type { EncodedList, Frame } from '../../encoding/frames/frame.ts'
import { positionOfId, textOfItem } from '../../encoding/frames/item-position.ts'
import { lazyRecordReader } from '../../encoding/lazy-record.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import { once } from './once.ts'

export type RecordIn<C extends CollectionName> = Collections[C][number]

/** The part of a frame that tables read. */
export type TableFrame = Omit<Frame, 'totals' | 'exposition' | 'parts' | 'sampled'>

/** The records that tables are made of: those of a frame, or those that the archive has found beside them. */
export interface Records {
  readonly nowNs: bigint
  readonly diagnostics: DiagnosticsRecord
  /** Oldest first. */
  readonly events: readonly EventRecord[]
  get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined
  all<C extends CollectionName>(name: C): readonly RecordIn<C>[]
  /** NaN if it is unknown. */
  count(name: CollectionName): number
  /** Whether the source does not tell a collection. */
  isUnknown(name: CollectionName): boolean
}

/** Long records, of which most readers need little. */
const longRecords = new Set(['hosts', 'switches', 'gateways', 'appliances', 'patchPanels', 'customers'])

const readers = Object.fromEntries(
  Object.entries(collections).map(([name, type]) => [
    name,
    longRecords.has(name) ? lazyRecordReader(type) : recordReader(type),
  ]),
) as Readonly<Record<CollectionName, (text: string) => object>>
const readEvent = recordReader(EngineEventSchema)
const readDiagnostics = recordReader(DiagnosticsSchema)

const isView = (name: CollectionName): boolean => name === 'azs' || name === 'hostPools'

/** Zones and pools, and the devices that complete them. */
const viewParts = ['azs', 'hostPools', 'hosts', 'switches', 'gateways', 'appliances', 'patchPanels'] as const

/** The records of a list, decoded one at a time. */
class LazyRecords {
  readonly all: () => readonly object[]
  readonly #list: EncodedList
  readonly #read: (text: string) => object
  readonly #decoded: (object | undefined)[]

  constructor(list: EncodedList, read: (text: string) => object) {
    this.#list = list
    this.#read = read
    this.#decoded = Array.from({ length: Math.max(0, list.starts.length - 1) })
    this.all = once(() => this.#decoded.map((_, position) => this.at(position)))
  }

  at(position: number): object {
    return (this.#decoded[position] ??= this.#read(textOfItem(this.#list, position)))
  }
}

/** The records of one frame, each decoded once, on first use. The frame must be the current one or leased meanwhile. */
export class FrameRecords implements Records {
  readonly frame: TableFrame
  readonly #collections: Readonly<Record<CollectionName, LazyRecords>>
  readonly #events: LazyRecords
  readonly #diagnostics: () => DiagnosticsRecord
  /** Whether zones and pools need no devices to complete them, which would all be decoded. */
  readonly #areViewsComplete = once(() =>
    areComplete(this.#recordsOf('azs'), this.#recordsOf('hostPools'), this.count('hosts')),
  )
  readonly #completedViews = once(() =>
    completed(
      Object.fromEntries(viewParts.map((name) => [name, this.#recordsOf(name)])) as unknown as Collections,
      this.frame.unknown,
    ),
  )

  constructor(frame: TableFrame) {
    this.frame = frame
    this.#collections = Object.fromEntries(
      collectionNames.map((name) => [name, new LazyRecords(frame.collections[name], readers[name])]),
    ) as Record<CollectionName, LazyRecords>
    this.#events = new LazyRecords(frame.events, readEvent)
    this.#diagnostics = once(
      () => readDiagnostics(Buffer.from(frame.diagnostics).toString('utf8')) as DiagnosticsRecord,
    )
  }

  get nowNs(): bigint {
    return this.frame.simTimeNs
  }

  get<C extends CollectionName>(name: C, id: Int64 | null): RecordIn<C> | undefined {
    if (id === null) return undefined
    if (isView(name) && !this.#areViewsComplete())
      return this.all(name).find((record) => String(record.id) === String(id))
    const position = positionOfId(this.frame.collections[name], BigInt(id))
    return position < 0 ? undefined : (this.#collections[name].at(position) as RecordIn<C>)
  }

  all<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    if (isView(name) && !this.#areViewsComplete()) return this.#completedViews()[name]
    return this.#recordsOf(name)
  }

  #recordsOf<C extends CollectionName>(name: C): readonly RecordIn<C>[] {
    return this.#collections[name].all() as readonly RecordIn<C>[]
  }

  isUnknown(name: CollectionName): boolean {
    return this.frame.unknown[name] !== undefined
  }

  count(name: CollectionName): number {
    if (this.isUnknown(name)) return Number.NaN
    return this.frame.collections[name].ids.length
  }

  get events(): readonly EventRecord[] {
    return this.#events.all() as readonly EventRecord[]
  }

  get diagnostics(): DiagnosticsRecord {
    return this.#diagnostics()
  }
}
