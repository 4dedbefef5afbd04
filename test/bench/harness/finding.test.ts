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

test('the verdict names a missed floor, a missed aim and noise', () => {
  expect(verdictOf(page(12))).toBe('ok')
  expect(verdictOf(page(11))).toBe('ok, below aim')
  expect(verdictOf(page(10, atMost(12), 8.75, 11.25))).toBe('ok')
  expect(verdictOf(page(7, atLeast(8), 5, 9))).toBe('FAILS, noisy')
})

test('values are printed with three digits', () => {
  const values = [0, 0.0001234, 0.1234, 1.234, 12.34, 123.4, 12_345]
  expect(values.map(digits)).toEqual(['0', '1.2e-4', '0.123', '1.23', '12.3', '123', '12345'])
})

test('the table of a run has a line a row', () => {
  expect(tableOf([page(10)])).toBe(
    [
      '               row   measured                        value   quartiles  floor   medians',
      'ok, below aim  page  a page, against JSON.stringify  10.0 ×  9.50–10.5  ≥ 8.00  1 ms : 10 ms',
    ].join('\n'),
  )
})

test('the table of several runs has the extremes', () => {
  expect(markdownOf([[page(12)], [page(7)], [page(9)]]).split('\n')[2]).toBe(
    '| `page` | a page, against JSON.stringify | × | 7.00 | 9.00 | 12.0 | ≥ 8.00 | 12.0 | 1 ms : 10 ms |',
  )
})
