import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordCheck } from '../../src/contract/record-check.ts'
import * as vocabularies from '../../src/contract/vocabularies.ts'
import { tables } from '../../src/tables/catalog.ts'
import type { Cell, Row } from '../../src/tables/engine/table.ts'
import type { TableWorld } from '../../src/tables/engine/table-world.ts'
import { crisisSnapshot, frameOf, quietSnapshot, rowsOf, textCells, worldOf } from './framed-worlds.ts'

const all = [...tables.values()]

/** Values of the contract that are not words: `NobodyOnShift`, `no_vcpu`, `gpu-training`. */
const enumWords = Object.values(vocabularies)
  .filter((values) => Array.isArray(values))
  .flat()
  .map(String)
  .filter((value) => /[a-z][A-Z]|_|^[a-z]+-[a-z]+$/.test(value))
  .filter((value) => !/^(?:x86_64|QSFP-DD)$/.test(value))
const enumPattern = new RegExp(`\\b(?:${enumWords.join('|')})\\b`)

const brokenText = /undefined|NaN|\[object|\bformer\b|\{\w+\}/
const messageKey = /^\w+\.[\w-]+(?:\.\w+)?$/
/** Columns of digits that are not ids. */
const digitColumns = new Set(['position', 'port', 'cables'])

describe.each([
  ['quiet', quietSnapshot],
  ['in a crisis', crisisSnapshot],
] as const)('a world that is %s', (_name, snapshot) => {
  let world: TableWorld
  const rowsByTable = new Map<string, readonly Row[]>()
  const rowsIn = (name: string): readonly Row[] => rowsByTable.get(name)!

  beforeAll(async () => {
    world = worldOf(frameOf(snapshot()))
    for (const table of all) rowsByTable.set(table.name, rowsOf(table, world))
  })

  test.each(all)('$name has flat rows with the columns that are documented', ({ name, row }) => {
    const columns = Object.keys(row.fields)
    const check = recordCheck(row)
    for (const one of rowsIn(name)) {
      expect(Object.keys(one)).toEqual(columns)
      expect([one, check(one)]).toEqual([one, true])
    }
  })

  test.each(all)('$name speaks in words', ({ name }) => {
    const wrong = textCells(rowsIn(name)).filter(([, text]) =>
      [enumPattern, brokenText, messageKey].some((pattern) => pattern.test(text)),
    )
    expect(wrong).toEqual([])
  })

  test.each(all)('$name has names where names belong, and ids that are digits', ({ name }) => {
    const wrong = textCells(rowsIn(name)).filter(
      ([column, text]) => !digitColumns.has(column) && /^\d+$/.test(text) !== column.endsWith('_id'),
    )
    expect(wrong).toEqual([])
  })

  test('every severity is one of the scale', () => {
    const severities = all.flatMap(({ name }) => rowsIn(name).map((row) => row['severity'] ?? 0))
    expect(new Set(severities).isSubsetOf(new Set<Cell>([0, 1, 2, 3, 4]))).toBe(true)
  })

  test('ids lead to rows of the table that they are of', () => {
    const idsIn = (name: string) => new Set(rowsIn(name).map((row) => row[`${name.replace(/s$/, '')}_id`]))
    const targets: Readonly<Record<string, string>> = {
      host_id: 'hosts',
      customer_id: 'customers',
      incident_id: 'incidents',
      zone_id: 'zones',
      rack_id: 'racks',
      pool_id: 'pools',
    }
    // Orders outlive the incidents that they served, and events outlive their entities.
    const others = all.filter(({ name }) => !['work', 'work-steps', 'events'].includes(name))
    const links = others.flatMap(({ name }) =>
      rowsIn(name).flatMap((row) =>
        Object.entries(targets).map(([column, target]) => ({
          name,
          column,
          target,
          id: row[column] ?? null,
        })),
      ),
    )
    const known = new Map(Object.values(targets).map((target) => [target, idsIn(target)]))
    const dead = links.filter(({ target, id }) => id !== null && known.get(target)?.has(id) !== true)
    expect(dead).toEqual([])
    expect(links.filter(({ id }) => id !== null).length).toBeGreaterThan(100)
  })
})

test('docs/tables.md lists every table, and no other', () => {
  const page = readFileSync('docs/tables.md', 'utf8')
  const listed = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => Array.from(line.split('|')[1].matchAll(/`([\w-]+)`/g), ([, name]) => name))
  expect(listed.toSorted()).toEqual([...tables.keys()].toSorted())
})

describe('a crisis', () => {
  let world: TableWorld
  beforeAll(() => {
    world = worldOf(frameOf(crisisSnapshot()))
  })

  test('fills every table', () => {
    for (const table of all.filter(({ entitiesFor }) => entitiesFor === undefined)) {
      const rows = rowsOf(table, world)
      expect([table.name, rows.length > 0]).toEqual([table.name, true])
    }
  })
})
