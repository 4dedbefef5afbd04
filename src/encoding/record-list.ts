import type { Int64, RecordType } from '../contract/fields.ts'
import type { EncodedItems } from './frame-builder.ts'

export interface ListChange {
  /** Whether the list's JSON differs from what it was. */
  readonly changed: boolean
  /** How many records were encoded again. */
  readonly encoded: number
}

type AnyRecord = Readonly<Record<string, unknown>>

const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

const exactInteger = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(value.toString()) : value

/** The JSON of a list of records. */
export class RecordList implements EncodedItems {
  readonly #idOf: (record: AnyRecord) => Int64
  #items: { readonly id: bigint; readonly json: string; readonly bytes: Uint8Array }[] = []
  #jsonLength = 0

  constructor(_type: RecordType, idOf: (record: AnyRecord) => Int64) {
    this.#idOf = idOf
  }

  get count(): number {
    return this.#items.length
  }

  get jsonLength(): number {
    return this.#jsonLength
  }

  #known = false

  update(records: readonly object[]): ListChange {
    const before = this.#items
    this.#items = records.map((record) => {
      const json = JSON.stringify(record, exactInteger)
      return { id: BigInt(this.#idOf(record as AnyRecord)), json, bytes: new TextEncoder().encode(json) }
    })
    let length = Math.max(0, records.length - 1)
    for (const item of this.#items) length += item.bytes.length
    this.#jsonLength = length
    let encoded = 0
    this.#items.forEach((item, i) => (encoded += item.json === before[i]?.json ? 0 : 1))
    const changed = encoded > 0 || before.length !== this.#items.length || !this.#known
    this.#known = true
    return { changed, encoded }
  }

  writeTo(json: Uint8Array, ids: BigInt64Array, starts: Uint32Array): void {
    let at = 0
    this.#items.forEach(({ id, bytes }, i) => {
      if (i > 0) json[at - 1] = 0x2c
      ids[i] = id
      starts[i] = at
      json.set(bytes, at)
      at += bytes.length + 1
    })
    starts[this.#items.length] = at
  }
}
