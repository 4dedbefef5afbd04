import type { Int64, RecordType } from '../contract/fields.ts'
import type { EncodedItems } from './encoded-items.ts'
import { compileRecord } from './record-code.ts'
import { RecordSheet, type Extent } from './record-sheet.ts'

export interface ListChange {
  /** Whether the list's JSON differs from what it was. */
  readonly changed: boolean
  /** How many records were encoded again, in part or whole. */
  readonly encoded: number
}

/**
 * The JSON of a list of records in ascending order of id, kept up to date with records that their source updates in
 * place. What did not change is not encoded again.
 */
export class RecordList implements EncodedItems {
  readonly #type: RecordType
  readonly #idOf: (record: object) => Int64
  readonly #sheet: RecordSheet
  #extents: Extent[] = []
  #ids = new BigInt64Array(0)
  #jsonLength = 0
  #isNew = true

  constructor(type: RecordType, idOf: (record: object) => Int64) {
    this.#type = type
    this.#idOf = idOf
    this.#sheet = new RecordSheet(compileRecord(type))
  }

  get count(): number {
    return this.#extents.length
  }

  get jsonLength(): number {
    return this.#jsonLength
  }

  update(records: readonly object[]): ListChange {
    const members = this.#matchMembers(records)
    let encoded = 0
    let length = Math.max(0, records.length - 1)
    for (let i = 0; i < records.length; i++) {
      const extent = this.#extents[i]
      if (this.#sheet.update(records[i], extent, this.#extents)) encoded++
      length += extent.length
    }
    this.#jsonLength = length
    const changed = members.changed || encoded > 0 || this.#isNew
    this.#isNew = false
    return { changed, encoded: encoded + members.added }
  }

  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void {
    const { bytes } = this.#sheet
    ids.set(this.#ids)
    let at = 0
    for (let i = 0; i < this.#extents.length; i++) {
      const { start, length } = this.#extents[i]
      if (i > 0) json[at - 1] = 0x2c
      starts[i] = at
      json.set(bytes.subarray(start, start + length), at)
      at += length + 1
    }
    starts[this.#extents.length] = at
  }

  /** Makes the extents those of the given records. */
  #matchMembers(records: readonly object[]): { readonly changed: boolean; readonly added: number } {
    const before = this.#extents
    if (
      records.length === before.length &&
      records.every((record, i) => this.#idOf(record) === before[i].id)
    ) {
      return { changed: false, added: 0 }
    }
    const live = [...before]
    const members: Extent[] = []
    let next = 0
    let added = 0
    for (const record of records) {
      const id = this.#idOf(record)
      const previous = members.at(-1)
      if (previous !== undefined && previous.id >= id) {
        throw new RangeError(
          `${this.#type.name} ${id} must stand before ${previous.id}: records ascend by id.`,
        )
      }
      while (next < before.length && before[next].id < id) next++
      if (next < before.length && before[next].id <= id) {
        members.push(before[next++])
        continue
      }
      const extent = this.#sheet.add(record, id, live)
      live.push(extent)
      members.push(extent)
      added++
    }
    this.#extents = members
    this.#ids = BigInt64Array.from(members, ({ id }) => BigInt(id))
    return { changed: true, added }
  }
}
