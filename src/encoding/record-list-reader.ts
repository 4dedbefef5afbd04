import type { Int64, RecordType } from '../contract/fields.ts'
import type { LeftOutReason } from '../contract/collections.ts'
import { InPlaceDecoder } from '../codegen/in-place-decoder.ts'
import { comma, endOfValue, nestingMax, openObject, sameBytes, skipBlanks } from '../text/json-scan.ts'
import { DecodeError, recordReader } from './record-reader.ts'
import type { KeyedItems } from './records/encoded-items.ts'

/** The items of a list in their original bytes, and their records. */
export interface ReadItems extends KeyedItems {
  /** The records in the order of the items. The next list with the same ids is read into the same objects. */
  readonly records: readonly object[]
  /** The id of each item or, for events, its time. */
  readonly keys: BigInt64Array
  /** The bytes of one item, which stay valid as long as the slices that were read. */
  item(index: number): Uint8Array
  /** The number of items that differ from those at the same position in the previous list. */
  readonly changed: number
  /** The number of items that are no records, by reason. They have no record, key or bytes here. */
  readonly leftOut: ReadonlyMap<LeftOutReason, number>
}

interface Item {
  readonly slice: Buffer
  readonly start: number
  readonly end: number
  readonly record: object
  readonly key: Int64
}

/** An item that is no record, in its place: the next list is compared with this one item by item. */
interface NoRecord extends Pick<Item, 'slice' | 'start' | 'end'> {
  readonly reason: LeftOutReason
}

const isRecord = (item: Item | NoRecord): item is Item => 'record' in item

class Items implements ReadItems {
  readonly records: readonly object[]
  readonly keys: BigInt64Array
  readonly jsonLength: number
  readonly changed: number
  readonly leftOut: ReadonlyMap<LeftOutReason, number>
  /** All items, as they came. */
  readonly read: readonly (Item | NoRecord)[]
  readonly list: readonly Item[]

  constructor(read: readonly (Item | NoRecord)[], keyField: 'id' | 'at_ns', changed: number) {
    this.read = read
    const leftOut = new Map<LeftOutReason, number>()
    const list = read.filter((item) => {
      if (!isRecord(item)) leftOut.set(item.reason, (leftOut.get(item.reason) ?? 0) + 1)
      return isRecord(item)
    })
    this.list = keyField === 'at_ns' ? inOrderOfTime(list) : withoutRepeats(list, leftOut)
    this.changed = changed
    this.leftOut = leftOut
    this.records = this.list.map(({ record }) => record)
    this.keys = new BigInt64Array(this.list.length)
    let length = Math.max(0, this.list.length - 1)
    for (const [index, { key, start, end }] of this.list.entries()) {
      this.keys[index] = typeof key === 'bigint' ? key : BigInt(key)
      length += end - start
    }
    this.jsonLength = length
  }

  get count(): number {
    return this.list.length
  }

  item(index: number): Uint8Array {
    const { slice, start, end } = this.list[index]
    return slice.subarray(start, end)
  }

  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void {
    ids.set(this.keys)
    let at = 0
    for (let i = 0; i < this.list.length; i++) {
      const { slice, start, end } = this.list[i]
      if (i > 0) json[at - 1] = comma
      starts[i] = at
      slice.copy(json, at, start, end)
      at += end - start + 1
    }
    starts[this.list.length] = at
  }
}

/** Events, oldest first: an upstream may list the newest first. */
function inOrderOfTime(list: readonly Item[]): readonly Item[] {
  const isOrdered = list.every(({ key }, i) => i === 0 || key >= list[i - 1].key)
  return isOrdered
    ? list
    : list.toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
}

