import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Opens a file that stays as it is, also in a folder that cannot be written. */
export function openReadOnly(path: string, options: { readonly defensive?: boolean } = {}): DatabaseSync {
  const url = pathToFileURL(path)
  // It does not change while there is no log of changes.
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { ...options, readOnly: true })
}
