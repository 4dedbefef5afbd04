import type { EncodedCollection } from './frame.ts'

/** A record's JSON and its id. */
export interface JsonItem {
  readonly id: bigint
  readonly json: Uint8Array
}

const comma = 0x2c

export type ItemList = Pick<EncodedCollection, 'ids' | 'bytes' | 'starts'>

export const itemAt = ({ ids, bytes, starts }: ItemList, index: number): JsonItem => ({
  id: ids[index],
  json: bytes.subarray(starts[index], starts[index + 1] - 1),
})

export const itemsOf = (list: ItemList): JsonItem[] => Array.from(list.ids, (_, index) => itemAt(list, index))

/** A list of records in ascending order of their ids, which may be long: it pauses after each of them. */
export function* joinedInSteps(items: readonly JsonItem[]) {
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
    yield
  }
  return { bytes, starts, ids: BigInt64Array.from(items, ({ id }) => id), byId: null }
}

/** A list of records in ascending order of their ids. */
export function joinedItems(items: readonly JsonItem[]) {
  const steps = joinedInSteps(items)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
