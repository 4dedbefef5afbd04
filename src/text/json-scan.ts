/**
 * Finds the boundaries of JSON values in bytes. It examines brackets and strings only; whether their content is JSON is
 * for the decoder to check.
 */

export const comma = 0x2c
export const colon = 0x3a
export const quote = 0x22
export const openObject = 0x7b
export const closeObject = 0x7d
export const openList = 0x5b
export const closeList = 0x5d
const backslash = 0x5c

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The first position without a blank, from `at` on. */
export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isBlank(bytes[at])) at++
  return at
}

/** The offset after the string whose opening quote is before `at`; -1 if it does not end. */
function endOfString(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at++]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  return -1
}

/** No record of the contract nests more than a few levels. Readers of forwarded JSON may recurse into it. */
export const nestingMax = 64

/** The offset after the object or list that opens at `at`; -1 if it does not end, or nests too deeply. */
function endOfNested(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0
  while (at < end) {
    const byte = bytes[at++]
    if (byte === quote) {
      at = endOfString(bytes, at, end)
      if (at < 0) return -1
    } else if (byte === openObject || byte === openList) {
      if (++depth > nestingMax) return -1
    } else if ((byte === closeObject || byte === closeList) && --depth === 0) return at
  }
  return -1
}

/** The offset after the value that begins at `at`; -1 if there is none, it does not end, or it nests too deeply. */
export function endOfValue(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]
  if (at >= end) return -1
  if (first === openObject || first === openList) return endOfNested(bytes, at, end)
  if (first === quote) return endOfString(bytes, at + 1, end)
  const began = at
  while (at < end && !isEndOfPlain(bytes[at])) at++
  return at === began ? -1 : at
}

const isEndOfPlain = (byte: number): boolean =>
  byte === comma || byte === closeObject || byte === closeList || byte <= 0x20

/** Whether two ranges of the same length have the same bytes. */
export const sameBytes = (
  one: Buffer,
  oneAt: number,
  other: Buffer,
  otherAt: number,
  length: number,
): boolean => one.compare(other, otherAt, otherAt + length, oneAt, oneAt + length) === 0
