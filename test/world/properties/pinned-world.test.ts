import { expect, test } from 'vitest'
import { day } from '../../../src/world/simulation/time.ts'
import { fingerprintAfter } from './fingerprint.ts'

/**
 * Detects unintended changes of the world. After an intended one, update the hash with `npx vitest run
 * test/world/properties/pinned-world.test.ts -u`.
 */
test('the world is the one that was pinned', { timeout: 600_000 }, () => {
  expect(fingerprintAfter({ seed: 3n, scale: 'medium', span: 3 * day })).toMatchInlineSnapshot(
    `"5c98610ec549c82a745b603427d9fa9cf3e3798d7b6ec1444e9e1121f8eae809"`,
  )
})
