import type { Int64, RecordType } from '../contract/fields.ts'
import { InPlaceDecoder } from '../codegen/in-place-decoder.ts'
import { comma, endOfValue, nestingMax, openObject, sameBytes, skipBlanks } from '../text/json-scan.ts'
import { parseLossless } from './lossless-json.ts'
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
}

interface Item {
  readonly slice: Buffer
  readonly start: number
  readonly end: number
  readonly record: object
  readonly key: Int64
}

class Items implements ReadItems {
  readonly records: readonly object[]
  readonly keys: BigInt64Array
  readonly jsonLength: number
  readonly changed: number
  readonly list: readonly Item[]

  constructor(list: readonly Item[], changed: number) {
    this.list = list
    this.changed = changed
    this.records = list.map(({ record }) => record)
    this.keys = new BigInt64Array(list.length)
    let length = Math.max(0, list.length - 1)
    for (const [index, { key, start, end }] of list.entries()) {
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
      json.set(slice.subarray(start, end), at)
      at += end - start + 1
    }
    starts[this.list.length] = at
  }
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Reads the successive lists of one collection from an upstream's JSON. Throws an error with a reason for a record that
 * the contract does not allow. The bytes of the others are kept unchanged, with unknown fields, unknown values and
 * every digit. An item with the same bytes as in the previous list is not decoded again, and others are decoded in
 * place.
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
    const items: Item[] = []
    let changed = 0
    for (const slice of slices) changed += this.#readSlice(bufferOf(slice), before?.list ?? [], items)
    changed += Math.max(0, (before?.count ?? 0) - items.length)
    const isSame = changed === 0 && before !== null
    const read = isSame ? before : new Items(items, changed)
    if (!isSame) this.#checkKeys(read.keys)
    this.#last = read
    return read
  }

  /** Appends the items of a slice. Returns how many of them changed. */
  #readSlice(slice: Buffer, last: readonly Item[], items: Item[]): number {
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

  #decodeInPlace(before: Item | undefined, slice: Buffer, view: DataView, start: number): Item | null {
    if (before === undefined || this.#inPlace === null) return null
    const { record, key } = before
    const end = this.#inPlace.decode(slice, view, start, slice.length, record)
    return end < 0 ? null : { slice, start, end, record, key }
  }

  #decode(slice: Buffer, start: number, index: number): Item {
    if (slice[start] !== openObject) throw this.#refusal(index, 'is not an object')
    const end = endOfValue(slice, start, slice.length)
    if (end < 0) throw this.#refusal(index, `does not end, or nests more than ${nestingMax} levels`)
    const text = slice.toString('utf8', start, end)
    let record: object
    try {
      record = this.#readRecord(text)
    } catch (error) {
      if (error instanceof DecodeError) throw this.#refusal(index, error.message, text)
      throw error
    }
    this.#inPlace?.learn(record)
    return { slice, start, end, record, key: this.#keyOf(record, index) }
  }

  #keyOf(record: object, index: number): Int64 {
    const key = (record as Readonly<Record<string, Int64 | null>>)[this.#keyField]
    if (key !== null && key >= 0) return key
    throw this.#refusal(index, `${this.#keyField}: got ${key}, expected an integer from 0 to 2^63 - 1`)
  }

  #checkKeys(keys: BigInt64Array): void {
    const isOrdered = keys.every((key, i) => i === 0 || key > keys[i - 1])
    if (isOrdered) return
    if (this.#keyField === 'at_ns') this.#checkTimes(keys)
    else this.#checkIds(keys)
  }

  #checkTimes(times: BigInt64Array): void {
    const at = times.findIndex((time, i) => i > 0 && time < times[i - 1])
    if (at < 0) return
    throw this.#refusal(at, `at_ns: got ${times[at]} after ${times[at - 1]}, expected events oldest first`)
  }

  #checkIds(ids: BigInt64Array): void {
    const seen = new Set<bigint>()
    for (const [index, id] of ids.entries()) {
      if (seen.has(id)) throw this.#refusal(index, `id: got ${id}, which another item has too`)
      seen.add(id)
    }
  }

  #refusal(index: number, problem: string, text = ''): DecodeError {
    const key = text === '' ? null : keyIn(text, this.#keyField)
    const suffix = key === null ? '' : ` (${this.#keyField} ${key})`
    return new DecodeError(`${this.#name}, item ${index}${suffix}: ${problem}.`)
  }
}

/** The item at this position, if its bytes are the same as before: no whole object is the beginning of a longer one. */
function unchangedItem(
  { slice: old, start, end, record, key }: Item,
  slice: Buffer,
  at: number,
): Item | null {
  const length = end - start
  if (at + length > slice.length || !sameBytes(old, start, slice, at, length)) return null
  return { slice, start: at, end: at + length, record, key }
}

/** The key of a refused item, for the operator; null if it has none. */
function keyIn(text: string, keyField: string): string | null {
  try {
    const key = (parseLossless(text) as Readonly<Record<string, unknown>>)[keyField]
    return Number.isInteger(key) || typeof key === 'bigint' ? String(key) : null
  } catch {
    return null
  }
}
