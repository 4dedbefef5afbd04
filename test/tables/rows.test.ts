import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** These files are not generated: after an intended change, edit the lines that the test reports, and review them. */
const reviewed = (name: string): string =>
  readFileSync(new URL(`./rows/${name}.txt`, import.meta.url), 'utf8')

/** Tables of many columns have a line a column, those of many rows a line a row. */
const rowsAtColumnMax = 6

test('tables have the rows of test/tables/rows', { timeout: 300_000 }, async () => {
  // Imported here, so that `npm run test:mutants` reloads the modules for each mutant.
  const { tables } = await import('../../src/tables/catalog.ts')
  const { frameOf, rowsOf, worldOf } = await import('./framed-worlds.ts')
  const { numberedWorld } = await import('./numbered-world.ts')
  const world = worldOf(frameOf(numberedWorld()))
  for (const table of tables.values()) {
    if (table.fetch !== undefined) continue
    const columns = Object.entries(table.row.fields)
    const titles = columns.map(([name, { unit }]) =>
      unit === 'none' || unit === 'text' || unit === 'count' ? name : `${name} (${unit})`,
    )
    const rows = (await rowsOf(table, world)).map((row) => columns.map(([name]) => String(row[name] ?? '–')))
    const lines =
      rows.length > rowsAtColumnMax
        ? [titles, ...rows]
        : titles.map((title, index) => [title].concat(rows.map((cells) => cells[index])))
    const text = lines.map((cells) => `${cells.join(' | ')}\n`).join('')
    expect.soft(text, table.name).toBe(reviewed(table.name))
  }
})
