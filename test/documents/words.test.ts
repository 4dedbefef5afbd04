import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../containers/stack-file.ts'
import { pages, proseOf } from './blocks.ts'

const wordsMax = 22_000

/** References, which a reader looks things up in: generated ones, decisions, and the specification of the API. */
const isReference = (page: string): boolean =>
  /^docs\/(?:measured\/|decisions\/|(?:cardinality|layers|metrics|options|specification)\.md$)/.test(page)

const counted = pages.filter((page) => page.startsWith('docs/') && !isReference(page))

test('the README is read in three minutes: at most 620 words, commands among them', () => {
  const words = readFileSync(new URL('README.md', root), 'utf8').match(/\S+/g) ?? []
  expect(words.length).toBeLessThanOrEqual(620)
})

test(`pages have at most ${wordsMax} words`, () => {
  const words = counted.flatMap((page) => proseOf(page).match(/\S+/g) ?? []).length
  expect(words).toBeGreaterThan(wordsMax / 2)
  expect(words, `cut ${words - wordsMax} words, of any of these pages`).toBeLessThanOrEqual(wordsMax)
})
