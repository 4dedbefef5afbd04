import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTextFile } from './files/regular-file.ts'
import { packageRoot } from './package-root.ts'

const folder = fileURLToPath(new URL('alerts/runbooks/', packageRoot))

/** The runbooks in this package, by subject, as Markdown; empty for an installation without them. */
export function ownRunbooks(): ReadonlyMap<string, string> {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
    return new Map(files.toSorted().map((name) => [name.slice(0, -3), readTextFile(join(folder, name))]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}
