import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../containers/stack-file.ts'

const wordsMax = 22_000

/** References, which a reader looks things up in: generated ones, decisions, and the specification of the API. */
const isReference = (page: string): boolean =>
  /^docs\/(?:measured\/|decisions\/|(?:cardinality|layers|metrics|options|specification)\.md$)/.test(page)

const pages = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((page) => !isReference(page))

/** The prose of a page: its blocks are run or copied. */
const textOf = (page: string): string =>
  readFileSync(new URL(page, root), 'utf8').replaceAll(/^( *)```[^]*?^\1```$/gm, '')

test('the README is read in three minutes: at most 620 words, commands among them', () => {
  const words = readFileSync(new URL('README.md', root), 'utf8').match(/\S+/g) ?? []
  expect(words.length).toBeLessThanOrEqual(620)
})

test(`pages have at most ${wordsMax} words`, () => {
  const words = pages.flatMap((page) => textOf(page).match(/\S+/g) ?? []).length
  expect(words).toBeGreaterThan(wordsMax / 2)
  expect(words, `cut ${words - wordsMax} words, of any of these pages`).toBeLessThanOrEqual(wordsMax)
})
