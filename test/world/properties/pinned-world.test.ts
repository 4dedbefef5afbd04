import { expect, test } from 'vitest'
import { day } from '../../../src/world/simulation/time.ts'
import { fingerprintAfter } from './fingerprint.ts'

/**
 * Detects unintended changes of the world. After an intended one, update the hash with `npx vitest run
 * test/world/properties/pinned-world.test.ts -u`.
 */
test('the world is the one that was pinned', { timeout: 600_000 }, () => {
  expect(fingerprintAfter({ seed: 3n, scale: 'medium', span: 3 * day })).toMatchInlineSnapshot(
    `"c53a8edc517bacdd10ab998e30571b4ca55aff2073ab5e53b9a1bb86a06609d2"`,
  )
})
