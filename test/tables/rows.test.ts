import { expect, test } from 'vitest'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'

const reviewed = reviewedTexts(new URL('./rows/', import.meta.url))

/** Tables of many columns have a line a column, those of many rows a line a row. */
const rowsAtColumnMax = 6

test('tables have the rows of test/tables/rows', { timeout: 300_000 }, async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { tables } = await import('../../src/tables/catalog.ts')
  const { frameOf, rowsOf, worldOf } = await import('./framed-worlds.ts')
  const { numberedWorld } = await import('./numbered-world.ts')
  const world = worldOf(frameOf(numberedWorld()))
  const shown = [...tables.values()].filter(({ entitiesFor }) => entitiesFor === undefined)
  for (const table of shown) {
    const columns = Object.entries(table.row.fields)
    const titles = columns.map(([name, { unit }]) =>
      unit === 'none' || unit === 'text' || unit === 'count' ? name : `${name} (${unit})`,
    )
    const rows = rowsOf(table, world).map((row) => columns.map(([name]) => String(row[name] ?? '–')))
    const lines =
      rows.length > rowsAtColumnMax
        ? [titles, ...rows]
        : titles.map((title, index) => [title].concat(rows.map((cells) => cells[index])))
    const text = lines.map((cells) => `${cells.join(' | ')}\n`).join('')
    expect.soft(text, table.name).toBe(reviewed.text(table.name))
  }
  expect(reviewed.names).toEqual(shown.map(({ name }) => name).toSorted())
})
