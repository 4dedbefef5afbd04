import { expect, test } from 'vitest'
import { dataCard } from '../../../src/practice/cases/data-card.ts'

test('says by what command and version the cases were made, and under which license they are', () => {
  const card = dataCard({
    version: '1.2.3',
    command: 'dcsim-mirror cases --count 2',
    tiers: new Map([['gauge', 2]]),
    kinds: new Map([['CableCut', 2]]),
    discarded: new Map(),
  })
  expect(card).toContain('Made by `dcsim-mirror cases --count 2`, version 1.2.3.')
  expect(card).toContain('The cases are under [CC-BY-4.0](https://creativecommons.org/licenses/by/4.0/)')
  expect(card).toMatch(/name dcsim-mirror\s+and this version as the source/)
})
