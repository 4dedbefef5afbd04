import type { Int64, RecordType } from '../../contract/fields.ts'
import type { EncodedItems } from './encoded-items.ts'
import { scalarEncoder } from './scalar-encoders.ts'
import { compileRecordEncoder } from '../../codegen/record-encoder.ts'
import type { RecordEncoder } from '../../codegen/record-encoder.ts'
import { CachedRecords } from './cached-records.ts'
import type { RecordSlot } from './cached-records.ts'

interface ListChange {
  /** Whether the list's JSON changed in this update. */
  readonly changed: boolean
  /** The number of records encoded, in part or whole. */
  readonly encoded: number
}

/**
 * The JSON of a list of records in ascending order of id. The source updates its records in place; records that did
 * not change are not encoded.
 */
export class EncodedRecordList implements EncodedItems {
  readonly #type: RecordType
  readonly #idOf: (record: object) => Int64
  readonly #encoder: RecordEncoder
  #cache: CachedRecords
  #slots: RecordSlot[] = []
  #ids = new BigInt64Array(0)
  #jsonLength = 0
  #isNew = true

  constructor(type: RecordType, idOf: (record: object) => Int64) {
    this.#type = type
    this.#idOf = idOf
    this.#encoder = compileRecordEncoder(type, scalarEncoder)
    this.#cache = new CachedRecords(this.#encoder)
  }

  /** Frees the JSON: the next update encodes every record, and the list counts as changed. */
  forget(): void {
    if (this.#isNew) return
    this.#cache = new CachedRecords(this.#encoder)
    this.#slots = []
    this.#ids = new BigInt64Array(0)
    this.#jsonLength = 0
    this.#isNew = true
  }

  get count(): number {
    return this.#slots.length
  }

  get jsonLength(): number {
    return this.#jsonLength
  }

  update(records: readonly object[]): ListChange {
    const members = this.#matchMembers(records)
    let encoded = 0
    let length = Math.max(0, records.length - 1)
    for (let i = 0; i < records.length; i++) {
      const slot = this.#slots[i]
      if (this.#cache.update(records[i], slot, this.#slots)) encoded++
      length += slot.length
    }
    this.#jsonLength = length
    const changed = members.changed || encoded > 0 || this.#isNew
    this.#isNew = false
    return { changed, encoded: encoded + members.added }
  }

  // `set` is slow on shared memory.
  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void {
    const { bytes } = this.#cache
    ids.set(this.#ids)
    let at = 0
    for (let i = 0; i < this.#slots.length; i++) {
      const { start, length } = this.#slots[i]
      if (i > 0) json[at - 1] = 0x2c
      starts[i] = at
      bytes.copy(json, at, start, start + length)
      at += length + 1
    }
    starts[this.#slots.length] = at
  }

  /** Makes the slots match the records: same ids in the same order. */
  #matchMembers(records: readonly object[]): { readonly changed: boolean; readonly added: number } {
    const before = this.#slots
    if (
      records.length === before.length &&
      records.every((record, i) => this.#idOf(record) === before[i].id)
    ) {
      return { changed: false, added: 0 }
    }
    const live = [...before]
    const members: RecordSlot[] = []
    let next = 0
    let added = 0
    for (const record of records) {
      const id = this.#idOf(record)
      const previous = members.at(-1)
      if (previous !== undefined && previous.id >= id) {
        throw new RangeError(
          `${this.#type.name} ${id} must come before ${previous.id}: records ascend by id.`,
        )
      }
      while (next < before.length && before[next].id < id) next++
      if (next < before.length && before[next].id <= id) {
        members.push(before[next++])
        continue
      }
      const following = Math.max(0, records.length - live.length - 1)
      const slot = this.#cache.add(record, id, live, following)
      live.push(slot)
      members.push(slot)
      added++
    }
    this.#slots = members
    this.#ids = BigInt64Array.from(members, ({ id }) => BigInt(id))
    return { changed: true, added }
  }
}
