import { expect, test } from 'vitest'
import { timeLeft } from '../../src/text/time-left.ts'

test.each([
  [0, 5_000, ''],
  [1, 5_000, ''],
  [0.5, 900, ''],
  [0.5, 10_000, ', about 10 s left'],
  [0.9, 9_000, ', about 5 s left'],
  [0.1, 10_000, ', about 90 s left'],
  [0.1, 60_000, ', about 9 min left'],
])('a share of %s done in %s ms', (done, elapsedMs, expected) => {
  expect(timeLeft(done, elapsedMs)).toBe(expected)
})
