import { globSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { exportedNames, files, importedNames, importsOf, isScript, isSource } from './source-files.ts'

const folderFilesMax = 16
const importersMax = 40

/** Vocabulary may be imported from everywhere: it has no behavior that a change could break far away. */
const importedEverywhere: Readonly<Record<string, string>> = {
  'src/contract/collections.ts': 'types of the records only',
  'src/contract/fields.ts': 'the language in which records and rows are declared',
  'src/contract/vocabularies.ts': 'closed sets of names only',
  'src/tables/engine/table.ts': 'the language in which tables are declared',
  'src/world/simulation/faults/fault-kind.ts': 'the type of every fault kind, one file each',
  'src/world/simulation/incidents/diagnosis/cause-diagnosis.ts':
    'the words in which fault kinds state evidence',
  'src/world/simulation/random.ts': 'random streams, which are passed in everywhere',
  'src/world/simulation/state.ts': 'types of the world as its parts see it only',
  'src/world/simulation/time.ts': 'units of simulated time',
  'src/world/simulation/topology/entities.ts': 'names and ids of equipment, which every fault kind states',
  'src/world/simulation/topology/fault-target.ts': 'what a fault, an order and an action strike',
  'src/world/simulation/topology/tables.ts':
    'types of the equipment tables, which never change while a world runs',
}

const sources = files.filter(({ path }) => isSource(path))
/** Code and tests of the program, its alerts and dashboards. */
const isInTree = (path: string): boolean =>
  /^(?:src|alerts|dashboards|promql|deploy|test)\//.test(path) && isScript(path)

test(`a folder of the code has at most ${folderFilesMax} files`, () => {
  // One file per dashboard.
  const alike = 'dashboards/pages'
  const counts = Map.groupBy(
    files.filter(({ path }) => isInTree(path) && !path.startsWith('test/')),
    ({ path }) => posix.dirname(path),
  )
  const crowded = [...counts].filter(([folder, { length }]) => length > folderFilesMax && folder !== alike)
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([])
})

test('a folder of src holds more than one file, or several folders', () => {
  const contents = Map.groupBy(new Set(sources.flatMap(({ path }) => [path, posix.dirname(path)])), (path) =>
    posix.dirname(path),
  )
  // Each kind of source has a folder of its own.
  const isLonely = ([folder, { length }]: [string, readonly string[]]): boolean =>
    folder !== '.' && !folder.startsWith('src/sources/') && length === 1
  const lonely = [...contents].filter(isLonely)
  expect(lonely.map(([folder]) => folder)).toEqual([])
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

test('every export is imported by another file', () => {
  const used = new Map<string, Set<string>>()
  for (const file of files.filter(({ path }) => isScript(path))) {
    const folder = posix.dirname(file.path)
    for (const { specifier, names } of importedNames(file)) {
      const path = posix.join(folder, specifier)
      const known = used.get(path) ?? new Set()
      used.set(path, known.union(names))
    }
  }
  // The declarations of the package name the selectors of sources.
  const isDeclared = (path: string): boolean => /^src\/sources\/[^/]+\/kind\.ts$/.test(path)
  // A test compares values with this type.
  const checked = 'test/dashboards/declared-file.ts'
  const needless = files
    .filter(({ path }) => isInTree(path) && !isDeclared(path) && path !== checked)
    .flatMap((file) => {
      const names = used.get(file.path) ?? new Set()
      return names.has('*')
        ? []
        : exportedNames(file)
            .filter((name) => !names.has(name))
            .map((name) => `${file.path}: ${name}`)
    })
  expect(needless).toEqual([])
})

test('every file of src is imported by another of src', () => {
  const entryPoints = ['src/library.ts', 'src/main.ts', 'src/world-thread.ts', 'src/tables-thread.ts']
  const imported = new Set(
    sources.flatMap((file) =>
      importsOf(file).map(({ specifier }) => posix.join(posix.dirname(file.path), specifier)),
    ),
  )
  const left = sources.map(({ path }) => path).filter((path) => !imported.has(path))
  expect(left.toSorted()).toEqual(entryPoints.toSorted())
})

test('no files import each other in a circle', () => {
  const imports = new Map(
    files
      .filter(({ path }) => isInTree(path))
      .map((file) => [
        file.path,
        importsOf(file)
          // Modules loaded on demand wait for nothing.
          .filter(({ node }) => node.type !== 'ImportExpression')
          .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier)),
      ]),
  )
  const circles: string[] = []
  const finished = new Set<string>()
  const visit = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(' → '))
    if (above.includes(path) || finished.has(path)) return
    for (const imported of imports.get(path) ?? []) visit(imported, [...above, path])
    finished.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  expect(circles).toEqual([])
})

test('each group of fields of an incident has one writer', () => {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of sources)
    for (const [, group] of text.matchAll(/\bwritable\(incident, '(\w+)'\)/g))
      writers.set(group, (writers.get(group) ?? new Set()).add(path))
  expect(writers.size).toBe(10)
  expect([...writers].filter(([, { size }]) => size > 1)).toEqual([])
  // No other form of the call passes by.
  const others = sources.filter(({ text }) => /\bwritable\((?!incident, '\w+'\))/.test(text))
  expect(others.map(({ path }) => path)).toEqual([])
})

test('each pattern of vitest.config.ts names a test', () => {
  const { text } = files.find(({ path }) => path === 'vitest.config.ts')!
  const patterns = Array.from(text.matchAll(/'(test\/[^']*\.test\.ts)'/g), ([, pattern]) => pattern)
  expect(patterns.length).toBeGreaterThan(10)
  const alternatives = patterns.flatMap((pattern) => {
    const [whole, choices] = /\{([^}]*)\}/.exec(pattern) ?? []
    return whole === undefined ? [pattern] : choices.split(',').map((one) => pattern.replace(whole, one))
  })
  expect(alternatives.filter((pattern) => globSync(pattern).length === 0)).toEqual([])
})

test('one file of src imports the client library of Prometheus, so that its successor is one change', () => {
  const clients = new Set(['prom-client', '@prometheus-io/client'])
  const importing = sources.filter((file) => importsOf(file).some(({ specifier }) => clients.has(specifier)))
  expect(importing.map(({ path }) => path)).toEqual(['src/metrics/client-library.ts'])
})
