/** An upstream's records with null, empty, unknown or too large fields invalidate cells, not tables. */
import { beforeAll, expect, test } from 'vitest'
import { collectionNames } from '../../src/contract/collections.ts'
import type { CollectionName } from '../../src/contract/collections.ts'
import type { EncodedList, Frame } from '../../src/encoding/frames/frame.ts'
import { tables } from '../../src/tables/catalog.ts'
import { SeededRandom } from '../fixtures/seeded-random.ts'
import { crisisSnapshot, frameOf, rowsOf, textCells, worldOf } from './framed-worlds.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** Replaces a value. */
type Damage = (value: Json, path: string) => Json

const recordsKept = 2
const brokenText = /\b(?:NaN|Infinity|undefined|null)\b|\[object/

let frame: Frame
beforeAll(() => {
  const snapshot = crisisSnapshot()
  const few = Object.entries(snapshot.collections).map(([name, records]) => [
    name,
    // The affected incidents, hosts and devices are among the first or the last.
    records.length <= 2 * recordsKept
      ? records
      : [...records.slice(0, recordsKept), ...records.slice(-recordsKept)],
  ])
  frame = frameOf({
    ...snapshot,
    collections: Object.fromEntries(few) as typeof snapshot.collections,
    events: snapshot.events.slice(-20),
  })
})

function damaged(value: Json, damage: Damage, path: string): Json {
  const changed = damage(value, path)
  if (changed !== value || changed === null || typeof changed !== 'object') return changed
  if (Array.isArray(changed)) return changed.map((item) => damaged(item, damage, `${path}[]`))
  return Object.fromEntries(
    Object.entries(changed).map(([key, item]) => [key, damaged(item, damage, `${path}.${key}`)]),
  )
}

function damagedList<L extends EncodedList>(list: L, damage: Damage, path: string): L {
  const texts = Array.from({ length: list.starts.length - 1 }, (_, index) =>
    Buffer.from(list.bytes).toString('utf8', list.starts[index], list.starts[index + 1] - 1),
  )
  const items = texts.map((text) => Buffer.from(JSON.stringify(damaged(JSON.parse(text), damage, path))))
  const starts = new Uint32Array(items.length + 1)
  for (const [index, { length }] of items.entries()) starts[index + 1] = starts[index] + length + 1
  return { ...list, bytes: Buffer.from(items.join(',')), starts }
}

const damagedFrame = (names: readonly CollectionName[], damage: Damage): Frame => ({
  ...frame,
  collections: {
    ...frame.collections,
    ...Object.fromEntries(names.map((name) => [name, damagedList(frame.collections[name], damage, name)])),
  },
  events: damagedList(frame.events, damage, 'events'),
})

/** The errors of the tables of a frame. */
async function faults(hostile: Frame): Promise<string[]> {
  const world = worldOf(hostile)
  const found: string[] = []
  for (const table of tables.values()) {
    try {
      const rows = await rowsOf(table, world)
      const broken = textCells(rows).filter(([, text]) => brokenText.test(text))
      found.push(...broken.map(([column, text]) => `${table.name}.${column}: ${text}`))
      const numbers = rows.flatMap((row) => Object.values(row).filter((cell) => typeof cell === 'number'))
      if (!numbers.every(Number.isFinite)) found.push(`${table.name}: a number is not finite`)
      const filters = new Map(Object.keys(table.filters).map((filter) => [filter, ['.', '']]))
      await rowsOf(table, world, { filters })
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

/** The distinct paths of all fields. */
function pathsOf(name: CollectionName): string[] {
  const paths = new Set<string>()
  const note: Damage = (value, path) => {
    paths.add(path)
    return value
  }
  damagedList(frame.collections[name], note, name)
  return [...paths].filter((path) => path.includes('.') && !path.endsWith('.id'))
}

test('the tables of a sound world have no fault', async () => {
  expect(await faults(frame)).toEqual([])
})

/** The fields that are null at a time: an eighth of a record. */
const groups = 8

test.each(collectionNames)('%s: null in any field costs no table', async (name) => {
  const paths = pathsOf(name)
  for (let first = 0; first < groups; first++) {
    const chosen = new Set(paths.filter((_, index) => index % groups === first))
    const found = await faults(damagedFrame([name], (value, at) => (chosen.has(at) ? null : value)))
    expect([found.length === 0 ? [] : [...chosen], found]).toEqual([[], []])
  }
})

/** One of the ways in which a scalar can be wrong and yet be accepted. */
function mangled(value: Json, random: SeededRandom): Json {
  if (random.oneIn(2)) return null
  if (typeof value === 'string') return ['', 'constructor', 'HalfOpen', '{name}'][random.below(4)]
  if (typeof value === 'number' && !Number.isInteger(value)) return [1e308, -1e308, 0][random.below(3)]
  return value
}

test.each(Array.from({ length: 8 }, (_, index) => index + 1))(
  'a third of all values damaged, seed %i',
  async (seed) => {
    const random = new SeededRandom(seed)
    const hostile = damagedFrame(collectionNames, (value, path) =>
      /\.(?:id|at_ns)$/.test(path) || (typeof value === 'object' && value !== null) || !random.oneIn(3)
        ? value
        : mangled(value, random),
    )
    expect(await faults(hostile)).toEqual([])
  },
)
