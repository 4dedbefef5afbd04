import { expect, test } from 'vitest'
import { digits, isMet, markdownOf, tableOf, verdictOf } from './finding.ts'
import type { Finding } from './finding.ts'

const finding = (changes: Partial<Finding>): Finding => ({
  row: 'page',
  measured: 'a page',
  against: 'JSON.stringify',
  value: 10,
  low: 9.5,
  high: 10.5,
  rounds: 21,
  unit: '×',
  better: 'higher',
  floor: 8,
  aim: 12,
  medians: '1 ms : 10 ms',
  ...changes,
})

test('a floor is a lower bound for values that should be high, and an upper bound for values that should be low', () => {
  expect(isMet(finding({ value: 8, floor: 8 }))).toBe(true)
  expect(isMet(finding({ value: 7.9, floor: 8 }))).toBe(false)
  expect(isMet(finding({ value: 8, floor: 8, better: 'lower' }))).toBe(true)
  expect(isMet(finding({ value: 8.1, floor: 8, better: 'lower' }))).toBe(false)
})

test('the verdict names a missed floor, a missed aim and noise', () => {
  expect(verdictOf(finding({ value: 12 }))).toBe('ok')
  expect(verdictOf(finding({ value: 11 }))).toBe('ok, below aim')
  expect(verdictOf(finding({ value: 11, better: 'lower', floor: 12, aim: 10 }))).toBe('ok, below aim')
  expect(verdictOf(finding({ value: 7, low: 5, high: 9 }))).toBe('FAILS, noisy')
})

test('values are printed with three digits', () => {
  const values = [0, 0.0001234, 0.1234, 1.234, 12.34, 123.4, 12_345]
  expect(values.map(digits)).toEqual(['0', '1.2e-4', '0.123', '1.23', '12.3', '123', '12345'])
})

test('the table of a run has a line a row', () => {
  expect(tableOf([finding({})])).toBe(
    [
      '               row   measured                        value   quartiles  floor   medians',
      'ok, below aim  page  a page, against JSON.stringify  10.0 ×  9.50–10.5  ≥ 8.00  1 ms : 10 ms',
    ].join('\n'),
  )
})

test('the table of several runs has the extremes', () => {
  const runs = [12, 7, 9].map((value) => [finding({ value })])
  expect(markdownOf(runs).split('\n')[2]).toBe(
    '| `page` | a page, against JSON.stringify | × | 7.00 | 9.00 | 12.0 | ≥ 8.00 | 12.0 | 1 ms : 10 ms |',
  )
})
