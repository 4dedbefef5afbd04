import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../alerts/runbooks/', import.meta.url)

/** The runbooks that this package ships, by subject, as Markdown; none where they were left out. */
export function ownRunbooks(): ReadonlyMap<string, string> {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
    return new Map(
      files.toSorted().map((name) => [name.slice(0, -3), readFileSync(new URL(name, folder), 'utf8')]),
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map()
    throw error
  }
}
