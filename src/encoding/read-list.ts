import type { Int64, RecordType } from '../contract/fields.ts'
import type { KeyedItems } from './encoded-items.ts'
import { Refusal } from './exact-reading.ts'
import {
  closeObject,
  colon,
  comma,
  endOfValue,
  openObject,
  quote,
  sameBytes,
  skipBlanks,
  withoutBlanks,
} from './json-scan.ts'
import { recordReader } from './record-reader.ts'
import { RecordUpdater } from './record-update.ts'

/** The items of a list as they came, byte for byte, and the records that they hold. */
export interface ReadItems extends KeyedItems {
  /** The records in the order of the items. The next list with the same items is read into the same objects. */
  readonly records: readonly object[]
  /** The id of each item or, for events, its moment. */
  readonly keys: BigInt64Array
  /** The bytes of one item. They stay as they are for as long as the slices that were read do. */
  item(index: number): Uint8Array
  /** How many items are not what stood at their place in the list read before. */
  readonly changed: number
}

interface Item {
  readonly slice: Buffer
  readonly start: number
  readonly end: number
  readonly record: object
  readonly key: Int64
}

const none: readonly Item[] = []

/** Longer first names are not looked for. */
const openingMax = 64

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

/** An item's beginning up to its first colon, as it stands behind another item; nothing where that is unusual. */
function openingOf(slice: Buffer, start: number): Buffer {
  const colonAt = slice.indexOf(colon, start)
  const isUsual = slice[start + 1] === quote && colonAt > 0 && colonAt - start <= openingMax
  return isUsual
    ? Buffer.concat([Buffer.from([closeObject, comma]), slice.subarray(start, colonAt + 1)])
    : Buffer.alloc(0)
}

const beginsWith = (slice: Buffer, at: number, opening: Buffer, skipped: number): boolean =>
  opening.length > skipped &&
  at + opening.length - skipped <= slice.length &&
  sameBytes(slice, at, opening, skipped, opening.length - skipped)

/**
 * Reads lists of records out of JSON that somebody else wrote, one list after the other of the same collection.
 * Records come by the contract, and what is not one is refused by name; the bytes stay exactly what they were, with
 * unknown fields, unknown values and every digit. What did not change since the list before is not decoded again.
 */
export class ListReader {
  readonly #name: string
  readonly #keyField: 'id' | 'at_ns'
  readonly #readRecord: (text: string) => object
  /** Null where what stands at a place is something else each time, as events are. */
  readonly #updater: RecordUpdater | null
  /** What the last item began with, behind the end of another. */
  #opening: Buffer = Buffer.alloc(0)
  /** Null before the first list, and after one that was refused. */
  #last: Items | null = null

  /** `keyField` is the field that tells items apart: the id, or the moment of an event. */
  constructor(name: string, type: RecordType, keyField: 'id' | 'at_ns' = 'id') {
    this.#name = name
    this.#keyField = keyField
    this.#readRecord = recordReader(type)
    this.#updater = keyField === 'id' ? new RecordUpdater(type, keyField) : null
  }

  /**
   * Reads a list that comes in slices, each of them items joined by commas. Returns the same object as the time
   * before where nothing changed; then the new slices are not needed any more. Otherwise none of the old ones is.
   * Throws a `Refusal` where anything is no item of this list, and then begins anew.
   */
  read(slices: readonly Uint8Array[]): ReadItems {
    const before = this.#last
    // Its records are written to from here on, and hold what they should only once all is read.
    this.#last = null
    const items: Item[] = []
    let changed = 0
    for (const slice of slices) changed += this.#readSlice(bufferOf(slice), before?.list ?? none, items)
    changed += Math.max(0, (before?.count ?? 0) - items.length)
    const isSame = changed === 0 && before !== null
    const read = isSame ? before : new Items(items, changed)
    if (!isSame) this.#checkKeys(read.keys)
    this.#last = read
    return read
  }

