import { expect, test } from 'vitest'
import { Decimal } from '../../src/encoding/decimal.ts'
import { Seeded } from '../seeded.ts'

const decimal = new Decimal()

function print(value: number, decimals: number): string {
  const bytes = Buffer.alloc(48, 'x')
  const width = decimal.measure(value, decimals)
  decimal.write(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 10)
  // What stands around the number is left as it was.
  expect(bytes.toString('latin1', 0, 10)).toBe('xxxxxxxxxx')
  expect(bytes.toString('latin1', 10 + width)).toMatch(/^x+$/)
  return bytes.toString('latin1', 10, 10 + width)
}

test.each([
  [0, 4, '0'],
  [-0, 4, '0'],
  [0.5, 4, '0.5'],
  [0.0001, 4, '0.0001'],
  [10, 2, '10'],
  [100.1, 2, '100.1'],
  [-0.25, 2, '-0.25'],
  [-12, 0, '-12'],
  [99.999, 2, '99.999'],
  [1e21, 2, '1e+21'],
  [1e-7, 4, '1e-7'],
  [2 ** 31, 0, '2147483648'],
  [2 ** 53 - 1, 0, '9007199254740991'],
  [123_456_789_012.25, 2, '123456789012.25'],
  [999_999_999_999.9999, 4, '999999999999.9999'],
])('%s with %s decimals', (value, decimals, expected) => {
  expect(print(value, decimals)).toBe(expected)
})

test('prints the shortest decimal that reads back, as String does', () => {
  const chance = new Seeded(7)
  for (let i = 0; i < 20_000; i++) {
    const decimals = chance.below(5)
    const size = chance.next() * 10 ** chance.below(17)
    const value = chance.oneIn(3) ? size : Math.round(size * 10 ** decimals) / 10 ** decimals
    expect(print(value, decimals)).toBe(String(value))
  }
})

test('prints integers of every length', () => {
  for (let power = 0; power < 16; power++) {
    for (const value of [10 ** power - 1, 10 ** power, 10 ** power + 1, -(10 ** power)]) {
      const bytes = Buffer.alloc(40)
      const width = decimal.measureInteger(value)
      decimal.write(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 8)
      expect(bytes.toString('latin1', 8, 8 + width)).toBe(String(value))
    }
  }
})
