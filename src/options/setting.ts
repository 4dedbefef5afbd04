/** The declaration of a setting, and parsers of values that several settings share. */
import { nsPerSecond } from '../contract/time-units.ts'
import { parseDuration } from '../text/duration.ts'

/** The error of a refused value: a description of the values that are expected. */
export class ParseFailure {
  readonly expected: string

  constructor(expected: string) {
    this.expected = expected
  }
}

export type ValueParser<T> = (text: string) => T | ParseFailure

/** A required value of another setting, without which this one has no effect. */
export interface RequiresOption {
  readonly setting: string
  readonly isMet: (value: unknown) => boolean
  readonly appliesTo: string
}

/** A setting with a value from a flag or from an environment variable. */
export interface Setting<T> {
  /** Name of the value in help texts. */
  readonly placeholder: string
  /** The default as it would be written on the command line. */
  readonly defaultText: string
  /** Describes the default if `defaultText` does not. */
  readonly defaultHelp?: string
  readonly help: string
  /** The setting whose environment variable this one shares; its own by default. */
  readonly variableOf?: string
  /** Its line in --help without --all, which leaves out a setting that has none; true if `help` is one line. */
  readonly brief?: string | boolean
  /** Whether the flag may be repeated; the values are joined with commas. */
  readonly repeatable?: boolean
  /** Whether the flag without a value means yes. Its value then follows an equals sign. */
  readonly isSwitch?: boolean
  readonly requires?: RequiresOption
  readonly parse: ValueParser<T>
}

export const oneOfValues =
  <const V extends readonly string[]>(values: V): ValueParser<V[number]> =>
  (text) =>
    values.includes(text) ? text : new ParseFailure(`one of ${values.join(', ')}`)

/** Some of the values, separated by commas. */
export const listOfValues =
  <const V extends readonly string[]>(values: V): ValueParser<readonly V[number][]> =>
  (text) => {
    const words = text.split(',').map((word) => word.trim())
    return words.every((word) => values.includes(word))
      ? values.filter((value) => words.includes(value))
      : new ParseFailure(`a list of ${values.join(', ')}`)
  }

export const integer =
  (min: number, max: number): ValueParser<number> =>
  (text) => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : new ParseFailure(`an integer from ${min} to ${max}`)
  }

/** The maximum of most durations. */
export const durationDaysMax = 400

const secondsPerDay = 86_400

/** A duration such as 90s, 1h30m or 4d12h, in nanoseconds. */
export const duration =
  (daysMax: number): ValueParser<bigint> =>
  (text) => {
    const seconds = parseDuration(text)
    return seconds !== null && seconds <= daysMax * secondsPerDay
      ? BigInt(seconds) * nsPerSecond
      : new ParseFailure(`a duration such as 90s, 1h30m or 4d12h, at most ${daysMax}d`)
  }

/** A duration of at least one second, in nanoseconds. */
export const positiveDuration =
  (daysMax: number): ValueParser<bigint> =>
  (text) => {
    const ns = duration(daysMax)(text)
    return typeof ns === 'bigint' && ns < nsPerSecond ? new ParseFailure('a duration of at least 1s') : ns
  }

/** Parses a value and converts the result. */
export const mapped =
  <T, U>(parse: ValueParser<T>, convert: (value: T) => U): ValueParser<U> =>
  (text) => {
    const value = parse(text)
    return value instanceof ParseFailure ? value : convert(value)
  }

/** An optional value; null if it is empty. */
export const optional =
  <T>(parse: ValueParser<T>): ValueParser<T | null> =>
  (text) =>
    text === '' ? null : parse(text)

export const nonEmpty =
  (expected: string): ValueParser<string> =>
  (text) =>
    text === '' ? new ParseFailure(expected) : text

export const anyText: ValueParser<string> = (text) => text

export const yesNo: ValueParser<boolean> = mapped(oneOfValues(['yes', 'no']), (answer) => answer === 'yes')
