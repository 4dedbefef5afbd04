/**
 * The checksum of two concatenated byte strings, from the checksums of each: a CRC is a remainder of polynomials over
 * GF(2), so appending bytes multiplies the checksum by a power of x. Bits are reflected, as in gzip.
 */
const polynomial = 0xedb88320
const one = 1 << 31

function product(a: number, b: number): number {
  let result = 0
  let shifted = b
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) result ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return result
}

/** x to the powers 1, 2, 4, 8 …, sufficient for any length that a double counts exactly. */
const powers = [1 << 30]
while (powers.length < 57) powers.push(product(powers.at(-1)!, powers.at(-1)!))

/** The factor by which appending `length` bytes multiplies a checksum. */
export function crc32Shift(length: number): number {
  let shift = one
  let left = length
  for (let power = 3; left > 0; power++) {
    if (left % 2 === 1) shift = product(powers[power], shift)
    left = Math.floor(left / 2)
  }
  return shift
}

/** The checksum of two concatenated byte strings; `shift` is the factor for the length of the second. */
export const combineCrc32 = (first: number, second: number, shift: number): number =>
  (product(shift, first) ^ second) >>> 0
