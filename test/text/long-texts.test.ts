import { expect, test } from 'vitest'
import { unknownText } from '../../src/http/responses/unknown-parts.ts'
import { sqliteErrorText } from '../../src/store/sqlite-error.ts'
import { quoted } from '../../src/text/quoted.ts'

const long = 'x'.repeat(5_000)

test.each([
  ['a text in a message', quoted(long), `"${'x'.repeat(64)}"…`],
  [
    'the reason of an upstream in a header',
    unknownText({ hosts: long }, ['hosts']),
    `hosts: ${'x'.repeat(300)}`,
  ],
  ['a damaged schema in a message', sqliteErrorText(new Error(long)), 'x'.repeat(300)],
])('%s is cut', (_, text, cut) => {
  expect(text).toBe(cut)
})
