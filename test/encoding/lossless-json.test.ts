import { expect, test } from 'vitest'
import { parseLossless } from '../../src/encoding/lossless-json.ts'

test.each([
  ['{"at_ns":9007199254740993}', { at_ns: 9_007_199_254_740_993n }],
  ['{"at_ns":-9223372036854775808,"b":1}', { at_ns: -9_223_372_036_854_775_808n, b: 1 }],
  ['{ "at_ns" : 18446744073709551615 }', { at_ns: 18_446_744_073_709_551_615n }],
  [
    '[{"a":{"at_ns":9007199254740993}},{"at_ns":1}]',
    [{ a: { at_ns: 9_007_199_254_740_993n } }, { at_ns: 1 }],
  ],
  // Items of lists.
  [
    '{"ids":[9007199254740993, 1],"at_ns":9007199254740995}',
    { ids: [9_007_199_254_740_993n, 1], at_ns: 9_007_199_254_740_995n },
  ],
  ['[1,9007199254740993]', [1, 9_007_199_254_740_993n]],
  // A double holds these.
  ['{"at_ns":1000000000000000}', { at_ns: 1_000_000_000_000_000 }],
  ['{"at_ns":9007199254740991}', { at_ns: 9_007_199_254_740_991 }],
  [
    '{"load":1.7976931348623157,"more":1234567890123e6}',
    { load: 1.797_693_134_862_315_7, more: 1_234_567_890_123e6 },
  ],
  // No 64-bit integer.
  ['{"at_ns":123456789012345678901}', { at_ns: 123456789012345680000 }],
  // Within strings.
  [
    '{"text":"[9007199254740993]","at_ns":9007199254740993}',
    { text: '[9007199254740993]', at_ns: 9_007_199_254_740_993n },
  ],
  [String.raw`{"text":"\"at_ns\":9007199254740993,"}`, { text: '"at_ns":9007199254740993,' }],
  ['{"text":":9007199254740993,"}', { text: ':9007199254740993,' }],
  ['["at_ns",":9007199254740993}"]', ['at_ns', ':9007199254740993}']],
  ['{"a":"9007199254740993"}', { a: '9007199254740993' }],
  ['9007199254740991', 9_007_199_254_740_991],
  ['null', null],
])('%s keeps every digit of its members', (text, expected) => {
  expect(parseLossless(text)).toStrictEqual(expected)
})

test('a member called __proto__ is a member like any other', () => {
  const value = parseLossless('{"__proto__":{"at_ns":9007199254740993}}') as object
  expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toEqual({
    at_ns: 9_007_199_254_740_993n,
  })
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

test.each(['', '{', '{"at_ns":9007199254740993', '{"a":01234567890123456789}', '{at_ns":9007199254740993}'])(
  '%j is refused as JSON.parse refuses it',
  (text) => {
    expect(() => parseLossless(text)).toThrow(SyntaxError)
  },
)
