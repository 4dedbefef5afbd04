import { expect, test } from 'vitest'
import { findingWith, machine } from './bench-finding.ts'
import { isMet, verdictOf } from './finding.ts'
import type { RowFinding } from './finding.ts'
import { comparisonOf, digits, summaryOf, tableOf } from './table.ts'

const runOf = (takenAt: string, findings: readonly RowFinding[]) => ({
  takenAt,
  commit: 'abc1234',
  machine,
  findings,
})

test('a floor bounds from below what should be high, and from above what should be low', () => {
  expect(isMet(findingWith({ value: 8, floor: 8 }))).toBe(true)
  expect(isMet(findingWith({ value: 7.9, floor: 8 }))).toBe(false)
  expect(isMet(findingWith({ value: 8, floor: 8, better: 'lower' }))).toBe(true)
  expect(isMet(findingWith({ value: 8.1, floor: 8, better: 'lower' }))).toBe(false)
})

test('the verdict names a missed floor, a missed aim and noise', () => {
  expect(verdictOf(findingWith({ value: 12 }))).toBe('ok')
  expect(verdictOf(findingWith({ value: 11 }))).toBe('ok, below aim')
  expect(verdictOf(findingWith({ value: 11, aim: null }))).toBe('ok')
  expect(verdictOf(findingWith({ value: 7, low: 5, high: 9 }))).toBe('FAILS, noisy')
})

test('values are printed with three digits', () => {
  expect([0, 0.0001234, 0.1234, 1.234, 12.34, 123.4, 12_345].map(digits)).toEqual([
    '0',
    '1.2e-4',
    '0.123',
    '1.23',
    '12.3',
    '123',
    '12345',
  ])
})

test('the table has a line a row, with its yardstick and quartiles', () => {
  expect(tableOf([findingWith({})])).toBe(
    [
      '               row   what    against         value   quartiles  floor   aim   medians',
      'ok, below aim  page  a page  JSON.stringify  10.0 ×  9.50–10.5  ≥ 8.00  12.0  1 ms : 10 ms',
    ].join('\n'),
  )
})

test('a comparison says which rows moved further than their quartiles', () => {
  const before = runOf('2026-11-21T00:00:00.000Z', [
    findingWith({ row: 'steady', value: 10 }),
    findingWith({ row: 'faster', value: 5, low: 4.9, high: 5.1 }),
    findingWith({ row: 'larger', value: 5, low: 4.9, high: 5.1, better: 'lower' }),
    findingWith({ row: 'gone' }),
  ])
  const now = [
    findingWith({ row: 'steady', value: 10.4, low: 10, high: 10.8 }),
    findingWith({ row: 'faster' }),
    findingWith({ row: 'larger', better: 'lower' }),
    findingWith({ row: 'new' }),
  ]
  const [, steady, faster, larger, gone] = comparisonOf(now, before).split('\n')
  expect(steady).toMatch(/^steady +10\.0 +10\.4 +1\.04× +same within quartiles$/)
  expect(faster).toMatch(/^faster +5\.00 +10\.0 +2\.00× +better$/)
  expect(larger).toMatch(/^larger +5\.00 +10\.0 +2\.00× +worse$/)
  expect(gone).toBe('Not measured now: gone.')
})

test('the summary of runs has the extremes, and how often the newest floor held', () => {
  const runs = [
    runOf('a', [findingWith({ value: 7, floor: 5 })]),
    runOf('b', [findingWith({ value: 12, low: 6 })]),
    runOf('c', [findingWith({ value: 9 })]),
  ]
  expect(summaryOf(runs).split('\n').at(-1)).toBe(
    '| `page` | a page, against JSON.stringify | × | 7.00 | 9.00 | 12.0 | ≥ 8.00 | 12.0 | 2 of 3, 1 noisy |',
  )
})
