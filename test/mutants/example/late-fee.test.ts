import { expect, test } from 'vitest'
import { lateFee } from './late-fee.ts'

/** Says nothing about the third day itself, nor of a fee that is waived. */
test('a part that is late costs 5 dollars a day', () => {
  expect(lateFee(1, false)).toBe(0)
  expect(lateFee(10, false)).toBe(50)
})
