import type { EncodedCollection } from './frame.ts'

/** A record's JSON and its id. */
export interface JsonItem {
  readonly id: bigint
  readonly json: Uint8Array
}

const comma = 0x2c

export const itemsOf = ({
  ids,
  bytes,
  starts,
}: Pick<EncodedCollection, 'ids' | 'bytes' | 'starts'>): JsonItem[] =>
  Array.from(ids, (id, index) => ({ id, json: bytes.subarray(starts[index], starts[index + 1] - 1) }))

/** A list of records in ascending order of their ids. */
export function joinedItems(items: readonly JsonItem[]) {
  const starts = new Uint32Array(items.length + 1)
  let at = 0
  for (const [index, { json }] of items.entries()) {
    starts[index] = at
    at += json.length + 1
  }
  starts[items.length] = at
  const bytes = new Uint8Array(Math.max(0, at - 1))
  for (const [index, { json }] of items.entries()) {
    if (index > 0) bytes[starts[index] - 1] = comma
    bytes.set(json, starts[index])
  }
  return { bytes, starts, ids: BigInt64Array.from(items, ({ id }) => id), byId: null }
}
