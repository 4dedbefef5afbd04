import { expect, test } from 'vitest'
import { quoteForDetail } from '../../src/http/responses/problems.ts'
import { unknownText } from '../../src/http/responses/unknown-parts.ts'
import { sqliteErrorText } from '../../src/store/sqlite-error.ts'

const long = 'x'.repeat(5_000)

test.each([
  ['a parameter in a problem', quoteForDetail(long), `"${'x'.repeat(64)}"…`],
  [
    'the reason of an upstream in a header',
    unknownText({ hosts: long }, ['hosts']),
    `hosts: ${'x'.repeat(300)}`,
  ],
  ['a damaged schema in a message', sqliteErrorText(new Error(long)), 'x'.repeat(300)],
])('%s is cut', (_, text, cut) => {
  expect(text).toBe(cut)
})
