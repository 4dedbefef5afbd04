/** An integer that a double may round. One with more digits is not a 64-bit integer. */
const wideInteger = /^-?\d{16,20}$/

type Reviver = Parameters<typeof JSON.parse>[1]

function keepDigits(_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && wideInteger.test(source)
  return isRounded ? BigInt(source) : value
}

/** Parses JSON. An integer that a double would round becomes a bigint. */
export const parseLossless = (text: string): unknown => JSON.parse(text, keepDigits as Reviver)
