import { endOfValue, quote } from './json-scan.ts'

/**
 * Plain JSON values, read out of bytes without a text in between. Each function returns one past the value, or -1
 * where it is unusual or no such value: then somebody slower has to look at it. What was read is in `found`.
 */

export const found = {
  /** A number, in memory of its own as a double: kept as a property it would be allocated anew each time. */
  number: new Float64Array(1),
  text: '',
}

const minus = 0x2d
const point = 0x2e
const zero = 0x30
const backslash = 0x5c
const lowerE = 0x65
const upperE = 0x45

/** A decimal of no more digits is a quotient of two exact doubles, and so exactly rounded. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** So many digits fit into 32 bits, which are reckoned with faster. */
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
  found.number[0] = isNegative ? -value : value
  return at
}

/** A number whose digits a double does not hold, or with an exponent. */
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
  found.number[0] = value
  return at
}

/** The digits between two places as an integer of 64 bits, which a double does not hold; null where they are none. */
export function wideInteger(bytes: Buffer, start: number, end: number): bigint | null {
  const digits = bytes.toString('latin1', start, end)
  if (!/^-?\d{16,20}$/.test(digits)) return null
  const value = BigInt(digits)
  return BigInt.asIntN(64, value) === value ? value : null
}

/** A string of which `before` is a guess; where it is right no other is made. */
export function readText(bytes: Buffer, start: number, before: unknown): number {
  if (bytes[start] !== quote) return -1
  if (typeof before === 'string') {
    const end = start + 1 + before.length
    if (bytes[end] === quote && stands(before, bytes, start + 1)) {
      found.text = before
      return end + 1
    }
  }
  let at = start + 1
  let all = 0
  for (; bytes[at] !== quote; at++) {
    const byte = bytes[at]
    if (byte === backslash) return readEscaped(bytes, start)
    // Control characters are no JSON, and behind the end there is nothing.
    if (!(byte >= 0x20)) return -1
    all |= byte
  }
  found.text = bytes.toString(all < 0x80 ? 'latin1' : 'utf8', start + 1, at)
  return at + 1
}

function readEscaped(bytes: Buffer, start: number): number {
  const end = endOfValue(bytes, start, bytes.length)
  if (end < 0) return -1
  try {
    found.text = JSON.parse(bytes.toString('utf8', start, end)) as string
    return end
  } catch {
    return -1
  }
}

/** Whether a text stands there, all of it in ASCII and without anything that is escaped. */
function stands(text: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code !== bytes[start + i] || code >= 0x80 || code === backslash || code === quote || code < 0x20)
      return false
  }
  return true
}
