import { expect, test } from 'vitest'
import { isAnnouncedLate } from './notice.ts'

/** Does not test the first days. */
test('a part that is late for days is announced', () => {
  expect(isAnnouncedLate(5)).toBe(true)
})
