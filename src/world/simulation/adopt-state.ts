/**
 * Restores saved state into a newly created world. An object that exists at the same path in both keeps its identity,
 * since parts hold references to the containers of their state, and takes over the saved content. Every other object
 * is the saved one, but for columns of numbers, which may be views of bytes from which other worlds are made as well:
 * these are copied. Shared references stay shared.
 */

type PlainObject = Record<string, unknown>
type TypedArray = Float64Array | Int32Array

/** The saved state does not have the shape that this program expects. */
export class StateMismatch extends Error {
  override readonly name = 'StateMismatch'
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isTypedArray = (value: object): value is TypedArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView)

/** The type of a value; only values of one type can be paired. */
const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : isObject(value)
      ? Object.prototype.toString.call(value).slice(8, -1)
      : typeof value

/** Live objects by their saved counterparts. */
type Counterparts = Map<object, object>

/** Makes `live` equal to `saved`, whose objects it takes over. */
export function adoptState(live: object, saved: object, name: string): void {
  const counterparts: Counterparts = new Map()
  pair(live, saved, name, counterparts)
  const adopt = createAdoption(counterparts)
  adopt(saved)
}

/** Pairs the objects at the same path. Lists are paired whole: their elements have no identity by position. */
function pair(live: object, saved: object, path: string, counterparts: Counterparts): void {
  if (live === saved || counterparts.has(saved)) return
  if (isTypedArray(live)) {
    // A column that has grown since is replaced.
    if (live.length === (saved as TypedArray).length) counterparts.set(saved, live)
    return
  }
  counterparts.set(saved, live)
  for (const [key, value] of entriesOf(live)) {
    const found = valueAt(saved, key)
    if (found === undefined && value !== undefined && !(live instanceof Map))
      throw new StateMismatch(`it has no ${path}.${String(key)}`)
    if (!isObject(value) || !isObject(found)) continue
    if (kindOf(value) !== kindOf(found))
      throw new StateMismatch(`${path}.${String(key)}: got ${kindOf(found)}, expected ${kindOf(value)}`)
    pair(value, found, `${path}.${String(key)}`, counterparts)
  }
}

const entriesOf = (value: object): Iterable<[unknown, unknown]> =>
  value instanceof Map ? value : Array.isArray(value) || value instanceof Set ? [] : Object.entries(value)

const valueAt = (value: object, key: unknown): unknown =>
  value instanceof Map ? value.get(key) : (value as PlainObject)[String(key)]

/** Returns a function that maps a saved value to its live counterpart and fills all objects reachable from it. */
function createAdoption(counterparts: Counterparts): (saved: unknown) => unknown {
  const adopted = new Set<object>()
  const due: object[] = []
  const adoptOne = (value: unknown): unknown => {
    if (!isObject(value)) return value
    if (!adopted.has(value)) {
      adopted.add(value)
      if (isTypedArray(value) && !counterparts.has(value)) counterparts.set(value, value.slice())
      else due.push(value)
    }
    return counterparts.get(value) ?? value
  }
  return (saved) => {
    const root = adoptOne(saved)
    // Iterative: references between entities may form long chains.
    for (let next = due.pop(); next !== undefined; next = due.pop()) {
      fill(counterparts.get(next) ?? next, next, adoptOne)
    }
    return root
  }
}

function fill(target: object, saved: object, adopt: (value: unknown) => unknown): void {
  if (isTypedArray(saved)) {
    if (target !== saved) (target as TypedArray).set(saved)
  } else if (saved instanceof Map) {
    const entries = [...saved]
    const map = target as Map<unknown, unknown>
    map.clear()
    for (const [key, value] of entries) map.set(adopt(key), adopt(value))
  } else if (saved instanceof Set) {
    const values = [...saved]
    const set = target as Set<unknown>
    set.clear()
    for (const value of values) set.add(adopt(value))
  } else if (Array.isArray(saved)) {
    const list = target as unknown[]
    list.length = saved.length
    for (let index = 0; index < saved.length; index++) list[index] = adopt(saved[index])
  } else {
    const object = target as PlainObject
    for (const key of Object.keys(object)) if (!Object.hasOwn(saved, key)) delete object[key]
    for (const [key, value] of Object.entries(saved)) object[key] = adopt(value)
  }
}
