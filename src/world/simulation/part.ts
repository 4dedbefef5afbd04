/** A typed array for its readers: only the owning part may write. */
export interface ReadonlyColumn extends Iterable<number> {
  readonly length: number
  readonly [row: number]: number
  every(test: (value: number) => boolean): boolean
  some(test: (value: number) => boolean): boolean
}

type TypedArray = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array | Int8Array

/** Keeps the versions of inputs in `known`, which begins with -1. Returns whether one of them has changed since. */
export function takeVersions(known: Float64Array, a: number, b = 0, c = 0, d = 0): boolean {
  if (known[0] === a && known[1] === b && known[2] === c && known[3] === d) return false
  known[0] = a
  known[1] = b
  known[2] = c
  known[3] = d
  return true
}

/**
 * Lets the numbers of an object, and of those created like it, be fractions or beyond 31 bits from the beginning. V8 keeps
 * whole numbers differently: the first fraction would discard all code that was compiled for such objects.
 */
export function takesFractions<T extends object>(object: T, whole: readonly (keyof T)[] = []): T {
  for (const [name, value] of Object.entries(object)) {
    const isFraction = typeof value === 'number' && !whole.includes(name as keyof T)
    if (isFraction) Object.assign(object, { [name]: 0.5 }, { [name]: value })
  }
  return object
}

/** For `takeVersions`. */
export const noVersions = (): Float64Array<ArrayBuffer> => new Float64Array(4).fill(-1)

/** The state of a part for other parts: the same objects, deeply read-only. */
export type View<State> = State extends TypedArray
  ? ReadonlyColumn
  : State extends Map<infer Key, infer Value>
    ? ReadonlyMap<Key, View<Value>>
    : State extends Set<infer Value>
      ? ReadonlySet<View<Value>>
      : State extends (...args: never[]) => unknown
        ? State
        : State extends object
          ? { readonly [Key in keyof State]: View<State[Key]> }
          : State

/**
 * The state of a part for the part itself, derived from its initial value: containers are filled in place and never
 * replaced, numbers and flags change.
 */
export type Owned<State> = {
  -readonly [Name in keyof State as State[Name] extends object ? never : Name]: State[Name]
} & {
  readonly [Name in keyof State as State[Name] extends object ? Name : never]: State[Name]
}
