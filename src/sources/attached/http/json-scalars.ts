import { int64Max } from '../../../contract/routes.ts'
import { quote } from '../../../text/json-scan.ts'

/** Parses one JSON value in an upstream's bytes; null if its type is not the expected one. */
export interface Parse<T> {
  readonly parse: (bytes: Buffer, start: number, end: number) => T | null
  readonly expected: string
}

/** An upper bound for the text of a 64-bit integer. */
const integerLengthMax = 32

const plainDigits = /^(?:0|[1-9]\d{0,18})$/

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A non-negative integer with all of its digits; null for any other value. */
function unsignedInteger(bytes: Buffer, start: number, end: number): bigint | null {
  if (end - start > integerLengthMax) return null
  const text = bytes.toString('latin1', start, end)
  if (plainDigits.test(text)) return BigInt(text)
  // Also accepts 5.0 and 1e3, which are integers.
  const value = parseJson(text)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

/** A non-negative integer of up to 64 bits. */
export const parseInt64: Parse<bigint> = {
  parse: (bytes, start, end) => {
    const value = unsignedInteger(bytes, start, end)
    return value === null || value > int64Max ? null : value
  },
  expected: `an integer from 0 to ${int64Max}`,
}

/** A non-negative integer up to `max`, which a double holds exactly. */
export const parseInteger = (max: number): Parse<number> => ({
  parse: (bytes, start, end) => {
    const value = unsignedInteger(bytes, start, end)
    return value === null || value > BigInt(max) ? null : Number(value)
  },
  expected: `an integer from 0 to ${max}`,
})

export const parseBoolean: Parse<boolean> = {
  parse: (bytes, start, end) => {
    const text = end - start > 'false'.length ? '' : bytes.toString('latin1', start, end)
    return text === 'true' ? true : text === 'false' ? false : null
  },
  expected: 'true or false',
}

export const parseString: Parse<string> = {
  parse: (bytes, start, end) => {
    if (bytes[start] !== quote) return null
    const value = parseJson(bytes.toString('utf8', start, end))
    return typeof value === 'string' ? value : null
  },
  expected: 'a string',
}

export const parseStrings: Parse<string[]> = {
  parse: (bytes, start, end) => {
    const values = parseJson(bytes.toString('utf8', start, end))
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : null
  },
  expected: 'a list of strings',
}
