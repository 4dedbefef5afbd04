import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Whether a process has the file open, or has been killed. */
export const hasLog = (path: string): boolean => existsSync(`${path}-wal`)

/**
 * Opens a file for reading. Without a log of changes no process has it open, and SQLite is told that it does not change,
 * as it could not read a file in a folder that cannot be written otherwise.
 */
export function openReadOnly(path: string, options: { readonly defensive?: boolean } = {}): DatabaseSync {
  const url = pathToFileURL(path)
  if (!hasLog(path)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { ...options, readOnly: true })
}
