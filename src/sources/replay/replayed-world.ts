import { collectionNames, collections, nothingUnknown } from '../../contract/collections.ts'
import type {
  CollectionName,
  Collections,
  DiagnosticsRecord,
  EventRecord,
  Snapshot,
  UnknownParts,
} from '../../contract/collections.ts'
import { completed } from '../../encoding/completed-views.ts'
import { defineRecord } from '../../contract/fields.ts'
import { DiagnosticsSchema } from '../../contract/records/diagnostics.ts'
import { EngineEventSchema } from '../../contract/records/operations.ts'
import type { EncodedWorld } from '../../encoding/frames/frame-builder.ts'
import { RecordListReader } from '../../encoding/record-list-reader.ts'
import type { ReadItems } from '../../encoding/record-list-reader.ts'
import { recordReader } from '../../encoding/record-reader.ts'
import type { RecordedFrame } from '../../store/recording/frame-cursor.ts'
import type { TextList } from '../../store/recording/codec/text-list.ts'
import { fillMissingDiagnostics } from '../missing-diagnostics.ts'
import { decodeTotals } from './recorded-totals.ts'

/** A recorded frame as bytes to serve and as records to derive metrics from. */
export interface ReplayedSnapshot {
  readonly encoded: EncodedWorld
  readonly snapshot: Snapshot
}

/** Decodes one list of each frame. An unchanged list is not decoded again. */
class ReplayedList<T> {
  readonly #decode: (text: Buffer) => T
  #last: TextList | undefined
  #value: T | null = null

  constructor(decode: (text: Buffer) => T) {
    this.#decode = decode
  }

  /** A list that the recording lacks is empty. */
  decode(list: TextList | undefined): T {
    if (this.#value === null || list !== this.#last) {
      // The cursor reuses its memory two frames later, while the decoded value may still refer to these bytes.
      this.#value = this.#decode(Buffer.from(list?.bytes ?? []))
      this.#last = list
    }
    return this.#value
  }
}

const readObject = recordReader(defineRecord('Unknown', 'The parts that were unknown.', {}))

/** Nothing is unknown in a recording that does not say. */
function decodeUnknown(json: Buffer): UnknownParts {
  if (json.length === 0) return nothingUnknown
  const reasons = Object.entries(readObject(json.toString()))
  return Object.fromEntries(reasons.filter(([, reason]) => typeof reason === 'string'))
}

/** Decodes recorded frames. Throws a DecodeError for records that do not conform to the contract. */
export class ReplayedWorld {
  readonly #lists = Object.fromEntries(
    collectionNames.map((name) => {
      const reader = new RecordListReader(name, collections[name])
      return [name, new ReplayedList((text) => reader.read([text]))]
    }),
  ) as Record<CollectionName, ReplayedList<ReadItems>>
  readonly #eventReader = new RecordListReader('events', EngineEventSchema, 'at_ns')
  readonly #events = new ReplayedList((text) => this.#eventReader.read([text]))
  readonly #readDiagnostics = recordReader(DiagnosticsSchema)
  readonly #diagnostics = new ReplayedList((bytes) => ({
    bytes,
    record: this.#readDiagnostics(bytes.toString()) as DiagnosticsRecord,
  }))
  #lastItems: Readonly<Record<CollectionName, ReadItems>> | null = null
  readonly #totals = new ReplayedList(decodeTotals)
  readonly #unknown = new ReplayedList(decodeUnknown)

  decode({ names, lists, simTimeNs, newestEvictedNs }: RecordedFrame): ReplayedSnapshot {
    const listOf = (name: string): TextList | undefined => lists[names.indexOf(name)]
    const items = Object.fromEntries(
      collectionNames.map((name) => [name, this.#lists[name].decode(listOf(name))]),
    ) as Record<CollectionName, ReadItems>
    const unknown = this.#unknown.decode(listOf('unknown'))
    const records = completed(
      Object.fromEntries(
        collectionNames.map((name) => [name, items[name].records]),
      ) as unknown as Collections,
      unknown,
    )
    const events = this.#events.decode(listOf('events'))
    const diagnostics = this.#diagnostics.decode(listOf('diagnostics'))
    const totals = this.#totals.decode(listOf('totals'))
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
        unknown,
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
        diagnostics: fillMissingDiagnostics(diagnostics.record, simTimeNs, records, unknown),
        totals,
        unknown,
      },
    }
  }
}
