/** What a setting is, and the readings of values that several of them share. */

/** What is wrong with a setting: what was expected instead. */
export class Expected {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What another setting has to be for this one to mean anything. */
export interface OnlyWith {
  readonly setting: string
  readonly holds: (value: unknown) => boolean
  /** What this one applies to. */
  readonly appliesTo: string
}

/** A setting that takes a value. */
export interface Setting<T> {
  /** The value's name in --help. */
  readonly takes: string
  /** As it would be written on the command line. */
  readonly fallback: string
  /** What happens without it, where that is not the fallback itself. */
  readonly otherwise?: string
  readonly meaning: string
  /** Whether it may be given several times; the values are joined by commas. */
  readonly repeatable?: boolean
  readonly only?: OnlyWith
  readonly parse: (text: string) => T | Expected
}

export const oneOf =
  <const V extends readonly string[]>(values: V) =>
  (text: string): V[number] | Expected =>
    values.includes(text) ? text : new Expected(`one of ${values.join(', ')}`)

export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number | Expected => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : new Expected(`a whole number from ${min} to ${max}`)
  }

const unitNs: Readonly<Record<string, bigint>> = {
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
}
const dayNs = unitNs['d']

/** A span of time such as 90s, 15m, 2h or 7d, in nanoseconds. */
export const timeSpan =
  (maxDays: number) =>
  (text: string): bigint | Expected => {
    const [, digits, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? []
    const span = digits === undefined ? -1n : BigInt(digits) * unitNs[unit]
    const within = span >= 0n && span <= BigInt(maxDays) * dayNs
    return within ? span : new Expected(`a time such as 90s, 15m, 2h or 7d, at most ${maxDays}d`)
  }

/** A value that may be left out: null where it is. */
export const optional =
  <T>(parse: (text: string) => T | Expected) =>
  (text: string): T | null | Expected =>
    text === '' ? null : parse(text)

export const anyText = (text: string): string => text
