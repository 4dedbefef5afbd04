import { describe, expect, test } from 'vitest'
import { parseCursor, readNumber, readText, wideInteger } from '../../src/text/json-values.ts'
import { JsonWriter } from '../../src/text/json-writer.ts'

function written(write: (writer: JsonWriter) => void): string {
  const writer = new JsonWriter()
  write(writer)
  return writer.json.toString()
}

describe('numbers are written as JSON.stringify writes them', () => {
  test.each([0, 7, 0.25, 99_999_999, 1e21])('%s', (value) => {
    expect(written((writer) => writer.num(value, 'x'))).toBe(JSON.stringify(value))
    expect(written((writer) => writer.num(-value, 'x'))).toBe(value === 0 ? '0' : JSON.stringify(-value))
  })

  test.each([
    [0n, '0'],
    [-1n, '-1'],
    [2n ** 63n - 1n, '9223372036854775807'],
    [-(2n ** 63n), '-9223372036854775808'],
    [9_007_199_254_740_991, '9007199254740991'],
  ])('the 64-bit integer %s', (value, text) => {
    expect(written((writer) => writer.int64(value, 'x'))).toBe(text)
  })

  test.each([
    [2n ** 63n, 'x must be within 64 bits, but is 9223372036854775808 (bigint).'],
    [-(2n ** 63n) - 1n, 'x must be within 64 bits, but is -9223372036854775809 (bigint).'],
    [2 ** 53, 'x must be a safe integer, but is 9007199254740992 (number).'],
    [Number.NaN, 'x must be a finite number, but is NaN (number).'],
    [null, 'x must be a finite number, but is null (object).'],
  ])('not %s', (value, message) => {
    expect(() => written((writer) => writer.int64(value, 'x'))).toThrow(message)
  })
})

test.each([
  '',
  'a',
  '"',
  '\\',
  '\n',
  '\u001f',
  ' ',
  '~',
  '\u007f',
  'ä',
  '\ud800',
  'x'.repeat(64),
  'x'.repeat(65),
])('the text %j is written as JSON.stringify writes it', (text) => {
  expect(written((writer) => writer.string(text, 'x'))).toBe(JSON.stringify(text))
})

describe('a number is read as JSON.parse reads it', () => {
  test.each(
    [
      '0 -0 7 -7 123456789 1234567890 9007199254740991 9007199254740992 9007199254740993 0.1',
      '0.123456789 1.5 12345678.9 123456789.1 0.0000000000000000000001 0.00000000000000000000001',
      '1e5 1E5 1e+5 1e-5 1.25e2 123456789012345678901234567890',
    ].flatMap((line) => line.split(' ')),
  )('%s', (text) => {
    expect(readNumber(Buffer.from(`${text},`), 0)).toBe(text.length)
    expect(parseCursor.number[0]).toBe(JSON.parse(text))
  })

  test.each(['', '-', '.5', '5.', '01', '-01', '1e', '1e+', '+1', 'a', '1e400'])('but not %j', (text) => {
    expect(readNumber(Buffer.from(`${text},`), 0)).toBe(-1)
  })
})

test.each([
  ['9007199254740993', 9_007_199_254_740_993n],
  ['9223372036854775807', 9_223_372_036_854_775_807n],
  ['-9223372036854775808', -9_223_372_036_854_775_808n],
  ['9223372036854775808', null],
  ['-9223372036854775809', null],
  ['999999999999999', null],
  ['1234567890123456.5', null],
])('the integer %s is %s', (text, value) => {
  expect(wideInteger(Buffer.from(text), 0, text.length)).toBe(value)
})

test.each([
  ['""', ''],
  ['"abc"', 'abc'],
  ['"ä"', 'ä'],
  ['"a\\nb\\u0041"', 'a\nbA'],
])('the text %s is %j, also where it was known', (json, text) => {
  for (const before of [undefined, text, `${text}x`, 'abd']) {
    expect(readText(Buffer.from(`${json},`), 0, before)).toBe(Buffer.byteLength(json))
    expect(parseCursor.text).toBe(text)
  }
})

test.each(['abc', '"abc', '"a\nb"', '"a\\x"'])('%j is no text', (json) => {
  expect(readText(Buffer.from(json), 0, undefined)).toBe(-1)
})
