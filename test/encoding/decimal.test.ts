import { expect, test } from 'vitest'
import { NumberText } from '../../src/text/number-text.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'

const decimal = new NumberText()

function print(value: number): string {
  const bytes = Buffer.alloc(48, 'x')
  const width = decimal.measure(Float64Array.of(value), 0)
  decimal.write(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 10)
  // The surrounding bytes are unchanged.
  expect(bytes.toString('latin1', 0, 10)).toBe('xxxxxxxxxx')
  expect(bytes.toString('latin1', 10 + width)).toMatch(/^x+$/)
  return bytes.toString('latin1', 10, 10 + width)
}

test.each([
  [0, '0'],
  [-0, '0'],
  [0.5, '0.5'],
  [0.0001, '0.0001'],
  [10, '10'],
  [100.1, '100.1'],
  [-0.25, '-0.25'],
  [-12, '-12'],
  [99.999, '99.999'],
  [1e21, '1e+21'],
  [1e-7, '1e-7'],
  [0.00012, '0.00012'],
  [2 ** 60, '1152921504606847000'],
  [Number.MAX_VALUE, '1.7976931348623157e+308'],
  [2 ** 31, '2147483648'],
  [2 ** 53 - 1, '9007199254740991'],
  [123_456_789_012.25, '123456789012.25'],
  [999_999_999_999.9999, '999999999999.9999'],
])('%s', (value, expected) => {
  expect(print(value)).toBe(expected)
})

test('prints the shortest decimal that reads back, as String does', () => {
  const chance = new SeededRandom(7)
  for (let i = 0; i < 20_000; i++) {
    const decimals = chance.below(5)
    const size = chance.next() * 10 ** chance.below(17)
    const value = chance.oneIn(3) ? size : Math.round(size * 10 ** decimals) / 10 ** decimals
    expect(print(value)).toBe(String(value))
  }
})

test('prints integers of every length', () => {
  for (let power = 0; power < 16; power++) {
    for (const value of [10 ** power - 1, 10 ** power, 10 ** power + 1, -(10 ** power)]) {
      expect(print(value)).toBe(String(value))
    }
  }
})
