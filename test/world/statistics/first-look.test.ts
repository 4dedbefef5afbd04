import { expect, test } from 'vitest'
import { worldSettings } from '../../../src/options/world-settings.ts'
import { firstLookAt, isPresentable } from './first-look.ts'

test('the default world shows something open, a Critical, a Major and four kinds of causes in its first minutes', {
  timeout: 600_000,
}, () => {
  const look = firstLookAt(BigInt(worldSettings.seed.defaultText))
  // To find another seed: `npm run world -- --rank-seeds 1..60`.
  expect(look).toSatisfy(isPresentable)
})
