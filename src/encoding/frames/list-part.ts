import type { EncodedItems } from '../records/encoded-items.ts'
import { listLayout } from './frame-message.ts'
import type { ListPart } from './frame-message.ts'
import { joinedItems } from './joined-items.ts'
import type { JsonItem } from './joined-items.ts'

const isAscending = (ids: BigInt64Array): boolean => {
  for (let i = 1; i < ids.length; i++) if (ids[i] <= ids[i - 1]) return false
  return true
}

/** Writes a list, in ascending order of id or in the order of `ids`, into a buffer that `take` provides. */
export function listPart(
  list: EncodedItems,
  ids: BigInt64Array | null,
  take: (byteLength: number) => ArrayBufferLike,
): ListPart {
  const { count, jsonLength } = list
  const shape = { count, jsonLength, isAscending: ids === null || isAscending(ids) }
  const { startsAt, byIdAt, jsonAt, byteLength } = listLayout(shape)
  const buffer = take(byteLength)
  list.writeTo(
    new Uint8Array(buffer, jsonAt, jsonLength),
    new BigInt64Array(buffer, 0, count),
    new Uint32Array(buffer, startsAt, count + 1),
  )
  if (!shape.isAscending) {
    const positions = new Uint32Array(buffer, byIdAt, count)
    for (let i = 0; i < count; i++) positions[i] = i
    positions.sort((one, other) => (ids![one] < ids![other] ? -1 : 1))
  }
  return { buffer, ...shape }
}

/** A list of items in ascending order of id. */
export function partOfItems(items: readonly JsonItem[]): ListPart {
  const joined = joinedItems(items)
  const list: EncodedItems = {
    count: items.length,
    jsonLength: joined.bytes.length,
    writeTo(json, ids, starts) {
      json.set(joined.bytes)
      ids.set(joined.ids)
      starts.set(joined.starts)
    },
  }
  return listPart(list, null, (byteLength) => new ArrayBuffer(byteLength))
}
