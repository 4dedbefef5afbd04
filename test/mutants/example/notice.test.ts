import { expect, test } from 'vitest'
import { isLate } from './notice.ts'

/** Does not test the first days. */
test('a part that is late for days is announced', () => {
  expect(isLate(5)).toBe(true)
})