  /** Appends the items of a slice, and says how many of them changed. */
  #readSlice(slice: Buffer, last: readonly Item[], items: Item[]): number {
    const view = new DataView(slice.buffer, slice.byteOffset, slice.length)
    const end = slice.length
    let changed = 0
    let at = skipBlanks(slice, 0, end)
    while (at < end) {
      const before = last.at(items.length)
      let item = before === undefined ? null : this.#same(before, slice, at)
      if (item === null) {
        changed++
        item = this.#updated(before, slice, view, at) ?? this.#learned(slice, at, end, items.length)
      }
      items.push(item)
      at = skipBlanks(slice, item.end, end)
      if (at === end) break
      if (slice[at] !== comma) throw this.#refusal(items.length - 1, 'is not followed by a comma')
      at = skipBlanks(slice, at + 1, end)
      if (at === end) throw this.#refusal(items.length, 'is missing behind a comma')
    }
    return changed
  }

  /** The item as it was, where the same bytes stand here: no whole object is the beginning of a longer one. */
  #same({ slice: old, start, end, record, key }: Item, slice: Buffer, at: number): Item | null {
    const length = end - start
    if (at + length > slice.length || !sameBytes(old, start, slice, at, length)) return null
    return { slice, start: at, end: at + length, record, key }
  }

  /** The record that was there, with what now stands there read into it. */
  #updated(before: Item | undefined, slice: Buffer, view: DataView, start: number): Item | null {
    if (before === undefined || this.#updater === null) return null
    const { record, key } = before
    const end = this.#updater.update(slice, view, start, slice.length, record)
    return end < 0 ? null : { slice, start, end, record, key }
  }

  /** The record anew; the next ones are taken to be written as it is. */
  #learned(slice: Buffer, start: number, sliceEnd: number, index: number): Item {
    const item = this.#decoded(slice, start, sliceEnd, index)
    this.#updater?.learn(item.record)
    return item
  }

  #decoded(slice: Buffer, start: number, sliceEnd: number, index: number): Item {
    if (slice[start] !== openObject) throw this.#refusal(index, 'is no object')
    return this.#guessed(slice, start, sliceEnd, index) ?? this.#scanned(slice, start, sliceEnd, index)
  }

  /**
   * Items of a list mostly begin alike, and so the beginning of the next one shows where this one ends: it is found
   * many times faster than the end is. What parses as a whole object is one, as no beginning of an object is.
   */
  #guessed(slice: Buffer, start: number, sliceEnd: number, index: number): Item | null {
    if (!beginsWith(slice, start, this.#opening, 2)) this.#opening = openingOf(slice, start)
    const next = this.#opening.length === 0 ? -1 : slice.indexOf(this.#opening, start)
    const end = next < 0 || next >= sliceEnd ? withoutBlanks(slice, sliceEnd) : next + 1
    try {
      const record = this.#readRecord(slice.toString('utf8', start, end))
      return { slice, start, end, record, key: this.#keyOf(record, index) }
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  #scanned(slice: Buffer, start: number, sliceEnd: number, index: number): Item {
    const end = endOfValue(slice, start, sliceEnd)
    if (end < 0) throw this.#refusal(index, 'does not end')
    const text = slice.toString('utf8', start, end)
    let record: object
    try {
      record = this.#readRecord(text)
    } catch (error) {
      if (error instanceof Refusal) throw this.#refusal(index, error.message, text)
      throw error
    }
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
    if (this.#keyField === 'at_ns') this.#checkMoments(keys)
    else this.#checkIds(keys)
  }

  #checkMoments(moments: BigInt64Array): void {
    const at = moments.findIndex((moment, i) => i > 0 && moment < moments[i - 1])
    if (at < 0) return
    throw this.#refusal(
      at,
      `at_ns: got ${moments[at]} behind ${moments[at - 1]}, expected events oldest first`,
    )
  }

  #checkIds(ids: BigInt64Array): void {
    const seen = new Set<bigint>()
    for (const [index, id] of ids.entries()) {
      if (seen.has(id)) throw this.#refusal(index, `id: got ${id}, which another item has too`)
      seen.add(id)
    }
  }

  #refusal(index: number, what: string, text = ''): Refusal {
    const id = new RegExp(`"${this.#keyField}"\\s*:\\s*(-?\\d{1,20})(?!\\d)`).exec(text)?.[1]
    const which = id === undefined ? '' : ` (${this.#keyField} ${id})`
    return new Refusal(`${this.#name}, item ${index}${which}: ${what}.`)
  }
}
