/** Decimal digits as bytes, four at a time: a 32-bit store is far cheaper than a loop with an unpredictable count. */
export const quadBelow = 10_000
const quadDigits = 4

/** The text of 0000 … 9999, four characters per integer, the first in the lowest byte. */
export const quads = new Int32Array(quadBelow)
/** The number of digits without leading zeros. */
export const widths = new Uint8Array(quadBelow)
/** The number of digits without trailing zeros. */
export const keptWidths = new Uint8Array(quadBelow)

const quadOf = (text: string): number => Buffer.from(text.padStart(quadDigits, '0')).readInt32LE(0)
for (let i = 0; i < quadBelow; i++) {
  const kept = String(i).padStart(quadDigits, '0').replace(/0+$/, '')
  quads[i] = quadOf(String(i))
  widths[i] = String(i).length
  keptWidths[i] = kept.length
}

/** Any integer below this consists of an upper and a lower quad of digits. */
export const octetBelow = quadBelow ** 2
export const octetDigits = 2 * quadDigits

export const minus = 0x2d
export const point = 0x2e
