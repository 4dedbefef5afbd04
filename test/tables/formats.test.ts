import { expect, test } from 'vitest'
import { encodeRows } from '../../src/tables/engine/formats.ts'
import type { TableFormat } from '../../src/tables/engine/formats.ts'
import { TableRefused } from '../../src/tables/engine/refused.ts'
import type { Cell, Row } from '../../src/tables/engine/table.ts'

const encoded = (format: TableFormat, rows: readonly Row[]): string =>
  encodeRows(format, ['text', 'end'], rows).toString()

function csvOf(text: Cell): string {
  const lines = encoded('csv', [{ text, end: 'x' }])
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
  ['one; two', '"one; two"'],
  ['a\u0000b', '"a\u0000b"'],
  ['zero\u200Bwidth', '"zero\u200Bwidth"'],
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
  ['\t=1', '"\'\t=1"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['\u0000=1', '"\'\u0000=1"'],
  ['\u200B=1', '"\'\u200B=1"'],
  [' \u202E=1', '"\' \u202E=1"'],
  ['\r=1', '"\'\r=1"'],
])('%j does not become a formula', (text, field) => {
  expect(csvOf(text)).toBe(field)
})

test('JSON has null for unknown values', () => {
  expect(encoded('json', [{ text: null, end: null }])).toBe('[{"text":null,"end":null}]')
  expect(encoded('json', [])).toBe('[]')
})

test('many rows are encoded as few are', () => {
  const rows = Array.from({ length: 4_500 }, (_, index) => ({ text: `t${index} ü`, end: '' }))
  expect(JSON.parse(encoded('json', rows))).toEqual(rows)
  const lines = encoded('csv', rows).split('\r\n')
  expect([lines.length, lines[0], lines[4500], lines[4501]]).toEqual([4502, 'text,end', 't4499 ü,', ''])
})

test('more text than an answer may have is refused, however few rows it is in', () => {
  const row = { text: 'x'.repeat(2 ** 26), end: '' }
  const refusal = new TableRefused('large', 'The rows have more than 268435456 characters.')
  expect(() => encodeRows('csv', ['text', 'end'], [row, row, row, row])).toThrow(refusal)
})

test('a page escapes foreign text, and cuts what no one reads', () => {
  const page = encoded('html', [{ text: `<img src=x onerror="a">${'y'.repeat(1000)}`, end: 1.5 }])
  expect(page).toContain('<td>&lt;img src=x onerror=&quot;a&quot;&gt;y')
  expect(page).toContain('y</td><td class="number">1.5</td></tr></tbody></table>')
  expect(page.length).toBeLessThan(700)
})
