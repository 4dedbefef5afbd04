import { expect, test } from 'vitest'
import { day } from '../../../src/world/simulation/time.ts'
import { fingerprintAfter } from './fingerprint.ts'

/**
 * Detects unintended changes of the world. After an intended one, update the hash with `npx vitest run
 * test/world/properties/pinned-world.test.ts -u`.
 */
test('the world is the one that was pinned', { timeout: 600_000 }, () => {
  expect(fingerprintAfter({ seed: 3n, scale: 'medium', span: 3 * day })).toMatchInlineSnapshot(
    `"5908b311a6cb415c248664b68a514e338c63ba439d4a75886a12b553381367e1"`,
  )
})
