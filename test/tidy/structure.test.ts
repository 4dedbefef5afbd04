import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { files, importsOf, isSource } from './source-files.ts'

const folderFilesMax = 12
const importersMax = 40

/** Vocabulary may be imported from everywhere: it has no behavior that a change could break far away. */
const importedEverywhere: Readonly<Record<string, string>> = {
  'src/contract/collections.ts': 'types of the records only',
  'src/contract/vocabularies.ts': 'closed sets of names only',
  'src/simulation/state.ts':
    'types only: the read-only state of the simulation, of which parts still take more than they read',
  'src/simulation/time.ts': 'units of simulated time',
  'src/simulation/topology/tables.ts': 'types of the equipment tables, which never change while a world runs',
}

const sources = files.filter(({ path }) => isSource(path))

test(`a folder of src has at most ${folderFilesMax} files`, () => {
  const counts = Map.groupBy(sources, ({ path }) => posix.dirname(path))
  const crowded = [...counts].filter(([, { length }]) => length > folderFilesMax)
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([])
})

test(`only vocabulary is imported by more than ${importersMax} files`, () => {
  const counts = new Map<string, number>()
  for (const file of sources) {
    const folder = posix.dirname(file.path)
    const imported = new Set(importsOf(file).map(({ specifier }) => posix.join(folder, specifier)))
    for (const path of imported) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const popular = [...counts].filter(([path, count]) => path.startsWith('src/') && count > importersMax)
  expect(popular.map(([path]) => path).toSorted()).toEqual(Object.keys(importedEverywhere))
})
