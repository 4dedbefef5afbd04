import { expect, test } from 'vitest'
import { worldSettings } from '../../../src/options/world-settings.ts'
import { firstLookAt, isPresentable } from './first-look.ts'

/** To find another seed: `npm run world -- --rank-seeds 1..60`. */
const timeout = 600_000

test('in the first ten minutes of the default world, something begins, and a grave incident is lived through', {
  timeout,
}, () => {
  const look = firstLookAt(BigInt(worldSettings.seed.defaultText))
  expect(look).toSatisfy(isPresentable)
})

test('and in the first quarter of an hour of a small world of another seed', { timeout }, () => {
  expect(firstLookAt(3n, 'small', 15)).toSatisfy(isPresentable)
})
