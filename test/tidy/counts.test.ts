import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collectorFamilies } from '../../src/metrics/exposition/exposition.ts'
import { families } from '../../src/metrics/families/all.ts'
import { mirrorFamilies } from '../../src/metrics/declaration/mirror-families.ts'
import { tables } from '../../src/tables/catalog.ts'
import { files } from './source-files.ts'

const linesIn = (wanted: RegExp): number =>
  files
    .filter(({ path }) => wanted.test(path) && path.endsWith('.ts'))
    .reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)

const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>
const columnCounts = Array.from(tables.values(), ({ columns }) => Object.keys(columns).length)

/**
 * Counts with their bounds: to raise a bound is a decision, and so is to lower it after a cut. Those of lines are in
 * hundreds, so that a fix of a line or two does not need one.
 */
const counts: readonly (readonly [what: string, count: number, max: number])[] = [
  ['lines of src without src/world and src/practice', linesIn(/^src\/(?!world\/|practice\/)/), 40_100],
  ['lines of src/practice', linesIn(/^src\/practice\//), 5_100],
  ['lines of src/world', linesIn(/^src\/world\//), 35_200],
  ['lines of test', linesIn(/^test\//), 81_800],
  ['production dependencies', Object.keys(dependencies).length, 5],
  ['scripts of npm', Object.keys(scripts).length, 15],
  ['tables', tables.size, 35],
  ['columns of tables', columnCounts.reduce((sum, count) => sum + count, 0), 385],
  ['metric families', Object.keys({ ...families, ...collectorFamilies, ...mirrorFamilies }).length, 350],
]

test.each(counts)('%s: %i of at most %i', (_, count, max) => {
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(max)
})
