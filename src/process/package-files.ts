import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTextFile } from '../files/regular-file.ts'
import { packageRoot } from './package-root.ts'

/** The files of a folder of this package, by name; none in an installation without them. */
export function packageFiles(folder: string, ending: string): ReadonlyMap<string, string> {
  const path = fileURLToPath(new URL(folder, packageRoot))
  try {
    const names = readdirSync(path).filter((name) => name.endsWith(ending))
    return new Map(
      names.toSorted().map((name) => [name.slice(0, -ending.length), readTextFile(join(path, name))]),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}

/** The runbooks, by subject, as Markdown. */
export const ownRunbooks = (): ReadonlyMap<string, string> => packageFiles('alerts/runbooks/', '.md')
