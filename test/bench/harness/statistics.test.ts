import { expect, test } from 'vitest'
import { estimateOf, growthExponent, isNoisy, quantile, spreadOf } from './statistics.ts'

test('a quantile lies between its neighbors in proportion', () => {
  expect(quantile([4, 1, 3, 2], 0)).toBe(1)
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
  expect(quantile([4, 1, 3, 2], 1)).toBe(4)
  expect(quantile([10, 20], 0.25)).toBe(12.5)
  expect(quantile([7], 0.99)).toBe(7)
  expect(() => quantile([], 0.5)).toThrow('There is no quantile of no values.')
})

test('an estimate is the median with its quartiles', () => {
  expect(estimateOf([9, 1, 5, 3, 7])).toEqual({ value: 5, low: 3, high: 7, rounds: 5 })
})

test('a single disturbed round moves neither value nor quartiles', () => {
  expect(estimateOf([5, 5, 5, 5, 5, 5, 5, 900])).toEqual({ value: 5, low: 5, high: 5, rounds: 8 })
})

test('quartiles further apart than a quarter of the median mark a noisy value', () => {
  const steady = { value: 8, low: 7, high: 9, rounds: 11 }
  expect(spreadOf(steady)).toBe(0.25)
  expect(isNoisy(steady)).toBe(false)
  expect(isNoisy({ ...steady, high: 9.1 })).toBe(true)
})

test('the exponent of growth is the power of the size', () => {
  const sizes = [120, 1_000, 10_000, 50_000]
  const grown = (power: number) => sizes.map((size) => ({ size, cost: 3 * size ** power }))
  expect(growthExponent(grown(1))).toBeCloseTo(1, 10)
  expect(growthExponent(grown(2))).toBeCloseTo(2, 10)
  expect(growthExponent(grown(0))).toBeCloseTo(0, 10)
  expect(
    growthExponent([
      { size: 10, cost: 1 },
      { size: 1_000, cost: 10 },
    ]),
  ).toBeCloseTo(0.5, 10)
  expect(() => growthExponent([{ size: 10, cost: 1 }])).toThrow('at least two sizes')
})
