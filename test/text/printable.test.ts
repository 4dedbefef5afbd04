import { expect, test } from 'vitest'
import { printable } from '../../src/text/printable.ts'

test.each([
  ['plain text, ä 漢 🚀', 'plain text, ä 漢 🚀'],
  ['a\nb\u001b[2J\u0000', 'a\\u000ab\\u001b[2J\\u0000'],
  ['\u009b2J', '\\u009b2J'],
  ['a\u202eb\u2028', 'a\\u202eb\\u2028'],
  ['\ud800', '\\ud800'],
  // Two UTF-16 units, as in JSON.
  ['\u{e0041}', '\\udb40\\udc41'],
])('%j is printed as %j', (text, expected) => {
  expect(printable(text)).toBe(expected)
  expect(JSON.parse(`"${expected}"`)).toBe(text)
})

test('a longer text is cut', () => {
  expect(printable('abcdef', 6)).toBe('abcdef')
  expect(printable('abcdefg', 6)).toBe('abcdef…')
  expect(printable('x'.repeat(2_000))).toHaveLength(2_000)
  expect(printable('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}…`)
})
