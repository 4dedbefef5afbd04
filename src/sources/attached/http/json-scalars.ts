import { int64Max } from '../../../contract/routes.ts'
import { parseLossless } from '../../../encoding/lossless-json.ts'

/** Values of one kind; null for any other. */
export interface Scalar<T> {
  readonly of: (value: unknown) => T | null
  readonly expected: string
}

/** An upper bound for the text of a 64-bit integer. */
const numberLengthMax = 32

/** Undefined for a text that is not JSON, or a number that is too long. */
export function scalarOf(text: string): unknown {
  const isNumber = '-0123456789'.includes(text.charAt(0))
  try {
    return isNumber && text.length > numberLengthMax ? undefined : parseLossless(text)
  } catch {
    return undefined
  }
}

const isIndex = (value: unknown): value is number | bigint =>
  (typeof value === 'bigint' || Number.isSafeInteger(value)) && (value as number | bigint) >= 0

/** A non-negative integer of up to 64 bits. */
export const int64: Scalar<bigint> = {
  of: (value) => (isIndex(value) && value <= int64Max ? BigInt(value) : null),
  expected: `an integer from 0 to ${int64Max}`,
}

/** A non-negative integer up to `max`, which a double holds exactly. */
export const integerUpTo = (max: number): Scalar<number> => ({
  of: (value) => (isIndex(value) && value <= max ? Number(value) : null),
  expected: `an integer from 0 to ${max}`,
})

export const text: Scalar<string> = {
  of: (value) => (typeof value === 'string' ? value : null),
  expected: 'a string',
}

export const textList: Scalar<string[]> = {
  of: (values) => (Array.isArray(values) && values.every((one) => typeof one === 'string') ? values : null),
  expected: 'a list of strings',
}

const isNumber = (value: unknown): boolean => typeof value === 'bigint' || Number.isFinite(value)

export const numberList: Scalar<number[]> = {
  of: (values) => (Array.isArray(values) && values.every(isNumber) ? values.map(Number) : null),
  expected: 'a list of finite numbers',
}
