/**
 * Checks of the files of a game day, which people copy, join and edit: a line either has exactly the shape of its type,
 * or the file is refused by a sentence that names the line and the field.
 */

/** The latest time in a file, as seconds: the year 5138. */
export const secondsMax = 1e11
/** A bound of what is multiplied or summed up, so that no sum is infinite. */
const amountMax = 1e15

/** Null if the value is as expected. Otherwise the path of what is not, and what was expected there. */
export interface Check<T = unknown> {
  (value: unknown): Unexpected | null
  /** The type of a checked value, for the compiler alone. */
  readonly type?: T
}

interface Unexpected {
  readonly path: readonly (string | number)[]
  readonly expected: string
  readonly value: unknown
}

const checkOf =
  (expected: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? null : { path: [], expected, value }

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

export const textCheck = checkOf('a text', (value) => typeof value === 'string')
export const flagCheck = checkOf('true or false', (value) => typeof value === 'boolean')
export const countCheck = checkOf(
  'an integer from 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
)
export const amountCheck = checkOf('a number from 0', (value) => isBetween(value, 0, amountMax))
export const secondsCheck = checkOf('seconds from 0', (value) => isBetween(value, 0, secondsMax))
export const delayCheck = checkOf('seconds', (value) => isBetween(value, -secondsMax, secondsMax))
export const dollarsCheck = checkOf('an amount', (value) => isBetween(value, -amountMax, amountMax))

export const patternCheck = (expected: string, isValid: (value: string) => boolean): Check =>
  checkOf(expected, (value) => typeof value === 'string' && isValid(value))

export const choiceCheck = (expected: string, values: readonly unknown[]): Check =>
  checkOf(expected, (value) => values.includes(value))

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? null : check(value)

const within = (key: string | number, found: Unexpected | null): Unexpected | null =>
  found === null ? null : { ...found, path: [key, ...found.path] }

function firstOf(found: Iterable<Unexpected | null>): Unexpected | null {
  for (const one of found) if (one !== null) return one
  return null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const listCheck =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value)
      ? firstOf(value.values().map((item: unknown, index) => within(index, check(item))))
      : { path: [], expected: 'a list', value }

/** An object with any names. */
export const mapCheck =
  (check: Check): Check =>
  (value) =>
    isObject(value)
      ? firstOf(
          Object.entries(value)
            .values()
            .map(([name, member]) => within(name, check(member))),
        )
      : { path: [], expected: 'an object', value }

/** An object with a check for every field of its type. Fields that the type does not have are ignored. */
export const objectCheck =
  <T extends object>(checks: { readonly [K in keyof T]-?: Check }): Check<T> =>
  (value) =>
    isObject(value)
      ? firstOf(
          Object.entries<Check>(checks)
            .values()
            .map(([name, check]) => within(name, check(value[name]))),
        )
      : { path: [], expected: 'an object', value }

const shownLengthMax = 60

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, shownLengthMax)

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** The lines of a file; or what is wrong with the first one that is not as expected. */
export function readJsonLines<T>(text: string, expected: string, check: Check<T>): readonly T[] | string {
  const lines: T[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parsed(line)
    const found = check(value)
    if (found === null) lines.push(value as T)
    else {
      const at = found.path.join('.')
      const detail = at === '' ? '' : `, with ${found.expected} as ${at}; got ${shown(found.value)}`
      return `line ${index + 1}: expected ${expected}${detail}`
    }
  }
  return lines
}
