import { expect, test } from 'vitest'
import { sweepSeeds } from '../../fixtures/seeds.ts'
import { claims, falseClaims } from './claims.ts'

/** `DCSIM_TEST_CLAIMS=1000` looks at so many publishes of each world. */
const publishes = Number(process.env['DCSIM_TEST_CLAIMS'] ?? 400)

test('what readings and sentences claim is true of the records beside them', { timeout: 3_600_000 }, () => {
  const checked = new Set<RegExp>()
  for (const seed of sweepSeeds(301, 2, 4)) {
    const run = falseClaims({ seed, publishes })
    expect(run.violations).toEqual([])
    for (const claim of run.checked) checked.add(claim)
  }
  // The rest is seen in longer runs.
  expect(checked.size).toBeGreaterThan(claims.length / 2)
})
