import { expect, test } from 'vitest'
import { reviewedTexts } from '../fixtures/reviewed-texts.ts'

const reviewed = reviewedTexts(new URL('./filter-values/', import.meta.url))

test('the rows of tables have the values of test/tables/filter-values', async () => {
  // Imported here, so that `npm run node test/mutants/main.ts` reloads the modules for each mutant.
  const { tables } = await import('../../src/tables/catalog.ts')
  const { filteredIn, frameOf, worldOf } = await import('./framed-worlds.ts')
  const { unlessUnknown } = await import('../../src/tables/engine/table.ts')
  const { numberedWorld } = await import('./numbered-world.ts')
  const world = worldOf(frameOf(numberedWorld()))
  const filtered = [...tables.values()].filter(
    ({ filters, entitiesFor }) => entitiesFor === undefined && Object.keys(filters).length > 0,
  )
  for (const table of filtered) {
    const lines = Object.entries(table.filters).map(([name, { values }]) => {
      const texts = filteredIn(table, name, world).map((item) => {
        const own = unlessUnknown(() => values?.(item, world)) ?? []
        return own.filter((value) => value !== null && value !== undefined).join(', ') || '–'
      })
      return `${name}: ${[...new Set(texts)].join(' | ')}\n`
    })
    expect.soft(lines.join(''), table.name).toBe(reviewed.text(table.name))
  }
  expect(reviewed.names).toEqual(filtered.map(({ name }) => name).toSorted())
})

test.each([
  [0, 0, 'no'],
  [1, 0, 'yes'],
  [0, 1, 'yes'],
])('a port with %d peers and %d cables is in use: %s', async (peers, cables, isInUse) => {
  const { tables } = await import('../../src/tables/catalog.ts')
  const port = { peer: peers === 0 ? null : {}, cable_ids: [1].slice(0, cables) }
  const item = { kind: 'Host', device: {}, port }
  expect(tables.get('ports')!.filters['in_use'].values!(item, null as never)).toEqual([isInUse])
})
