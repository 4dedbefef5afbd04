import { expect, test } from 'vitest'
import { day } from '../../../src/world/simulation/time.ts'
import { fingerprintAfter } from './fingerprint.ts'

/**
 * Detects unintended changes of the world. After an intended one, update the hash with `npx vitest run
 * test/world/properties/pinned-world.test.ts -u`.
 */
test('the world is the one that was pinned', { timeout: 600_000 }, () => {
  expect(fingerprintAfter({ seed: 3n, scale: 'medium', span: 3 * day })).toMatchInlineSnapshot(
    `"814fa48b66debca04f2d6ab6b28edf9a7e07175ec9dc5a919020bcd7fa07fb7b"`,
  )
})
