import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('mutants of tested behavior are killed; others survive', { timeout: 300_000 }, () => {
  const words = ['test/mutants/main.ts', 'test/mutants/example', '--sample', '0', '--floor', '80']
  const { stdout, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  // Those of the notice meet its tests alone, not the last failure of the fee's.
  const survivors = [
    'late-fee.ts:3  0 → 1  (no test comes here), late-fee.ts:3  isWaived → false',
    'late-fee.ts:4  3 → 4, late-fee.ts:4  days >= 3 → days > 3, notice.ts:2  0 → 1',
    'notice.ts:2  days > 0 → days >= 0',
  ].flatMap((line) => line.split(', '))
  const lines = survivors.map((survivor) => `  test/mutants/example/${survivor}\n`)
  expect(stdout).toContain(`\nSurvivors\n${lines.join('')}\n`)
  expect(stdout).toMatch(/^ +7 of +13 killed +54 % {2}test\/mutants\/example$/m)
  expect(status).toBe(1)
})
