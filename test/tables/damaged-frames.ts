/** Frames of an upstream with damaged records. */
import { collections } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import { EngineEventSchema } from '../../src/contract/records/operations.ts'
import type { EncodedList, Frame } from '../../src/encoding/frames/frame.ts'
import { recordReader } from '../../src/encoding/record-reader.ts'
import { crisisSnapshot, frameOf } from './framed-worlds.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** Takes the place of a value; undefined where it is missing. */
export type Damage = (value: Json, path: string) => Json | undefined

const recordsKept = 2
export const brokenText = /\b(?:NaN|Infinity|undefined|null)\b|\[object/

/** A crisis with few records of each collection. */
export function smallCrisis(): Frame {
  const snapshot = crisisSnapshot()
  const few = Object.entries(snapshot.collections).map(([name, records]) => [
    name,
    // The incidents, hosts and devices that are in trouble are among the first or the last.
    records.length <= 2 * recordsKept
      ? records
      : [...records.slice(0, recordsKept), ...records.slice(-recordsKept)],
  ])
  return frameOf({
    ...snapshot,
    collections: Object.fromEntries(few) as typeof snapshot.collections,
    events: snapshot.events.slice(-20),
  })
}

function damaged(value: Json, damage: Damage, path: string): Json | undefined {
  const changed = damage(value, path)
  if (changed !== value || changed === null || typeof changed !== 'object') return changed
  if (Array.isArray(changed)) return changed.map((item) => damaged(item, damage, `${path}[]`) ?? null)
  const fields = Object.entries(changed).map(([key, item]) => [key, damaged(item, damage, `${path}.${key}`)])
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined)) as Json
}

const readers = { ...collections, events: EngineEventSchema }

/** A record that an attached mirror would refuse stays as it was. */
function damagedList<L extends EncodedList>(list: L, damage: Damage, path: keyof typeof readers): L {
  const read = recordReader(readers[path])
  const items = Array.from({ length: list.starts.length - 1 }, (_, index) => {
    const sound = Buffer.from(list.bytes.subarray(list.starts[index], list.starts[index + 1] - 1))
    const text = JSON.stringify(damaged(JSON.parse(sound.toString()) as Json, damage, path))
    try {
      read(text)
      return Buffer.from(text)
    } catch {
      return sound
    }
  })
  const starts = new Uint32Array(items.length + 1)
  for (const [index, { length }] of items.entries()) starts[index + 1] = starts[index] + length + 1
  return { ...list, bytes: Buffer.from(items.join(',')), starts }
}

export const damagedFrame = (frame: Frame, names: readonly CollectionName[], damage: Damage): Frame => ({
  ...frame,
  collections: {
    ...frame.collections,
    ...Object.fromEntries(names.map((name) => [name, damagedList(frame.collections[name], damage, name)])),
  },
  events: damagedList(frame.events, damage, 'events'),
})
