/** The file of actions that a mirror reads. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { defaultActionsFile, noActionsFile } from '../../options/game-day-settings.ts'
import { FileHeldError, OwnerLock } from '../../store/owner-lock.ts'
import type { Logger } from '../../command-line/logger.ts'

interface OwnActions {
  /** Empty for none. */
  readonly path: string
  readonly release: () => void
}

/** The file of actions to read; empty for none. */
export function watchedActions(path: string): string {
  if (path === noActionsFile) return ''
  return path === '' && existsSync(dirname(defaultActionsFile)) ? defaultActionsFile : path
}

/** An action strikes one world: of several mirrors beside one file, the first reads it. */
export function ownActions(path: string, log: Logger): OwnActions {
  const unlocked = { path, release: () => {} }
  if (path === '') return unlocked
  try {
    const lock = new OwnerLock(resolve(path))
    return { path, release: () => lock.release() }
  } catch (error) {
    // Where nothing can be written beside the file, it is read nevertheless.
    if (!(error instanceof FileHeldError)) return unlocked
    log.error(
      `Another mirror reads ${path}: this one takes no actions. Give it a file of its own: --actions FILE.`,
    )
    return { ...unlocked, path: '' }
  }
}