/** The first item with each id. */
function withoutRepeats(list: readonly Item[], leftOut: Map<LeftOutReason, number>): readonly Item[] {
  if (list.every(({ key }, i) => i === 0 || key > list[i - 1].key)) return list
  const seen = new Set<bigint>()
  const first = list.filter(({ key }) => seen.size < seen.add(BigInt(key)).size)
  if (first.length < list.length) leftOut.set('same_id', list.length - first.length)
  return first
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Reads the successive lists of one collection from an upstream's JSON. The bytes of its records are kept unchanged, with
 * unknown fields, unknown values and every digit. What is no object, or has no key, is left out and counted. An item
 * with the same bytes as in the previous list is not decoded again, and others are decoded in place.
 */
export class RecordListReader {
  readonly #name: string
  readonly #keyField: 'id' | 'at_ns'
  readonly #readRecord: (text: string) => object
  /** Null for events: each position holds another event in every list. */
  readonly #inPlace: InPlaceDecoder | null
  /** Null before the first list, and after a refused one. */
  #last: Items | null = null

  /** `keyField` identifies an item: its id, or the time of an event. */
  constructor(name: string, type: RecordType, keyField: 'id' | 'at_ns' = 'id') {
    this.#name = name
    this.#keyField = keyField
    this.#readRecord = recordReader(type)
    this.#inPlace = keyField === 'id' ? new InPlaceDecoder(type, keyField) : null
  }

  /**
   * Reads a list in slices, each of which contains items separated by commas. Returns the same object as the last time
   * if nothing changed; then it keeps no reference to the new slices, otherwise none to the old ones. Throws a
   * `DecodeError` for anything that is not an item of this list.
   */
  read(slices: readonly Uint8Array[]): ReadItems {
    const before = this.#last
    // The records are overwritten from here on, and are valid again only once the whole list is read.
    this.#last = null
    const items: (Item | NoRecord)[] = []
    let changed = 0
    for (const slice of slices) changed += this.#readSlice(bufferOf(slice), before?.read ?? [], items)
    changed += Math.max(0, (before?.read.length ?? 0) - items.length)
    const isSame = changed === 0 && before !== null
    const read = isSame ? before : new Items(items, this.#keyField, changed)
    this.#last = read
    return read
  }

  /** Appends the items of a slice. Returns how many of them changed. */
  #readSlice(slice: Buffer, last: readonly (Item | NoRecord)[], items: (Item | NoRecord)[]): number {
    const view = new DataView(slice.buffer, slice.byteOffset, slice.length)
    const end = slice.length
    let changed = 0
    let at = skipBlanks(slice, 0, end)
    while (at < end) {
      const before = last.at(items.length)
      let item = before === undefined ? null : unchangedItem(before, slice, at)
      if (item === null) {
        changed++
        item = this.#decodeInPlace(before, slice, view, at) ?? this.#decode(slice, at, items.length)
      }
      items.push(item)
      at = skipBlanks(slice, item.end, end)
      if (at === end) break
      if (slice[at] !== comma) throw this.#refusal(items.length - 1, 'is not followed by a comma')
      at = skipBlanks(slice, at + 1, end)
      if (at === end) throw this.#refusal(items.length, 'is missing after a comma')
    }
    return changed
  }

  #decodeInPlace(
    before: Item | NoRecord | undefined,
    slice: Buffer,
    view: DataView,
    start: number,
  ): Item | null {
    if (before === undefined || !isRecord(before) || this.#inPlace === null) return null
    const { record, key } = before
    const end = this.#inPlace.decode(slice, view, start, slice.length, record)
    return end < 0 ? null : { slice, start, end, record, key }
  }

  #decode(slice: Buffer, start: number, index: number): Item | NoRecord {
    const end = endOfValue(slice, start, slice.length)
    if (end < 0) throw this.#refusal(index, `does not end, or nests more than ${nestingMax} levels`)
    const text = slice.toString('utf8', start, end)
    if (slice[start] !== openObject) return { slice, start, end, reason: 'no_object' }
    let record: object
    try {
      record = this.#readRecord(text)
    } catch (error) {
      if (error instanceof DecodeError) throw this.#refusal(index, error.message)
      throw error
    }
    const key = (record as Readonly<Record<string, Int64 | null>>)[this.#keyField]
    if (key === null || key < 0) return { slice, start, end, reason: 'no_id' }
    this.#inPlace?.learn(record)
    return { slice, start, end, record, key }
  }

  #refusal(index: number, problem: string): DecodeError {
    return new DecodeError(`${this.#name}, item ${index}: ${problem}.`)
  }
}

/** The item at this position, if its bytes are the same as before: no whole object is the beginning of a longer one. */
function unchangedItem(before: Item | NoRecord, slice: Buffer, at: number): Item | NoRecord | null {
  const { slice: old, start } = before
  const length = before.end - start
  const end = at + length
  if (end > slice.length || !sameBytes(old, start, slice, at, length)) return null
  if (isRecord(before)) return { slice, start: at, end, record: before.record, key: before.key }
  return before.reason === 'no_object' ? null : { slice, start: at, end, reason: before.reason }
}
