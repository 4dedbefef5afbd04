import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tables } from '../../src/tables/catalog.ts'
import { numberedWorld } from './numbered-world.ts'
import { frameOf, rowsOf, worldOf } from './framed-worlds.ts'

/** No program writes these files: after an intended change, edit the lines that a test names, and read them. */
const reviewed = (name: string): string =>
  readFileSync(new URL(`./rows/${name}.txt`, import.meta.url), 'utf8')

const world = worldOf(frameOf(numberedWorld()))

/** Tables of many columns have a line a column, those of many rows a line a row. */
const rowsAtColumnMax = 6

test.each([...tables.values()].filter(({ fetch }) => fetch === undefined))(
  '$name has the rows of test/tables/rows',
  async (table) => {
    const columns = Object.keys(table.columns)
    const rows = (await rowsOf(table, world)).map((row) =>
      columns.map((column) => String(row[column] ?? '–')),
    )
    const lines =
      rows.length > rowsAtColumnMax
        ? [columns, ...rows]
        : columns.map((column, index) => [column, ...rows.map((cells) => cells[index])])
    expect(`${lines.map((cells) => cells.join(' | ')).join('\n')}\n`).toBe(reviewed(table.name))
  },
)
