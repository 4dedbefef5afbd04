/**
 * An integer that a double may round, as a member of an object in JSON without blanks. In valid JSON, a quote between a
 * letter and a colon ends a name: quotes within strings are escaped. One with more digits is not a 64-bit integer.
 */
const wideMember = /(\w":)(-?[1-9]\d{15,19})(?=[,}])/g
/** Another one, or a part of a text that reads the same. */
const otherWide = /(?:^|[\s[,:])-?[1-9]\d{15}/
const wideInteger = /^-?\d{16,20}$/
/** Begins the string in the place of a wide integer. No text that is meant to be read begins so. */
const mark = 0
const quoted = String.raw`$1"\u0000$2"`

type Reviver = Parameters<typeof JSON.parse>[1]
type Members = Record<string, unknown>

const integerOf = (digits: string): number | bigint =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits)

/** A reviver is given every value with its digits. */
const keepDigits = (_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
  typeof value === 'number' && wideInteger.test(source) ? integerOf(source) : value

function standsFor(text: string): unknown {
  const digits = text.slice(1)
  return wideInteger.test(digits) ? integerOf(digits) : text
}

function replaceStandIns(members: Members): void {
  for (const key in members) {
    const value = members[key]
    if (typeof value === 'object' && value !== null) replaceStandIns(value as Members)
    else if (typeof value === 'string' && value.charCodeAt(0) === mark) members[key] = standsFor(value)
  }
}

/** Parses JSON. An integer that a double would round becomes a bigint. */
export function parseLossless(text: string): unknown {
  // Most wide integers are times, which are members: a reviver takes three times as long.
  const exact = text.replace(wideMember, quoted)
  if (otherWide.test(exact)) return JSON.parse(text, keepDigits as Reviver)
  const value: unknown = JSON.parse(exact)
  if (exact !== text && typeof value === 'object') replaceStandIns(value as Members)
  return value
}
