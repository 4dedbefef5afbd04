import { collectionNames, collections } from '../../contract/collections.ts'
import type {
  CollectionName,
  Collections,
  DiagnosticsRecord,
  EventRecord,
  Snapshot,
} from '../../contract/collections.ts'
import { Diagnostics } from '../../contract/records/diagnostics.ts'
import { EngineEvent } from '../../contract/records/operations.ts'
import type { WorldTotals } from '../../contract/totals.ts'
import type { EncodedWorld } from '../../encoding/frame-builder.ts'
import { ListReader, type ReadItems } from '../../encoding/read-list.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import type { TextFrame } from '../../recording/frame-text.ts'
import type { TextList } from '../../recording/record-text.ts'
import { completed } from '../attached/completed-diagnostics.ts'

/** A recorded frame as bytes to pass on and as records to make metrics from. */
export interface RecordedMoment {
  readonly encoded: EncodedWorld
  readonly snapshot: Snapshot
}

/** Reads one list of frames again and again. What did not change is not read again. */
class ReplayedList<T> {
  readonly #read: (text: Buffer) => T
  #seen: TextList | undefined
  #value: T | null = null

  constructor(read: (text: Buffer) => T) {
    this.#read = read
  }

  /** A recording that knows no such list has it empty. */
  of(list: TextList | undefined): T {
    if (this.#value === null || list !== this.#seen) {
      // The cursor writes its memory again two frames on, while what is read here goes on to the next reading.
      this.#value = this.#read(Buffer.from(list?.bytes ?? []))
      this.#seen = list
    }
    return this.#value
  }
}

/** Turns recorded frames back into worlds. Throws a `Refusal` where records are not what the contract says. */
export class RecordedWorld {
  readonly #lists = Object.fromEntries(
    collectionNames.map((name) => {
      const reader = new ListReader(name, collections[name])
      return [name, new ReplayedList((text) => reader.read([text]))]
    }),
  ) as Record<CollectionName, ReplayedList<ReadItems>>
  readonly #eventReader = new ListReader('events', EngineEvent, 'at_ns')
  readonly #events = new ReplayedList((text) => this.#eventReader.read([text]))
  readonly #readDiagnostics = recordReader(Diagnostics)
  readonly #diagnostics = new ReplayedList((bytes) => ({
    bytes,
    record: this.#readDiagnostics(bytes.toString()) as DiagnosticsRecord,
  }))
  #lastItems: Readonly<Record<CollectionName, ReadItems>> | null = null
  readonly #totals = new ReplayedList((bytes) => JSON.parse(bytes.toString()) as WorldTotals)

  /** `names` are those of the frame's lists, in their order. */
  momentOf({ lists, simTimeNs, newestEvictedNs }: TextFrame, names: readonly string[]): RecordedMoment {
    const listOf = (name: string): TextList | undefined => lists[names.indexOf(name)]
    const items = Object.fromEntries(
      collectionNames.map((name) => [name, this.#lists[name].of(listOf(name))]),
    ) as Record<CollectionName, ReadItems>
    const records = Object.fromEntries(
      collectionNames.map((name) => [name, items[name].records]),
    ) as unknown as Collections
    const events = this.#events.of(listOf('events'))
    const diagnostics = this.#diagnostics.of(listOf('diagnostics'))
    const totals = this.#totals.of(listOf('totals'))
    const last = this.#lastItems
    this.#lastItems = items
    return {
      encoded: {
        simTimeNs,
        collections: items,
        events,
        newestEvictedNs,
        diagnostics: diagnostics.bytes,
        totals,
        recordsChanged: collectionNames.reduce(
          (sum, name) => sum + (items[name] === last?.[name] ? 0 : items[name].changed),
          0,
        ),
      },
      snapshot: {
        simTimeNs,
        collections: records,
        events: events.records as EventRecord[],
        newestEvictedNs,
        diagnostics: completed(diagnostics.record, simTimeNs, records),
        totals,
      },
    }
  }
}
