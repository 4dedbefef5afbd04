import { posix } from 'node:path'
import { files, importsOf, isScript } from '../tidy/source-files.ts'

/** The importers of each file, by path. */
function importersByPath(): Map<string, string[]> {
  const importers = new Map<string, string[]>()
  for (const file of files.filter(({ path }) => isScript(path))) {
    for (const { specifier } of importsOf(file)) {
      if (!specifier.startsWith('.')) continue
      const path = posix.join(posix.dirname(file.path), specifier)
      importers.set(path, [...(importers.get(path) ?? []), file.path])
    }
  }
  return importers
}

const importers = importersByPath()

/**
 * The number of folders that a test shares with the test folder of a source, or with that of its part: the tests of
 * `src/tables/drawings` are in `test/tables` and `test/pictures`.
 */
function sharedFolders(source: string, test: string): number {
  const folders = posix.dirname(source.replace(/^src\//, '')).split('/')
  const others = posix.dirname(test.replace(/^test\//, '')).split('/')
  const sharedFrom = (start: number): number => {
    const inside = folders.slice(start)
    const different = inside.findIndex((folder, index) => folder !== others[index])
    return different < 0 ? inside.length : different
  }
  return Math.max(...folders.keys().map(sharedFrom))
}

/** The tests that import a file, directly or indirectly: those in its own folder first, then by distance. */
export function nearestTests(path: string, isTest: (path: string) => boolean, max: number): string[] {
  const steps = new Map([[path, 0]])
  for (const [current, distance] of steps) {
    for (const importer of importers.get(current) ?? [])
      if (!steps.has(importer)) steps.set(importer, distance + 1)
  }
  return [...steps]
    .filter(([test]) => isTest(test))
    .toSorted(
      ([one, near], [other, far]) =>
        sharedFolders(path, other) - sharedFolders(path, one) || near - far || (one < other ? -1 : 1),
    )
    .slice(0, max)
    .map(([test]) => test)
}
