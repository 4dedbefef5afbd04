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
  0, -0, 0.5, 0.1, 0.25, 0.0001, 0.00011, 0.00012, 10, 100.1, -0.25, -12, 99.999, 0.12345, 12.3456, 1e21,
  1e-7, 5e-324, 2147483648, 9007199254740991, 9007199254740992, 1152921504606846976, 99999999.9999,
  100000000.0001, 123456789012.25, 999999999999.9999, 1000000000000000.5, 0.3333333333333333, 1.797e308,
  1.7976931348623157e308,
])('%s is printed as String does', (value) => {
  expect(print(value)).toBe(String(value))
})

test('prints the shortest decimal that reads back', () => {
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
