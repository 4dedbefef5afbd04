/** Text of an upstream is parsed in linear time: no regular expression on it can backtrack. */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

/** Every regular expression in the code that reads an upstream, by file. */
const reviewed: Readonly<Record<string, readonly string[]>> = {
  'src/text/json-values.ts': [String.raw`^-?\d{16,20}$`],
  'src/encoding/lossless-json.ts': [
    String.raw`(\w":)(-?[1-9]\d{15,19})(?=[,}])`,
    String.raw`(?:^|[\s[,:])-?[1-9]\d{15}`,
    String.raw`^-?\d{16,20}$`,
  ],

  'src/sources/attached/http/envelope.ts': [String.raw`^\d{1,16}$`],
  'src/sources/attached/kind.ts': [String.raw`^https?:\/\/`],
}

function patternsIn(file: string): string[] {
  const patterns: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('regex' in value) patterns.push((value.regex as { pattern: string }).pattern)
    else for (const child of Object.values(value)) visit(child)
  }
  visit(parseSync(file, readFileSync(file, 'utf8')).program)
  return patterns
}

const files = [
  'src/sources/attached/**/*.ts',
  'src/encoding/*.ts',
  'src/text/json-{scan,values}.ts',
  'src/codegen/in-place-decoder.ts',
].flatMap((pattern) => globSync(pattern).map((path) => path.replaceAll('\\', '/')))

test('every regular expression that reads an upstream is reviewed', () => {
  const found = files.map((file) => [file, patternsIn(file)] as const).filter(([, { length }]) => length > 0)
  expect(Object.fromEntries(found)).toEqual(reviewed)
  const built = files.filter((file) => readFileSync(file, 'utf8').includes('new RegExp('))
  expect(built).toEqual([])
})

/** An unbounded repetition: `*`, `+` or `{n,}` that is neither escaped nor in a character class. */
const unbounded = /(?<!\\)(?:[*+]|\{\d+,\})/g

test.each(Object.values(reviewed).flat())('%s has at most one unbounded repetition', (pattern) => {
  const outsideClasses = pattern.replaceAll(/\[[^\]]*\]/g, 'x')
  expect(outsideClasses.match(unbounded) ?? []).toHaveLength(pattern.includes('+$') ? 1 : 0)
})
