import { endOfValue, quote } from './json-scan.ts'

/**
 * Reads plain JSON values from bytes without an intermediate string. Each function returns the offset after the value,
 * or -1 for an unusual value or one of another type, for which the caller needs a parser. The value itself is in
 * `parseCursor`.
 */

export const parseCursor = {
  /** A number, in a typed array: a double property would be allocated on the heap. */
  number: new Float64Array(1),
  text: '',
}

const minus = 0x2d
const point = 0x2e
const zero = 0x30
const backslash = 0x5c
const lowerE = 0x65
const upperE = 0x45

/** A decimal with at most this many places is the quotient of two exact doubles, and so correctly rounded. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** Integers of this many digits fit into 32 bits, whose arithmetic is faster. */
const fewDigits = 9

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** A number in any notation of JSON, as a double. */
export function readNumber(bytes: Buffer, start: number): number {
  const isNegative = bytes[start] === minus
  const first = isNegative ? start + 1 : start
  let at = first
  let pointAt = -1
  let few = 0
  let byte = bytes[at]
  for (const end = first + fewDigits; at < end; byte = bytes[++at]) {
    if (isDigit(byte)) few = (Math.imul(few, 10) + byte - zero) | 0
    else if (byte === point && pointAt < 0) pointAt = at
    else break
  }
  let digits = few
  for (; ; byte = bytes[++at]) {
    if (isDigit(byte)) digits = digits * 10 + (byte - zero)
    else if (byte === point && pointAt < 0) pointAt = at
    else break
  }
  const wholeEnd = pointAt < 0 ? at : pointAt
  const decimals = pointAt < 0 ? 0 : at - pointAt - 1
  if (wholeEnd === first || (wholeEnd > first + 1 && bytes[first] === zero)) return -1
  if (pointAt >= 0 && decimals === 0) return -1
  if (digits > Number.MAX_SAFE_INTEGER || decimals > 22 || byte === lowerE || byte === upperE) {
    return readLongNumber(bytes, start, at)
  }
  const value = decimals === 0 ? digits : digits / powersOfTen[decimals]
  parseCursor.number[0] = isNegative ? -value : value
  return at
}

/** A number with more digits than a double holds, or with an exponent. */
function readLongNumber(bytes: Buffer, start: number, from: number): number {
  let at = from
  if (bytes[at] === lowerE || bytes[at] === upperE) {
    at++
    if (bytes[at] === minus || bytes[at] === 0x2b) at++
    const began = at
    while (isDigit(bytes[at])) at++
    if (at === began) return -1
  }
  const value = Number(bytes.toString('latin1', start, at))
  if (value - value !== 0) return -1
  parseCursor.number[0] = value
  return at
}

/**
 * The digits from `start` to `end` as a 64-bit integer that a double does not hold exactly; null for any other text.
 */
export function wideInteger(bytes: Buffer, start: number, end: number): bigint | null {
  const digits = bytes.toString('latin1', start, end)
  if (!/^-?\d{16,20}$/.test(digits)) return null
  const value = BigInt(digits)
  return BigInt.asIntN(64, value) === value ? value : null
}

/** Reads a string. If it equals `before`, no other string is allocated. */
export function readText(bytes: Buffer, start: number, before: unknown): number {
  if (bytes[start] !== quote) return -1
  if (typeof before === 'string') {
    const end = start + 1 + before.length
    if (bytes[end] === quote && isTextAt(before, bytes, start + 1)) {
      parseCursor.text = before
      return end + 1
    }
  }
  let at = start + 1
  let all = 0
  for (; bytes[at] !== quote; at++) {
    const byte = bytes[at]
    if (byte === backslash) return readEscaped(bytes, start)
    // Control characters are not JSON, and past the end there is no byte.
    if (!(byte >= 0x20)) return -1
    all |= byte
  }
  parseCursor.text = bytes.toString(all < 0x80 ? 'latin1' : 'utf8', start + 1, at)
  return at + 1
}

function readEscaped(bytes: Buffer, start: number): number {
  const end = endOfValue(bytes, start, bytes.length)
  if (end < 0) return -1
  try {
    parseCursor.text = JSON.parse(bytes.toString('utf8', start, end)) as string
    return end
  } catch {
    return -1
  }
}

/** Whether the bytes at `start` are this text, which must be ASCII without escapes. */
function isTextAt(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== bytes[start + i] || code >= 0x80 || code === backslash || code === quote || code < 0x20)
      return false
  }
  return true
}
