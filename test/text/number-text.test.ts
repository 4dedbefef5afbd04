import { expect, test } from 'vitest'
import { numberBytesMax, numberMargin, NumberText } from '../../src/text/number-text.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'

function textOf(value: number, decimals: number): string {
  const bytes = Buffer.alloc(numberBytesMax + 2 * numberMargin, 'x')
  const number = new NumberText()
  const width = number.measureSample(Float64Array.of(value), 0, decimals)
  number.write(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), numberMargin)
  const end = numberMargin + width
  // The surrounding bytes are unchanged.
  expect(bytes.toString('latin1', 0, numberMargin) + bytes.toString('latin1', end)).toMatch(/^x+$/)
  return bytes.toString('latin1', numberMargin, end)
}

test.each([
  [0, 0, '0'],
  [-0, 0, '0'],
  [-0, 4, '0'],
  [7, 0, '7'],
  [10, 4, '10'],
  [100, 2, '100'],
  [99_999_999, 0, '99999999'],
  [100_000_000, 0, '100000000'],
  [2_147_483_647, 0, '2147483647'],
  [2_147_483_648, 0, '2147483648'],
  [4_294_967_296, 0, '4294967296'],
  [1_000_000_000_000, 0, '1000000000000'],
  [10_000_000_000_000_000, 0, '10000000000000000'],
  [9_007_199_254_740_991, 0, '9007199254740991'],
  [2 ** 63, 0, '9223372036854776000'],
  [1e21, 0, '1e+21'],
  [-42, 0, '-42'],
  [0.5, 4, '0.5'],
  [0.05, 4, '0.05'],
  [0.0001, 4, '0.0001'],
  [-0.25, 2, '-0.25'],
  [12.3, 2, '12.3'],
  [12.34, 2, '12.34'],
  [1234567.89, 2, '1234567.89'],
  [30_000_000.01, 2, '30000000.01'],
  [0.123456, 6, '0.123456'],
  [0.00001, 4, '0.00001'],
  [1 / 3, 4, '0.3333333333333333'],
  [5e-324, 4, '5e-324'],
  [-1.7976931348623157e308, 0, '-1.7976931348623157e+308'],
  [0.1 + 0.2, 4, '0.3'],
])('%s with %s decimals is written as %s', (value, decimals, text) => {
  expect(textOf(value, decimals)).toBe(text)
})

test('a conversion of units does not show in the digits', () => {
  expect(textOf(1.2345 * 125_000_000, 0)).toBe('154312500')
  expect(textOf(56.78 * 0.01, 6)).toBe('0.5678')
  expect(textOf(1_234_567 * 0.001, 3)).toBe('1234.567')
})

test('written numbers parse to the same value', () => {
  const chance = new SeededRandom(11)
  for (let round = 0; round < 20_000; round++) {
    const decimals = chance.below(7)
    const whole = chance.below(10 ** (1 + chance.below(9)))
    const value = Number(`${whole}e-${chance.below(decimals + 1)}`)
    expect(Number(textOf(value, decimals))).toBe(value)
    const anything = (chance.next() - 0.5) * 10 ** (chance.below(40) - 20)
    const read = Number(textOf(anything, decimals))
    expect(Math.abs(read - anything)).toBeLessThanOrEqual(Math.abs(anything) * 2e-15)
  }
})
