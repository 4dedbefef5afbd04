import { readFileSync, writeFileSync } from 'node:fs'
import { isMap, isScalar, parseDocument } from 'yaml'
import type { YAMLMap } from 'yaml'
import { commandLine } from '../fixtures/command-line.ts'

const chart = new URL('../../deploy/helm/dcsim-mirror/', import.meta.url)
const readme = new URL('README.md', chart)
const table = /^\| Value \| Default \| Meaning \|\n(?:\|.*\n)+/m

/** A value of the chart: its path, its default as JSON, and what its comment says. */
interface ChartValue {
  readonly path: string
  readonly defaultText: string
  readonly meaning: string
}

/** The paragraph of a comment that stands directly above what it is about. */
const lastParagraph = (comment: string): string =>
  comment.split('\n\n').at(-1)!.replaceAll(/\s+/g, ' ').trim()

/** Sections, whose values have comments of their own, are entered; a map with a comment above it is one value. */
function valuesOf(map: YAMLMap, parent = ''): ChartValue[] {
  return map.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) throw new Error('A key of values.yaml is no text.')
    const path = `${parent}${String(key.value)}`
    const isSection = isMap(value) && (value.commentBefore ?? null) !== null
    if (isSection) return valuesOf(value, `${path}.`)
    // The parser keeps the comment above the first key with the map.
    const comment = index === 0 && parent !== '' ? map.commentBefore : key.commentBefore
    const defaultText = JSON.stringify((value as YAMLMap).toJSON())
    return [{ path, defaultText, meaning: lastParagraph(comment ?? '') }]
  })
}

export function chartValues(): readonly ChartValue[] {
  const { contents } = parseDocument(readFileSync(new URL('values.yaml', chart), 'utf8'))
  if (!isMap(contents)) throw new Error('values.yaml is no map.')
  return valuesOf(contents)
}

/** The README of the chart with the table that follows from its values, and as it is. */
export function chartReadme(): { readonly expected: string; readonly actual: string } {
  const actual = readFileSync(readme, 'utf8')
  const rows = chartValues().map(
    ({ path, defaultText, meaning }) => `| \`${path}\` | \`${defaultText}\` | ${meaning} |\n`,
  )
  const text = ['| Value | Default | Meaning |\n| --- | --- | --- |\n', ...rows].join('')
  return { actual, expected: actual.replace(table, () => text) }
}

const usage = `npm run node test/deploy/chart-readme.ts

Writes the table of values in deploy/helm/dcsim-mirror/README.md, which follows from values.yaml. It takes no options.`

if (import.meta.main) {
  commandLine(usage, { options: {} })
  writeFileSync(readme, chartReadme().expected)
}
