import { expect, test } from 'vitest'
import { costCells, markdownTable, scrapeCells, scrapeHeads, seriesOf } from './table.ts'

const cost = (bytes: number, wallMs: number, cpuMs: number, cpuLowMs = cpuMs) => ({
  bytes,
  wallMs: { value: wallMs, low: wallMs / 2, high: wallMs * 2 },
  cpuMs: { value: cpuMs, low: cpuLowMs, high: cpuMs },
})

test('series are the lines without comments and empty ones', () => {
  expect(seriesOf('# HELP a A.\n# TYPE a gauge\na 1\na{b="#"} 2\n\nc 3\n')).toBe(3)
  expect(seriesOf('')).toBe(0)
})

test('a cost is megabytes, and milliseconds with their quartiles', () => {
  expect(costCells(cost(6_742_062, 12.5, 4.25, 4))).toEqual(['6.74', '12.5 (6.25–25.0)', '4.25 (4.00–4.25)'])
})

test('what is below zero after the rest was subtracted is zero', () => {
  expect(costCells(cost(1_000, 4, 0.5, -0.25)).at(-1)).toBe('0.500 (0–0.500)')
})

test('a scrape has its processor time by 1,000 series, and nothing where a server does not compress', () => {
  const cells = scrapeCells(100_000, cost(7e6, 10, 5), null)
  expect(cells).toHaveLength(scrapeHeads.length)
  expect(cells).toEqual([
    '100,000',
    '7.00',
    '10.0 (5.00–20.0)',
    '5.00 (5.00–5.00)',
    '0.0500',
    '–',
    '–',
    '–',
    '–',
  ])
  expect(scrapeCells(500, cost(7e6, 10, 5), cost(1e6, 8, 2)).slice(4)).toEqual([
    '10.0',
    '1.00',
    '8.00 (4.00–16.0)',
    '2.00 (2.00–2.00)',
    '4.00',
  ])
})

test('a table is text in its first two columns, and numbers in the others', () => {
  expect(markdownTable(['Server', 'Version', 'MB'], [['a', '1.0', '2']])).toBe(
    '| Server | Version | MB |\n| --- | --- | ---: |\n| a | 1.0 | 2 |\n',
  )
})
