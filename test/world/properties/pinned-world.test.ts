import { expect, test } from 'vitest'
import { day } from '../../../src/world/simulation/time.ts'
import { fingerprintAfter } from './fingerprint.ts'

/**
 * Detects unintended changes of the world. After an intended one, update the hash with `npx vitest run
 * test/world/properties/pinned-world.test.ts -u`.
 */
test('the world is the one that was pinned', { timeout: 600_000 }, () => {
  expect(fingerprintAfter({ seed: 3n, scale: 'medium', span: 3 * day })).toMatchInlineSnapshot(
    `"bf6a283a48735b3be6b4ece46f9e53cb6c291f5cfbb367c649d28b46b04957d6"`,
  )
})
