/** An upstream's records with null, empty, unknown or too large fields invalidate cells, not tables. */
import { beforeAll, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import { checkOfField } from '../../src/contract/record-check.ts'
import type { Frame } from '../../src/encoding/frames/frame.ts'
import { tables } from '../../src/tables/catalog.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { sweepSeeds } from '../fixtures/seeds.ts'
import { brokenText, damagedFrame, pathsOf, smallCrisis } from './damaged-frames.ts'
import type { Json } from './damaged-frames.ts'
import { rowsOf, textCells, worldOf } from './framed-worlds.ts'

let frame: Frame
beforeAll(() => {
  frame = smallCrisis()
})

/** The errors of the tables of a frame. */
async function faults(hostile: Frame): Promise<string[]> {
  const world = worldOf(hostile)
  const found: string[] = []
  for (const table of tables.values()) {
    try {
      const rows = rowsOf(table, world)
      const columns = Object.entries(table.row.fields)
      const mistyped = columns.filter(([name, field]) =>
        rows.some((row) => row[name] !== null && !checkOfField(field)(row[name])),
      )
      found.push(...mistyped.map(([name, { kind }]) => `${table.name}.${name} is no ${kind}`))
      const broken = textCells(rows).filter(([, text]) => brokenText.test(text))
      found.push(...broken.map(([column, text]) => `${table.name}.${column}: ${text}`))
      const numbers = rows.flatMap((row) => Object.values(row).filter((cell) => typeof cell === 'number'))
      if (!numbers.every(Number.isFinite)) found.push(`${table.name}: a number is not finite`)
      const filters = new Map(Object.keys(table.filters).map((filter) => [filter, ['.', '']]))
      rowsOf(table, world, { filters })
    } catch (error) {
      found.push(
        `${table.name}: ${String((error as Error).stack)
          .split('\n')
          .slice(0, 3)
          .join(' ')}`,
      )
    }
  }
  return found
}

test('the tables of a sound world have no fault', async () => {
  expect(await faults(frame)).toEqual([])
})

/** The fields that are null at a time: an eighth of a record. */
const groups = 8

test.each(collectionNames)('%s: null in any field costs no table', async (name) => {
  const paths = pathsOf(frame, name)
  for (let first = 0; first < groups; first++) {
    const chosen = new Set(paths.filter((_, index) => index % groups === first))
    const found = await faults(damagedFrame(frame, [name], (value, at) => (chosen.has(at) ? null : value)))
    expect([found.length === 0 ? [] : [...chosen], found]).toEqual([[], []])
  }
})

test.each([2 ** 53, -(2 ** 53), 2 ** 62, 101, -101])(
  'a host at rack unit %d costs no table',
  async (unit) => {
    const moved = damagedFrame(frame, ['hosts'], (value, at) => (at.endsWith('.start_u') ? unit : value))
    expect(await faults(moved)).toEqual([])
  },
)

test('counts beyond exact numbers are unknown', async () => {
  const absurd = damagedFrame(frame, ['azs'], (value, at) =>
    /\.(?:host_count|used_u)$/.test(at) ? -(2 ** 62) : value,
  )
  expect(await faults(absurd)).toEqual([])
  const [world] = rowsOf(tables.get('world')!, worldOf(absurd))
  expect(world['hosts']).toBeNull()
})

/** One of the ways in which a scalar can be wrong and yet be accepted. */
function mangled(value: Json, random: SeededRandom): Json {
  if (random.oneIn(2)) return null
  if (typeof value === 'string') return ['', 'constructor', 'HalfOpen', '{name}'][random.below(4)]
  if (typeof value === 'number' && !Number.isInteger(value)) return [1e308, -1e308, 0][random.below(3)]
  return value
}

test.each(['constructor', '__proto__'])('words that are %s cost no table', async (word) => {
  const hostile = damagedFrame(frame, collectionNames, (value) => (typeof value === 'string' ? word : value))
  expect(await faults(hostile)).toEqual([])
})

test.each(sweepSeeds(1, 2, 2).map(Number))('a third of all values damaged, seed %i', async (seed) => {
  const random = new SeededRandom(seed)
  const hostile = damagedFrame(frame, collectionNames, (value, path) =>
    /\.(?:id|at_ns)$/.test(path) || (typeof value === 'object' && value !== null) || !random.oneIn(3)
      ? value
      : mangled(value, random),
  )
  expect(await faults(hostile)).toEqual([])
})
