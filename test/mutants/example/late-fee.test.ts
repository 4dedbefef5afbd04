import { expect, test } from 'vitest'
import { lateFee } from './late-fee.ts'

/** Does not test the third day itself, nor a waived fee. */
test('a part that is late costs 5 dollars a day', () => {
  expect(lateFee(1, false)).toBe(0)
  expect(lateFee(10, false)).toBe(50)
})
