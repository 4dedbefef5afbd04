/** The file of a kept warm-up: a world alone, complete under its name, without an owner. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readSessionFile } from './read-session-file.ts'
import { schema } from './schema.ts'
import { readHead, readSections, saveState } from './world-state.ts'
import type { Sections, StateHead } from './world-state.ts'

/** Writes a file beside its place, and renames it. Damage by a loss of power is noticed by its checksums. */
export async function writeWarmUpFile(
  path: string,
  head: StateHead,
  sections: Sections,
  temporary: string,
): Promise<void> {
  try {
    const database = new DatabaseSync(temporary)
    try {
      database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; ${schema} COMMIT`)
      await saveState(database, head, sections)
    } finally {
      database.close()
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Null if there is no such file, or no world in it. Throws for one that cannot be read. */
export const readWarmUpFile = <N extends string>(
  path: string,
  names: readonly N[],
): { readonly head: StateHead; readonly sections: Record<N, Buffer> } | null =>
  existsSync(path)
    ? readSessionFile(path, (database) => {
        const head = readHead(database)
        return head === null ? null : { head, sections: readSections(database, names) }
      })
    : null
