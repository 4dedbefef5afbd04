import { expect, test } from 'vitest'
import { atLeast, atMost, digits, finding, isMet, markdownOf, tableOf, verdictOf } from './finding.ts'

const page = (value: number, bound = atLeast(8, 12), low = 9.5, high = 10.5) =>
  finding('page', 'a page, against JSON.stringify', bound, { value, low, high }, '1 ms : 10 ms')

test('a floor is a lower bound for values that should be high, and an upper bound for values that should be low', () => {
  expect(isMet(page(8))).toBe(true)
  expect(isMet(page(7.9))).toBe(false)
  expect(isMet(page(8, atMost(8)))).toBe(true)
  expect(isMet(page(8.1, atMost(8)))).toBe(false)
})

test('the verdict names a missed floor and noise', () => {
  expect(verdictOf(page(12))).toBe('ok')
  expect(verdictOf(page(10, atMost(12), 8.75, 11.25))).toBe('ok')
  expect(verdictOf(page(7, atLeast(8), 5, 9))).toBe('FAILS, noisy')
})

test('values are printed with three digits', () => {
  const values = [0, 0.0001234, 0.1234, 1.234, 12.34, 123.4, 12_345]
  expect(values.map(digits)).toEqual(['0', '1.2e-4', '0.123', '1.23', '12.3', '123', '12345'])
})

test('a table has a line a row, for a terminal and for the docs', () => {
  const findings = [page(10), page(7, atMost(8))]
  expect(tableOf(findings)).toBe(
    [
      '    Row   Measured                        Value       Quartiles  Floor   Limit  Medians',
      'ok  page  a page, against JSON.stringify  10.0 ×      9.50–10.5  ≥ 8.00  12.0   1 ms : 10 ms',
      'ok  page  a page, against JSON.stringify  7.00 of it  9.50–10.5  ≤ 8.00         1 ms : 10 ms',
    ].join('\n'),
  )
  expect(markdownOf(findings).split('\n').slice(1, 3)).toEqual([
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    '| ok | page | a page, against JSON.stringify | 10.0 × | 9.50–10.5 | ≥ 8.00 | 12.0 | 1 ms : 10 ms |',
  ])
})
