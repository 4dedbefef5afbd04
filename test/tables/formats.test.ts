import { expect, test } from 'vitest'
import { defineRecord, str } from '../../src/contract/fields.ts'
import { encodeRows } from '../../src/tables/formats.ts'
import { defineTable } from '../../src/tables/table.ts'
import type { Cell } from '../../src/tables/table.ts'

const table = defineTable({
  name: 'texts',
  meaning: 'Texts.',
  row: defineRecord('TextRow', 'A text.', { text: str('The text.'), end: str('The last column.') }),
  reads: [],
  items: () => [],
  filters: {},
  toRow: () => ({ text: '', end: '' }),
})

const csvOf = (text: Cell): string => {
  const lines = encodeRows('csv', table, [{ text, end: 'x' }]).toString()
  expect(lines.startsWith('text,end\r\n')).toBe(true)
  expect(lines.endsWith(',x\r\n')).toBe(true)
  return lines.slice('text,end\r\n'.length, -',x\r\n'.length)
}

test.each<[Cell, string]>([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [' space', '" space"'],
  ['Bücher & Söhne', 'Bücher & Söhne'],
  [null, ''],
  ['', ''],
  [true, 'true'],
  [-1.5, '-1.5'],
  [Number.NaN, ''],
  [Number.POSITIVE_INFINITY, ''],
])('%j in CSV', (text, field) => {
  expect(csvOf(text)).toBe(field)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['|calc', "'|calc"],
  [' =1', "' =1"],
  ['\t=1', "'\t=1"],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['\r=1', '"\'\r=1"'],
])('%j does not become a formula', (text, field) => {
  expect(csvOf(text)).toBe(field)
})

test('JSON has null for what is unknown', () => {
  const rows = [{ text: Number.NaN, end: null }]
  expect(encodeRows('json', table, rows).toString()).toBe('[{"text":null,"end":null}]')
  expect(encodeRows('json', table, []).toString()).toBe('[]')
})
