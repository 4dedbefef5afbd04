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

const csvOf = async (text: Cell): Promise<string> => {
  const lines = (await encodeRows('csv', table, [{ text, end: 'x' }])).toString()
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
])('%j in CSV', async (text, field) => {
  expect(await csvOf(text)).toBe(field)
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
])('%j does not become a formula', async (text, field) => {
  expect(await csvOf(text)).toBe(field)
})

test('JSON has null for what is unknown', async () => {
  const rows = [{ text: Number.NaN, end: null }]
  expect((await encodeRows('json', table, rows)).toString()).toBe('[{"text":null,"end":null}]')
  expect((await encodeRows('json', table, [])).toString()).toBe('[]')
})

test('many rows are encoded as few are', async () => {
  const rows = Array.from({ length: 450 }, (_, index) => ({ text: `t${index}`, end: '' }))
  expect(JSON.parse((await encodeRows('json', table, rows)).toString())).toEqual(rows)
  const lines = (await encodeRows('csv', table, rows)).toString().split('\r\n')
  expect([lines.length, lines[0], lines[450], lines[451]]).toEqual([452, 'text,end', 't449,', ''])
})
